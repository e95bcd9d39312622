package coordinator

import (
	"cmp"
	"slices"

	"rebalancelab/engine/clock"
	"rebalancelab/engine/event"
	"rebalancelab/engine/kafka"
)

// orderSweep settles the order of timers with the same deadline that were armed
// in one sweep over the member map, which the recordings leave open: the search
// chooses which of them fires next.
func (p *oraclePlayer) orderSweep(at clock.Time) {
	var due []int32
	for i := range p.c.timers {
		if t := &p.c.timers[i]; t.armed && t.deadline == at {
			due = append(due, int32(i))
		}
	}
	slices.SortFunc(due, func(a, b int32) int { return cmp.Compare(p.c.timers[a].seq, p.c.timers[b].seq) })
	for len(due) > 1 {
		n := 1
		for n < len(due) && p.sameSweep(due[0], due[n]) {
			n++
		}
		if n == 1 {
			due = due[1:]
			continue
		}
		// The one that is chosen takes the first place of the sweep; the others
		// keep their order behind it and are chosen from in turn.
		k := p.choose(n)
		for ; k > 0; k-- {
			a, b := &p.c.timers[due[k-1]], &p.c.timers[due[k]]
			a.seq, b.seq = b.seq, a.seq
			due[k-1], due[k] = due[k], due[k-1]
		}
		for _, i := range due[:n] {
			p.c.queue(i)
		}
		due = due[1:]
	}
}

// sameSweep reports whether two timers of members were armed for the same
// reason, which was an event of the group and not a request.
func (p *oraclePlayer) sameSweep(i, j int32) bool {
	a, b := &p.c.timers[i], &p.c.timers[j]
	if a.kind != memberTimer || b.kind != memberTimer || a.cause != b.cause || a.serial != b.serial {
		return false
	}
	switch e := p.out.Log.Find(a.cause); {
	case e == nil:
		return false
	default:
		return slices.Contains([]event.Kind{event.JoinCompleted, event.GroupLoaded, event.AssignmentStored, event.RebalanceBegan}, e.Kind)
	}
}

func (p *oraclePlayer) choose(of int) int {
	k := choice{0, of}
	if at := len(p.made); at < len(p.choices) {
		k.taken = p.choices[at].taken
	}
	p.made = append(p.made, k)
	return k.taken
}

// remains is a timer of an unloaded group that Kafka leaves in its purgatory,
// where the recordings see it under the name of the group or member. It has no
// effect any more.
type remains struct {
	group, member string // member "" is the join phase
	deadline      clock.Time
	extensions    []clock.Time // of an initial delay that goes on for a dead group
}

// leaveRemains notes what an unload leaves behind: the timer of a join phase,
// and in 0.9 those of the members.
func (p *oraclePlayer) leaveRemains() {
	for _, id := range p.c.GroupIDs(nil) {
		g := p.c.group(id)
		if p.c.armed(g.joinTimer) {
			r := remains{group: id, deadline: p.c.deadline(g.joinTimer)}
			if g.initialDelay && g.newMemberAdded && g.remainingMs > 0 {
				delay := min(p.c.setting(kafka.GroupInitialRebalanceDelayMs), g.remainingMs)
				r.extensions = []clock.Time{r.deadline.Add(clock.Duration(delay) * clock.Millisecond)}
			}
			p.remains = append(p.remains, r)
		}
		if !p.trace.version.Older(firstToCompleteTheDead) {
			continue
		}
		for i := range p.c.timers {
			if t := &p.c.timers[i]; t.armed && t.group == id && (t.kind == memberTimer || t.kind == leftoverTimer) {
				p.remains = append(p.remains, remains{group: id, member: t.member, deadline: t.deadline})
			}
		}
	}
}

// firstToCompleteTheDead is the first recorded release whose members' timers end
// when somebody looks at them after their group was unloaded.
var firstToCompleteTheDead = kafka.Version{Major: 2, Minor: 2, Patch: 2}

func (p *oraclePlayer) expireRemains() {
	for i := 0; i < len(p.remains); i++ {
		r := &p.remains[i]
		switch {
		case r.deadline > p.now:
		case len(r.extensions) > 0:
			r.deadline, r.extensions = r.extensions[0], r.extensions[1:]
			i--
		default:
			p.remains = slices.Delete(p.remains, i, i+1)
			i--
		}
	}
}

// shownDeadline is the deadline that the recordings show for a join phase or a
// member's session when remains of an unloaded group stand beside it: the later
// join phase, the earlier session.
func (p *oraclePlayer) shownDeadline(group, member string, own clock.Time) any {
	if m := p.c.group(group).member(member); m != nil {
		for at := m.leftovers; at != noTimer; at = p.c.timers[at].next {
			own = min(own, p.c.deadline(at))
		}
	}
	for _, ghost := range p.ghosts {
		for i := range ghost.timers {
			switch t := &ghost.timers[i]; {
			case !t.armed || t.group != group || t.member != member:
			case member != "":
				own = min(own, t.deadline)
			case t.kind == joinPhaseTimer && (own == clock.Never || t.deadline > own):
				own = t.deadline
			}
		}
	}
	for _, r := range p.remains {
		switch {
		case r.group != group || r.member != member:
		case own == clock.Never, member == "" && r.deadline > own, member != "" && r.deadline < own:
			own = r.deadline
		}
	}
	return millisOf(own)
}
