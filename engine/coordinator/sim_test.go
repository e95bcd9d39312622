package coordinator

import (
	"slices"
	"strconv"
	"testing"

	"rebalancelab/engine/clock"
	"rebalancelab/engine/event"
	"rebalancelab/engine/kafka"
	"rebalancelab/engine/tape"
)

// simulation drives a coordinator with random requests, times, append results and
// changes of leadership, and checks the invariants after every step.
type simulation struct {
	t        *testing.T
	seed     uint64
	version  kafka.Version
	rng      clock.Stream
	c        *Coordinator
	twin     *Coordinator // a clone that gets the same steps
	out      Output
	twinOut  Output
	log      tape.Tape[kafka.Record]
	now      clock.Time
	owned    bool
	corr     int64
	open     map[int64]bool // requests not answered
	ids      []string
	held     []Append
	seen     map[string]seenGeneration
	api      map[int64]kafka.API
	dropped  int
	answered int
	late     int // answered in a later step
	fired    int
}

type seenGeneration struct {
	serial     uint64
	generation int32
}

var simGroups = []string{"a", "b", ""}

// TestSimulation plays seeds of random steps.
func TestSimulation(t *testing.T) {
	seeds := uint64(40)
	if testing.Short() {
		seeds = 3
	}
	for _, v := range simulated() {
		var answered, late, fired int
		for seed := range seeds {
			s := newSimulation(t, v, seed)
			for range 400 {
				s.step()
			}
			answered, late, fired = answered+s.answered, late+s.late, fired+s.fired
		}
		if !testing.Short() && (answered < 5000 || late < 200 || fired < 250) {
			t.Errorf("%s: the simulation is lame: %d answers, %d of them late, %d timers", v, answered, late, fired)
		}
	}
}

// simulated lists every release line, and the patches that have a bug of their
// own.
func simulated() []kafka.Version {
	return append(slices.Clone(kafka.Newest()), kafka.Version{Minor: 9}, kafka.Version{Major: 2, Minor: 1},
		kafka.Version{Major: 2, Minor: 2}, kafka.Version{Major: 2, Minor: 3}, kafka.Version{Major: 2, Minor: 6}, kafka.Version{Major: 2, Minor: 8})
}

func newSimulation(t *testing.T, v kafka.Version, seed uint64) *simulation {
	settings := kafka.DefaultSettings(v)
	s := &simulation{t: t, seed: seed, version: v, rng: clock.NewStream(seed, "sim "+v.String()), open: map[int64]bool{},
		seen: map[string]seenGeneration{}, api: map[int64]kafka.API{}, out: Output{Log: event.NewLog()}, twinOut: Output{Log: event.NewLog()}}
	settings.Values[kafka.GroupInitialRebalanceDelayMs] = s.rng.Below(3) * 1500
	settings.Values[kafka.GroupMaxSize] = 2 + s.rng.Below(6)
	settings.Values[kafka.GroupMinSessionTimeoutMs] = 10
	settings.Values[kafka.OffsetsRetentionMinutes] = 1
	s.c = New(1, v, &settings, clock.NewStream(seed, "ids"), 1)
	s.load()
	return s
}

func (s *simulation) fail(format string, args ...any) {
	s.t.Helper()
	s.t.Fatalf("%s, seed %d, request %d, at %s: "+format, append([]any{s.version, s.seed, s.corr, s.now}, args...)...)
}

// step does one random thing on the coordinator and on its twin.
func (s *simulation) step() {
	s.twin = s.c.Clone()
	switch s.rng.Below(12) {
	case 0, 1, 2:
		s.advance(clock.Duration(s.rng.Below(800)) * clock.Millisecond)
	case 3:
		s.advance(clock.Duration(s.rng.Below(40_000)) * clock.Millisecond)
	case 4:
		s.other()
	default:
		s.request()
	}
	s.check()
}

// both does the same to the coordinator and to its twin.
func (s *simulation) both(do func(c *Coordinator, out *Output)) {
	do(s.c, &s.out)
	do(s.twin, &s.twinOut)
	s.collect()
}

// advance goes to the time at once; the twin stops halfway.
func (s *simulation) advance(d clock.Duration) {
	half, to := s.now.Add(d/2), s.now.Add(d)
	for s.c.Next() <= to {
		s.now = max(s.now, s.c.Next())
		before := s.out.Log.Len()
		s.c.Expire(s.now, &s.out)
		s.fired += min(1, s.out.Log.Len()-before)
	}
	s.now = to
	s.twin.Expire(half, &s.twinOut)
	s.twin.Expire(to, &s.twinOut)
	s.collect()
}

// other is something that is no request.
func (s *simulation) other() {
	switch s.rng.Below(5) {
	case 0:
		if s.owned {
			s.both(func(c *Coordinator, out *Output) { c.Unload(s.now, 0, 1, out) })
			s.owned = false
		} else {
			s.load()
		}
	case 1:
		s.both(func(c *Coordinator, out *Output) { c.Cleanup(s.now, 1, out) })
	case 2:
		if !s.c.has.Has(kafka.WriteOperations) { // else the coordinator writes it
			s.log.Append(kafka.Record{KeyVersion: -1, Marker: kafka.CommitMarker, ProducerID: 7})
		}
		s.both(func(c *Coordinator, out *Output) { c.CompleteTransaction(s.now, 0, 7, 0, true, 1, out) })
	case 3:
		tps := []kafka.TopicPartition{{Topic: "t", Partition: int32(s.rng.Below(3))}}
		s.both(func(c *Coordinator, out *Output) { c.DeleteTopicPartitions(s.now, tps, 1, out) })
	case 4:
		s.finish()
	}
}

func (s *simulation) load() {
	if s.twin == nil {
		s.twin = s.c.Clone()
	}
	s.both(func(c *Coordinator, out *Output) {
		c.BeginLoad(s.now, 0, 1)
		c.EndLoad(s.now, 0, &s.log, 1, out)
	})
	s.owned = true
}

// finish answers the oldest append that is held.
func (s *simulation) finish() {
	if len(s.held) == 0 {
		return
	}
	a := s.held[0]
	s.held = s.held[1:]
	errors := []kafka.Error{kafka.None, kafka.None, kafka.NotEnoughReplicas, kafka.RequestTimedOut, kafka.NotLeaderOrFollower}
	err := errors[s.rng.Below(int64(len(errors)))]
	if err == kafka.None && s.c.Expects(a.ID) {
		for _, r := range a.Records {
			s.log.Append(r)
		}
	}
	s.both(func(c *Coordinator, out *Output) { c.AppendDone(s.now, a.ID, err, 1, out) })
}

// request sends a random request.
func (s *simulation) request() {
	s.corr++
	s.open[s.corr] = true
	r := s.draw()
	s.api[s.corr] = r.API
	s.both(func(c *Coordinator, out *Output) { c.Step(s.now, event.Consumer(0), r, 1, out) })
	for len(s.held) > 0 && s.rng.Below(3) > 0 {
		s.finish()
	}
}

func (s *simulation) draw() *kafka.Request {
	pick := func(list ...string) string { return list[s.rng.Below(int64(len(list)))] }
	r := &kafka.Request{Corr: s.corr, Version: int16(s.rng.Below(10)), Group: pick(simGroups[:2]...), ClientID: "c", ClientHost: "/h",
		SessionTimeoutMs: int32(1000 + 1000*s.rng.Below(9)), RebalanceTimeoutMs: int32(500 + 500*s.rng.Below(30)),
		ProtocolType: "consumer", RetentionMs: -1, ProducerID: 7, AllPartitions: s.rng.Below(2) == 0, RequireStable: true}
	if len(s.ids) > 0 {
		r.MemberID = s.ids[len(s.ids)-1-int(s.rng.Below(int64(min(len(s.ids), 6))))]
	}
	if g := s.c.group(r.Group); g != nil {
		r.Generation = g.generation - int32(max(0, s.rng.Below(8)-6))
		for i := range g.members.entries {
			r.Assignments = append(r.Assignments, kafka.MemberAssignment{MemberID: string(g.members.entries[i].key), Assignment: "x"})
		}
		if n := int64(g.size()); n > 0 && s.rng.Below(6) > 0 {
			r.MemberID = s.memberOf(g, s.rng.Below(n))
		}
	}
	apis := []kafka.API{kafka.JoinGroup, kafka.JoinGroup, kafka.JoinGroup, kafka.SyncGroup, kafka.SyncGroup, kafka.Heartbeat, kafka.Heartbeat,
		kafka.LeaveGroup, kafka.OffsetCommit, kafka.OffsetFetch}
	if s.c.has.Has(kafka.StaticMembers) {
		apis = append(apis, kafka.TxnOffsetCommit, kafka.DeleteGroups, kafka.OffsetDelete, kafka.DescribeGroups, kafka.ListGroups)
		if s.rng.Below(3) == 0 {
			r.InstanceID = pick("i1", "i2", "i3")
		}
	}
	r.API = apis[s.rng.Below(int64(len(apis)))]
	if g := s.c.group(r.Group); g != nil && s.rng.Below(2) == 0 {
		// What a real client would send.
		switch g.state {
		case kafka.PreparingRebalance, kafka.Empty:
			r.API = kafka.JoinGroup
		case kafka.CompletingRebalance:
			r.API, r.InstanceID, r.Generation = kafka.SyncGroup, "", g.generation
		}
	}
	switch r.API {
	case kafka.JoinGroup:
		if s.rng.Below(3) == 0 {
			r.MemberID = ""
		}
		for _, p := range []string{pick("range", "roundrobin"), "sticky"} {
			r.Protocols = append(r.Protocols, kafka.Protocol{Name: p, Metadata: subscriptionTo(pick("t", "u"))})
		}
	case kafka.LeaveGroup:
		r.Members = []kafka.LeavingMember{{MemberID: r.MemberID, InstanceID: r.InstanceID}}
	case kafka.OffsetCommit, kafka.TxnOffsetCommit:
		if s.rng.Below(3) == 0 {
			r.Group, r.MemberID, r.InstanceID, r.Generation = "", "", "", -1
		}
		r.Offsets = []kafka.CommittedOffset{{TopicPartition: kafka.TopicPartition{Topic: "t", Partition: int32(s.rng.Below(3))}, Offset: s.corr}}
	case kafka.OffsetFetch, kafka.OffsetDelete:
		r.Partitions = []kafka.TopicPartition{{Topic: "t", Partition: int32(s.rng.Below(3))}}
	case kafka.DeleteGroups, kafka.DescribeGroups:
		r.Groups = []string{r.Group}
	}
	return r
}

// memberOf is the id of the nth member.
func (s *simulation) memberOf(g *group, n int64) string {
	for i := range g.members.entries {
		if e := &g.members.entries[i]; e.live {
			if n == 0 {
				return string(e.key)
			}
			n--
		}
	}
	return ""
}

// collect takes the replies and holds the appends.
func (s *simulation) collect() {
	if len(s.out.Replies) != len(s.twinOut.Replies) || len(s.out.Appends) != len(s.twinOut.Appends) {
		s.fail("the clone answers otherwise: %d and %d", len(s.out.Replies), len(s.twinOut.Replies))
	}
	for i := range s.out.Replies {
		r := &s.out.Replies[i]
		if !s.open[r.Corr] {
			s.fail("request %d is answered twice", r.Corr)
		}
		if r.Corr != s.corr {
			s.late++
		}
		s.answered++
		delete(s.open, r.Corr)
		if r.API == kafka.JoinGroup && r.MemberID != "" {
			s.ids = append(s.ids, r.MemberID)
		}
	}
	s.held = append(s.held, s.out.Appends...)
	s.out.Reset()
	s.twinOut.Reset()
}

func (s *simulation) check() {
	if broken := s.c.Check(); broken != "" {
		s.fail("invariant: %s", broken)
	}
	a, b := clock.NewHash(), clock.NewHash()
	s.c.Hash(&a)
	s.twin.Hash(&b)
	if a.Sum() != b.Sum() {
		s.fail("the clone went another way")
	}
	for _, id := range simGroups {
		g := s.c.group(id)
		if g == nil {
			continue
		}
		before := s.seen[id]
		if before.serial == g.serial && g.generation < before.generation {
			s.fail("the generation of %s fell from %d to %d", strconv.Quote(id), before.generation, g.generation)
		}
		s.seen[id] = seenGeneration{g.serial, g.generation}
	}
	if unknown := s.unanswered(); unknown != 0 {
		s.fail("request %d is lost", unknown)
	}
}
