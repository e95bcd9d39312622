package assignor

import (
	"cmp"
	"slices"
)

// general is GeneralAssignmentBuilder, for unequal subscriptions: keep what can
// be kept, give the rest to the least loaded subscriber, then move partitions
// as long as that makes the group more even.
type general struct {
	*sticky
	subscribers [][]int32 // of each topic
	subscribes  []bool    // by topic*members + member
	topicOrder  []int32   // topics by number of subscribers
	held        [][]int32 // of each member
	holder      []int32   // by number
	earlier     []int32   // by number: who claims it from an earlier generation
	most        []int     // partitions of all topics of each member
	byLoad      []int32   // members by (number held, id); not the fixed ones
	fixed       []bool    // members that nothing can be moved to or from
	moves       movements
	thrown      bool // Kafka's assignor throws NullPointerException
}

func newGeneral(s *sticky, maxGeneration int32) *general {
	a := &general{sticky: s, subscribers: s.group.subscribers(s.order), held: s.owned, holder: s.owner,
		earlier: s.all(nobody), most: make([]int, len(s.members)), fixed: make([]bool, len(s.members)),
		subscribes: make([]bool, len(s.topics)*len(s.members)), moves: newMovements(s)}
	for m := range s.members {
		for _, t := range s.potential[m] {
			a.subscribes[int(t)*len(s.members)+m] = true
			a.most[m] += int(s.topics[t].Partitions)
		}
	}
	for t := range s.topics {
		a.topicOrder = append(a.topicOrder, int32(t))
	}
	slices.SortStableFunc(a.topicOrder, func(x, y int32) int {
		return cmp.Compare(len(a.subscribers[x]), len(a.subscribers[y]))
	})
	a.findEarlier(maxGeneration)
	return a
}

// findEarlier notes, for each partition, the member of the latest generation
// before maxGeneration that claims it.
func (a *general) findEarlier(maxGeneration int32) {
	generation := a.all(0)
	for _, m := range a.order {
		claim := a.members[m].Claim
		if claim >= maxGeneration {
			continue
		}
		for _, p := range a.claims[m] {
			if a.earlier[p] == nobody || claim > generation[p] {
				a.earlier[p], generation[p] = m, claim
			}
		}
	}
}

func (a *general) canTake(m, p int32) bool {
	return a.subscribes[int(a.topicOf[p])*len(a.members)+int(m)]
}

// assign reports false when Kafka's assignor throws an exception.
func (a *general) assign() bool {
	revoked := a.dropImpossible()
	all, unassigned := a.listPartitions()
	a.byLoad = slices.Clone(a.order)
	slices.SortFunc(a.byLoad, a.compareLoad)
	fresh := len(a.held[a.byLoad[len(a.byLoad)-1]]) == 0
	a.giveUnassigned(unassigned)
	immovable := func(p int32) bool { return len(a.subscribers[a.topicOf[p]]) < 2 }
	all, unassigned = slices.DeleteFunc(all, immovable), slices.DeleteFunc(unassigned, immovable)
	a.fix()
	if len(a.byLoad) == 0 {
		return true
	}
	before := make([][]int32, len(a.held))
	for m := range a.held {
		before[m] = slices.Clone(a.held[m])
	}
	if !revoked {
		a.perform(unassigned)
	}
	if a.perform(all) && !fresh && a.score(a.held) >= a.score(before) {
		a.held = before
	}
	return !a.thrown
}

// dropImpossible takes away what a member does not subscribe or what is on other
// racks.
func (a *general) dropImpossible() bool {
	dropped := false
	for m := range a.held {
		kept := a.held[m][:0]
		for _, p := range a.held[m] {
			if a.canTake(int32(m), p) && !a.racks.mismatch(int32(m), p) {
				kept = append(kept, p)
			}
		}
		dropped = dropped || len(kept) < len(a.held[m])
		a.held[m] = kept
	}
	return dropped
}

// listPartitions lists all partitions by topicOrder, and those that nobody
// holds; see constrained.unassigned for held ones that do not exist.
func (a *general) listPartitions() (all, unassigned []int32) {
	held := make([]bool, len(a.topicOf))
	for m := range a.held {
		for _, p := range a.held[m] {
			held[p] = true
		}
	}
	hidden := false
	for _, t := range a.topicOrder {
		for p := a.first[t]; p < a.first[t+1]; p++ {
			if !a.exists(p) {
				hidden = hidden || held[p]
				continue
			}
			all = append(all, p)
			if hidden || !held[p] {
				unassigned = append(unassigned, p)
			}
		}
	}
	return all, unassigned
}

// giveUnassigned gives each partition to the least loaded subscriber, first
// where racks match.
func (a *general) giveUnassigned(unassigned []int32) {
	rest := unassigned
	if a.racks.aware {
		rest = nil
		for _, p := range unassigned {
			if !a.giveFirst(p, true) {
				rest = append(rest, p)
			}
		}
	}
	for _, p := range rest {
		a.giveFirst(p, false)
	}
}

func (a *general) giveFirst(p int32, byRack bool) bool {
	for _, m := range a.byLoad {
		if a.canTake(m, p) && !(byRack && a.racks.mismatch(m, p)) {
			a.unload(m)
			a.held[m] = append(a.held[m], p)
			a.holder[p] = m
			a.load(m)
			return true
		}
	}
	return false
}

// fix takes the members out of the balancing that hold all that they can, none
// of it of a topic with other subscribers.
func (a *general) fix() {
	for m := range a.held {
		a.fixed[m] = len(a.held[m]) >= a.most[m] && !slices.ContainsFunc(a.held[m], func(p int32) bool {
			return len(a.subscribers[a.topicOf[p]]) > 1
		})
	}
	a.byLoad = slices.DeleteFunc(a.byLoad, func(m int32) bool { return a.fixed[m] })
}

func (a *general) compareLoad(x, y int32) int {
	return cmp.Or(cmp.Compare(len(a.held[x]), len(a.held[y])), cmp.Compare(a.rank[x], a.rank[y]))
}

// unload takes a member out of byLoad, before its load changes.
func (a *general) unload(m int32) {
	if at, found := slices.BinarySearchFunc(a.byLoad, m, a.compareLoad); found {
		a.byLoad = slices.Delete(a.byLoad, at, at+1)
	}
}

// load puts a member into byLoad where its load belongs.
func (a *general) load(m int32) {
	at, _ := slices.BinarySearchFunc(a.byLoad, m, a.compareLoad)
	a.byLoad = slices.Insert(a.byLoad, at, m)
}

// score sums the differences of load over all pairs of members that take part.
func (a *general) score(held [][]int32) int {
	var loads []int
	for _, m := range a.byLoad {
		loads = append(loads, len(held[m]))
	}
	slices.Sort(loads)
	score := 0
	for i, load := range loads {
		score += load * (2*i + 1 - len(loads))
	}
	return score
}
