package assignor

import (
	"slices"

	"rebalancelab/engine/kafka"
)

// nobody stands where no member is.
const nobody int32 = -1

// sticky is what both algorithms of AbstractStickyAssignor start from. Its
// partitions are numbered in the order of (topic, partition); a claim beyond a
// topic's size has a number too, behind the topic's partitions.
type sticky struct {
	*group
	first     []int32 // number of each topic's partition 0; at the end the count of all
	topicOf   []int32 // by number
	partition []int32 // by number

	claims  [][]int32 // of each member, on existing topics
	owned   [][]int32 // the claims that stand, of each member
	owner   []int32   // by number
	doubled []bool    // by number: two members of one generation claim it
	racks   *rackInfo
}

func newSticky(g *group) *sticky {
	s := &sticky{group: g}
	beyond := s.claimsBeyond()
	for t := range g.topics {
		s.first = append(s.first, int32(len(s.topicOf)))
		for p := range g.topics[t].Partitions {
			s.topicOf, s.partition = append(s.topicOf, int32(t)), append(s.partition, p)
		}
		for _, p := range beyond[t] {
			s.topicOf, s.partition = append(s.topicOf, int32(t)), append(s.partition, p)
		}
	}
	s.first = append(s.first, int32(len(s.topicOf)))
	s.claims = make([][]int32, len(g.members))
	for m := range g.members {
		for _, tp := range g.members[m].Owned {
			if n := s.number(tp); n >= 0 {
				s.claims[m] = append(s.claims[m], n)
			}
		}
	}
	s.racks = newRackInfo(s)
	return s
}

// claimsBeyond lists, by topic, the claimed partitions that do not exist.
func (s *sticky) claimsBeyond() [][]int32 {
	beyond := make([][]int32, len(s.topics))
	for m := range s.members {
		for _, tp := range s.members[m].Owned {
			if t, ok := s.topicIndex[tp.Topic]; ok && tp.Partition >= s.topics[t].Partitions {
				beyond[t] = append(beyond[t], tp.Partition)
			}
		}
	}
	for t := range beyond {
		slices.Sort(beyond[t])
		beyond[t] = slices.Compact(beyond[t])
	}
	return beyond
}

// number is the number of a partition, -1 if its topic is not there.
func (s *sticky) number(tp kafka.TopicPartition) int32 {
	t, ok := s.topicIndex[tp.Topic]
	if !ok || tp.Partition < 0 {
		return -1
	}
	if tp.Partition < s.topics[t].Partitions {
		return s.first[t] + tp.Partition
	}
	beyond := s.first[t] + s.topics[t].Partitions
	at, _ := slices.BinarySearch(s.partition[beyond:s.first[t+1]], tp.Partition)
	return beyond + int32(at)
}

// exists reports whether the topic has the partition.
func (s *sticky) exists(p int32) bool { return s.partition[p] < s.topics[s.topicOf[p]].Partitions }

// all fills a new list by number.
func (s *sticky) all(value int32) []int32 { return slices.Repeat([]int32{value}, len(s.topicOf)) }

// findOwners decides which claims stand. A claim is compared with the field
// generation of the other claimant, whatever generation that one's claim is of.
func (s *sticky) findOwners(maxGeneration *int32) {
	s.owned = make([][]int32, len(s.members))
	s.owner = s.all(nobody)
	s.doubled = make([]bool, len(s.topicOf))
	for _, m := range s.order {
		claim := s.members[m].Claim
		*maxGeneration = max(*maxGeneration, claim)
		for _, p := range s.claims[m] {
			other := s.owner[p]
			switch {
			case other == nobody:
				s.owned[m] = append(s.owned[m], p)
				s.owner[p] = m
			case claim == s.members[other].Generation:
				s.doubled[p] = true
				s.owned[other] = without(s.owned[other], p)
				s.owner[p] = m
			case claim > s.members[other].Generation:
				s.owned[m] = append(s.owned[m], p)
				s.owned[other] = without(s.owned[other], p)
				s.owner[p] = m
			}
		}
	}
}

// without takes the first p out of a list, in place.
func without(list []int32, p int32) []int32 {
	if at := slices.Index(list, p); at >= 0 {
		return slices.Delete(list, at, at+1)
	}
	return list
}

// equalSubscriptions compares the members' topics with those of the first member
// that has any. Members before it do not count.
func (s *sticky) equalSubscriptions() bool {
	var topics map[string]bool
	for _, m := range s.order {
		own := s.members[m].Topics
		if len(topics) == 0 {
			topics = make(map[string]bool, len(own))
			for _, name := range own {
				topics[name] = true
			}
			continue
		}
		if len(own) != len(topics) || slices.ContainsFunc(own, func(name string) bool { return !topics[name] }) {
			return false
		}
	}
	return true
}

// lists turns numbers into partitions.
func (s *sticky) lists(numbers [][]int32) [][]kafka.TopicPartition {
	lists := make([][]kafka.TopicPartition, len(numbers))
	for m := range numbers {
		lists[m] = make([]kafka.TopicPartition, len(numbers[m]))
		for i, p := range numbers[m] {
			lists[m][i] = kafka.TopicPartition{Topic: s.topics[s.topicOf[p]].Name, Partition: s.partition[p]}
		}
	}
	return lists
}
