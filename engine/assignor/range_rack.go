package assignor

import (
	"slices"

	"rebalancelab/engine/kafka"
)

// rangeState is RangeAssignor.TopicAssignmentState: one topic while its
// partitions are given by rack.
type rangeState struct {
	topic       *Topic
	subscribers []int32
	racks       [][]string // of each partition; nil if no subscriber has a rack
	needsRacks  bool
	unassigned  []int32
	counts      []int32 // given to each member
	share       int32
	extra       int32 // members that may still get one more than share
}

// rangeStates is the state of each topic in the order of Java's map of topics,
// nil if racks decide nothing.
func rangeStates(g *group, subscribers [][]int32) []rangeState {
	if !slices.ContainsFunc(g.members, func(m Member) bool { return m.RackID != "" }) {
		return nil
	}
	states := make([]rangeState, 0, len(g.topics))
	used := false
	for _, t := range g.mapOrder {
		s := newRangeState(g, &g.topics[t], subscribers[t])
		used = used || s.needsRacks
		states = append(states, s)
	}
	if !used {
		return nil
	}
	return states
}

func newRangeState(g *group, topic *Topic, subscribers []int32) rangeState {
	count := int32(len(subscribers))
	s := rangeState{topic: topic, subscribers: subscribers, counts: make([]int32, len(g.members)),
		share: topic.Partitions / count, extra: topic.Partitions % count}
	for p := range topic.Partitions {
		s.unassigned = append(s.unassigned, p)
	}
	if racks := g.consumerRacks(subscribers); len(racks) > 0 {
		s.racks = racksOf(topic)
		s.needsRacks = racksMatter(racks, s.racks)
	}
	return s
}

// matches reports whether the partition has a replica on the member's rack.
func (s *rangeState) matches(g *group, m, partition int32) bool {
	rack := g.members[m].RackID
	return rack == "" || s.racks != nil && slices.Contains(s.racks[partition], rack)
}

// room is how many partitions the member may still get.
func (s *rangeState) room(m int32) int32 {
	most := s.share
	if s.extra > 0 {
		most++
	}
	return max(0, most-s.counts[m])
}

// give assigns partitions and takes them out of the unassigned ones.
func (s *rangeState) give(m int32, partitions []int32, result [][]kafka.TopicPartition) {
	if len(partitions) == 0 {
		return
	}
	for _, p := range partitions {
		result[m] = append(result[m], kafka.TopicPartition{Topic: s.topic.Name, Partition: p})
		at, _ := slices.BinarySearch(s.unassigned, p)
		s.unassigned = slices.Delete(s.unassigned, at, at+1)
	}
	s.counts[m] += int32(len(partitions))
	if s.counts[m] > s.share {
		s.extra--
	}
}

// giveFirst gives each subscriber the first unassigned partitions that it has
// room for; with byRack only those on its rack.
func (s *rangeState) giveFirst(g *group, byRack bool, result [][]kafka.TopicPartition) {
	for _, m := range s.subscribers {
		var chosen []int32
		room := int(s.room(m))
		for _, p := range s.unassigned {
			if len(chosen) == room {
				break
			}
			if !byRack || s.matches(g, m, p) {
				chosen = append(chosen, p)
			}
		}
		s.give(m, chosen, result)
	}
}

func assignRangeRacks(g *group, states []rangeState, result [][]kafka.TopicPartition) [][]kafka.TopicPartition {
	done := make([]bool, len(states))
	for i := range states {
		if done[i] {
			continue
		}
		together := []*rangeState{&states[i]}
		for j := i + 1; j < len(states); j++ {
			if !done[j] && coPartitioned(&states[i], &states[j]) {
				done[j] = true
				together = append(together, &states[j])
			}
		}
		if len(together) > 1 {
			giveTogether(g, together, result)
		} else if states[i].needsRacks {
			states[i].giveFirst(g, true, result)
		}
	}
	for i := range states {
		states[i].giveFirst(g, false, result)
	}
	for m := range result {
		slices.SortFunc(result[m], comparePartitions)
	}
	return result
}

// coPartitioned reports whether two topics have the same subscribers and as
// many partitions, so that a member gets the same numbers of both.
func coPartitioned(a, b *rangeState) bool {
	return len(a.racks) == len(b.racks) && slices.Equal(a.subscribers, b.subscribers)
}

// giveTogether gives partition p of all topics to the first subscriber that has
// room and the rack in each.
func giveTogether(g *group, states []*rangeState, result [][]kafka.TopicPartition) {
	remaining := slices.Clone(states[0].subscribers)
	for p := range int32(len(states[0].racks)) {
		at := slices.IndexFunc(remaining, func(m int32) bool {
			return !slices.ContainsFunc(states, func(s *rangeState) bool { return !s.matches(g, m, p) || s.room(m) == 0 })
		})
		if at < 0 {
			continue
		}
		m := remaining[at]
		for _, s := range states {
			s.give(m, []int32{p}, result)
		}
		if !slices.ContainsFunc(states, func(s *rangeState) bool { return s.room(m) > 0 }) {
			remaining = slices.Delete(remaining, at, at+1)
		}
		if len(remaining) == 0 {
			return
		}
	}
}
