package coordinator

import (
	"rebalancelab/engine/clock"
	"rebalancelab/engine/event"
	"rebalancelab/engine/kafka"
	"rebalancelab/engine/rule"
)

// prepareRebalance begins a join phase (GroupCoordinator.prepareRebalance). The
// group must be in Empty, CompletingRebalance or Stable. An empty group waits
// for the initial delay; any other phase may end at once.
func (c *Coordinator) prepareRebalance(g *group, why reason) {
	text := why.text
	if !c.has.Has(kafka.RebalanceReasons) {
		text = ""
	}
	ms, config := c.maxRebalanceTimeout(g), kafka.MaxPollIntervalMs
	if c.has.Has(kafka.RebalanceBoundBySession) {
		config = kafka.SessionTimeoutMs
		c.mark(rule.Old2)
	}
	g.stuck = false
	g.initialDelay = g.state == kafka.Empty && c.has.Has(kafka.InitialRebalanceDelay)
	switch {
	case g.size() == 1 && !c.has.Has(kafka.InitialRebalanceDelay):
		c.mark(rule.Old1)
	case !g.initialDelay:
		c.mark(rule.Timer4)
	}
	if g.initialDelay {
		delay := c.setting(kafka.GroupInitialRebalanceDelayMs)
		g.delayMs, g.remainingMs = delay, max(ms-delay, 0)
		ms, config = delay, kafka.GroupInitialRebalanceDelayMs
	}
	c.cause = c.log(event.Event{Kind: event.RebalanceBegan, Group: g.id, Generation: g.generation, Text: text,
		Rule: why.rule, Guard: why.words(), Config: config, Due: c.now.Millis().Time().Add(clock.Duration(ms) * clock.Millisecond)})
	if g.state == kafka.CompletingRebalance {
		decided, guard := c.rule, c.guard
		c.because(rule.Sync5, "the group rebalances before the assignment is there")
		c.failSyncs(g, kafka.RebalanceInProgress)
		c.rule, c.guard = decided, guard
	}
	c.endSyncPhase(g)
	c.moveTo(g, kafka.PreparingRebalance, why.rule, why.words())
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
		c.completeJoin(g, everyoneJoined(g))
	}
}

// afterExpiry lets a join phase end after a member or pending id went by a
// timer. From 4.0 on that ends the initial delay too.
func (c *Coordinator) afterExpiry(g *group) {
	if !c.has.Has(kafka.TimerEndsInitialDelay) {
		c.tryCompleteJoin(g)
	} else if g.joining == g.size() && g.pending.live == 0 {
		if g.initialDelay {
			c.mark(rule.Event9)
		}
		c.disarm(g.joinTimer)
		c.completeJoin(g, everyoneJoined(g))
	}
}

// joinPhaseExpired mirrors the expiry of DelayedJoin and InitialDelayedJoin.
func (c *Coordinator) joinPhaseExpired(g *group, t *timer) {
	c.fired(g, t)
	if !g.initialDelay || !g.newMemberAdded || g.remainingMs == 0 {
		c.completeJoin(g, joinPhaseOver(g))
		return
	}
	c.mark(rule.Timer3)
	if g.remainingMs < c.setting(kafka.GroupInitialRebalanceDelayMs) {
		c.mark(rule.Timer5)
	}
	g.newMemberAdded = false
	delay := min(c.setting(kafka.GroupInitialRebalanceDelayMs), g.remainingMs)
	g.remainingMs = max(g.remainingMs-g.delayMs, 0)
	g.delayMs = delay
	c.cause = c.log(event.Event{Kind: event.DelayExtended, Group: g.id, Config: kafka.GroupInitialRebalanceDelayMs,
		Due: c.now.Millis().Time().Add(clock.Duration(delay) * clock.Millisecond)})
	c.armJoin(g, delay, kafka.GroupInitialRebalanceDelayMs)
}

func everyoneJoined(g *group) reason {
	return reason{rule.Join6, "every member has joined (" + itoa(int32(g.size())) + ")", ""}
}

// joinPhaseOver says that the phase's timer ends it.
func joinPhaseOver(g *group) reason {
	if g.initialDelay {
		return reason{rule.Timer2, "the initial delay is over", ""}
	}
	return reason{rule.Join8, itoa(int32(g.joining)) + " of " + itoa(int32(g.size())) + " members have joined when the time is over", ""}
}

// completeJoin ends the join phase (GroupCoordinator.onCompleteJoin).
func (c *Coordinator) completeJoin(g *group, ended reason) {
	g.initialDelay = false
	c.dropSilentMembers(g)
	switch {
	case g.state == kafka.Dead:
	case g.size() == 0 && c.has.Has(kafka.GroupDiesWhenEmpty):
		c.die(g)
	case g.size() > 0 && !c.electJoinedLeader(g):
		// Only silent static members are left: the phase goes on until their
		// sessions end. With a rebalance timeout of 0 Kafka would begin phase
		// after phase as fast as it can; here each lasts a millisecond.
		c.mark(rule.Static9)
		ms := max(c.maxRebalanceTimeout(g), 1)
		e := event.Event{Kind: event.DelayExtended, Group: g.id, Config: kafka.MaxPollIntervalMs,
			Due: c.now.Millis().Time().Add(clock.Duration(ms) * clock.Millisecond)}
		if leader := g.member(g.leader); leader != nil {
			e.Member, e.Instance = leader.id, leader.instance
		}
		c.cause = c.log(e)
		c.armJoin(g, ms, kafka.MaxPollIntervalMs)
	default:
		c.nextGeneration(g, ended)
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
		if !e.live || e.item.join.waiting {
			continue
		}
		m := &e.item
		if m.isStatic() && !everybody {
			c.mark(rule.Static6)
			continue
		}
		if m.loaded && c.has.Has(kafka.LoadedMembersStatic) {
			c.mark(rule.Load6)
			continue
		}
		if c.has.Has(kafka.TimersOfDroppedMembersRun) {
			c.abandonTimers(m)
		} else {
			c.dropMemberTimers(m)
		}
		c.takeOut(g, m, removal{"did not rejoin", g.joinConfig})
	}
}

// nextGeneration mirrors GroupMetadata.initNextGeneration and the rest of
// onCompleteJoin.
func (c *Coordinator) nextGeneration(g *group, ended reason) {
	g.generation++
	if g.size() == 0 {
		g.protocol = ""
		c.subscribe(g)
		c.moveTo(g, kafka.Empty, rule.Leave4, "no member is left")
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
	c.moveTo(g, kafka.CompletingRebalance, ended.rule, ended.words())
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
			r.Members = c.joinedMembers(g)
		}
		c.mark(rule.Join9)
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
	leader := g.member(g.leader)
	if leader != nil && leader.join.waiting {
		return true
	}
	if g.joining == 0 {
		return false
	}
	c.mark(rule.Lead2)
	g.leader = c.chooseLeader(g, true)
	e := event.Event{Kind: event.LeaderElected, Group: g.id, Member: g.leader, About: g.member(g.leader).about()}
	if leader != nil {
		e.Text, e.Instance = leader.id, leader.instance
	}
	c.log(e)
	return true
}

// die ends a group of 0.9 or 0.10.0 that lost its last member: it leaves the
// cache and a tombstone.
func (c *Coordinator) die(g *group) {
	c.moveTo(g, kafka.Dead, rule.Old3, "no member is left")
	c.removed(g)
	c.appendRecords(g.id, []kafka.Record{c.groupTombstone(g.id)}, pendingAppend{kind: noCallback})
	c.forget(g)
}
