package coordinator

import (
	"rebalancelab/engine/event"
	"rebalancelab/engine/kafka"
	"rebalancelab/engine/rule"
)

// joinGroup mirrors GroupCoordinator.handleJoinGroup.
func (c *Coordinator) joinGroup(from event.Node, req *kafka.Request) {
	if err := c.status(req.API, req.Group); err != kafka.None {
		c.refuseJoin(from, req, req.MemberID, err)
		return
	}
	if !c.sessionAllowed(req) {
		c.refuseJoin(from, req, req.MemberID, kafka.InvalidSessionTimeout)
		return
	}
	g := c.group(req.Group)
	if g == nil {
		if req.MemberID != "" {
			c.refuseJoin(from, req, req.MemberID, kafka.UnknownMemberID)
			return
		}
		c.mark(rule.Join4)
		g = c.newGroup(req.Group)
		if c.has.Has(kafka.GroupBornStable) {
			g.protocolType = req.ProtocolType
		}
	}
	c.join(g, from, req)
	if g.state == kafka.PreparingRebalance {
		c.tryCompleteJoin(g)
	}
}

// join carries out a JoinGroup to a group that there is, if it has room.
func (c *Coordinator) join(g *group, from event.Node, req *kafka.Request) {
	switch {
	case !c.accepts(g, req.MemberID):
		c.refuseJoin(from, req, "", kafka.GroupMaxSizeReached)
		c.evict(g, req)
	case req.MemberID == "":
		c.joinUnknown(g, from, req)
	default:
		c.joinKnown(g, from, req)
	}
}

// refuseJoin answers a JoinGroup with an error.
func (c *Coordinator) refuseJoin(to event.Node, req *kafka.Request, memberID string, err kafka.Error) {
	c.because(c.explain(req, err))
	r := c.joinError(memberID, err)
	r.API, r.Corr = req.API, req.Corr
	c.reply(to, r)
}

func (c *Coordinator) joinError(memberID string, err kafka.Error) *kafka.Response {
	r := kafka.Response{Error: err, MemberID: memberID, Generation: kafka.NoGeneration}
	if !c.has.Has(kafka.NoGenerationOnJoinError) {
		r.Generation = 0
	}
	return &r
}

// accepts mirrors acceptJoiningMember: the limit of group.max.size.
func (c *Coordinator) accepts(g *group, memberID string) bool {
	limit := c.setting(kafka.GroupMaxSize)
	m := g.member(memberID)
	switch {
	case !c.has.Has(kafka.GroupSizeLimit):
		return true
	case c.has.Has(kafka.SizeRuleByState):
		c.mark(rule.Size1)
	}
	switch {
	case !c.has.Has(kafka.SizeRuleByState):
		surplus := int64(g.size()) > limit && m != nil && !m.join.waiting
		return !surplus && (memberID != "" || int64(g.size()) < limit)
	case g.state == kafka.PreparingRebalance:
		return m != nil && m.join.waiting || int64(g.joining) < limit
	case g.in(kafka.CompletingRebalance, kafka.Stable):
		return m != nil || int64(g.size()) < limit
	}
	return true
}

// evict forgets an id that the group has no room for. Its session timer runs
// out without effect.
func (c *Coordinator) evict(g *group, req *kafka.Request) {
	if m := g.member(req.MemberID); m != nil {
		c.letGo(&m.timer)
		c.dropMemberTimers(m)
		c.takeOut(g, m, removal{"group.max.size reached", kafka.GroupMaxSize})
	}
	if p := g.pending.get(name(req.MemberID)); p != nil && c.has.Has(kafka.SizeRefusalForgetsPending) {
		c.letGo(&p.timer)
		c.removePending(g, req.MemberID)
		c.log(event.Event{Kind: event.PendingRemoved, Group: g.id, Member: req.MemberID, Text: "group.max.size reached", Config: kafka.GroupMaxSize})
	}
	if c.has.Has(kafka.SizeRefusalForgetsInstance) && req.InstanceID != "" {
		g.statics.remove(name(req.InstanceID)) // the member stays
	}
}

// joinUnknown mirrors doNewMemberJoinGroup: a JoinGroup without a member id.
func (c *Coordinator) joinUnknown(g *group, from event.Node, req *kafka.Request) {
	switch {
	case c.has.Has(kafka.DeadIsUnavailable) && g.state == kafka.Dead:
		c.refuseJoin(from, req, "", c.deadError())
		return
	case !c.supportsProtocols(g, req):
		c.refuseJoin(from, req, "", kafka.InconsistentGroupProtocol)
		return
	case g.state == kafka.Dead:
		c.refuseJoin(from, req, "", c.deadError())
		return
	case req.InstanceID != "":
		c.joinStatic(g, from, req)
		return
	}
	id := c.newMemberID(g, req.ClientID)
	if c.has.Has(kafka.MemberIDStep) && req.Version >= 4 {
		c.handOutID(g, id, from, req)
		return
	}
	c.addMember(g, id, from, req)
	c.rebalanceForNewMember(g, id, req)
}

// handOutID mirrors the answer MEMBER_ID_REQUIRED: the id is pending for one
// session timeout and holds up the join phase meanwhile.
func (c *Coordinator) handOutID(g *group, id string, from event.Node, req *kafka.Request) {
	c.mark(rule.Join2)
	p := g.pending.add(name(id), pendingMember{node: from, timer: c.newTimer(pendingTimer, g, id)})
	c.arm(p.timer, int64(req.SessionTimeoutMs), kafka.SessionTimeoutMs)
	c.cause = c.log(event.Event{Kind: event.MemberPending, Group: g.id, Member: id, Peer: from, State: g.state,
		Config: kafka.SessionTimeoutMs, Due: c.deadline(p.timer)})
	c.refuseJoin(from, req, id, kafka.MemberIDRequired)
}

// rebalanceForNewMember begins a join phase unless one is under way.
func (c *Coordinator) rebalanceForNewMember(g *group, id string, req *kafka.Request) {
	if mayMove(g.state, kafka.PreparingRebalance) {
		c.prepareRebalance(g, c.reasonNewMember(id, req))
	} else if c.has.Has(kafka.RefusalLeavesJoinPhase) {
		c.tryCompleteJoin(g)
	}
}

// joinKnown mirrors doCurrentMemberJoinGroup: a JoinGroup with a member id.
func (c *Coordinator) joinKnown(g *group, from event.Node, req *kafka.Request) {
	m, err := c.checkJoin(g, req)
	switch {
	case err != kafka.None:
		c.refuseJoin(from, req, req.MemberID, err)
	case m == nil && req.InstanceID != "":
		// Kafka throws here: a pending id is never a static member's.
		c.crashJoin(from, req)
	case m == nil:
		c.addMember(g, req.MemberID, from, req)
		c.rebalanceForNewMember(g, req.MemberID, req)
	default:
		c.rejoin(g, m, from, req)
	}
}

// crashJoin answers a JoinGroup at which Kafka throws.
func (c *Coordinator) crashJoin(from event.Node, req *kafka.Request) {
	if c.has.Has(kafka.WriteOperations) {
		c.crash()
	} else {
		c.refuseJoin(from, req, "", kafka.UnknownServerError)
	}
}

// checkJoin makes the checks of a JoinGroup with a member id in the release's
// order. The member is nil without an error when the id is pending.
func (c *Coordinator) checkJoin(g *group, req *kafka.Request) (*member, kafka.Error) {
	if c.has.Has(kafka.DeadIsUnavailable) && g.state == kafka.Dead {
		return nil, c.deadError()
	}
	if !c.supportsProtocols(g, req) {
		return nil, kafka.InconsistentGroupProtocol
	}
	if g.pending.has(name(req.MemberID)) {
		return nil, kafka.None
	}
	m, err := c.validate(g, req.MemberID, req.InstanceID)
	unmapped := req.InstanceID != "" && !g.statics.has(name(req.InstanceID))
	if err == kafka.None && (unmapped || g.in(kafka.Dead, kafka.Empty)) {
		return nil, kafka.UnknownMemberID
	}
	return m, err
}

// rejoin handles the JoinGroup of a member: by state it is parked, answered at
// once with the generation there is, or begins a rebalance.
func (c *Coordinator) rejoin(g *group, m *member, from event.Node, req *kafka.Request) {
	leader := g.leader == m.id
	changed := !m.matches(req.Protocols)
	switch {
	case g.state == kafka.PreparingRebalance:
		c.updateMember(g, m, from, req)
		if c.has.Has(kafka.RefusalLeavesJoinPhase) {
			c.tryCompleteJoin(g)
		}
	case g.state == kafka.Stable && leader:
		c.updateMember(g, m, from, req)
		c.prepareRebalance(g, c.reasonLeader(g, m, req))
	case changed:
		c.updateMember(g, m, from, req)
		c.prepareRebalance(g, c.reasonChanged(g, m, req))
	default:
		c.mark(rule.Join5)
		r := c.joined(g, m)
		r.API, r.Corr = req.API, req.Corr
		if leader {
			r.Members = c.joinedMembers(g)
		}
		if !c.crashed {
			c.reply(from, &r)
		}
	}
}

// joined is the answer to a JoinGroup that succeeds, without the members.
func (c *Coordinator) joined(g *group, m *member) kafka.Response {
	r := kafka.Response{MemberID: m.id, Generation: g.generation, ProtocolName: g.protocol, Leader: g.leader}
	if c.has.Has(kafka.ProtocolTypeTold) {
		r.ProtocolType = g.protocolType
	}
	return r
}

// metadataOf mirrors MemberMetadata.metadata, which throws for a protocol that the
// member does not support: up to 2.6.0 a static member can be replaced by one.
func (c *Coordinator) metadataOf(g *group, m *member) string {
	metadata, ok := m.metadata(g.protocol)
	if !ok {
		c.crash()
	}
	return metadata
}

// joinedMembers mirrors GroupMetadata.currentMemberMetadata.
func (c *Coordinator) joinedMembers(g *group) []kafka.JoinedMember {
	list := make([]kafka.JoinedMember, 0, g.size())
	for i := range g.members.entries {
		if e := &g.members.entries[i]; e.live {
			metadata := c.metadataOf(g, &e.item)
			list = append(list, kafka.JoinedMember{MemberID: e.item.id, InstanceID: e.item.instance, Metadata: metadata})
		}
	}
	return list
}
