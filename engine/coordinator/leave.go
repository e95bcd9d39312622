package coordinator

import (
	"rebalancelab/engine/event"
	"rebalancelab/engine/kafka"
	"rebalancelab/engine/rule"
)

// leaveGroup mirrors handleLeaveGroup. A batch is worked off member by member:
// the first may begin, even end, a rebalance before the next is looked at.
func (c *Coordinator) leaveGroup(from event.Node, req *kafka.Request) {
	if err := c.status(req.API, req.Group); err != kafka.None {
		c.fail(from, req, err)
		return
	}
	g := c.group(req.Group)
	if g != nil && g.state == kafka.Dead {
		c.fail(from, req, c.deadError())
		return
	}
	if !c.has.Has(kafka.BatchLeave) {
		c.fail(from, req, c.leave(g, &req.Members[0]))
		return
	}
	c.mark(rule.Leave1)
	r := kafka.Response{API: req.API, Corr: req.Corr, Results: make([]kafka.MemberResult, 0, len(req.Members))}
	for i := range req.Members {
		l := &req.Members[i]
		r.Results = append(r.Results, kafka.MemberResult{MemberID: l.MemberID, InstanceID: l.InstanceID, Error: c.leave(g, l)})
	}
	if !c.crashed {
		c.reply(from, &r)
	}
}

// leave lets one member go.
func (c *Coordinator) leave(g *group, l *kafka.LeavingMember) kafka.Error {
	if g == nil {
		c.because(rule.Leave1, "there is no such group")
		return kafka.UnknownMemberID
	}
	cause := c.cause
	id, err := c.leaverID(g, l)
	if err != kafka.None {
		c.because(c.explainLeaver(g, l, err))
		return err
	}
	if !c.removePending(g, id) {
		c.removeMember(g, g.member(id), removal{why: "LeaveGroup"}, c.reasonLeave(id, l.Reason))
	} else {
		c.cause = c.log(event.Event{Kind: event.PendingRemoved, Group: g.id, Member: id, Text: "LeaveGroup"})
		if g.state == kafka.PreparingRebalance {
			c.tryCompleteJoin(g)
		}
	}
	c.cause = cause // the answer comes from the request
	return kafka.None
}

// leaverID finds out which member, or which pending id, an entry of a LeaveGroup
// means.
func (c *Coordinator) leaverID(g *group, l *kafka.LeavingMember) (string, kafka.Error) {
	if l.MemberID == "" && c.has.Has(kafka.BatchLeave) {
		if holder := g.statics.get(name(l.InstanceID)); holder != nil {
			return *holder, kafka.None
		}
		return "", kafka.UnknownMemberID
	}
	if !c.has.Has(kafka.OneMemberValidation) {
		c.mark(rule.Leave6)
		return c.oldLeaverID(g, l)
	}
	if g.pending.has(name(l.MemberID)) {
		return l.MemberID, kafka.None
	}
	_, err := c.validate(g, l.MemberID, l.InstanceID)
	return l.MemberID, err
}

// oldLeaverID is the order of the checks up to 2.8. An instance id decides since
// 2.4; a pending id with one makes Kafka throw.
func (c *Coordinator) oldLeaverID(g *group, l *kafka.LeavingMember) (string, kafka.Error) {
	instance := l.InstanceID
	if !c.has.Has(kafka.BatchLeave) {
		instance = ""
	}
	if err := c.fenced(g, l.MemberID, instance); err != kafka.None {
		return "", err
	}
	switch pending := g.pending.has(name(l.MemberID)); {
	case pending && instance != "":
		c.crash()
		return "", kafka.UnknownServerError
	case pending || g.member(l.MemberID) != nil:
		return l.MemberID, kafka.None
	}
	return "", kafka.UnknownMemberID
}
