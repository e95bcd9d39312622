package coordinator

import (
	"slices"

	"rebalancelab/engine/clock"
	"rebalancelab/engine/kafka"
)

// Clone is an independent copy. It shares what nobody changes: requests,
// records, settings.
func (c *Coordinator) Clone() *Coordinator {
	n := *c
	n.partitions = slices.Clone(c.partitions)
	n.inFlight = c.inFlight.Clone()
	n.operations = c.operations.Clone()
	n.undos = c.undos.Clone()
	for i := range n.undos.All() {
		n.undos.All()[i].clone()
	}
	n.joints = slices.Clone(c.joints)
	n.strays = c.strays.clone()
	n.timers = slices.Clone(c.timers)
	n.wheel = c.wheel.Clone()
	n.groups = c.groups.clone()
	for i := range n.groups.entries {
		if e := &n.groups.entries[i]; e.live {
			e.item = e.item.clone()
		}
	}
	n.ledgers = c.ledgers.clone()
	for i := range n.ledgers.entries {
		if e := &n.ledgers.entries[i]; e.live {
			e.item = e.item.clone()
		}
	}
	n.out = nil
	return &n
}

func (g *group) clone() *group {
	n := *g
	n.members = g.members.clone()
	n.statics = g.statics.clone()
	n.pending = g.pending.clone()
	n.supported = slices.Clone(g.supported)
	n.strangers = slices.Clone(g.strangers)
	return &n
}

// clone makes the undo independent of the one it was copied from.
func (u *undo) clone() {
	if u.before != nil {
		u.before = u.before.clone()
	}
	u.transactions = cloneTransactions(u.transactions)
}

func cloneTransactions(list []transaction) []transaction {
	list = slices.Clone(list)
	for i := range list {
		list[i].offsets = slices.Clone(list[i].offsets)
	}
	return list
}

func (l *ledger) clone() *ledger {
	n := *l
	n.committed = l.committed.clone()
	n.pending = l.pending.clone()
	n.transactions = cloneTransactions(l.transactions)
	return &n
}

// Hash takes in the whole state that can influence the future.
func (c *Coordinator) Hash(h *clock.Hash) {
	h.Bool(c.active)
	h.Uint64(c.ids.State())
	h.Int(c.appends)
	h.Uint64(c.serials)
	h.Uint64(c.armings)
	for i := range c.partitions {
		h.Bool(c.partitions[i].owned)
		h.Bool(c.partitions[i].loading)
	}
	for i := range c.groups.entries {
		if e := &c.groups.entries[i]; e.live {
			c.hashGroup(h, e.item)
		}
	}
	for i := range c.ledgers.entries {
		if e := &c.ledgers.entries[i]; e.live {
			e.item.hash(h)
		}
	}
	for i := range c.inFlight.All() {
		p := &c.inFlight.All()[i]
		h.Int(p.id)
		h.String(p.group)
		h.Uint64(uint64(p.kind)<<32 | uint64(uint32(p.generation)))
		if p.commit != nil {
			h.Int(p.commit.corr)
		}
	}
	c.hashTimeline(h)
	for i := range c.timers {
		if t := &c.timers[i]; t.kind == leftoverTimer {
			h.String(t.member)
			h.Int(int64(t.deadline))
		}
	}
}

// hashTimeline takes in what 4.0 and later keep beside the groups.
func (c *Coordinator) hashTimeline(h *clock.Hash) {
	h.Uint64(c.events)
	for i := range c.partitions {
		h.Int(c.partitions[i].written)
		h.Int(c.partitions[i].committed)
		c.hashTimer(h, c.partitions[i].expiry)
	}
	for i := range c.operations.All() {
		o := &c.operations.All()[i]
		o.hash(h)
		c.hashTimer(h, o.timer)
	}
	for i := range c.undos.All() {
		u := &c.undos.All()[i]
		h.String(u.group)
		h.Int(u.batch)
		if u.before != nil {
			c.hashGroup(h, u.before)
		}
		if u.offset.value != nil {
			hashOffset(h, u.place, u.offset.value, u.offset.position)
		}
	}
	for i := range c.joints {
		h.Int(c.joints[i].corr)
		h.Int(int64(c.joints[i].open))
	}
	c.hashStrays(h)
}

func (c *Coordinator) hashGroup(h *clock.Hash, g *group) {
	h.String(g.id)
	h.Uint64(uint64(g.state)<<32 | uint64(uint32(g.generation)))
	h.Int(int64(g.stateSince))
	h.String(g.protocolType)
	h.String(g.protocol)
	h.String(g.leader)
	h.Bool(g.newMemberAdded)
	h.Bool(g.initialDelay)
	h.Bool(g.stuck)
	h.Int(g.delayMs)
	h.Int(g.remainingMs)
	c.hashTimer(h, g.joinTimer)
	c.hashTimer(h, g.syncTimer)
	for i := range g.members.entries {
		if e := &g.members.entries[i]; e.live {
			c.hashMember(h, &e.item)
		}
	}
	for i := range g.pending.entries {
		if e := &g.pending.entries[i]; e.live {
			h.String(string(e.key))
			c.hashTimer(h, e.item.timer)
		}
	}
	for _, id := range g.strangers {
		h.String(id)
	}
}

func (c *Coordinator) hashMember(h *clock.Hash, m *member) {
	h.String(m.id)
	h.String(m.instance)
	h.Uint64(uint64(uint32(m.sessionTimeoutMs))<<32 | uint64(uint32(m.rebalanceTimeoutMs)))
	for i := range m.protocols {
		h.String(m.protocols[i].Name)
		h.String(m.protocols[i].Metadata)
	}
	h.String(m.assignment)
	h.Bool(m.isNew)
	h.Bool(m.loaded)
	h.Bool(m.awaitsSync)
	h.Bool(m.join.waiting)
	h.Int(m.join.corr)
	h.Int(int64(m.node))
	h.Int(int64(m.heardAt))
	h.Bool(m.sync.waiting)
	h.Int(m.sync.corr)
	c.hashTimer(h, m.timer)
}

func (c *Coordinator) hashTimer(h *clock.Hash, i int32) {
	h.Bool(c.armed(i))
	if c.armed(i) {
		h.Int(int64(c.timers[i].deadline))
		h.Uint64(c.timers[i].seq)
	}
}

func (l *ledger) hash(h *clock.Hash) {
	h.String(l.id)
	for i := range l.committed.entries {
		if e := &l.committed.entries[i]; e.live {
			hashOffset(h, kafka.TopicPartition(e.key), e.item.value, e.item.position)
		}
	}
	for i := range l.pending.entries {
		if e := &l.pending.entries[i]; e.live {
			hashOffset(h, kafka.TopicPartition(e.key), e.item, notAppended)
		}
	}
	for i := range l.transactions {
		h.Int(l.transactions[i].producer)
		for j := range l.transactions[i].offsets {
			o := &l.transactions[i].offsets[j]
			hashOffset(h, o.TopicPartition, o.value, o.position)
		}
	}
}

func hashOffset(h *clock.Hash, tp kafka.TopicPartition, v *kafka.OffsetMetadata, position int64) {
	h.String(tp.Topic)
	h.Int(int64(tp.Partition))
	h.Int(v.Offset)
	h.Int(int64(v.CommitTimestamp))
	h.Int(int64(v.ExpireTimestamp))
	h.String(v.Metadata)
	h.Int(position)
}
