package coordinator

import (
	"slices"

	"rebalancelab/engine/clock"
	"rebalancelab/engine/event"
	"rebalancelab/engine/kafka"
	"rebalancelab/engine/rule"
)

// From 4.0 on each partition of __consumer_offsets is a state machine of its own
// (CoordinatorRuntime.java): a request or a timer is an event that changes the
// state in memory at once and may write records. Its answer waits until they,
// and all that was written before them, are committed.

// draft is what the event under way has yielded.
type draft struct {
	records []kafka.Record
	replay  bool          // the records are what changes the state
	store   pendingAppend // what the append future does
	result  kafka.Response
	has     bool // there is a result
}

// operation mirrors CoordinatorWriteEvent: an event that has run and waits for a
// commit.
type operation struct {
	number    uint64
	partition int32
	batch     int64 // the last batch that it waits for
	writes    bool  // and wrote
	answered  bool
	done      bool // only its batch is still under way
	store     pendingAppend
	to        event.Node
	req       *kafka.Request  // nil: a timer's
	result    *kafka.Response // nil: the group answers it (JoinGroup, SyncGroup)
	rule      rule.Rule       // that decided the result
	guard     string
	timer     int32 // OperationTimeout
}

// result is the answer of the event under way, given when it is committed.
func (c *Coordinator) result(r *kafka.Response) { c.op.result, c.op.has = *r, true }

// draftRecords keeps the records of the event under way; what a completed
// future would write is lost, as in Kafka.
func (c *Coordinator) draftRecords(records []kafka.Record, p pendingAppend) {
	if !c.completing {
		c.op.records, c.op.store = append(c.op.records, records...), p
	}
}

// endEvent mirrors CoordinatorContext.append: the event's records are applied
// and handed to the log. An event without records is answered at once unless
// something before it is uncommitted.
func (c *Coordinator) endEvent(partition int32, from event.Node, req *kafka.Request) {
	op := &c.op
	if c.crashed {
		c.crashed = false
		if req != nil && !c.answeredNow(from, req.Corr) {
			c.silence(from, req)
			c.throw(from, req, kafka.UnknownServerError)
		}
		c.op = draft{}
		return
	}
	p := &c.partitions[partition]
	switch {
	case len(op.records) > 0:
		c.writeBatch(partition)
	case p.committed == p.written:
		if op.has {
			c.reply(from, &op.result)
		}
		c.op = draft{}
		return
	}
	c.events++
	o := operation{number: c.events, partition: partition, batch: p.written, writes: len(op.records) > 0, store: op.store,
		to: from, req: kept(req), timer: noTimer}
	if op.has {
		r := op.result
		o.result, o.rule, o.guard = &r, c.rule, c.guard
		c.mark(rule.Event1)
	} else if req != nil {
		o.answered = c.answeredNow(from, req.Corr)
	}
	if c.has.Has(kafka.OperationTimeout) {
		o.timer = c.newTimer(operationTimer, &group{}, "")
		c.timers[o.timer].serial = o.number
		c.arm(o.timer, c.setting(kafka.OffsetsCommitTimeoutMs), kafka.OffsetsCommitTimeoutMs)
	}
	c.operations.Push(o)
	c.op = draft{}
}

// kept is a copy of a request that waits: its sender uses the memory of what was
// read again.
func kept(req *kafka.Request) *kafka.Request {
	if req == nil {
		return nil
	}
	r := *req
	r.Offsets = slices.Clone(req.Offsets)
	return &r
}

func (c *Coordinator) writeBatch(partition int32) {
	op := &c.op
	if op.replay {
		for i := range op.records {
			c.replayRecord(partition, &op.records[i], c.appends+1)
		}
	}
	c.appends++
	c.partitions[partition].written = c.appends
	c.sealUndo(partition, c.appends)
	c.out.Appends = append(c.out.Appends, Append{ID: c.appends, Partition: partition, Records: op.records,
		Cause: c.cause, Group: op.records[0].Group, After: len(c.out.Replies)})
}

// answeredNow reports whether the step has answered a request already.
func (c *Coordinator) answeredNow(to event.Node, corr int64) bool {
	for i := c.stepReplies; i < len(c.out.Replies); i++ {
		if r := &c.out.Replies[i]; r.To == to && r.Corr == corr {
			return true
		}
	}
	return false
}

// noteAnswer tells a waiting operation that the group has answered its request.
func (c *Coordinator) noteAnswer(to event.Node, r *kafka.Response) {
	for i := range c.operations.All() {
		o := &c.operations.All()[i]
		if o.req != nil && o.to == to && o.req.Corr == r.Corr {
			o.answered = true
		}
	}
}

// Expects reports whether a batch is still to be written when its turn comes:
// from 4.0 on the failure of a batch undoes all that were handed over after it,
// and so does the loss of the partition.
func (c *Coordinator) Expects(id int64) bool {
	return !c.has.Has(kafka.WriteOperations) || c.operationOf(id) >= 0
}

// CommitsLater reports whether an append that ends so is in the log and merely
// not committed: from 4.0 on nobody waits for the replicas but the operation.
func (c *Coordinator) CommitsLater(err kafka.Error) bool {
	return c.has.Has(kafka.WriteOperations) && (err == kafka.RequestTimedOut || err == kafka.NotEnoughReplicasAfterAppend)
}

// operationOf is the place of the operation that wrote a batch, -1 if there is
// none.
func (c *Coordinator) operationOf(id int64) int {
	return slices.IndexFunc(c.operations.All(), func(o operation) bool { return o.writes && o.batch == id })
}

// batchDone ends a batch and, with it, all before it; a failed one takes along
// all after it.
func (c *Coordinator) batchDone(id int64, err kafka.Error) {
	i := c.operationOf(id)
	if i < 0 {
		return
	}
	partition := c.operations.All()[i].partition
	if err == kafka.None {
		c.commit(partition, id)
		return
	}
	c.mark(rule.Event2)
	c.completeWhere(err, func(o *operation) bool { return o.partition == partition && o.batch >= id })
	c.revert(partition, id)
	p := &c.partitions[partition]
	p.written = p.committed
	for i := range c.operations.All() {
		if o := &c.operations.All()[i]; o.partition == partition && o.writes {
			p.written = max(p.written, o.batch)
		}
	}
}

// commit mirrors HighWatermarkListener.onHighWatermarkUpdated.
func (c *Coordinator) commit(partition int32, id int64) {
	c.partitions[partition].committed = id
	c.forgetUndo(partition, id)
	c.completeWhere(kafka.None, func(o *operation) bool { return o.partition == partition && o.batch <= id })
}

// completeWhere ends the operations that pass a test, in their order.
func (c *Coordinator) completeWhere(err kafka.Error, test func(*operation) bool) {
	for i := 0; i < len(c.operations.All()); {
		if !test(&c.operations.All()[i]) {
			i++
			continue
		}
		o := c.operations.All()[i]
		c.operations.Remove(i)
		c.complete(&o, err)
	}
}

// complete mirrors CoordinatorWriteEvent.complete: first what depends on the
// append, then the answer.
func (c *Coordinator) complete(o *operation, err kafka.Error) {
	c.freeTimerOf(&o.timer)
	if o.done {
		return
	}
	o.done = true
	cause := c.cause
	c.completing = true
	if g := c.group(o.store.group); g != nil && g.serial == o.store.serial {
		switch o.store.kind {
		case assignmentStore:
			c.assignmentStored(g, &o.store, c.operationError(err))
		case staticStore:
			c.replacementCommitted(g, o, c.operationError(err))
		}
	}
	if o.store.kind == expiryStore && err != kafka.None && err != kafka.NotCoordinator {
		c.armExpiry(o.partition)
	}
	c.completing = false
	switch {
	case o.req == nil:
	case err != kafka.None && !o.answered && !c.answeredNow(o.to, o.req.Corr):
		c.silence(o.to, o.req)
		c.because(c.explainOperation(o, err))
		c.failEvent(o.to, o.req, err)
	case err == kafka.None && o.result != nil:
		c.rule, c.guard = o.rule, o.guard
		c.reply(o.to, o.result)
	}
	c.cause = cause
}

// explainOperation is the rule behind the failure of an operation.
func (c *Coordinator) explainOperation(o *operation, err kafka.Error) (rule.Rule, string) {
	switch err {
	case kafka.NotCoordinator:
		return rule.Load1, "this broker does not lead " + kafka.OffsetsTopic + "-" + itoa(o.partition) + " any more"
	case kafka.RequestTimedOut:
		return rule.Event3, "not committed within offsets.commit.timeout.ms " + itoa(int32(c.setting(kafka.OffsetsCommitTimeoutMs)))
	}
	return rule.Event7, "the records could not be written: " + err.In(c.version)
}

// silence keeps the place of a parked request that is answered with the error of
// its operation; the group would answer it again.
func (c *Coordinator) silence(to event.Node, req *kafka.Request) {
	g := c.group(req.Group)
	if g == nil || req.API != kafka.JoinGroup && req.API != kafka.SyncGroup {
		return
	}
	for i := range g.members.entries {
		e := &g.members.entries[i]
		if !e.live {
			continue
		}
		for _, p := range []*parked{&e.item.join, &e.item.sync} {
			p.answered = p.answered || p.waiting && p.to == to && p.corr == req.Corr
		}
	}
}

// operationTimedOut mirrors OperationTimeout: the caller gets an error, the
// records stay.
func (c *Coordinator) operationTimedOut(t *timer) {
	for i := range c.operations.All() {
		if o := &c.operations.All()[i]; o.number == t.serial {
			c.cause = c.log(event.Event{Kind: event.TimerFired, Config: t.config, Group: o.store.group})
			ended := *o
			o.done, o.timer = true, noTimer
			c.complete(&ended, kafka.RequestTimedOut)
			return
		}
	}
	panic("coordinator: a timeout outlived its operation")
}

// armExpiry schedules the next expiry of a partition
// (GroupCoordinatorShard.scheduleGroupMetadataExpiration).
func (c *Coordinator) armExpiry(partition int32) {
	p := &c.partitions[partition]
	if p.expiry == noTimer {
		p.expiry = c.newTimer(expiryTimer, &group{}, "")
		c.timers[p.expiry].serial = uint64(partition)
	}
	c.arm(p.expiry, c.setting(kafka.OffsetsRetentionCheckIntervalMs), kafka.OffsetsRetentionCheckIntervalMs)
}

func (o *operation) hash(h *clock.Hash) {
	h.Uint64(o.number)
	h.Int(o.batch)
	h.Bool(o.writes)
	h.Bool(o.done)
	h.Bool(o.answered)
	if o.req != nil {
		h.Int(o.req.Corr)
	}
}
