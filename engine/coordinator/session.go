package coordinator

import (
	"rebalancelab/engine/clock"
	"rebalancelab/engine/kafka"
)

// rearm mirrors completeAndScheduleNextHeartbeatExpiration: the member was
// heard, its session starts anew.
func (c *Coordinator) rearm(g *group, m *member) {
	c.scheduleMember(g, m, int64(m.sessionTimeoutMs), kafka.SessionTimeoutMs)
}

// scheduleMember mirrors completeAndScheduleNextExpiration. For a member that
// counts as satisfied the new timer completes at once, so that none runs.
func (c *Coordinator) scheduleMember(g *group, m *member, ms int64, config kafka.Config) {
	satisfied := c.satisfied(m) && !c.has.Has(kafka.ParkedMembersTimed)
	if c.has.Has(kafka.HeartbeatDeadlineCompared) {
		c.leaveStray(g, m, satisfied)
	}
	if satisfied {
		c.disarm(m.timer)
		return
	}
	if m.timer == noTimer {
		m.timer = c.newTimer(memberTimer, g, m.id)
	}
	c.arm(m.timer, ms, config)
}

// leaveStray models releases that complete an old timer only if the heartbeat
// moved its deadline: one armed in the same millisecond stays in place.
func (c *Coordinator) leaveStray(g *group, m *member, satisfied bool) {
	moved := c.now.Millis() > m.heardAt
	if m.strayTimers > 0 && (satisfied || moved) {
		c.cancelStrays(g, m.id)
		m.strayTimers = 0
	}
	if c.armed(m.timer) && !satisfied && !moved {
		c.abandonTimer(m)
		m.strayTimers++
	}
	m.heardAt = c.now.Millis()
}

// abandonTimer lets the member's timer, if it runs, run on without the member.
func (c *Coordinator) abandonTimer(m *member) {
	if !c.armed(m.timer) {
		c.freeTimerOf(&m.timer)
		return
	}
	c.timers[m.timer].kind = strayTimer
	m.timer = noTimer
}

// cancelStrays completes the timers that a member left behind.
func (c *Coordinator) cancelStrays(g *group, id string) {
	for i := range c.timers {
		t := &c.timers[i]
		if t.kind == strayTimer && t.serial == g.serial && (id == "" || t.member == id) {
			at := int32(i)
			c.freeTimerOf(&at)
		}
	}
}

// dropMemberTimers mirrors removeHeartbeatForLeavingMember.
func (c *Coordinator) dropMemberTimers(g *group, m *member) {
	c.freeTimerOf(&m.timer)
	if m.strayTimers > 0 {
		c.cancelStrays(g, m.id)
		m.strayTimers = 0
	}
}

// memberExpired mirrors onExpireHeartbeat for a member. A satisfied member
// swallows the expiry: nothing is armed again here.
func (c *Coordinator) memberExpired(g *group, t *timer) {
	m := g.member(t.member)
	if m == nil {
		panic("coordinator: a session timer outlived its member")
	}
	if g.state == kafka.Dead || c.satisfied(m) {
		return
	}
	c.fired(g, t)
	c.expireMember(g, m, t.config)
}

func (c *Coordinator) expireMember(g *group, m *member, config kafka.Config) {
	reason := c.reasonExpired(m.id)
	if c.has.Has(kafka.TimersOfRemovedMembersFire) {
		c.abandonTimer(m)
		c.cause = c.takeOut(g, m, removal{"heartbeat expiration", config})
		c.afterRemoval(g, reason)
		return
	}
	c.removeMember(g, m, removal{"heartbeat expiration", config}, reason)
}

// strayExpired mirrors onExpireHeartbeat of 0.9 to 0.11 for a timer that its
// member holds no more. In 0.9 the member need not be in the group any longer:
// the failure of nobody rebalances too.
func (c *Coordinator) strayExpired(g *group, t *timer) {
	m := g.member(t.member)
	if m != nil {
		m.strayTimers--
	}
	switch {
	case g.state == kafka.Dead:
	case m == nil && c.has.Has(kafka.TimersOfRemovedMembersFire):
		c.fired(g, t)
		c.afterRemoval(g, c.reasonExpired(t.member))
	case m != nil && !c.satisfied(m) && m.heardAt+clock.Millis(m.sessionTimeoutMs) <= c.now.Millis():
		c.fired(g, t)
		c.expireMember(g, m, t.config)
	}
}

// pendingExpired mirrors onExpireHeartbeat for a pending id.
func (c *Coordinator) pendingExpired(g *group, t *timer) {
	if g.state == kafka.Dead {
		return
	}
	c.fired(g, t)
	c.removePending(g, t.member)
	if g.state == kafka.PreparingRebalance {
		c.afterExpiry(g)
	}
}
