package assignor

import (
	"strconv"
	"testing"

	"rebalancelab/engine/kafka"
)

// crowd makes members that all subscribe to the same topics, or, unequal, each
// to two of three of them.
func crowd(members, topics, partitions int, unequal bool) ([]Member, []Topic) {
	var list []Topic
	for t := range topics {
		list = append(list, Topic{Name: "topic-" + strconv.Itoa(t), Partitions: int32(partitions / topics)})
	}
	all := make([]Member, members)
	for i := range all {
		all[i] = Member{ID: "consumer-" + strconv.Itoa(i*7919), Generation: NoGeneration, Claim: NoGeneration}
		for t := range list {
			if !unequal || (t+i)%3 > 0 {
				all[i].Topics = append(all[i].Topics, list[t].Name)
			}
		}
	}
	return all, list
}

// own makes each member claim what it was given in a generation.
func own(members []Member, lists [][]kafka.TopicPartition, generation int32) {
	for i := range members {
		members[i].Owned, members[i].Generation, members[i].Claim = lists[i], generation, generation
	}
}

func BenchmarkAssign(b *testing.B) {
	for _, c := range []struct {
		name     string
		strategy Strategy
		members  int
		parts    int
		unequal  bool
		owned    bool
	}{
		{"range/1000x100000", Range, 1000, 100_000, false, false},
		{"cooperative/fresh/1000x100000", CooperativeSticky, 1000, 100_000, false, false},
		{"cooperative/join/1000x100000", CooperativeSticky, 1000, 100_000, false, true},
		{"cooperative/unequal/fresh/100x2000", CooperativeSticky, 100, 2000, true, false},
		{"cooperative/unequal/join/100x2000", CooperativeSticky, 100, 2000, true, true},
		{"cooperative/unequal/fresh/1000x20000", CooperativeSticky, 1000, 20_000, true, false},
		{"cooperative/unequal/join/1000x20000", CooperativeSticky, 1000, 20_000, true, true},
	} {
		b.Run(c.name, func(b *testing.B) {
			members, topics := crowd(c.members, 10, c.parts, c.unequal)
			if c.owned {
				generation := NoGeneration
				most := members[:len(members)-1]
				own(most, Assign(c.strategy, kafka.V3_9, most, topics, &generation), 1)
			}
			b.ReportAllocs()
			for b.Loop() {
				generation := NoGeneration
				Assign(c.strategy, kafka.V3_9, members, topics, &generation)
			}
		})
	}
}
