package coordinator

import (
	"strconv"
	"testing"

	"rebalancelab/engine/clock"
	"rebalancelab/engine/event"
	"rebalancelab/engine/kafka"
	"rebalancelab/engine/rule"
	"rebalancelab/engine/tape"
)

// shard drives a coordinator of 4.4 whose appends the test answers.
type shard struct {
	t       *testing.T
	c       *Coordinator
	out     Output
	now     clock.Time
	corr    int64
	replies map[int64]kafka.Response
	appends []Append
}

func newShard(t *testing.T) *shard {
	settings := kafka.DefaultSettings(kafka.V4_4)
	settings.Values[kafka.GroupInitialRebalanceDelayMs] = 0
	s := &shard{t: t, c: New(1, kafka.V4_4, &settings, clock.NewStream(1, "shard"), 50), out: Output{Log: event.NewLog()}, replies: map[int64]kafka.Response{}}
	for p := range int32(50) {
		s.c.EndLoad(0, p, &tape.Tape[kafka.Record]{}, 0, &s.out)
	}
	return s
}

// delay sets the initial delay.
func (s *shard) delay(ms int64) {
	settings := *s.c.settings
	settings.Values[kafka.GroupInitialRebalanceDelayMs] = ms
	s.c.settings = &settings
}

func (s *shard) collect() {
	for _, r := range s.out.Replies {
		if _, twice := s.replies[r.Corr]; twice {
			s.t.Errorf("request %d is answered twice", r.Corr)
		}
		s.replies[r.Corr] = r.Response
	}
	s.appends = append(s.appends, s.out.Appends...)
	s.out.Reset()
	if broken := s.c.Check(); broken != "" {
		s.t.Errorf("invariant: %s", broken)
	}
}

// send hands in a request and is its number.
func (s *shard) send(r kafka.Request) int64 {
	s.corr++
	r.Corr = s.corr
	s.c.Step(s.now, event.Consumer(0), &r, 1, &s.out)
	s.collect()
	return s.corr
}

// end answers the oldest append that is open.
func (s *shard) end(err kafka.Error) {
	s.t.Helper()
	if len(s.appends) == 0 {
		s.t.Fatal("no append is open")
	}
	a := s.appends[0]
	s.appends = s.appends[1:]
	s.c.AppendDone(s.now, a.ID, err, 1, &s.out)
	s.collect()
}

func (s *shard) wait(d clock.Duration) {
	s.now = s.now.Add(d)
	s.c.Expire(s.now, &s.out)
	s.collect()
}

// want checks an answer; "pending" is none.
func (s *shard) want(corr int64, want string) kafka.Response {
	s.t.Helper()
	got := "pending"
	r, ok := s.replies[corr]
	if ok {
		got = r.FirstError().String()
	}
	if got != want {
		s.t.Errorf("request %d: %s, want %s", corr, got, want)
	}
	return r
}

func staticJoin(id string) kafka.Request {
	return kafka.Request{API: kafka.JoinGroup, Version: 9, ClientID: "c", ClientHost: "/h", Group: "g", MemberID: id, InstanceID: "i",
		SessionTimeoutMs: 10000, RebalanceTimeoutMs: 60000, ProtocolType: "consumer", Protocols: []kafka.Protocol{{Name: "range", Metadata: "x"}}}
}

// stable makes a Stable group of one static member and is its id.
func (s *shard) stable() string {
	join := s.send(staticJoin(""))
	s.end(kafka.None)
	s.wait(clock.Millisecond)
	id := s.want(join, "NONE").MemberID
	sync := s.send(kafka.Request{API: kafka.SyncGroup, Group: "g", MemberID: id, InstanceID: "i", Generation: 1,
		Assignments: []kafka.MemberAssignment{{MemberID: id, Assignment: "a"}}})
	s.end(kafka.None)
	s.want(sync, "NONE")
	return id
}

// TestReplacementIsUndone lets the record of a static replacement fail, and time
// out: the old id is back, with the protocols and a session of its own.
func TestReplacementIsUndone(t *testing.T) {
	for _, late := range []bool{false, true} {
		s := newShard(t)
		old := s.stable()
		again := staticJoin("")
		again.Protocols = []kafka.Protocol{{Name: "range", Metadata: "y"}}
		join := s.send(again)
		s.want(join, "pending")
		if late {
			s.wait(4999 * clock.Millisecond)
			s.want(join, "pending")
			s.wait(clock.Millisecond)
			s.want(join, "COORDINATOR_NOT_AVAILABLE")
			s.end(kafka.None)
		} else {
			s.end(kafka.NotLeaderOrFollower)
			s.want(join, "NOT_COORDINATOR")
		}
		if r := s.replies[join]; r.MemberID != "" || r.Generation != 1 || r.Leader != old || r.ProtocolName != "range" {
			t.Errorf("the answer is %+v", r)
		}
		if m := s.c.group("g").member(old); m == nil || m.protocols[0].Metadata != "x" || m.join.waiting {
			t.Fatal("the old member is not back")
		}
		s.want(s.send(kafka.Request{API: kafka.Heartbeat, Group: "g", MemberID: old, InstanceID: "i", Generation: 1}), "NONE")
		s.wait(10 * clock.Second)
		s.end(kafka.None)
		if g := s.c.group("g"); g.state != kafka.Empty || g.generation != 2 {
			t.Errorf("the group is %s in generation %d after its member's session", g.state, g.generation)
		}
	}
}

// TestReadsSeeWhatIsCommitted deletes a group and lets the deletion fail.
func TestReadsSeeWhatIsCommitted(t *testing.T) {
	s := newShard(t)
	orders := kafka.TopicPartition{Topic: "orders", Partition: 1}
	fetch := kafka.Request{API: kafka.OffsetFetch, Group: "g", Partitions: []kafka.TopicPartition{orders}}
	read := func(want int64) {
		t.Helper()
		if got := s.want(s.send(fetch), "NONE").Partitions[0].Offset; got != want {
			t.Errorf("the committed offset is %d, want %d", got, want)
		}
	}
	describe := func(want string) {
		t.Helper()
		got := s.replies[s.send(kafka.Request{API: kafka.DescribeGroups, Version: 6, Groups: []string{"g"}})].Groups[0].State
		if got != want {
			t.Errorf("the group is %s, want %s", got, want)
		}
	}
	commit := s.send(kafka.Request{API: kafka.OffsetCommit, Version: 9, Group: "g", Generation: -1, RetentionMs: -1,
		Offsets: []kafka.CommittedOffset{{TopicPartition: orders, Offset: 7}}})
	read(-1)
	describe("Dead")
	stable := fetch
	stable.RequireStable = true
	waits := s.send(stable)
	s.want(waits, "pending")
	s.want(commit, "pending")
	s.end(kafka.None)
	s.want(commit, "NONE")
	if got := s.want(waits, "NONE").Partitions[0].Offset; got != 7 {
		t.Errorf("the stable offset is %d", got)
	}
	read(7)
	gone := s.send(kafka.Request{API: kafka.DeleteGroups, Groups: []string{"g"}})
	if s.c.group("g") != nil {
		t.Error("the group is still in memory")
	}
	read(7)
	describe("Empty")
	s.end(kafka.NotEnoughReplicas)
	if got := s.replies[gone].Groups[0].Error; got != kafka.CoordinatorNotAvailable {
		t.Errorf("the deletion is answered %s", got)
	}
	read(7)
	describe("Empty")
}

// TestDeletionInManyPartitions answers once, when all partitions have.
func TestDeletionInManyPartitions(t *testing.T) {
	s := newShard(t)
	var ids []string
	for i := range 4 {
		id := "g" + strconv.Itoa(i)
		ids = append(ids, id)
		s.send(kafka.Request{API: kafka.OffsetCommit, Version: 8, Group: id, Generation: -1, RetentionMs: -1, Offsets: []kafka.CommittedOffset{{Offset: 1}}})
		s.end(kafka.None)
	}
	gone := s.send(kafka.Request{API: kafka.DeleteGroups, Groups: append(ids, "absent")})
	for i := range ids {
		s.want(gone, "pending")
		s.end([]kafka.Error{kafka.None, kafka.KafkaStorageError}[i/3])
	}
	got := ""
	for _, g := range s.replies[gone].Groups {
		got += g.Group + " " + g.Error.String() + ", "
	}
	if want := "absent GROUP_ID_NOT_FOUND, g0 NONE, g1 NONE, g2 NONE, g3 NOT_COORDINATOR, "; got != want {
		t.Errorf("the answer is %s, want %s", got, want)
	}
	if s.c.group("g0") != nil || s.c.group("g3") == nil {
		t.Error("the wrong groups are left")
	}
}

// TestLostGroup undoes the birth of a group: its timers run on, and the join
// phase of the first group ends in the second.
func TestLostGroup(t *testing.T) {
	s := newShard(t)
	s.delay(3000)
	join := s.send(staticJoin(""))
	s.want(join, "pending")
	s.end(kafka.MessageTooLarge)
	s.want(join, "UNKNOWN_SERVER_ERROR")
	if s.c.group("g") != nil {
		t.Fatal("the group is still there")
	}
	dynamic := staticJoin("")
	dynamic.InstanceID = ""
	s.want(s.send(dynamic), "MEMBER_ID_REQUIRED")
	s.end(kafka.None)
	s.wait(3 * clock.Second)
	if g := s.c.group("g"); g.state != kafka.Empty || g.generation != 1 || len(s.appends) > 0 {
		t.Errorf("the second group is %s in generation %d", g.state, g.generation)
	}
	s.wait(300 * clock.Second)
	if s.c.strays.live > 0 {
		t.Error("a timer is left")
	}
}

// TestParkedJoinTimesOut holds back the record of a new group for longer than
// offsets.commit.timeout.ms.
func TestParkedJoinTimesOut(t *testing.T) {
	s := newShard(t)
	s.delay(6000)
	join := s.send(staticJoin(""))
	s.wait(5 * clock.Second)
	if r := s.want(join, "COORDINATOR_NOT_AVAILABLE"); r.MemberID != "" {
		t.Errorf("the answer names %s", r.MemberID)
	}
	s.end(kafka.None)
	s.wait(clock.Second)
	if g := s.c.group("g"); g.state != kafka.CompletingRebalance || g.size() != 1 {
		t.Errorf("the group is %s with %d members", g.state, g.size())
	}
	s.want(s.send(kafka.Request{API: kafka.Heartbeat, Group: "g", MemberID: s.c.group("g").leader, Generation: 1}), "NONE")
}

// TestRequestIsNotKept holds that a waiting operation answers the request that it
// got, whatever its memory is used for meanwhile.
func TestRequestIsNotKept(t *testing.T) {
	f, ids := newFixture(kafka.V4_4, 1, nil)
	f.out.Reset()
	r := &kafka.Request{API: kafka.OffsetCommit, Version: 9, Corr: 77, Group: "g", MemberID: ids[0], Generation: f.c.group("g").generation,
		RetentionMs: -1, Offsets: []kafka.CommittedOffset{{TopicPartition: kafka.TopicPartition{Topic: "orders", Partition: 3}}}}
	f.c.Step(f.now, event.Consumer(0), r, 1, &f.out)
	r.Offsets[0].Topic = "others"
	*r = kafka.Request{API: kafka.Heartbeat, Corr: 78, Group: "g"}
	f.c.Expire(f.now.Add(5*clock.Second), &f.out)
	if len(f.out.Replies) != 1 {
		t.Fatalf("%d replies", len(f.out.Replies))
	}
	got := f.out.Replies[0]
	if got.API != kafka.OffsetCommit || got.Corr != 77 || len(got.Partitions) != 1 || got.Partitions[0].Topic != "orders" ||
		got.Partitions[0].Error != kafka.CoordinatorNotAvailable || got.Rule != rule.Event3 {
		t.Errorf("the commit is answered %+v", got)
	}
}
