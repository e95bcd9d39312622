package coordinator

import (
	"slices"
	"strings"

	"rebalancelab/engine/event"
	"rebalancelab/engine/kafka"
	"rebalancelab/engine/rule"
)

// syncGroup mirrors handleSyncGroup and doSyncGroup.
func (c *Coordinator) syncGroup(from event.Node, req *kafka.Request) {
	err := c.status(req.API, req.Group)
	if err == kafka.CoordinatorLoadInProgress && c.has.Has(kafka.CommonGroupStatus) {
		err = kafka.RebalanceInProgress // the group is lost on failover: rejoin
	}
	if err != kafka.None {
		c.fail(from, req, err)
		return
	}
	g := c.group(req.Group)
	if g == nil {
		c.fail(from, req, kafka.UnknownMemberID)
		return
	}
	c.syncMember(g, from, req)
}

// syncMember mirrors doSyncGroup.
func (c *Coordinator) syncMember(g *group, from event.Node, req *kafka.Request) {
	m, err := c.checkSync(g, req)
	if err != kafka.None {
		c.fail(from, req, err)
		return
	}
	switch g.state {
	case kafka.CompletingRebalance:
		c.syncCompleting(g, m, from, req)
	case kafka.Stable:
		c.mark(rule.Sync3)
		c.memberSynced(g, m)
		r := c.syncAnswer(g, m)
		r.API, r.Corr = req.API, req.Corr
		c.reply(from, &r)
		if !c.has.Has(kafka.SyncKeepsSession) {
			c.rearm(g, m)
		}
	}
}

// checkSync makes the checks of a SyncGroup; a group that passes is in
// CompletingRebalance or Stable.
func (c *Coordinator) checkSync(g *group, req *kafka.Request) (*member, kafka.Error) {
	if g.state == kafka.Dead && c.has.Has(kafka.DeadIsUnavailable) {
		return nil, c.deadError()
	}
	m, err := c.validate(g, req.MemberID, req.InstanceID)
	if err != kafka.None {
		return nil, err
	}
	switch {
	case req.Generation != g.generation:
		return nil, kafka.IllegalGeneration
	case c.has.Has(kafka.SyncChecksProtocol) &&
		(c.differs(req.ProtocolType, g.protocolType) || c.differs(req.ProtocolName, g.protocol)):
		return nil, kafka.InconsistentGroupProtocol
	case g.state == kafka.PreparingRebalance:
		return nil, kafka.RebalanceInProgress
	case g.in(kafka.Dead, kafka.Empty):
		return nil, kafka.UnknownMemberID
	}
	return m, kafka.None
}

// differs reports whether a protocol type or name that the request gives is not
// the group's.
func (c *Coordinator) differs(given, own string) bool {
	return given != "" && given != own && (own != "" || !c.has.Has(kafka.NullProtocolMatches))
}

// syncCompleting parks the request; the leader's brings the assignment, which
// goes to the log.
func (c *Coordinator) syncCompleting(g *group, m *member, from event.Node, req *kafka.Request) {
	m.sync = parked{waiting: true, to: from, corr: req.Corr}
	c.mark(rule.Sync2)
	if c.has.Has(kafka.SyncRearmsWhileAwaiting) {
		c.mark(rule.Sync6)
		c.rearm(g, m)
	}
	c.memberSynced(g, m)
	if m.id == g.leader {
		c.mark(rule.Sync1)
		c.cause = c.log(event.Event{Kind: event.AssignmentReceived, Group: g.id, Generation: g.generation, Member: m.id,
			N: int64(g.size()), Statics: int32(g.statics.live), Text: forgotten(g, req.Assignments)})
		c.storeGroup(g, req, pendingAppend{kind: assignmentStore, member: m.id, generation: g.generation,
			assignments: req.Assignments})
	}
}

// forgotten lists the members that a leader's assignment leaves out.
func forgotten(g *group, assignments []kafka.MemberAssignment) string {
	named := make(map[string]bool, len(assignments))
	for i := range assignments {
		named[assignments[i].MemberID] = true
	}
	var ids []string
	for i := range g.members.entries {
		if e := &g.members.entries[i]; e.live && !named[e.item.id] {
			ids = append(ids, e.item.id)
		}
	}
	return strings.Join(ids, ", ")
}

// syncAnswer is the answer to a SyncGroup that succeeds.
func (c *Coordinator) syncAnswer(g *group, m *member) kafka.Response {
	r := kafka.Response{Assignment: m.assignment}
	if c.has.Has(kafka.ProtocolTypeTold) {
		r.ProtocolType, r.ProtocolName = g.protocolType, g.protocol
	}
	return r
}

// assignmentStored ends the leader's SyncGroup. A group that has moved on
// meanwhile ignores it.
func (c *Coordinator) assignmentStored(g *group, a *pendingAppend, err kafka.Error) {
	if g.state != kafka.CompletingRebalance || g.generation != a.generation {
		c.mark(rule.Store3)
		return
	}
	if err != kafka.None {
		c.because(rule.Store1, "the group record could not be written")
		c.failSyncs(g, err)
		c.prepareRebalance(g, c.reasonStore(a.member, err))
		return
	}
	assigned := assignmentOf(g, a.assignments)
	for i := range g.members.entries {
		if e := &g.members.entries[i]; e.live {
			e.item.assignment = assigned[i]
		}
	}
	c.cause = c.log(event.Event{Kind: event.AssignmentStored, Group: g.id, Generation: g.generation, N: int64(g.size())})
	c.answerSyncs(g, kafka.None)
	c.moveTo(g, kafka.Stable, rule.Sync1, "the leader's assignment is stored")
}

// failSyncs mirrors resetAndPropagateAssignmentError.
func (c *Coordinator) failSyncs(g *group, err kafka.Error) {
	for i := range g.members.entries {
		if e := &g.members.entries[i]; e.live {
			e.item.assignment = ""
		}
	}
	c.answerSyncs(g, err)
}

// answerSyncs mirrors propagateAssignment: every parked SyncGroup is answered
// and its member's session starts anew.
func (c *Coordinator) answerSyncs(g *group, err kafka.Error) {
	for i := range g.members.entries {
		e := &g.members.entries[i]
		if !e.live || !e.item.sync.waiting {
			continue
		}
		r := kafka.Response{Error: err}
		if err == kafka.None {
			r = c.syncAnswer(g, &e.item)
		}
		c.answerSync(&e.item, &r)
		c.rearm(g, &e.item)
	}
}

// armSync bounds the wait for SyncGroups (schedulePendingSync).
func (c *Coordinator) armSync(g *group) {
	if g.syncTimer == noTimer {
		g.syncTimer = c.newTimer(syncPhaseTimer, g, "")
	}
	g.syncGeneration = g.generation
	c.arm(g.syncTimer, c.maxRebalanceTimeout(g), kafka.MaxPollIntervalMs)
}

// memberSynced takes a member off the list of those that have to sync. When the
// list is empty the timer is done (DelayedSync.tryComplete).
func (c *Coordinator) memberSynced(g *group, m *member) {
	g.synced(m)
	c.maybeEndSync(g)
}

func (c *Coordinator) maybeEndSync(g *group) {
	if g.unsynced == 0 && len(g.strangers) == 0 {
		c.disarm(g.syncTimer)
	}
}

// endSyncPhase mirrors removeSyncExpiration.
func (c *Coordinator) endSyncPhase(g *group) {
	c.disarm(g.syncTimer)
	g.strangers = nil
	if g.unsynced == 0 {
		return
	}
	for i := range g.members.entries {
		g.members.entries[i].item.awaitsSync = false
	}
	g.unsynced = 0
}

// syncPhaseExpired mirrors onExpirePendingSync: members that did not sync are
// removed, and the rest rebalances. An id that was replaced counts too.
func (c *Coordinator) syncPhaseExpired(g *group, t *timer) {
	if g.generation != g.syncGeneration || !g.in(kafka.CompletingRebalance, kafka.Stable) {
		return
	}
	c.fired(g, t)
	if len(g.strangers) > 0 && !c.has.Has(kafka.SyncDeadlineToleratesStrangers) {
		c.mark(rule.Static10)
		return // Kafka throws: the id that was replaced is no member
	}
	late := slices.Clone(g.strangers)
	if len(late) > 0 {
		c.mark(rule.Static10)
	}
	for i := range g.members.entries {
		e := &g.members.entries[i]
		if !e.live || !e.item.awaitsSync {
			continue
		}
		late = append(late, e.item.id)
		c.dropMemberTimers(&e.item)
		c.takeOut(g, &e.item, removal{"did not sync", t.config})
	}
	c.prepareRebalance(g, c.reasonUnsynced(late))
}
