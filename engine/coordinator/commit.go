package coordinator

import (
	"slices"

	"rebalancelab/engine/clock"
	"rebalancelab/engine/event"
	"rebalancelab/engine/kafka"
	"rebalancelab/engine/rule"
)

// commit is an OffsetCommit or TxnOffsetCommit whose append is under way. It is
// immutable.
type commit struct {
	api      kafka.API
	to       event.Node
	corr     int64
	producer int64
	offsets  []stagedOffset
	results  []kafka.PartitionResult // of all partitions; refused ones have their error
}

// offsetCommit mirrors handleCommitOffsets and doCommitOffsets.
func (c *Coordinator) offsetCommit(from event.Node, req *kafka.Request) {
	g, m, err := c.checkCommit(req, false)
	if err == kafka.None && g != nil && g.state == kafka.CompletingRebalance {
		err = kafka.RebalanceInProgress
	}
	if err != kafka.None {
		c.failPartitions(from, req, err)
		return
	}
	if m == nil {
		c.mark(rule.Commit1)
	} else if c.has.Has(kafka.CommitRearmsSession) {
		c.mark(rule.Commit4)
		c.rearm(g, m)
	}
	c.storeOffsets(g, from, req, pendingAppend{kind: commitStore})
}

// txnOffsetCommit mirrors handleTxnCommitOffsets: the same checks, but in no
// state is it refused and no session begins anew.
func (c *Coordinator) txnOffsetCommit(from event.Node, req *kafka.Request) {
	g, _, err := c.checkCommit(req, true)
	if err != kafka.None {
		c.failPartitions(from, req, err)
		return
	}
	c.mark(rule.Txn1)
	c.storeOffsets(g, from, req, pendingAppend{kind: txnStore})
}

// checkCommit finds the group and the member that commits, nil for a commit
// that no membership stands behind. A group is made for a simple consumer.
func (c *Coordinator) checkCommit(req *kafka.Request, txn bool) (*group, *member, kafka.Error) {
	if err := c.status(req.API, req.Group); err != kafka.None {
		return nil, nil, err
	}
	g := c.group(req.Group)
	if g == nil && (txn || req.Generation < 0 && !c.has.Has(kafka.OffsetsOutsideGroup)) {
		g = c.newGroup(req.Group)
	}
	switch {
	case g == nil && req.Generation >= 0:
		return nil, nil, kafka.IllegalGeneration
	case g == nil:
		return nil, nil, kafka.None
	case g.state == kafka.Dead:
		return nil, nil, c.deadError()
	case txn && !c.has.Has(kafka.OneMemberValidation):
		return g, nil, c.checkOldTransaction(g, req)
	case !c.has.Has(kafka.OneMemberValidation):
		m, err := c.checkOldCommit(g, req)
		return g, m, err
	}
	m, err := c.checkCommitter(g, req, txn)
	return g, m, err
}

// checkCommitter mirrors validateOffsetCommit (3.0.0 and later).
func (c *Coordinator) checkCommitter(g *group, req *kafka.Request, txn bool) (*member, kafka.Error) {
	switch {
	case req.Generation < 0 && g.state == kafka.Empty && c.has.Has(kafka.EmptyGroupTakesAnyCommit):
		return nil, kafka.None
	case req.Generation >= 0 || req.MemberID != "" || req.InstanceID != "":
		m, err := c.validate(g, req.MemberID, req.InstanceID)
		if err == kafka.None && req.Generation != g.generation {
			err = kafka.IllegalGeneration
		}
		return m, err
	case !txn && g.state != kafka.Empty:
		return nil, kafka.UnknownMemberID
	}
	return nil, kafka.None
}

// checkOldCommit is the order of the checks up to 2.8: first fencing; with a generation below
// 0 an Empty group takes the commit; CompletingRebalance comes before the member
// up to 2.2.
func (c *Coordinator) checkOldCommit(g *group, req *kafka.Request) (*member, kafka.Error) {
	if err := c.fenced(g, req.MemberID, req.InstanceID); err != kafka.None {
		return nil, err
	}
	if c.has.Has(kafka.EmptyState) && req.Generation < 0 && g.state == kafka.Empty {
		return nil, kafka.None
	}
	if c.has.Has(kafka.CommitRefusedFirst) && g.state == kafka.CompletingRebalance {
		return nil, kafka.RebalanceInProgress
	}
	m, err := c.validate(g, req.MemberID, req.InstanceID)
	if err == kafka.None && req.Generation != g.generation {
		err = kafka.IllegalGeneration
	}
	return m, err
}

// checkOldTransaction is what a TxnOffsetCommit has to meet up to 2.8: nothing
// before 2.5, then member and generation as far as they are given.
func (c *Coordinator) checkOldTransaction(g *group, req *kafka.Request) kafka.Error {
	if !c.has.Has(kafka.TransactionChecksMember) {
		return kafka.None
	}
	if err := c.fenced(g, req.MemberID, req.InstanceID); err != kafka.None {
		return err
	}
	switch {
	case req.MemberID != "" && g.member(req.MemberID) == nil:
		return kafka.UnknownMemberID
	case req.Generation >= 0 && req.Generation != g.generation:
		return kafka.IllegalGeneration
	}
	return kafka.None
}

// failPartitions answers every partition of a request with the same error.
func (c *Coordinator) failPartitions(to event.Node, req *kafka.Request, err kafka.Error) {
	c.because(c.explain(req, err))
	r := kafka.Response{API: req.API, Corr: req.Corr}
	for i := range req.Offsets {
		r.Partitions = append(r.Partitions, kafka.PartitionResult{TopicPartition: req.Offsets[i].TopicPartition, Error: err})
	}
	c.reply(to, &r)
}

// storeOffsets mirrors GroupMetadataManager.storeOffsets: what is too large is
// left out, the rest is one batch.
func (c *Coordinator) storeOffsets(g *group, from event.Node, req *kafka.Request, p pendingAppend) {
	n := len(req.Offsets)
	k := &commit{api: req.API, to: from, corr: req.Corr, producer: -1,
		offsets: make([]stagedOffset, 0, n), results: make([]kafka.PartitionResult, 0, n)}
	if p.kind == txnStore {
		k.producer = req.ProducerID
	}
	limit := c.setting(kafka.OffsetMetadataMaxBytes)
	records := make([]kafka.Record, 0, n)
	var refused []stagedOffset
	for i := range req.Offsets {
		o := &req.Offsets[i]
		result := kafka.PartitionResult{TopicPartition: o.TopicPartition}
		if int64(kafka.UTF16Len(o.Metadata)) > limit {
			result.Error = kafka.OffsetMetadataTooLarge
			c.because(c.explainMetadata(o))
			if c.has.Has(kafka.RefusedMetadataPending) {
				refused = append(refused, stagedOffset{o.TopicPartition, offset{c.offsetValue(req, o), notAppended}})
			}
		} else {
			value := c.offsetValue(req, o)
			k.offsets = append(k.offsets, stagedOffset{o.TopicPartition, offset{value, notAppended}})
			records = append(records, kafka.Record{KeyVersion: 1, Group: req.Group, Partition: o.TopicPartition,
				OffsetValue: value, ProducerID: k.producer, At: c.now.Millis(), Cause: c.cause})
		}
		k.results = append(k.results, result)
	}
	if len(records) == 0 {
		if g != nil && c.has.Has(kafka.RefusedCommitPending) {
			c.openLedger(req.Group).stage(refused)
		}
		c.reply(from, &kafka.Response{API: k.api, Corr: k.corr, Partitions: k.results})
		return
	}
	if g != nil {
		p.serial = g.serial
		if l := c.openLedger(req.Group); p.kind == txnStore {
			l.stageTransaction(k.producer, k.offsets)
			l.stageTransaction(k.producer, refused)
		} else {
			l.stage(k.offsets)
			l.stage(refused)
		}
	}
	p.commit = k
	c.appendRecords(req.Group, records, p)
}

// offsetValue is the record of one offset. A retention in the request fixes the
// time at which it expires; before 2.1 the setting does so otherwise.
func (c *Coordinator) offsetValue(req *kafka.Request, o *kafka.CommittedOffset) *kafka.OffsetMetadata {
	v := &kafka.OffsetMetadata{Version: 3, Offset: o.Offset, LeaderEpoch: o.LeaderEpoch, Metadata: o.Metadata,
		CommitTimestamp: c.now.Millis(), ExpireTimestamp: noTimestamp}
	retention := int64(-1)
	if req.API == kafka.OffsetCommit && req.Version >= 2 && req.Version <= 4 {
		retention = req.RetentionMs
		c.mark(rule.Commit7)
	}
	if retention == -1 && !c.has.Has(kafka.ExpiryByGroup) {
		retention = c.retentionMs()
	}
	if retention != -1 {
		v.ExpireTimestamp = v.CommitTimestamp + clock.Millis(retention)
	}
	if retention != -1 || !c.has.Has(kafka.LeaderEpochStored) {
		v.Version = 1
	}
	return v
}

// retentionMs is offsets.retention.minutes in milliseconds.
func (c *Coordinator) retentionMs() int64 {
	return c.setting(kafka.OffsetsRetentionMinutes) * 60_000
}

// commitStored ends a commit: on success the offsets are visible, or wait for
// their marker; on failure they are forgotten.
func (c *Coordinator) commitStored(g *group, p *pendingAppend, err kafka.Error) {
	k, ok := p.commit, err == kafka.None
	if !ok {
		c.because(rule.Store2, "the offsets could not be written: "+err.In(c.version))
	} else if c.mark(rule.Commit6); len(k.offsets) < len(k.results) {
		c.because(rule.Commit5, "metadata longer than offset.metadata.max.bytes")
	}
	if c.has.Has(kafka.OffsetsOutsideGroup) {
		if l := c.openLedger(p.group); ok {
			for i := range k.offsets {
				l.put(k.offsets[i].TopicPartition, offset{k.offsets[i].value, p.id})
			}
		}
	} else if g != nil && g.state != kafka.Dead {
		l := c.openLedger(p.group)
		for i := range k.offsets {
			if p.kind == txnStore {
				l.settleTransaction(k.producer, &k.offsets[i], p.id, ok)
			} else {
				l.settle(&k.offsets[i], p.id, ok)
			}
		}
	}
	r := kafka.Response{API: k.api, Corr: k.corr, Partitions: k.results}
	if !ok {
		r.Partitions = slices.Clone(k.results)
		for i := range r.Partitions {
			if r.Partitions[i].Error == kafka.None {
				r.Partitions[i].Error = c.commitStoreError(err)
			}
		}
	}
	c.reply(k.to, &r)
}

// CompleteTransaction ends a producer's transaction on one partition of
// __consumer_offsets, after its marker is in the log: its offsets become
// visible or are dropped (GroupMetadataManager.handleTxnCompletion).
func (c *Coordinator) CompleteTransaction(at clock.Time, partition int32, producerID int64, epoch int16, commit bool, cause uint64, out *Output) {
	c.begin(at, cause, out)
	if c.has.Has(kafka.WriteOperations) {
		c.markerEvent(partition, producerID, commit)
		c.end()
		return
	}
	for i := range c.groups.entries {
		e := &c.groups.entries[i]
		if !e.live || e.item.partition != partition || e.item.state == kafka.Dead {
			continue
		}
		if l := c.ledger(e.item.id); l != nil && !l.complete(producerID, commit) {
			c.crash()
		}
	}
	c.mark(rule.Txn2)
	c.end()
}
