package coordinator

import (
	"rebalancelab/engine/event"
	"rebalancelab/engine/kafka"
	"rebalancelab/engine/rule"
)

// joinEvent mirrors classicGroupJoinToClassicGroup. A group that it makes is
// written, so that the timeline has it.
func (c *Coordinator) joinEvent(from event.Node, req *kafka.Request) {
	g := c.group(req.Group)
	born := g == nil
	if born {
		if req.MemberID != "" {
			c.refuseJoin(from, req, req.MemberID, kafka.UnknownMemberID)
			return
		}
		c.mark(rule.Join4)
		g = c.newGroup(req.Group)
	}
	c.join(g, from, req)
	if born && c.has.Has(kafka.GroupBirthRecord) && len(c.op.records) == 0 && !c.crashed {
		c.writeBirth(g)
	}
}

// writeBirth mirrors newEmptyGroupMetadataRecord.
func (c *Coordinator) writeBirth(g *group) {
	c.mark(rule.Event6)
	value := &kafka.GroupMetadata{Version: c.groupValueVersion(), StateTimestamp: g.stateSince}
	c.appendRecords(g.id, []kafka.Record{{KeyVersion: 2, Group: g.id, GroupValue: value, ProducerID: -1,
		At: c.now.Millis(), Cause: c.cause}}, pendingAppend{kind: emptyGroupStore})
}

// syncEvent mirrors classicGroupSync.
func (c *Coordinator) syncEvent(from event.Node, req *kafka.Request) {
	g := c.group(req.Group)
	if g == nil || g.state == kafka.Empty {
		c.fail(from, req, kafka.UnknownMemberID)
		return
	}
	c.syncMember(g, from, req)
}

// heartbeatEvent mirrors classicGroupHeartbeat: what is thrown is answered at
// once, the rest with the commit.
func (c *Coordinator) heartbeatEvent(from event.Node, req *kafka.Request) {
	switch err := c.heartbeatOf(req); err {
	case kafka.None, kafka.RebalanceInProgress:
		if err != kafka.None {
			c.because(c.explain(req, err))
		}
		c.result(&kafka.Response{API: req.API, Corr: req.Corr, Error: err})
	default:
		c.throw(from, req, err)
	}
}

// leaveEvent mirrors classicGroupLeaveToClassicGroup: all members go first, then
// the group reacts once.
func (c *Coordinator) leaveEvent(from event.Node, req *kafka.Request) {
	g := c.group(req.Group)
	if g == nil {
		c.throw(from, req, kafka.UnknownMemberID)
		return
	}
	if g.state == kafka.Dead {
		c.because(c.explain(req, c.deadError()))
		c.result(&kafka.Response{API: req.API, Corr: req.Corr, Error: c.deadError()})
		return
	}
	r := kafka.Response{API: req.API, Corr: req.Corr, Results: make([]kafka.MemberResult, 0, len(req.Members))}
	var gone []string
	cause := c.cause
	for i := range req.Members {
		l := &req.Members[i]
		id, err := c.leaverID(g, l)
		if err != kafka.None {
			c.because(c.explainLeaver(g, l, err))
		} else {
			c.cause = c.takeLeaver(g, id)
			gone = append(gone, l.MemberID)
		}
		r.Results = append(r.Results, kafka.MemberResult{MemberID: l.MemberID, InstanceID: l.InstanceID, Error: err})
	}
	c.mark(rule.Leave1)
	if len(gone) > 0 {
		c.mark(rule.Event8)
		switch g.state {
		case kafka.Stable, kafka.CompletingRebalance:
			c.prepareRebalance(g, reasonLeft(gone))
		case kafka.PreparingRebalance:
			c.tryCompleteJoin(g)
		}
	}
	c.cause = cause // the answer comes from the request
	c.result(&r)
}

// takeLeaver takes a member or a pending id out of the group; it yields the
// event of that.
func (c *Coordinator) takeLeaver(g *group, id string) uint64 {
	if c.removePending(g, id) {
		return c.log(event.Event{Kind: event.PendingRemoved, Group: g.id, Member: id, Text: "LeaveGroup"})
	}
	m, left := g.member(id), removal{why: "LeaveGroup"}
	c.answerRemoved(g, m, left)
	c.dropMemberTimers(m)
	return c.takeOut(g, m, left)
}

// replacementCommitted ends a static replacement whose record is committed, or
// failed: then the old id is back, with its old timer armed anew.
func (c *Coordinator) replacementCommitted(g *group, o *operation, err kafka.Error) {
	r := o.store.replaced
	m := g.replaced(r)
	switch {
	case m == nil || m.id != r.newID:
	case err == kafka.None:
		c.answerReplaced(g, m, r)
	default:
		answer := c.failedAnswer(g, r)
		c.revertReplacement(g, m, r)
		if !o.answered {
			c.because(rule.Static5, "the group record could not be written: "+err.In(c.version))
			answer.Error = err
			c.reply(r.to, &answer)
		}
	}
}
