package coordinator

import (
	"rebalancelab/engine/clock"
	"rebalancelab/engine/event"
	"rebalancelab/engine/kafka"
)

// prepareRebalance begins a join phase (GroupCoordinator.prepareRebalance). The
// group must be in Empty, CompletingRebalance or Stable. An empty group waits
// for the initial delay; any other phase may end at once.
func (c *Coordinator) prepareRebalance(g *group, reason string) {
	if !c.has.Has(kafka.RebalanceReasons) {
		reason = ""
	}
	ms, config := c.maxRebalanceTimeout(g), kafka.MaxPollIntervalMs
	if c.has.Has(kafka.RebalanceBoundBySession) {
		config = kafka.SessionTimeoutMs
	}
	g.stuck = false
	g.initialDelay = g.state == kafka.Empty && c.has.Has(kafka.InitialRebalanceDelay)
	if g.initialDelay {
		delay := c.setting(kafka.GroupInitialRebalanceDelayMs)
		g.delayMs, g.remainingMs = delay, max(ms-delay, 0)
		ms, config = delay, kafka.GroupInitialRebalanceDelayMs
	}
	c.cause = c.log(event.Event{Kind: event.RebalanceBegan, Group: g.id, Generation: g.generation, Text: reason,
		Config: config, Due: c.now.Millis().Time().Add(clock.Duration(ms) * clock.Millisecond)})
	if g.state == kafka.CompletingRebalance {
		c.failSyncs(g, kafka.RebalanceInProgress)
	}
	c.endSyncPhase(g)
	c.moveTo(g, kafka.PreparingRebalance, "")
	c.armJoin(g, ms, config)
	c.tryCompleteJoin(g)
}

func (c *Coordinator) armJoin(g *group, ms int64, config kafka.Config) {
	if g.joinTimer == noTimer {
		g.joinTimer = c.newTimer(joinPhaseTimer, g, "")
	}
	g.joinConfig = config
	c.arm(g.joinTimer, ms, config)
}

// tryCompleteJoin mirrors DelayedJoin.tryComplete: the phase ends when every
// member has a parked join and no pending id is outstanding. The initial,
// delayed phase ends by its timer only.
func (c *Coordinator) tryCompleteJoin(g *group) {
	running := c.armed(g.joinTimer) || g.stuck && c.has.Has(kafka.WriteOperations)
	if !g.initialDelay && running && g.joining == g.size() && g.pending.live == 0 {
		c.disarm(g.joinTimer)
		c.completeJoin(g)
	}
}

// afterExpiry lets a join phase end after a member or pending id went by a
// timer. From 4.0 on that ends the initial delay too.
func (c *Coordinator) afterExpiry(g *group) {
	if !c.has.Has(kafka.TimerEndsInitialDelay) {
		c.tryCompleteJoin(g)
	} else if g.joining == g.size() && g.pending.live == 0 {
		c.disarm(g.joinTimer)
		c.completeJoin(g)
	}
}

// joinPhaseExpired mirrors the expiry of DelayedJoin and InitialDelayedJoin.
func (c *Coordinator) joinPhaseExpired(g *group, t *timer) {
	c.fired(g, t)
	if !g.initialDelay || !g.newMemberAdded || g.remainingMs == 0 {
		c.completeJoin(g)
		return
	}
	g.newMemberAdded = false
	delay := min(c.setting(kafka.GroupInitialRebalanceDelayMs), g.remainingMs)
	g.remainingMs = max(g.remainingMs-g.delayMs, 0)
	g.delayMs = delay
	c.cause = c.log(event.Event{Kind: event.DelayExtended, Group: g.id, Config: kafka.GroupInitialRebalanceDelayMs,
		Due: c.now.Millis().Time().Add(clock.Duration(delay) * clock.Millisecond)})
	c.armJoin(g, delay, kafka.GroupInitialRebalanceDelayMs)
}

// completeJoin ends the join phase (GroupCoordinator.onCompleteJoin).
func (c *Coordinator) completeJoin(g *group) {
	g.initialDelay = false
	c.dropSilentMembers(g)
	switch {
	case g.state == kafka.Dead:
	case g.size() == 0 && c.has.Has(kafka.GroupDiesWhenEmpty):
		c.die(g)
	case g.size() > 0 && !c.electJoinedLeader(g):
		// Only silent static members are left: the phase goes on until their
		// sessions end.
		ms := c.maxRebalanceTimeout(g)
		c.cause = c.log(event.Event{Kind: event.DelayExtended, Group: g.id, Config: kafka.MaxPollIntervalMs,
			Due: c.now.Millis().Time().Add(clock.Duration(ms) * clock.Millisecond)})
		c.armJoin(g, ms, kafka.MaxPollIntervalMs)
	default:
		c.nextGeneration(g)
	}
}

// dropSilentMembers removes the members that did not rejoin; since 2.3.0 only
// dynamic ones.
func (c *Coordinator) dropSilentMembers(g *group) {
	if g.joining == g.size() {
		return
	}
	everybody := c.has.Has(kafka.JoinPhaseDropsSilentMembers)
	for i := range g.members.entries {
		e := &g.members.entries[i]
		if !e.live || e.item.join.waiting || e.item.isStatic() && !everybody {
			continue
		}
		m := &e.item
		if c.has.Has(kafka.TimersOfRemovedMembersFire) {
			c.abandonTimer(m)
		} else {
			c.dropMemberTimers(g, m)
		}
		c.takeOut(g, m, removal{"did not rejoin", g.joinConfig})
	}
}

// nextGeneration mirrors GroupMetadata.initNextGeneration and the rest of
// onCompleteJoin.
func (c *Coordinator) nextGeneration(g *group) {
	g.generation++
	if g.size() == 0 {
		g.protocol = ""
		c.subscribe(g)
		c.moveTo(g, kafka.Empty, "")
		c.storeGroup(g, nil, pendingAppend{kind: emptyGroupStore})
		return
	}
	protocol, ok := c.selectProtocol(g)
	if ok {
		g.protocol = protocol
		ok = c.subscribe(g)
	}
	if !ok {
		g.stuck = true
		c.crash()
		return
	}
	c.cause = c.log(event.Event{Kind: event.JoinCompleted, Group: g.id, Generation: g.generation, Text: g.protocol,
		Member: g.leader, N: int64(g.size())})
	c.moveTo(g, kafka.CompletingRebalance, "")
	c.answerJoins(g)
	if c.has.Has(kafka.SyncDeadline) {
		c.armSync(g)
	}
}

// answerJoins answers every parked join, starts every member's session and, if
// the release bounds the sync phase, notes whom it waits for.
func (c *Coordinator) answerJoins(g *group) {
	for i := range g.members.entries {
		e := &g.members.entries[i]
		if !e.live {
			continue
		}
		m := &e.item
		r := c.joined(g, m)
		if g.leader == m.id {
			r.Members = g.joinedMembers()
		}
		c.answerJoin(g, m, &r)
		c.rearm(g, m)
		m.isNew = false
		if c.has.Has(kafka.SyncDeadline) {
			m.awaitsSync = true
			g.unsynced++
		}
	}
}

// electJoinedLeader mirrors GroupMetadata.maybeElectNewJoinedLeader: a leader
// that did not rejoin is replaced by a member that did. It reports whether the
// group has a leader now.
func (c *Coordinator) electJoinedLeader(g *group) bool {
	if !c.has.Has(kafka.LeaderReplacedAtJoin) {
		return true
	}
	if leader := g.member(g.leader); leader != nil && leader.join.waiting {
		return true
	}
	if g.joining == 0 {
		return false
	}
	c.setLeader(g, c.chooseLeader(g, true))
	return true
}

// die ends a group of 0.9 or 0.10.0 that lost its last member: it leaves the
// cache and a tombstone.
func (c *Coordinator) die(g *group) {
	c.moveTo(g, kafka.Dead, "")
	c.removed(g)
	c.appendRecords(g.id, []kafka.Record{c.groupTombstone(g.id)}, pendingAppend{kind: noCallback})
	c.cancelStrays(g, "")
	c.forget(g)
}
