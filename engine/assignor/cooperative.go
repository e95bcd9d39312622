package assignor

import (
	"slices"

	"rebalancelab/engine/kafka"
)

// assignCooperative is CooperativeStickyAssignor: the sticky assignment without
// the partitions that change owners; their old owners revoke them and rejoin,
// and the next round gives them.
func assignCooperative(g *group, maxGeneration *int32) [][]kafka.TopicPartition {
	s := newSticky(g)
	s.findOwners(maxGeneration)
	var numbers [][]int32
	var receiver []int32
	if s.equalSubscriptions() {
		c := newConstrained(s)
		if !c.assign() {
			return nil
		}
		numbers, receiver = c.given, c.receiver
	} else {
		a := newGeneral(s, *maxGeneration)
		if !a.assign() {
			return nil
		}
		numbers, receiver = a.held, s.receivers(a.held)
	}
	for m := range numbers {
		numbers[m] = slices.DeleteFunc(numbers[m], func(p int32) bool { return receiver[p] == int32(m) })
	}
	return s.lists(numbers)
}

// receivers has the member that would get a partition which another one claims,
// by partition. All claims count, stale ones too.
func (s *sticky) receivers(assigned [][]int32) []int32 {
	added, revoked := s.all(nobody), make([]bool, len(s.topicOf))
	mark := s.all(nobody) // the member that claims it, then the one that has it
	for _, m := range s.order {
		for _, p := range s.claims[m] {
			mark[p] = m
		}
		for _, p := range assigned[m] {
			if mark[p] != m {
				added[p] = m
			}
		}
		for _, p := range s.claims[m] {
			mark[p] = nobody
		}
		for _, p := range assigned[m] {
			mark[p] = m
		}
		for _, p := range s.claims[m] {
			revoked[p] = revoked[p] || mark[p] != m
		}
	}
	for p := range added {
		if !revoked[p] {
			added[p] = nobody
		}
	}
	return added
}
