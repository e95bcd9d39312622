package coordinator

import (
	"strings"

	"rebalancelab/engine/kafka"
)

func (s *simulation) below(n int) int { return int(s.rng.Below(int64(n))) }

// one reports true once in n times.
func (s *simulation) one(n int) bool { return s.rng.Below(int64(n)) == 0 }

func (s *simulation) pick(list ...string) string { return list[s.below(len(list))] }

// apis are weighed by how often a broker gets them.
var apis = []kafka.API{kafka.JoinGroup, kafka.JoinGroup, kafka.JoinGroup, kafka.JoinGroup, kafka.SyncGroup, kafka.SyncGroup, kafka.SyncGroup,
	kafka.Heartbeat, kafka.Heartbeat, kafka.LeaveGroup, kafka.OffsetCommit, kafka.OffsetCommit, kafka.OffsetFetch, kafka.TxnOffsetCommit,
	kafka.DeleteGroups, kafka.OffsetDelete, kafka.DescribeGroups, kafka.ListGroups}

// draw makes up a request: mostly one that a client could send next, now and then
// one that none would.
func (s *simulation) draw() *kafka.Request {
	r := &kafka.Request{Corr: s.corr, Group: s.pick("a", "a", "b"), ClientID: "c", ClientHost: "/h", Generation: -1,
		SessionTimeoutMs: int32(1000 + 1000*s.below(9)), RebalanceTimeoutMs: int32(500 + 500*s.below(s.slowest)),
		ProtocolType: "consumer", RetentionMs: -1, ProducerID: 7 + s.rng.Below(2)}
	if s.one(12) {
		r.SessionTimeoutMs, r.RebalanceTimeoutMs = 600_000, 900_000
	}
	r.API = apis[s.below(len(apis))]
	s.drawMember(r)
	if g := s.c.group(r.Group); g != nil && !s.one(3) {
		s.follow(g, r)
	}
	oldest, newest := kafka.APIVersions(s.version, r.API)
	r.Version = newest
	if newest > oldest && s.one(2) {
		r.Version = oldest + int16(s.below(int(newest-oldest)+1))
	}
	if s.one(100) {
		r.Version = int16(s.below(12))
	}
	s.fill(r)
	if s.one(12) {
		s.extreme(r)
	}
	r.Trim()
	return r
}

// drawMember picks who sends the request.
func (s *simulation) drawMember(r *kafka.Request) {
	if len(s.ids) > 0 {
		r.MemberID = s.ids[len(s.ids)-1-s.below(min(len(s.ids), 6))]
	}
	if s.one(4) {
		r.InstanceID = s.pick("i1", "i2", "i3")
	}
	g := s.c.group(r.Group)
	if g == nil {
		return
	}
	r.Generation = g.generation - int32(max(0, s.below(8)-6))
	if n := g.size(); n > 0 && !s.one(6) {
		m := s.memberOf(g, s.rng.Below(int64(n)))
		if r.MemberID = m; !s.one(4) {
			r.InstanceID = g.member(m).instance
		}
	}
}

// follow makes the request what the group waits for.
func (s *simulation) follow(g *group, r *kafka.Request) {
	switch g.state {
	case kafka.PreparingRebalance:
		r.API = kafka.JoinGroup
	case kafka.CompletingRebalance:
		r.API, r.Generation = kafka.SyncGroup, g.generation
	case kafka.Stable:
		if m := unsyncedStatic(g); m != nil {
			r.API, r.MemberID, r.InstanceID = kafka.JoinGroup, "", m.instance
		}
	}
}

// unsyncedStatic is a static member that the group still waits for, nil if there
// is none.
func unsyncedStatic(g *group) *member {
	for i := range g.members.entries {
		if e := &g.members.entries[i]; e.live && e.item.awaitsSync && e.item.isStatic() {
			return &e.item
		}
	}
	return nil
}

// fill gives a request what its API has beside the member.
func (s *simulation) fill(r *kafka.Request) {
	tp := kafka.TopicPartition{Topic: s.pick("t", "u"), Partition: int32(s.below(3))}
	switch r.API {
	case kafka.JoinGroup:
		if s.one(3) {
			r.MemberID = ""
		}
		if r.MemberID == "" && r.InstanceID == "" && s.one(2) {
			r.InstanceID = s.pick("", "i1", "i2", "i3")
		}
		for _, p := range [][]string{{"range", "sticky"}, {"sticky", "range"}, {"roundrobin", "sticky"}}[s.below(3)] {
			r.Protocols = append(r.Protocols, kafka.Protocol{Name: p, Metadata: subscriptionTo(s.pick("t", "u"))})
		}
	case kafka.SyncGroup:
		r.ProtocolName = "sticky"
		if g := s.c.group(r.Group); g != nil {
			r.ProtocolName = g.protocol
			for i := range g.members.entries {
				if e := &g.members.entries[i]; e.live {
					r.Assignments = append(r.Assignments, kafka.MemberAssignment{MemberID: string(e.key), Assignment: "x"})
				}
			}
		}
	case kafka.LeaveGroup:
		r.Members = []kafka.LeavingMember{{MemberID: r.MemberID, InstanceID: r.InstanceID}}
		for range min(s.below(3), len(s.ids), int(r.Version)/3*3) { // a list since v3
			r.Members = append(r.Members, kafka.LeavingMember{MemberID: s.ids[len(s.ids)-1-s.below(min(len(s.ids), 4))]})
		}
	case kafka.OffsetCommit, kafka.TxnOffsetCommit:
		if s.one(3) {
			r.Group, r.MemberID, r.InstanceID, r.Generation = s.pick("a", "b", ""), "", "", -1
		}
		r.Offsets = []kafka.CommittedOffset{{TopicPartition: tp, Offset: s.corr, LeaderEpoch: -1}}
		if s.one(8) {
			r.Offsets = append(r.Offsets, kafka.CommittedOffset{TopicPartition: tp, Metadata: strings.Repeat("m", 4097)})
		}
		if s.one(4) {
			r.RetentionMs = s.rng.Below(60_000)
		}
	case kafka.OffsetFetch, kafka.OffsetDelete:
		r.Partitions, r.AllPartitions, r.RequireStable = []kafka.TopicPartition{tp}, s.one(3), s.one(2)
	case kafka.DeleteGroups, kafka.DescribeGroups:
		r.Groups = []string{r.Group, s.pick("a", "b", "c")}
	case kafka.ListGroups:
		r.States, r.Types = [][]string{nil, {"Stable"}, {"empty", "no state"}}[s.below(3)], [][]string{nil, {"Classic"}, {"consumer"}}[s.below(3)]
	}
}

// extreme moves one field to a bound of what the wire can carry, or beyond what
// any client sends.
func (s *simulation) extreme(r *kafka.Request) {
	long := strings.Repeat("x", 1<<16)
	number := []int32{-1 << 31, -1, 0, 1, 1<<31 - 1}[s.below(5)]
	switch s.below(12) {
	case 0:
		r.Group = s.pick("", long)
	case 1:
		r.MemberID = s.pick("", long, "nobody")
	case 2:
		r.InstanceID = s.pick("", long)
	case 3:
		r.Generation = number
	case 4:
		r.SessionTimeoutMs = number
	case 5:
		r.RebalanceTimeoutMs = number
	case 6:
		r.ProtocolType, r.ProtocolName = s.pick("", "connect"), s.pick("", long)
	case 7:
		s.extremeProtocols(r)
	case 8:
		r.Assignments, r.Offsets, r.Partitions, r.Groups = nil, nil, nil, nil
		if r.Version >= 3 {
			r.Members = nil
		}
	case 9:
		r.Groups, r.Members = append(r.Groups, r.Groups...), append(r.Members, r.Members...)
		if r.API == kafka.LeaveGroup && r.Version < 3 {
			r.Members = r.Members[:1]
		}
		r.Assignments, r.Offsets = append(r.Assignments, r.Assignments...), append(r.Offsets, r.Offsets...)
	case 10:
		r.RetentionMs = int64(number)
	case 11:
		r.ProducerID = int64(number)
	}
}

// extremeProtocols makes the list of a JoinGroup empty, long, or double, or its
// subscriptions unreadable.
func (s *simulation) extremeProtocols(r *kafka.Request) {
	if r.API != kafka.JoinGroup {
		return
	}
	switch s.below(5) {
	case 0:
		r.Protocols = nil
	case 1:
		for range 1000 {
			r.Protocols = append(r.Protocols, kafka.Protocol{Name: "p" + itoa(int32(len(r.Protocols)))})
		}
	case 2:
		r.Protocols = append(r.Protocols, r.Protocols...)
	case 3:
		r.Protocols[0].Metadata, r.Protocols[1].Metadata = "", "\x00\x00\xff\xff\xff\xff"
	case 4:
		r.Protocols = []kafka.Protocol{{Name: "", Metadata: "\x00"}}
	}
}
