package coordinator

import (
	"strconv"
	"testing"

	"rebalancelab/engine/clock"
	"rebalancelab/engine/event"
	"rebalancelab/engine/kafka"
	"rebalancelab/engine/tape"
)

// fixture is a coordinator with one group, driven without a network.
type fixture struct {
	c    *Coordinator
	out  Output
	now  clock.Time
	corr int64
}

func newFixture(v kafka.Version, members int, tune func(*kafka.Settings)) (*fixture, []string) {
	settings := kafka.DefaultSettings(v)
	settings.Values[kafka.GroupInitialRebalanceDelayMs] = 0
	if tune != nil {
		tune(&settings)
	}
	f := &fixture{c: New(1, v, &settings, clock.NewStream(1, "ids"), 50), out: Output{Log: event.NewLog()}}
	for p := range int32(50) {
		f.c.EndLoad(0, p, &tape.Tape[kafka.Record]{}, 0, &f.out)
	}
	for i := range members {
		f.step(joinRequest("c"+strconv.Itoa(i), ""))
	}
	f.now = f.now.Add(clock.Second)
	f.c.Expire(f.now, &f.out)
	ids := f.memberIDs()
	f.rebalance(ids)
	return f, ids
}

func joinRequest(client, id string) *kafka.Request {
	return &kafka.Request{API: kafka.JoinGroup, Version: 3, ClientID: client, ClientHost: "/10.0.0.1", Group: "g", MemberID: id,
		SessionTimeoutMs: 45000, RebalanceTimeoutMs: 300000, ProtocolType: "consumer",
		Protocols: []kafka.Protocol{{Name: "range", Metadata: subscriptionTo(client)}, {Name: "cooperative-sticky", Metadata: subscriptionTo(client)}}}
}

func (f *fixture) step(r *kafka.Request) {
	f.corr++
	r.Corr = f.corr
	f.c.Step(f.now, event.Consumer(0), r, 1, &f.out)
	f.settle()
}

// settle answers appends at once.
func (f *fixture) settle() {
	for i := 0; i < len(f.out.Appends); i++ {
		f.c.AppendDone(f.now, f.out.Appends[i].ID, kafka.None, 1, &f.out)
	}
}

func (f *fixture) memberIDs() []string {
	v, _ := f.c.Group("g")
	ids := make([]string, len(v.Members))
	for i := range v.Members {
		ids[i] = v.Members[i].ID
	}
	return ids
}

// rebalance lets every member join with changed metadata, and then sync.
func (f *fixture) rebalance(ids []string) {
	f.corr++
	for i, id := range ids {
		f.step(joinRequest("x"+strconv.Itoa(i)+strconv.FormatInt(f.corr, 36), id))
	}
	f.syncAll(ids)
}

func (f *fixture) syncAll(ids []string) {
	g := f.c.group("g")
	assignments := make([]kafka.MemberAssignment, len(ids))
	for i, id := range ids {
		assignments[i] = kafka.MemberAssignment{MemberID: id, Assignment: "a"}
	}
	for _, id := range ids {
		r := &kafka.Request{API: kafka.SyncGroup, Version: 3, Group: "g", MemberID: id, Generation: g.generation}
		if id == g.leader {
			r.Assignments = assignments
		}
		f.step(r)
	}
	f.out.Reset()
}

func BenchmarkHeartbeat(b *testing.B) {
	f, ids := newFixture(kafka.V3_9, 100, nil)
	requests := make([]*kafka.Request, len(ids))
	for i, id := range ids {
		requests[i] = &kafka.Request{API: kafka.Heartbeat, Version: 4, Group: "g", MemberID: id, Generation: f.c.group("g").generation}
	}
	b.ReportAllocs()
	for i := 0; b.Loop(); i++ {
		f.now = f.now.Add(30 * clock.Millisecond)
		f.c.Step(f.now, event.Consumer(0), requests[i%len(requests)], 1, &f.out)
		f.out.Reset()
		if f.c.Next() <= f.now {
			f.c.Expire(f.now, &f.out)
		}
	}
}

func BenchmarkRebalance(b *testing.B) {
	for _, v := range []kafka.Version{kafka.V3_9, kafka.V4_4} {
		for _, n := range []int{100, 1000, 10_000} {
			b.Run(v.String()+"/"+strconv.Itoa(n), func(b *testing.B) { rebalanceWith(b, v, n) })
		}
	}
}

func rebalanceWith(b *testing.B, v kafka.Version, members int) {
	f, ids := newFixture(v, members, nil)
	joins := make([]*kafka.Request, members)
	b.ReportAllocs()
	for b.Loop() {
		b.StopTimer()
		f.out.Log = event.NewLog()
		for i, id := range ids {
			joins[i] = joinRequest("x"+strconv.FormatInt(f.corr+int64(i), 36), id)
		}
		b.StartTimer()
		for _, r := range joins {
			f.step(r)
		}
		f.syncAll(ids)
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*members), "ns/member")
}

func BenchmarkClone(b *testing.B) {
	f, _ := newFixture(kafka.V3_9, 1000, nil)
	b.ReportAllocs()
	for b.Loop() {
		f.c = f.c.Clone()
	}
}

func TestHeartbeatAllocatesNothing(t *testing.T) {
	for _, v := range []kafka.Version{kafka.V3_9, kafka.V4_4} {
		heartbeatAllocatesNothing(t, v)
	}
}

func heartbeatAllocatesNothing(t *testing.T, v kafka.Version) {
	f, ids := newFixture(v, 100, nil)
	r := &kafka.Request{API: kafka.Heartbeat, Version: 4, Group: "g", MemberID: ids[7], Generation: f.c.group("g").generation}
	before := f.out.Log.Count()
	allocs := testing.AllocsPerRun(1000, func() {
		f.now = f.now.Add(3 * clock.Second)
		f.c.Step(f.now, event.Consumer(0), r, 1, &f.out)
		if f.out.Replies[0].Error != kafka.None {
			t.Fatal(f.out.Replies[0].Error)
		}
		f.out.Reset()
	})
	if allocs != 0 || f.out.Log.Count() != before {
		t.Errorf("%s: a heartbeat allocates %v times and logs %d events", v, allocs, f.out.Log.Count()-before)
	}
}
