package coordinator

import (
	"strconv"

	"rebalancelab/engine/clock"
	"rebalancelab/engine/event"
	"rebalancelab/engine/kafka"
	"rebalancelab/engine/rule"
)

// rearm mirrors completeAndScheduleNextHeartbeatExpiration: the member was
// heard, its session starts anew.
func (c *Coordinator) rearm(g *group, m *member) {
	c.scheduleMember(g, m, int64(m.sessionTimeoutMs), kafka.SessionTimeoutMs)
}

// scheduleMember mirrors completeAndScheduleNextExpiration. For a member that
// counts as satisfied the new timer completes at once, so that none runs.
func (c *Coordinator) scheduleMember(g *group, m *member, ms int64, config kafka.Config) {
	if c.has.Has(kafka.HeartbeatDeadlineCompared) {
		m.heardAt = c.now.Millis()
		c.completeTimers(m)
	}
	if !c.has.Has(kafka.ParkedMembersTimed) && c.keepsAlive(m, c.now.Millis()+clock.Millis(ms)) {
		c.mark(rule.Timer9)
		c.disarm(m.timer)
		return
	}
	if m.timer == noTimer {
		m.timer = c.newTimer(memberTimer, g, m.id)
	}
	c.arm(m.timer, ms, config)
}

// keepsAlive reports whether a timer of the member with this deadline would
// pass without effect (MemberMetadata.shouldKeepAlive, up to 2.4; later
// hasSatisfiedHeartbeat, for which the deadline does not matter).
func (c *Coordinator) keepsAlive(m *member, deadline clock.Millis) bool {
	switch {
	case !c.has.Has(kafka.HeartbeatDeadlineCompared):
		return c.satisfied(m)
	case m.isNew && c.has.Has(kafka.NewMemberTimeout) && (m.join.waiting || c.has.Has(kafka.NewMemberCanExpire)):
		return m.heardAt+newMemberTimeoutMs > deadline
	case m.join.waiting || m.sync.waiting:
		return true
	}
	return m.heardAt+clock.Millis(m.sessionTimeoutMs) > deadline
}

// completeTimers completes the member's timers as far as it was heard late
// enough for their deadlines: a timer that is not stays beside the next one.
func (c *Coordinator) completeTimers(m *member) {
	if c.armed(m.timer) {
		if c.keepsAlive(m, c.deadline(m.timer).Millis()) {
			c.disarm(m.timer)
		} else {
			c.leaveOver(m)
		}
	}
	for at := &m.leftovers; *at != noTimer; {
		if c.keepsAlive(m, c.deadline(*at).Millis()) {
			c.dropLeftover(at)
		} else {
			at = &c.timers[*at].next
		}
	}
}

// leaveOver lets the member's timer run on beside the one that it gets next.
func (c *Coordinator) leaveOver(m *member) {
	c.mark(rule.Timer11)
	t := &c.timers[m.timer]
	t.kind, t.next = leftoverTimer, m.leftovers
	m.leftovers, m.timer = m.timer, noTimer
}

// dropLeftover frees the stray timer that a link leads to.
func (c *Coordinator) dropLeftover(at *int32) {
	stray := *at
	*at = c.timers[stray].next
	c.freeTimerOf(&stray)
}

// abandonTimers lets all timers of a member run on that goes.
func (c *Coordinator) abandonTimers(m *member) {
	if c.armed(m.timer) {
		c.leaveOver(m)
	}
	c.freeTimerOf(&m.timer)
	m.leftovers = noTimer
}

// dropMemberTimers mirrors removeHeartbeatForLeavingMember.
func (c *Coordinator) dropMemberTimers(m *member) {
	c.freeTimerOf(&m.timer)
	for m.leftovers != noTimer {
		c.dropLeftover(&m.leftovers)
	}
}

// memberExpired mirrors onExpireHeartbeat for a member. A satisfied member
// swallows the expiry: nothing is armed again here.
func (c *Coordinator) memberExpired(g *group, t *timer) {
	m := g.member(t.member)
	if m == nil {
		panic("coordinator: a session timer outlived its member")
	}
	if g.state == kafka.Dead || c.keepsAlive(m, c.now.Millis()) {
		c.mark(rule.Timer8)
		return
	}
	if t.config == kafka.NewMemberJoinTimeout {
		c.mark(rule.Timer7)
	}
	c.fired(g, t)
	c.expireMember(g, m, t.config)
}

// timeoutOf is the time that a member's timer was set to, in milliseconds.
func (c *Coordinator) timeoutOf(m *member, config kafka.Config) int64 {
	if config == kafka.NewMemberJoinTimeout {
		return newMemberTimeoutMs
	}
	return int64(m.sessionTimeoutMs)
}

func (c *Coordinator) expireMember(g *group, m *member, config kafka.Config) {
	if c.has.Has(kafka.HeartbeatDeadlineCompared) {
		c.abandonTimers(m) // nobody completes the other ones
	}
	c.removeMember(g, m, removal{"heartbeat expiration", config}, c.reasonExpired(rule.Timer1, m.id, m.id+" was not heard for "+config.String()+" "+strconv.FormatInt(c.timeoutOf(m, config), 10)))
}

// leftoverExpired mirrors onExpireHeartbeat for a timer that its member holds no
// more. In 0.9 the member need not be in the group any longer: the failure of
// nobody rebalances too.
func (c *Coordinator) leftoverExpired(g *group, t *timer, i int32) {
	m := g.member(t.member)
	if m != nil {
		at := &m.leftovers
		for *at != i {
			at = &c.timers[*at].next
		}
		c.dropLeftover(at)
	} else {
		c.freeTimerOf(&i)
	}
	switch {
	case g.state == kafka.Dead:
	case m == nil && c.has.Has(kafka.TimersOfRemovedMembersFire):
		c.fired(g, t)
		c.afterRemoval(g, c.reasonExpired(rule.Old4, t.member, "the timer of "+t.member+", who is gone already"))
	case m != nil && !c.keepsAlive(m, c.now.Millis()):
		c.fired(g, t)
		c.expireMember(g, m, t.config)
	}
}

// pendingExpired mirrors onExpireHeartbeat for a pending id.
func (c *Coordinator) pendingExpired(g *group, t *timer) {
	if g.state == kafka.Dead {
		return
	}
	c.mark(rule.Timer10)
	c.fired(g, t)
	c.removePending(g, t.member)
	c.cause = c.log(event.Event{Kind: event.PendingRemoved, Group: g.id, Member: t.member, Text: "heartbeat expiration", Config: t.config})
	if g.state == kafka.PreparingRebalance {
		c.afterExpiry(g)
	}
}
