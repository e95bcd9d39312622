package coordinator

import (
	"slices"

	"rebalancelab/engine/kafka"
	"rebalancelab/engine/tape"
)

// replayRecord applies one record to the state (GroupCoordinatorShard.replay).
// The position orders offsets of the same partition.
func (c *Coordinator) replayRecord(partition int32, r *kafka.Record, position int64) {
	switch {
	case r.Marker != kafka.NoMarker:
		c.replayMarker(partition, r)
	case r.KeyVersion == 2 && r.Tombstone():
		if g := c.group(r.Group); g != nil {
			c.dropGroup(g)
		}
	case r.KeyVersion == 2:
		c.replayGroup(r)
	case r.KeyVersion == 0 || r.KeyVersion == 1:
		c.replayOffset(r, position)
	}
}

// replayGroup mirrors GroupMetadataManager.replay(GroupMetadataKey, …): only
// the log of a partition that is being read brings it.
func (c *Coordinator) replayGroup(r *kafka.Record) {
	if g := c.group(r.Group); g != nil {
		c.unlist(g)
	}
	c.restore(c.newGroup(r.Group), r.GroupValue)
}

// dropGroup mirrors GroupMetadataManager.removeGroup. Timers stay.
func (c *Coordinator) dropGroup(g *group) {
	c.strand(g)
	c.unlist(g)
	c.note(undo{kind: undoGroup, group: g.id, before: g})
	if !c.reading {
		c.removed(g)
	}
}

// replayOffset mirrors OffsetMetadataManager.replay: an offset makes its group if
// need be; that of a transaction waits for the marker.
func (c *Coordinator) replayOffset(r *kafka.Record, position int64) {
	if r.Tombstone() {
		c.replayTombstone(r)
		return
	}
	if c.group(r.Group) == nil {
		c.newGroup(r.Group)
	}
	l := c.openLedger(r.Group)
	o := offset{r.OffsetValue, position}
	if c.reading && o.value.Version == 1 {
		v := *o.value
		v.LeaderEpoch = -1
		o.value = &v
	}
	if r.ProducerID >= 0 {
		c.noteTransactions(l)
		l.stageTransaction(r.ProducerID, []stagedOffset{{r.Partition, o}})
		return
	}
	c.setOffset(l, r.Partition, o)
}

// setOffset changes a committed offset; one without a value is none.
func (c *Coordinator) setOffset(l *ledger, tp kafka.TopicPartition, o offset) {
	old := l.committed.get(place(tp))
	u := undo{kind: undoOffset, group: l.id, place: tp}
	if old != nil {
		u.offset = *old
	}
	c.note(u)
	switch {
	case o.value == nil:
		l.committed.remove(place(tp))
	case old != nil:
		*old = o
	default:
		l.committed.add(place(tp), o)
	}
}

// replayTombstone forgets an offset, committed or not.
func (c *Coordinator) replayTombstone(r *kafka.Record) {
	l := c.ledger(r.Group)
	if l == nil {
		return
	}
	if l.committed.has(place(r.Partition)) {
		c.setOffset(l, r.Partition, offset{})
	}
	if !l.staged(r.Partition) {
		return
	}
	c.noteTransactions(l)
	for i := range l.transactions {
		l.transactions[i].drop(r.Partition)
	}
	l.transactions = slices.DeleteFunc(l.transactions, func(t transaction) bool { return len(t.offsets) == 0 })
}

func (c *Coordinator) noteTransactions(l *ledger) {
	if !c.reading {
		c.note(undo{kind: undoTransactions, group: l.id, transactions: cloneTransactions(l.transactions)})
	}
}

// replayMarker mirrors replayEndTransactionMarker: the offsets of a transaction
// become visible, unless newer ones are there, or are dropped.
func (c *Coordinator) replayMarker(partition int32, r *kafka.Record) {
	for i := range c.ledgers.entries {
		e := &c.ledgers.entries[i]
		if !e.live || e.item.partition != partition {
			continue
		}
		l := e.item
		t := l.transaction(r.ProducerID)
		if t == nil {
			continue
		}
		offsets := t.offsets
		c.noteTransactions(l)
		l.close(r.ProducerID)
		for j := range offsets {
			s := &offsets[j]
			old := l.committed.get(place(s.TopicPartition))
			if r.Marker == kafka.CommitMarker && (old == nil || old.position < s.position) {
				c.setOffset(l, s.TopicPartition, s.offset)
			}
		}
	}
}

// readLog replays the log of a partition and starts what runs on timers
// (CoordinatorContext.load, GroupMetadataManager.onLoaded).
func (c *Coordinator) readLog(partition int32, log *tape.Tape[kafka.Record]) {
	c.reading = true
	for i := range log.Len() {
		c.replayRecord(partition, log.At(i), loadedBefore+int64(i))
	}
	c.reading = false
	c.partitions[partition].owned, c.partitions[partition].loading = true, false
	cause := c.cause
	for _, g := range c.timelineGroups(partition) {
		c.startLoaded(g)
		c.cause = cause
	}
	c.armExpiry(partition)
}
