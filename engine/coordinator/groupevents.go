package coordinator

import (
	"rebalancelab/engine/event"
	"rebalancelab/engine/kafka"
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
		g = c.newGroup(req.Group)
	}
	switch {
	case !c.accepts(g, req.MemberID):
		c.evict(g, req.MemberID)
		c.refuseJoin(from, req, "", kafka.GroupMaxSizeReached)
	case req.MemberID == "":
		c.joinUnknown(g, from, req)
	default:
		c.joinKnown(g, from, req)
	}
	if born && c.has.Has(kafka.GroupBirthRecord) && len(c.op.records) == 0 && !c.crashed {
		c.writeBirth(g)
	}
}

// writeBirth mirrors newEmptyGroupMetadataRecord.
func (c *Coordinator) writeBirth(g *group) {
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
		c.result(&kafka.Response{API: req.API, Corr: req.Corr, Error: err})
	default:
		c.failEvent(from, req, err)
	}
}

// leaveEvent mirrors classicGroupLeaveToClassicGroup: all members go first, then
// the group reacts once.
func (c *Coordinator) leaveEvent(from event.Node, req *kafka.Request) {
	g := c.group(req.Group)
	if g == nil {
		c.failEvent(from, req, kafka.UnknownMemberID)
		return
	}
	if g.state == kafka.Dead {
		c.result(&kafka.Response{API: req.API, Corr: req.Corr, Error: c.deadError()})
		return
	}
	r := kafka.Response{API: req.API, Corr: req.Corr, Results: make([]kafka.MemberResult, 0, len(req.Members))}
	var gone []string
	for i := range req.Members {
		l := &req.Members[i]
		id, err := c.leaverID(g, l)
		if err == kafka.None {
			c.takeLeaver(g, id)
			gone = append(gone, l.MemberID)
		}
		r.Results = append(r.Results, kafka.MemberResult{MemberID: l.MemberID, InstanceID: l.InstanceID, Error: err})
	}
	if len(gone) > 0 {
		cause := c.cause
		switch g.state {
		case kafka.Stable, kafka.CompletingRebalance:
			c.prepareRebalance(g, reasonLeft(gone))
		case kafka.PreparingRebalance:
			c.tryCompleteJoin(g)
		}
		c.cause = cause
	}
	c.result(&r)
}

// takeLeaver takes a member or a pending id out of the group.
func (c *Coordinator) takeLeaver(g *group, id string) {
	if c.removePending(g, id) {
		return
	}
	m := g.member(id)
	c.answerJoin(g, m, c.joinError("", kafka.UnknownMemberID))
	c.dropMemberTimers(g, m)
	c.takeOut(g, m, removal{why: "LeaveGroup"})
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
			answer.Error = err
			c.reply(r.to, &answer)
		}
	}
}
