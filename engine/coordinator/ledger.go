package coordinator

import (
	"rebalancelab/engine/kafka"
)

// offset is a committed offset and where in the log it stands
// (CommitRecordMetadataAndOffset). The value is shared with the record.
type offset struct {
	value    *kafka.OffsetMetadata
	position int64
}

// notAppended is the position of an offset whose append is under way.
const notAppended int64 = -1 << 62

// stagedOffset is an offset on its way.
type stagedOffset struct {
	kafka.TopicPartition
	offset
}

// transaction holds the offsets of a producer whose marker has not come yet.
type transaction struct {
	producer int64
	offsets  []stagedOffset
}

// ledger has the offsets of one group id. From 0.10.1 on it lives and dies with
// the group (GroupMetadata.offsets and its pending maps); before it stands by
// itself (GroupMetadataManager.offsetsCache).
type ledger struct {
	id           string
	partition    int32
	committed    roster[place, offset]
	pending      roster[place, *kafka.OffsetMetadata]
	transactions []transaction
}

// ledger is the ledger of the group id, nil if there is none.
func (c *Coordinator) ledger(id string) *ledger {
	if l := c.ledgers.get(name(id)); l != nil {
		return *l
	}
	return nil
}

// openLedger is the ledger of the group id; it is made if need be.
func (c *Coordinator) openLedger(id string) *ledger {
	if l := c.ledger(id); l != nil {
		return l
	}
	l := &ledger{id: id, partition: c.partitionOf(id)}
	c.ledgers.add(name(id), l)
	return l
}

// blank mirrors the negation of GroupMetadata.hasOffsets. A producer counts
// until its marker comes, even if none of its offsets is left.
func (l *ledger) blank() bool {
	return l == nil || l.committed.live == 0 && l.pending.live == 0 && len(l.transactions) == 0
}

// put sets a committed offset; an older one does not replace a newer.
func (l *ledger) put(tp kafka.TopicPartition, o offset) {
	if old := l.committed.get(place(tp)); old == nil {
		l.committed.add(place(tp), o)
	} else if old.position < o.position {
		*old = o
	}
}

// stage notes offsets whose append is under way.
func (l *ledger) stage(offsets []stagedOffset) {
	for i := range offsets {
		s := &offsets[i]
		if p := l.pending.get(place(s.TopicPartition)); p != nil {
			*p = s.value
		} else {
			l.pending.add(place(s.TopicPartition), s.value)
		}
	}
}

// settle mirrors onOffsetCommitAppend and failPendingOffsetWrite: the append of
// a staged offset ended. If the offset was removed meanwhile, it stays away.
func (l *ledger) settle(s *stagedOffset, position int64, ok bool) {
	p := l.pending.get(place(s.TopicPartition))
	if p == nil {
		return
	}
	if ok {
		l.put(s.TopicPartition, offset{s.value, position})
	}
	if **p == *s.value {
		l.pending.remove(place(s.TopicPartition))
	}
}

// transaction is the open transaction of a producer, nil if there is none.
func (l *ledger) transaction(producer int64) *transaction {
	for i := range l.transactions {
		if l.transactions[i].producer == producer {
			return &l.transactions[i]
		}
	}
	return nil
}

// stageTransaction mirrors prepareTxnOffsetCommit.
func (l *ledger) stageTransaction(producer int64, offsets []stagedOffset) {
	t := l.transaction(producer)
	if t == nil {
		l.transactions = append(l.transactions, transaction{producer: producer})
		t = &l.transactions[len(l.transactions)-1]
	}
	for i := range offsets {
		t.set(offsets[i])
	}
}

func (t *transaction) set(s stagedOffset) {
	for i := range t.offsets {
		if t.offsets[i].TopicPartition == s.TopicPartition {
			t.offsets[i] = s
			return
		}
	}
	t.offsets = append(t.offsets, s)
}

func (t *transaction) drop(tp kafka.TopicPartition) {
	for i := range t.offsets {
		if t.offsets[i].TopicPartition == tp {
			t.offsets = append(t.offsets[:i], t.offsets[i+1:]...)
			return
		}
	}
}

// settleTransaction mirrors onTxnOffsetCommitAppend and
// failPendingTxnOffsetCommit.
func (l *ledger) settleTransaction(producer int64, s *stagedOffset, position int64, ok bool) {
	t := l.transaction(producer)
	if t == nil {
		return
	}
	if !ok {
		t.drop(s.TopicPartition)
		if len(t.offsets) == 0 {
			l.close(producer)
		}
		return
	}
	for i := range t.offsets {
		if o := &t.offsets[i]; o.TopicPartition == s.TopicPartition && *o.value == *s.value {
			o.position = position
		}
	}
}

// close forgets a producer's transaction.
func (l *ledger) close(producer int64) {
	for i := range l.transactions {
		if l.transactions[i].producer == producer {
			l.transactions = append(l.transactions[:i], l.transactions[i+1:]...)
			return
		}
	}
}

// complete mirrors completePendingTxnOffsetCommit. It fails where Kafka throws:
// at a marker that overtook the append of an offset.
func (l *ledger) complete(producer int64, commit bool) bool {
	t := l.transaction(producer)
	if t == nil {
		return true
	}
	offsets := t.offsets
	l.close(producer)
	for i := range offsets {
		if !commit {
			continue
		}
		if offsets[i].position == notAppended {
			return false
		}
		l.put(offsets[i].TopicPartition, offsets[i].offset)
	}
	return true
}

// unstable mirrors hasPendingOffsetCommitsForTopicPartition.
func (l *ledger) unstable(tp kafka.TopicPartition) bool {
	if l.pending.has(place(tp)) {
		return true
	}
	for i := range l.transactions {
		for j := range l.transactions[i].offsets {
			if l.transactions[i].offsets[j].TopicPartition == tp {
				return true
			}
		}
	}
	return false
}

// erase mirrors GroupMetadata.removeOffsets for one partition and reports
// whether an offset was committed. A producer stays, even with nothing left.
func (l *ledger) erase(tp kafka.TopicPartition) bool {
	l.pending.remove(place(tp))
	for i := range l.transactions {
		l.transactions[i].drop(tp)
	}
	return l.committed.remove(place(tp))
}
