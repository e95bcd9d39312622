package assignor

import (
	"slices"

	"rebalancelab/engine/kafka"
)

// assignRange is RangeAssignor: each topic on its own, its partitions in one
// piece for each subscriber, the first ones with one more.
func assignRange(g *group, version kafka.Version) [][]kafka.TopicPartition {
	order := g.instanceOrder()
	if version.Before(2, 4, 0) {
		slices.SortFunc(order, func(a, b int32) int { return int(g.rank[a] - g.rank[b]) })
	}
	subscribers := g.subscribers(order)
	result := make([][]kafka.TopicPartition, len(g.members))
	if !version.Before(3, 5, 0) {
		if states := rangeStates(g, subscribers); states != nil {
			return assignRangeRacks(g, states, result)
		}
	}
	for _, t := range g.topicOrder(version) {
		count := int32(len(subscribers[t]))
		topic := &g.topics[t]
		next := int32(0)
		for i, m := range subscribers[t] {
			share := topic.Partitions / count
			if int32(i) < topic.Partitions%count {
				share++
			}
			for range share {
				result[m] = append(result[m], kafka.TopicPartition{Topic: topic.Name, Partition: next})
				next++
			}
		}
	}
	return result
}

// topicOrder is the order of topics in the lists: that of Java's map of topics.
// Old versions walk a map that has the unknown topics too.
func (g *group) topicOrder(version kafka.Version) []int32 {
	if !version.Before(2, 4, 0) {
		return g.mapOrder
	}
	var order []int32
	for _, name := range g.subscribed() {
		if t, ok := g.topicIndex[name]; ok {
			order = append(order, t)
		}
	}
	return order
}
