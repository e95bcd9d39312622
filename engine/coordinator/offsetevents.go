package coordinator

import (
	"slices"

	"rebalancelab/engine/clock"
	"rebalancelab/engine/event"
	"rebalancelab/engine/kafka"
	"rebalancelab/engine/rule"
)

// commitEvent mirrors OffsetMetadataManager.commitOffset and
// commitTransactionalOffset.
func (c *Coordinator) commitEvent(from event.Node, req *kafka.Request) {
	txn := req.API == kafka.TxnOffsetCommit
	g := c.group(req.Group)
	if g == nil && req.Generation < 0 {
		g = c.newGroup(req.Group)
	}
	if g == nil {
		c.throw(from, req, c.unknownGroup(req))
		return
	}
	if g.state == kafka.Dead {
		c.throw(from, req, c.deadError())
		return
	}
	m, err := c.checkCommitter(g, req, txn)
	if err == kafka.None && !txn && g.state == kafka.CompletingRebalance {
		err = kafka.RebalanceInProgress
	}
	if err != kafka.None {
		c.throw(from, req, err)
		return
	}
	switch {
	case txn:
		c.mark(rule.Txn1)
	case m == nil:
		c.mark(rule.Commit1)
	case g.in(kafka.Stable, kafka.PreparingRebalance):
		c.mark(rule.Commit4)
		c.rearm(g, m)
	}
	c.draftOffsets(req, txn)
}

// unknownGroup is the answer to a commit with a generation for a group that does
// not exist.
func (c *Coordinator) unknownGroup(req *kafka.Request) kafka.Error {
	if req.API == kafka.OffsetCommit && req.Version >= 9 && c.has.Has(kafka.UnknownGroupOnCommit) {
		return kafka.GroupIDNotFound
	}
	return kafka.IllegalGeneration
}

// draftOffsets writes what is not too large; the answer comes with the commit.
func (c *Coordinator) draftOffsets(req *kafka.Request, txn bool) {
	r := kafka.Response{API: req.API, Corr: req.Corr, Partitions: make([]kafka.PartitionResult, 0, len(req.Offsets))}
	producer := int64(-1)
	if txn {
		producer = req.ProducerID
	}
	records := make([]kafka.Record, 0, len(req.Offsets))
	for i := range req.Offsets {
		o := &req.Offsets[i]
		result := kafka.PartitionResult{TopicPartition: o.TopicPartition}
		if int64(kafka.UTF16Len(o.Metadata)) > c.setting(kafka.OffsetMetadataMaxBytes) {
			result.Error = kafka.OffsetMetadataTooLarge
			c.because(c.explainMetadata(o))
		} else {
			records = append(records, kafka.Record{KeyVersion: 1, Group: req.Group, Partition: o.TopicPartition,
				OffsetValue: c.offsetRecord(req, o), ProducerID: producer, At: c.now.Millis(), Cause: c.cause})
		}
		r.Partitions = append(r.Partitions, result)
	}
	c.op.replay = true
	c.draftRecords(records, pendingAppend{group: req.Group})
	c.result(&r)
}

// offsetRecord mirrors newOffsetCommitRecord: a retention in the request fixes
// the time at which the offset expires, in a version of the value without the
// leader epoch: that is known until the log is read again.
func (c *Coordinator) offsetRecord(req *kafka.Request, o *kafka.CommittedOffset) *kafka.OffsetMetadata {
	v := &kafka.OffsetMetadata{Version: 3, Offset: o.Offset, LeaderEpoch: o.LeaderEpoch, Metadata: o.Metadata,
		CommitTimestamp: c.now.Millis(), ExpireTimestamp: noTimestamp}
	if req.API == kafka.OffsetCommit && req.RetentionMs != -1 {
		c.mark(rule.Commit7)
		v.Version, v.ExpireTimestamp = 1, v.CommitTimestamp+clock.Millis(req.RetentionMs)
	}
	return v
}

// fetchEvent mirrors fetchOffsets and fetchAllOffsets: for stable offsets it is
// a write operation without records, otherwise it reads what is committed.
func (c *Coordinator) fetchEvent(from event.Node, req *kafka.Request) {
	c.mark(rule.Fetch1)
	c.mark(rule.Event4)
	r := kafka.Response{API: req.API, Corr: req.Corr}
	g, l := c.group(req.Group), c.ledger(req.Group)
	if !req.RequireStable {
		g = c.committedGroup(req.Group)
	}
	switch {
	case g == nil || g.state == kafka.Dead:
		l = nil
	case l == nil:
		l = &ledger{id: req.Group} // deleted, but perhaps not committed
	}
	places := req.Partitions
	if req.AllPartitions {
		places = nil
		if l != nil {
			places = c.committedPlaces(l)
		}
	}
	for _, tp := range places {
		result := nothing(tp)
		if l != nil {
			result = c.fetchOffset(l, tp, req.RequireStable)
		}
		if req.AllPartitions && result.Offset < 0 && result.Error == kafka.None {
			continue
		}
		r.Partitions = append(r.Partitions, result)
	}
	if req.RequireStable {
		c.result(&r)
	} else {
		c.reply(from, &r)
	}
}

func (c *Coordinator) fetchOffset(l *ledger, tp kafka.TopicPartition, stable bool) kafka.PartitionResult {
	r := nothing(tp)
	var o offset
	switch latest := l.committed.get(place(tp)); {
	case stable && c.unstable(l, tp):
		r.Error = kafka.UnstableOffsetCommit
		c.because(explainUnstable(tp))
	case !stable:
		o = c.committedOffset(l, tp)
	case latest != nil:
		o = *latest
	}
	if o.value != nil {
		r.Offset, r.LeaderEpoch, r.Metadata = o.value.Offset, o.value.LeaderEpoch, o.value.Metadata
	}
	return r
}

// unstable reports whether an offset of the partition may still change: from 4.0
// on that is a transaction's; what is merely not committed is waited for.
func (c *Coordinator) unstable(l *ledger, tp kafka.TopicPartition) bool {
	return l.staged(tp) || !c.has.Has(kafka.UnstableByTransaction) && l.pending.has(place(tp))
}

// deleteOffsetsEvent mirrors OffsetMetadataManager.deleteOffsets.
func (c *Coordinator) deleteOffsetsEvent(from event.Node, req *kafka.Request) {
	g := c.group(req.Group)
	switch {
	case g == nil || g.state == kafka.Dead:
		c.throw(from, req, kafka.GroupIDNotFound)
		return
	case g.state != kafka.Empty && g.protocolType != consumerProtocolType:
		c.throw(from, req, kafka.NonEmptyGroup)
		return
	}
	r := kafka.Response{API: req.API, Corr: req.Corr, Partitions: make([]kafka.PartitionResult, 0, len(req.Partitions))}
	var records []kafka.Record
	l := c.ledger(req.Group)
	for _, tp := range req.Partitions {
		result := kafka.PartitionResult{TopicPartition: tp}
		if c.wants(g, tp.Topic) {
			result.Error = kafka.GroupSubscribedToTopic
			c.because(rule.Delete1, "a member subscribes to "+tp.Topic)
		} else if l != nil && (l.committed.has(place(tp)) || l.staged(tp)) {
			records = append(records, c.offsetTombstone(g.id, tp))
		}
		r.Partitions = append(r.Partitions, result)
	}
	c.draftTombstones(records)
	c.result(&r)
}

// wants mirrors ClassicGroup.isSubscribedToTopic: if a consumer group's
// subscription is unknown every topic counts; other groups subscribe to none.
func (c *Coordinator) wants(g *group, topic string) bool {
	if g.subscribedKnown {
		_, found := slices.BinarySearch(g.subscribed, topic)
		return found
	}
	return g.protocolType == consumerProtocolType
}

func (c *Coordinator) draftTombstones(records []kafka.Record) {
	if len(records) > 0 {
		c.op.replay = true
		c.draftRecords(records, pendingAppend{})
	}
}

// groupTombstones lists what deletes a group: its offsets, also those of open
// transactions, and the group itself (OffsetMetadataManager.deleteAllOffsets,
// createGroupTombstoneRecords).
func (c *Coordinator) groupTombstones(g *group) []kafka.Record {
	var records []kafka.Record
	if l := c.ledger(g.id); l != nil {
		for _, tp := range l.everything() {
			records = append(records, c.offsetTombstone(g.id, tp))
		}
	}
	if g.generation > 0 || c.has.Has(kafka.TombstoneAlways) {
		records = append(records, c.groupTombstone(g.id))
	}
	return records
}

// markerEvent mirrors CoordinatorContext.completeTransaction: the marker that
// ends a producer's transaction is written here.
func (c *Coordinator) markerEvent(partition int32, producer int64, commit bool) {
	if c.partitionError(partition) != kafka.None {
		return
	}
	marker := kafka.AbortMarker
	if commit {
		marker = kafka.CommitMarker
	}
	c.op.replay = true
	c.draftRecords([]kafka.Record{{KeyVersion: -1, Marker: marker, ProducerID: producer, At: c.now.Millis(), Cause: c.cause}}, pendingAppend{})
	c.endEvent(partition, 0, nil)
}

// partitionsDeleted mirrors OffsetMetadataManager.onPartitionsDeleted, an event
// of each partition of __consumer_offsets.
func (c *Coordinator) partitionsDeleted(tps []kafka.TopicPartition) {
	for partition := range c.partitions {
		if c.partitionError(int32(partition)) != kafka.None {
			continue
		}
		var records []kafka.Record
		for _, id := range c.ledgerIDs() {
			l := c.ledger(id)
			if l.partition != int32(partition) {
				continue
			}
			for _, tp := range l.everything() {
				if c.deleted(tp, tps) {
					c.mark(rule.Delete3)
					records = append(records, c.offsetTombstone(id, tp))
				}
			}
		}
		c.draftTombstones(records)
		c.endEvent(int32(partition), 0, nil)
	}
}

// deleted reports whether a partition is among those that exist no more. A topic
// that is deleted may take all along that have its name.
func (c *Coordinator) deleted(tp kafka.TopicPartition, tps []kafka.TopicPartition) bool {
	byTopic := c.has.Has(kafka.TopicDeletionByName)
	return slices.ContainsFunc(tps, func(gone kafka.TopicPartition) bool { return gone == tp || byTopic && gone.Topic == tp.Topic })
}

// everything lists the partitions with an offset, committed or of an open
// transaction, sorted.
func (l *ledger) everything() []kafka.TopicPartition {
	list := l.partitions(func(kafka.TopicPartition, *offset) bool { return true })
	for i := range l.transactions {
		for j := range l.transactions[i].offsets {
			list = append(list, l.transactions[i].offsets[j].TopicPartition)
		}
	}
	slices.SortFunc(list, comparePartitions)
	return slices.Compact(list)
}

// expirePartition mirrors GroupCoordinatorShard.cleanupGroupMetadata: offsets
// whose time is up go, and Empty groups that have none left.
func (c *Coordinator) expirePartition(partition int32) {
	c.mark(rule.Event10)
	c.cause = c.out.Log.Routine(event.Event{Kind: event.TimerFired, Cause: c.cause, At: c.now, Node: c.broker,
		Config: kafka.OffsetsRetentionCheckIntervalMs})
	var records []kafka.Record
	for _, g := range c.timelineGroups(partition) {
		gone, all := c.expiredOffsets(g)
		for _, tp := range gone {
			records = append(records, c.offsetTombstone(g.id, tp))
		}
		if all && g.state == kafka.Empty {
			records = append(records, c.groupTombstone(g.id))
		}
	}
	c.draftTombstones(records)
	c.op.store.kind = expiryStore
	c.armExpiry(partition)
}

// expiredOffsets mirrors cleanupExpiredOffsets; all says that no offset keeps the
// group.
func (c *Coordinator) expiredOffsets(g *group) (gone []kafka.TopicPartition, all bool) {
	l := c.ledger(g.id)
	if l == nil {
		return nil, true
	}
	fromState := false
	switch {
	case l.committed.live == 0:
		return nil, len(l.transactions) == 0
	case g.protocolType == "":
	case g.state == kafka.Empty:
		fromState = g.stateSince != noTimestamp
	case g.state != kafka.Stable || g.protocolType != consumerProtocolType || !g.subscribedKnown:
		return nil, false
	}
	gone = l.partitions(func(tp kafka.TopicPartition, o *offset) bool {
		since := o.value.CommitTimestamp
		if fromState {
			since = g.stateSince
		}
		return !c.wants(g, tp.Topic) && !l.staged(tp) && c.expiredAt(o.value, since)
	})
	return gone, len(gone) == l.committed.live && len(l.transactions) == 0
}

// staged reports whether an open transaction holds an offset of the partition.
func (l *ledger) staged(tp kafka.TopicPartition) bool {
	for i := range l.transactions {
		for j := range l.transactions[i].offsets {
			if l.transactions[i].offsets[j].TopicPartition == tp {
				return true
			}
		}
	}
	return false
}
