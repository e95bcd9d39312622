package assignor

import (
	"cmp"
	"slices"

	"rebalancelab/engine/kafka"
)

// group is the input of an assignor with everything by number: members as in
// the JoinGroup response, topics and their partitions by name and number.
type group struct {
	members []Member
	order   []int32 // members in the order of Java's map of them
	rank    []int32 // of each member by id

	topics     []Topic // that exist and that somebody subscribes, by name
	topicIndex map[string]int32
	mapOrder   []int32 // topics in the order of Java's map of them
	potential  [][]int32
	total      int // partitions of all topics
}

func newGroup(members []Member, topics []Topic) *group {
	g := &group{members: members, topicIndex: make(map[string]int32, len(topics))}
	hashes := make([]int32, len(members))
	byID := make([]int32, len(members))
	for i := range members {
		hashes[i], byID[i] = kafka.JavaHash(members[i].ID), int32(i)
	}
	g.order = hashOrder(hashes, defaultCapacity)
	slices.SortFunc(byID, func(a, b int32) int { return compareText(members[a].ID, members[b].ID) })
	g.rank = make([]int32, len(members))
	for rank, m := range byID {
		g.rank[m] = int32(rank)
	}
	g.findTopics(topics)
	g.potential = make([][]int32, len(members))
	for i := range members {
		g.potential[i] = make([]int32, 0, len(members[i].Topics))
		for _, name := range members[i].Topics {
			if t, ok := g.topicIndex[name]; ok {
				g.potential[i] = append(g.potential[i], t)
			}
		}
	}
	return g
}

// findTopics keeps the topics that are subscribed and have partitions.
func (g *group) findTopics(topics []Topic) {
	metadata := make(map[string]int32, len(topics))
	for i := range topics {
		metadata[topics[i].Name] = int32(i)
	}
	names := g.existing(g.subscribed(), metadata, topics)
	for _, name := range names {
		g.topics = append(g.topics, topics[metadata[name]])
	}
	slices.SortFunc(g.topics, func(a, b Topic) int { return compareText(a.Name, b.Name) })
	for i := range g.topics {
		g.topicIndex[g.topics[i].Name] = int32(i)
		g.total += int(g.topics[i].Partitions)
	}
	for _, i := range hashOrder(hashesOf(names), defaultCapacity) {
		g.mapOrder = append(g.mapOrder, g.topicIndex[names[i]])
	}
}

// subscribed lists all subscribed topics in the order of Java's set of them.
func (g *group) subscribed() []string {
	var names []string
	seen := make(map[string]bool)
	for _, m := range g.order {
		for _, name := range g.members[m].Topics {
			if !seen[name] {
				seen[name] = true
				names = append(names, name)
			}
		}
	}
	ordered := make([]string, 0, len(names))
	for _, i := range hashOrder(hashesOf(names), defaultCapacity) {
		ordered = append(ordered, names[i])
	}
	return ordered
}

func (g *group) existing(names []string, metadata map[string]int32, topics []Topic) []string {
	var existing []string
	for _, name := range names {
		if i, ok := metadata[name]; ok && topics[i].Partitions > 0 {
			existing = append(existing, name)
		}
	}
	return existing
}

func hashesOf(names []string) []int32 {
	hashes := make([]int32, len(names))
	for i, name := range names {
		hashes[i] = kafka.JavaHash(name)
	}
	return hashes
}

// instanceOrder lists members as AbstractPartitionAssignor.MemberInfo compares
// them: static ones by instance id, then dynamic ones by member id.
func (g *group) instanceOrder() []int32 {
	order := slices.Clone(g.order)
	slices.SortStableFunc(order, func(a, b int32) int {
		x, y := g.members[a].InstanceID, g.members[b].InstanceID
		switch {
		case x != "" && y != "":
			return cmp.Or(compareText(x, y), cmp.Compare(g.rank[a], g.rank[b]))
		case x != "":
			return -1
		case y != "":
			return 1
		}
		return cmp.Compare(g.rank[a], g.rank[b])
	})
	return order
}

// subscribers lists the members of each topic, in the given order of members.
func (g *group) subscribers(order []int32) [][]int32 {
	lists := make([][]int32, len(g.topics))
	for _, m := range order {
		for _, t := range g.potential[m] {
			lists[t] = append(lists[t], m)
		}
	}
	return lists
}
