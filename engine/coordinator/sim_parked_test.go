package coordinator

import "rebalancelab/engine/kafka"

// unanswered is a request that has no answer although nothing stands for it: it
// is not parked, its append is not under way, and Kafka does not drop it. 0 if
// there is none. Kafka drops a parked request that a newer one of the member
// takes the place of, and that of a member that is removed; those are few.
func (s *simulation) unanswered() int64 {
	parkedNow := map[int64]bool{}
	for i := range s.c.groups.entries {
		e := &s.c.groups.entries[i]
		if !e.live {
			continue
		}
		for j := range e.item.members.entries {
			if m := &e.item.members.entries[j]; m.live {
				parkedNow[m.item.join.corr], parkedNow[m.item.sync.corr] = true, true
			}
		}
	}
	for i := range s.c.inFlight.All() {
		if p := &s.c.inFlight.All()[i]; p.commit != nil {
			parkedNow[p.commit.corr] = true
		} else if p.replaced != nil {
			parkedNow[p.replaced.corr] = true
		}
	}
	for i := range s.c.operations.All() {
		if o := &s.c.operations.All()[i]; o.req != nil {
			parkedNow[o.req.Corr] = true
		}
	}
	for corr := range s.open {
		if parkedNow[corr] {
			continue
		}
		if s.api[corr] != kafka.JoinGroup && s.api[corr] != kafka.SyncGroup {
			return corr
		}
		delete(s.open, corr)
		s.dropped++
	}
	return 0
}
