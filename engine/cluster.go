package engine

import (
	"slices"
	"strconv"
	"strings"

	"rebalancelab/engine/clock"
	"rebalancelab/engine/consumer"
	"rebalancelab/engine/event"
	"rebalancelab/engine/kafka"
)

// cluster is what a World shows to its consumers (consumer.Cluster). A fetch is
// no message: a record can be read one latency after it arrived at the leader.
type cluster struct{ w *World }

func (c cluster) Brokers() int32 { return int32(len(c.w.brokers)) }

func (c cluster) PartitionCount(name string) int32 {
	if t := c.w.topic(name); t != nil {
		return t.last().partitions
	}
	return 0
}

// reach is the way to a partition's leader; false if no message gets through.
func (c cluster) reach(node event.Node, t *topic, partition int32) (clock.Duration, bool) {
	if t == nil || int(partition) >= len(t.leaders) {
		return 0, false
	}
	leader := t.leaders[partition]
	if leader == 0 || !c.w.broker(leader).up || len(c.w.cuts) > 0 && c.w.isCut(node, leader) {
		return 0, false
	}
	return c.w.latency(node, leader), true
}

func (c cluster) End(node event.Node, tp kafka.TopicPartition, at clock.Time) int64 {
	t := c.w.topic(tp.Topic)
	way, ok := c.reach(node, t, tp.Partition)
	if !ok {
		return -1
	}
	return t.end(tp.Partition, at.Add(-way))
}

func (c cluster) RecordTime(node event.Node, tp kafka.TopicPartition, offset int64, at clock.Time) clock.Time {
	t := c.w.topic(tp.Topic)
	way, ok := c.reach(node, t, tp.Partition)
	if !ok {
		return clock.Never
	}
	if arrives := t.recordAt(tp.Partition, offset); arrives != clock.Never {
		return arrives.Add(way)
	}
	return clock.Never
}

func (c cluster) ListOffset(node event.Node, tp kafka.TopicPartition, at clock.Time, earliest bool) (int64, clock.Time) {
	t := c.w.topic(tp.Topic)
	way, ok := c.reach(node, t, tp.Partition)
	if !ok {
		return 0, clock.Never
	}
	if earliest {
		return 0, at.Add(2 * way)
	}
	return t.end(tp.Partition, at.Add(way)), at.Add(2 * way)
}

func (w *World) topic(name string) *topic {
	for _, t := range w.topics {
		if t.Name == name {
			return t
		}
	}
	return nil
}

// groupStats is what the engine counts for a group beside Kafka's own state.
type groupStats struct {
	name       string
	marks      [][]int64 // by topic and partition: no offset below was unread
	duplicates int64
}

func (g *groupStats) clone() *groupStats {
	c := *g
	c.marks = make([][]int64, len(g.marks))
	for i := range g.marks {
		c.marks[i] = append([]int64(nil), g.marks[i]...)
	}
	return &c
}

func (w *World) group(name string) *groupStats {
	for _, g := range w.groups {
		if g.name == name {
			return g
		}
	}
	w.groups = append(w.groups, &groupStats{name: name})
	return w.groups[len(w.groups)-1]
}

// mark is how far a group has read a partition.
func (w *World) mark(g *groupStats, tp kafka.TopicPartition) *int64 {
	i := slices.IndexFunc(w.topics, func(t *topic) bool { return t.Name == tp.Topic })
	for len(g.marks) <= i {
		g.marks = append(g.marks, nil)
	}
	for len(g.marks[i]) <= int(tp.Partition) {
		g.marks[i] = append(g.marks[i], 0)
	}
	return &g.marks[i][tp.Partition]
}

// noteReads counts records that the group has read before.
func (w *World) noteReads(p *process, reads []consumer.Read) {
	if len(reads) == 0 {
		return
	}
	g := w.group(p.def.Group)
	for _, r := range reads {
		mark := w.mark(g, r.TopicPartition)
		if again := min(r.To, *mark) - r.From; again > 0 {
			g.duplicates += again
			w.event(event.Event{Kind: event.Duplicates, Cause: r.Cause, Node: p.node, Group: g.name,
				Partition: r.TopicPartition, Offset: r.From, N: again})
		}
		*mark = max(*mark, r.To)
	}
}

func itoa(n int64) string { return strconv.FormatInt(n, 10) }

func sorted(names []string) []string {
	s := slices.Clone(names)
	slices.Sort(s)
	return s
}

func splitList(s string) []string {
	parts := strings.Split(s, ",")
	for i := range parts {
		parts[i] = strings.TrimSpace(parts[i])
	}
	return parts
}
