package coordinator

import "rebalancelab/engine/kafka"

// Check is the name of a broken invariant, "" if all hold.
func (c *Coordinator) Check() string {
	for i := range c.groups.entries {
		e := &c.groups.entries[i]
		if !e.live || e.item.state == kafka.Dead {
			continue
		}
		if broken := c.checkGroup(e.item); broken != "" {
			return broken + " (group " + e.item.id + ")"
		}
	}
	for i := range c.ledgers.entries {
		e := &c.ledgers.entries[i]
		if e.live && !c.has.Has(kafka.OffsetsOutsideGroup) && !c.groups.has(e.key) {
			return "offsets live and die with their group (group " + e.item.id + ")"
		}
	}
	return ""
}

func (c *Coordinator) checkGroup(g *group) string {
	preparing := g.state == kafka.PreparingRebalance
	syncing := g.in(kafka.CompletingRebalance, kafka.Stable)
	switch {
	case g.size() > 0 && g.member(g.leader) == nil, g.size() == 0 && g.leader != "":
		return "a group with members has exactly one leader, who is a member"
	case g.state == kafka.Empty && g.size() > 0, g.state == kafka.CompletingRebalance && g.size() == 0:
		return "a group is Empty exactly when it has no members and no join phase"
	case preparing != c.armed(g.joinTimer) && !g.stuck:
		return "a join phase runs exactly in PreparingRebalance"
	case c.armed(g.syncTimer) != (g.unsynced+len(g.strangers) > 0) && (len(g.strangers) == 0 || c.has.Has(kafka.SyncDeadlineToleratesStrangers)):
		return "the sync timer runs exactly while somebody has to sync"
	case c.armed(g.syncTimer) && !syncing:
		return "the sync timer runs in CompletingRebalance and Stable only"
	}
	joining, unsynced, statics := 0, 0, 0
	for i := range g.members.entries {
		e := &g.members.entries[i]
		if !e.live {
			continue
		}
		if broken := c.checkMember(g, &e.item); broken != "" {
			return broken + ": " + e.item.id
		}
		joining += one(e.item.join.waiting)
		unsynced += one(e.item.awaitsSync)
		statics += one(e.item.isStatic())
	}
	switch {
	case joining != g.joining, unsynced != g.unsynced, statics != g.statics.live && !c.has.Has(kafka.SizeRefusalForgetsInstance):
		return "the counters of a group agree with its members"
	case !c.supportAgrees(g):
		return "the counters of protocols agree with the members"
	}
	return c.checkPending(g)
}

func (c *Coordinator) checkMember(g *group, m *member) string {
	key := g.statics.get(name(m.instance))
	switch {
	case m.isStatic() && (key == nil || *key != m.id) && !c.has.Has(kafka.SizeRefusalForgetsInstance):
		return "an instance id leads to its member"
	case m.join.waiting && g.state != kafka.PreparingRebalance && !c.storing(g, m):
		return "a JoinGroup is parked in PreparingRebalance only"
	case m.sync.waiting && g.state != kafka.CompletingRebalance:
		return "a SyncGroup is parked in CompletingRebalance only"
	case !c.armed(m.timer) && !m.join.waiting && !m.sync.waiting && !c.mayLackTimer(m):
		return "a member without a parked request has a session timer"
	case c.armed(m.timer) && (c.timers[m.timer].kind != memberTimer || c.timers[m.timer].member != m.id):
		return "a session timer knows its member"
	case g.pending.has(name(m.id)):
		return "a member is not pending"
	}
	return ""
}

// mayLackTimer reports whether a member can be without a session timer in Kafka
// too: a new one in the releases with that bug, and a static one that was heard,
// or whose timer ran out, while its replacement was on its way to the log.
func (c *Coordinator) mayLackTimer(m *member) bool {
	return c.has.Has(kafka.NewMemberUntimed) || m.isStatic() && c.has.Has(kafka.StaticReplacedStored)
}

func (c *Coordinator) checkPending(g *group) string {
	for i := range g.pending.entries {
		if e := &g.pending.entries[i]; e.live && !c.armed(e.item.timer) && !g.returned {
			return "a pending id has a timer"
		}
	}
	return ""
}

// storing reports whether a replacement of the member is on its way to the log:
// its JoinGroup is parked in Stable meanwhile.
func (c *Coordinator) storing(g *group, m *member) bool {
	for i := range c.inFlight.All() {
		p := &c.inFlight.All()[i]
		if p.kind == staticStore && p.serial == g.serial && p.replaced.birth == m.birth {
			return g.state == kafka.Stable
		}
	}
	for i := range c.operations.All() {
		o := &c.operations.All()[i]
		if !o.done && o.store.kind == staticStore && o.store.serial == g.serial && o.store.replaced.birth == m.birth {
			return g.state == kafka.Stable
		}
	}
	return false
}

func (c *Coordinator) supportAgrees(g *group) bool {
	total := 0
	for i := range g.members.entries {
		e := &g.members.entries[i]
		for j := range e.item.protocols {
			total += one(e.live && c.counts(e.item.protocols, j))
		}
	}
	for i := range g.supported {
		total -= g.supported[i].members
	}
	return total == 0
}

func one(b bool) int {
	if b {
		return 1
	}
	return 0
}
