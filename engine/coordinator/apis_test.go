package coordinator

import (
	"testing"

	"rebalancelab/engine/clock"
	"rebalancelab/engine/event"
	"rebalancelab/engine/kafka"
)

// TestHandle holds what a broker does before its coordinator hears of a request.
func TestHandle(t *testing.T) {
	for _, v := range kafka.Newest() {
		f, ids := newFixture(v, 1, func(s *kafka.Settings) { s.Values[kafka.GroupMaxSessionTimeoutMs] = 60_000 })
		f.out.Reset()
		before := f.c.deadline(f.c.group("g").member(ids[0]).timer)
		_, newest := kafka.APIVersions(v, kafka.OffsetCommit)
		f.c.Handle(f.now.Add(clock.Second), event.Consumer(0), &kafka.Request{API: kafka.OffsetCommit, Version: newest, Corr: 1, Group: "g",
			MemberID: ids[0], Generation: f.c.group("g").generation, RetentionMs: -1}, 1, &f.out)
		if len(f.out.Replies) != 1 || f.out.Replies[0].FirstError() != kafka.None {
			t.Errorf("%s: a commit of nothing is answered %+v", v, f.out.Replies)
		}
		if after := f.c.deadline(f.c.group("g").member(ids[0]).timer); after != before {
			t.Errorf("%s: a commit of nothing moves the session's end from %s to %s", v, before, after)
		}
		oldest, _ := kafka.APIVersions(v, kafka.DeleteGroups)
		if oldest < 0 {
			continue
		}
		f.out.Reset()
		f.c.Handle(f.now, event.Consumer(0), &kafka.Request{API: kafka.DeleteGroups, Version: oldest, Corr: 2, Groups: []string{"x", "g", "x"}}, 1, &f.out)
		f.settle()
		if len(f.out.Replies) != 1 || len(f.out.Replies[0].Groups) != 2 {
			t.Errorf("%s: three groups, one of them twice, are answered %+v", v, f.out.Replies)
		}
	}
}
