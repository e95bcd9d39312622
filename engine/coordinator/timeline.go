package coordinator

import (
	"math/bits"
	"slices"

	"rebalancelab/engine/kafka"
)

// undo is one change of a partition's timeline that is not committed: what was
// there before it (SnapshotRegistry.java, TimelineHashMap.java). The state in
// memory is the newest one; the undos, from the oldest on, tell the committed
// one. What happens inside a group's object has no undo, as in Kafka.
type undo struct {
	partition    int32
	batch        int64 // noBatch: changed by an event that wrote nothing
	kind         undoKind
	group        string
	before       *group // undoGroup: nil if there was none
	place        kafka.TopicPartition
	offset       offset        // undoOffset: no value if there was none
	transactions []transaction // undoTransactions
}

type undoKind uint8

const (
	undoGroup undoKind = iota
	undoOffset
	undoTransactions
)

const noBatch int64 = 0

// note keeps an undo, unless the log is being read.
func (c *Coordinator) note(u undo) {
	if c.has.Has(kafka.WriteOperations) && !c.reading {
		u.partition = c.partitionOf(u.group)
		c.undos.Push(u)
	}
}

// sealUndo gives the partition's latest changes to a batch: they are committed
// or undone with it.
func (c *Coordinator) sealUndo(partition int32, batch int64) {
	for i := range c.undos.All() {
		if u := &c.undos.All()[i]; u.partition == partition && u.batch == noBatch {
			u.batch = batch
		}
	}
}

// forgetUndo drops what is committed.
func (c *Coordinator) forgetUndo(partition int32, batch int64) {
	for i := 0; i < len(c.undos.All()); {
		if u := &c.undos.All()[i]; u.partition == partition && u.batch != noBatch && u.batch <= batch {
			c.undos.Remove(i)
		} else {
			i++
		}
	}
}

// revert mirrors revertLastWrittenOffset: everything from a batch on is undone,
// the newest first.
func (c *Coordinator) revert(partition int32, batch int64) {
	for i := len(c.undos.All()) - 1; i >= 0; i-- {
		if u := c.undos.All()[i]; u.partition == partition && (u.batch == noBatch || u.batch >= batch) {
			c.undos.Remove(i)
			c.undo(&u)
		}
	}
}

func (c *Coordinator) undo(u *undo) {
	switch u.kind {
	case undoGroup:
		if g := c.group(u.group); g != nil {
			c.strand(g)
			c.unlist(g)
			c.removed(g)
		}
		if u.before != nil {
			c.list(u.before)
			c.reclaim(u.before)
		}
	case undoOffset:
		l := c.openLedger(u.group)
		l.committed.remove(place(u.place))
		if u.offset.value != nil {
			l.committed.add(place(u.place), u.offset)
		}
	case undoTransactions:
		c.openLedger(u.group).transactions = u.transactions
	}
}

// list puts a group into its partition's map, unlist takes it out. The map never
// gets smaller (BaseHashTable.java).
func (c *Coordinator) list(g *group) {
	c.groups.add(name(g.id), g)
	if !c.has.Has(kafka.WriteOperations) {
		return
	}
	p := &c.partitions[g.partition]
	p.groups++
	for p.slots = max(p.slots, 2); p.groups*3 > p.slots*4; {
		p.slots *= 2
	}
}

func (c *Coordinator) unlist(g *group) {
	c.groups.remove(name(g.id))
	c.partitions[g.partition].groups--
	if l := c.ledger(g.id); l.blank() {
		c.ledgers.remove(name(g.id))
	}
}

// timelineGroups lists the groups of a partition in the order of TimelineHashMap:
// slot by slot, in a slot the latest first.
func (c *Coordinator) timelineGroups(partition int32) []*group {
	var groups []*group
	for i := len(c.groups.entries) - 1; i >= 0; i-- {
		if e := &c.groups.entries[i]; e.live && e.item.partition == partition {
			groups = append(groups, e.item)
		}
	}
	slots := c.partitions[partition].slots
	slices.SortStableFunc(groups, func(a, b *group) int { return int(slotOf(a.id, slots)) - int(slotOf(b.id, slots)) })
	return groups
}

// slotOf mirrors BaseHashTable.findSlot: the highest bits of a Fibonacci hash.
func slotOf(id string, slots int32) uint64 {
	return uint64(int64(kafka.JavaHash(id))) * 0x9e3779b97f4a7c15 >> (65 - bits.Len32(uint32(slots)))
}

// committedGroup is the group as of the last commit: its object may have changed
// since, but it is the one that the timeline has.
func (c *Coordinator) committedGroup(id string) *group {
	for i := range c.undos.All() {
		if u := &c.undos.All()[i]; u.kind == undoGroup && u.group == id {
			return u.before
		}
	}
	return c.group(id)
}

// committedIDs lists the groups as of the last commit, sorted.
func (c *Coordinator) committedIDs() []string {
	ids := c.GroupIDs(nil)
	for i := range c.undos.All() {
		if u := &c.undos.All()[i]; u.kind == undoGroup && u.before != nil && !c.groups.has(name(u.group)) {
			ids = append(ids, u.group)
		}
	}
	slices.Sort(ids)
	return slices.Compact(ids)
}

// committedOffset is an offset as of the last commit, without a value if there is
// none.
func (c *Coordinator) committedOffset(l *ledger, tp kafka.TopicPartition) offset {
	for i := range c.undos.All() {
		if u := &c.undos.All()[i]; u.kind == undoOffset && u.group == l.id && u.place == tp {
			return u.offset
		}
	}
	if o := l.committed.get(place(tp)); o != nil {
		return *o
	}
	return offset{}
}

// committedPlaces lists the partitions that may have a committed offset.
func (c *Coordinator) committedPlaces(l *ledger) []kafka.TopicPartition {
	places := l.partitions(func(kafka.TopicPartition, *offset) bool { return true })
	for i := range c.undos.All() {
		u := &c.undos.All()[i]
		if u.kind == undoOffset && u.group == l.id && u.offset.value != nil && !l.committed.has(place(u.place)) {
			places = append(places, u.place)
		}
	}
	slices.SortFunc(places, comparePartitions)
	return slices.Compact(places)
}
