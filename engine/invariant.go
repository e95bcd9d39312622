package engine

import (
	"rebalancelab/engine/consumer"
	"rebalancelab/engine/kafka"
	"rebalancelab/engine/rule"
)

// Rules are the rules of the coordinator that this world has met; a clone begins
// with none.
func (w *World) Rules() rule.Set { return w.out.Rules }

// Invariant is the name of a rule that must always hold and does not, "" if all
// hold.
func (w *World) Invariant() string {
	for _, b := range w.brokers {
		if b.coordinator != nil {
			if broken := b.coordinator.Check(); broken != "" {
				return "coordinator: " + broken
			}
		}
	}
	for _, p := range w.offsets {
		if p.leader != 0 && int(p.leader) > len(w.brokers) {
			return "a partition is led by a broker that exists"
		}
	}
	for _, g := range w.groups {
		if broken := w.ownership(g); broken != "" {
			return broken
		}
	}
	return ""
}

// ownership holds that of the members that have applied the assignment of the
// group's generation no two believe that a partition is theirs, and that nobody is ahead
// of the records.
func (w *World) ownership(g *groupStats) string {
	group := w.groupView(g)
	claimed := make(map[kafka.TopicPartition]bool)
	for _, p := range w.processes {
		if p.client == nil || p.def.Group != g.name {
			continue
		}
		v := p.client.View()
		current := v.State == consumer.Stable && !v.Unapplied && v.Generation == group.Generation && isMember(&group, v.MemberID)
		for _, position := range v.Partitions {
			t := w.topic(position.Topic)
			if t == nil || position.Partition >= t.last().partitions {
				return "an assigned partition exists"
			}
			if position.Offset > t.end(position.Partition, w.now) {
				return "no position is beyond the end of its partition"
			}
			if current && claimed[position.TopicPartition] {
				return "a partition has one owner in a generation"
			}
			claimed[position.TopicPartition] = claimed[position.TopicPartition] || current
		}
	}
	return ""
}

func isMember(g *GroupView, id string) bool {
	for i := range g.Members {
		if g.Members[i].ID == id {
			return true
		}
	}
	return false
}
