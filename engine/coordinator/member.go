package coordinator

import (
	"rebalancelab/engine/event"
	"rebalancelab/engine/kafka"
	"rebalancelab/engine/rule"
)

// newMemberTimeoutMs is GroupCoordinator.NewMemberJoinTimeoutMs.
const newMemberTimeoutMs = 5 * 60 * 1000

// addMember mirrors addMemberAndRebalance up to the rebalance: the member is
// new and its join is parked.
func (c *Coordinator) addMember(g *group, id string, from event.Node, req *kafka.Request) {
	if g.state == kafka.PreparingRebalance && c.prolongs(g) {
		g.newMemberAdded = true
	}
	if g.size() == 0 && !c.has.Has(kafka.GroupBornStable) {
		g.protocolType = req.ProtocolType
	}
	c.serials++
	m := g.members.add(name(id), member{
		id: id, birth: c.serials, instance: req.InstanceID, clientID: req.ClientID, clientHost: req.ClientHost, node: from,
		sessionTimeoutMs: req.SessionTimeoutMs, rebalanceTimeoutMs: req.RebalanceTimeoutMs,
		protocols: req.Protocols, isNew: true, timer: noTimer, leftovers: noTimer, heardAt: -1,
	})
	pending := ""
	if g.pending.has(name(id)) {
		pending = "pending"
	}
	c.cause = c.log(event.Event{Kind: event.MemberAdded, Group: g.id, Member: id, Instance: req.InstanceID, Peer: from, State: g.state, Text: pending})
	if g.leader == "" {
		c.setLeader(g, id)
	}
	c.countProtocols(g, req.Protocols, 1)
	if m.isStatic() {
		g.statics.add(name(m.instance), id)
	}
	c.removePending(g, id)
	m.park(g, from, req)
	if c.has.Has(kafka.NewMemberTimeout) {
		c.scheduleMember(g, m, newMemberTimeoutMs, kafka.NewMemberJoinTimeout)
	}
}

// prolongs reports whether a new member can make the initial delay longer.
func (c *Coordinator) prolongs(g *group) bool {
	if c.has.Has(kafka.DelayExtendsFromEmpty) {
		return g.initialDelay
	}
	return g.generation == 0
}

// updateMember mirrors GroupMetadata.updateMember: a rejoin with a new request,
// which supersedes one that is parked.
func (c *Coordinator) updateMember(g *group, m *member, from event.Node, req *kafka.Request) {
	c.countProtocols(g, m.protocols, -1)
	c.countProtocols(g, req.Protocols, 1)
	m.protocols, m.node = req.Protocols, from
	if c.has.Has(kafka.RejoinUpdatesTimeouts) {
		m.sessionTimeoutMs, m.rebalanceTimeoutMs = req.SessionTimeoutMs, req.RebalanceTimeoutMs
	}
	m.park(g, from, req)
}

// park keeps a JoinGroup until its phase ends.
func (m *member) park(g *group, from event.Node, req *kafka.Request) {
	if !m.join.waiting {
		g.joining++
	}
	m.join = parked{waiting: true, to: from, corr: req.Corr}
}

// answerJoin mirrors GroupMetadata.maybeInvokeJoinCallback.
func (c *Coordinator) answerJoin(g *group, m *member, r *kafka.Response) {
	if !m.join.waiting {
		return
	}
	r.API, r.Corr = kafka.JoinGroup, m.join.corr
	if !m.join.answered {
		c.reply(m.join.to, r)
	}
	m.join = parked{}
	g.joining--
}

// answerSync mirrors GroupMetadata.maybeInvokeSyncCallback.
func (c *Coordinator) answerSync(m *member, r *kafka.Response) bool {
	if !m.sync.waiting {
		return false
	}
	r.API, r.Corr = kafka.SyncGroup, m.sync.corr
	if !m.sync.answered {
		c.reply(m.sync.to, r)
	}
	m.sync = parked{}
	return true
}

// setLeader changes the leader of the group; "" is none.
func (c *Coordinator) setLeader(g *group, id string) {
	g.leader = id
	if id != "" {
		c.log(event.Event{Kind: event.LeaderElected, Group: g.id, Member: id})
	}
}

// about is what the member's line in a log says.
func (m *member) about() *event.Membership {
	return &event.Membership{Instance: m.instance, ClientID: m.clientID, ClientHost: m.clientHost,
		SessionTimeoutMs: m.sessionTimeoutMs, RebalanceTimeoutMs: m.rebalanceTimeoutMs, Protocols: m.protocols}
}

// removal says why a member goes.
type removal struct {
	why    string
	config kafka.Config // the timer that decided
}

// takeOut mirrors GroupMetadata.remove: the member and every trace of it leave
// the group. Its timers go too, unless the release lets them run on.
// It returns the number of the event; the cause stays.
func (c *Coordinator) takeOut(g *group, m *member, r removal) uint64 {
	id, cause := m.id, c.cause
	removed := c.log(event.Event{Kind: event.MemberRemoved, Group: g.id, Member: id, Instance: m.instance, About: m.about(), Text: r.why, Config: r.config})
	c.countProtocols(g, m.protocols, -1)
	if m.join.waiting {
		g.joining--
	}
	if m.instance != "" {
		g.statics.remove(name(m.instance))
	}
	g.synced(m)
	g.members.remove(name(id))
	if g.leader == id {
		c.mark(rule.Lead1)
		c.cause = removed
		c.setLeader(g, c.chooseLeader(g, false))
		c.cause = cause
	}
	return removed
}

// synced mirrors GroupMetadata.removePendingSyncMember.
func (g *group) synced(m *member) {
	if m.awaitsSync {
		m.awaitsSync = false
		g.unsynced--
	}
}

// removeMember mirrors removeMemberAndUpdateGroup followed by
// removeHeartbeatForLeavingMember: a member leaves or is removed by a timer.
func (c *Coordinator) removeMember(g *group, m *member, r removal, why reason) {
	if m.sync.waiting {
		c.mark(rule.Leave2)
	}
	c.answerRemoved(g, m, r)
	c.dropMemberTimers(m)
	c.cause = c.takeOut(g, m, r)
	c.afterRemoval(g, why)
}

// answerRemoved answers the parked JoinGroup of a member that is about to go.
func (c *Coordinator) answerRemoved(g *group, m *member, r removal) {
	if !c.has.Has(kafka.RemovedJoinAnswered) || !m.join.waiting {
		return
	}
	decided, guard := c.rule, c.guard
	c.because(rule.Leave5, m.id+" was removed: "+r.why)
	c.answerJoin(g, m, c.joinError("", kafka.UnknownMemberID))
	c.rule, c.guard = decided, guard
}

// afterRemoval lets the group react to the loss of a member.
func (c *Coordinator) afterRemoval(g *group, why reason) {
	c.mark(rule.Leave3)
	switch g.state {
	case kafka.Stable, kafka.CompletingRebalance:
		c.prepareRebalance(g, why)
	case kafka.PreparingRebalance:
		c.afterExpiry(g)
	}
}

// removePending forgets an id handed out by MEMBER_ID_REQUIRED and reports
// whether it was one.
func (c *Coordinator) removePending(g *group, id string) bool {
	p := g.pending.get(name(id))
	if p == nil {
		return false
	}
	c.freeTimerOf(&p.timer)
	return g.pending.remove(name(id))
}
