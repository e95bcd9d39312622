package engine

import "rebalancelab/engine/clock"

// Digest is a number for the whole state, the same on every platform for the
// same scenario and commands. The level of detail of the log does not enter.
func (w *World) Digest() uint64 {
	h := clock.NewHash()
	h.Int(int64(w.now))
	h.Uint64(w.network.State())
	w.log.Hash(&h)
	for _, b := range w.brokers {
		h.Bool(b.up)
		h.Int(int64(b.starts))
		h.Int(int64(b.downSince))
		h.Bool(b.waits)
		if b.coordinator != nil {
			b.coordinator.Hash(&h)
		}
		for _, a := range b.appends.All() {
			h.Int(a.ID)
			h.Int(int64(a.at))
		}
		for _, l := range b.loads {
			h.Int(int64(l.partition))
		}
	}
	for _, p := range w.offsets {
		h.Int(int64(p.leader))
		h.Int(int64(p.log.Len()))
	}
	for _, t := range w.topics {
		t.hash(&h)
	}
	for _, p := range w.processes {
		p.hash(&h)
	}
	for i := range w.messages {
		if m := &w.messages[i]; m.used {
			h.Uint64(m.sent)
			h.Int(int64(m.arrives))
		}
	}
	for _, c := range w.cuts {
		h.Int(int64(c.a))
		h.Int(int64(c.b))
	}
	h.Int(int64(w.appendError))
	h.Bool(w.appendLost)
	h.Int(int64(w.appendUntil))
	for _, g := range w.groups {
		h.String(g.name)
		h.Int(g.duplicates)
	}
	return h.Sum()
}

func (p *process) hash(h *clock.Hash) {
	h.String(p.def.Name)
	h.Uint64(uint64(p.phase))
	h.Int(int64(p.since))
	h.Int(p.incarnation)
	h.Bool(p.restart)
	for _, v := range p.settings.Values {
		h.Int(v)
	}
	if p.client != nil {
		p.client.Hash(h)
	}
	for i := range p.conns {
		c := &p.conns[i]
		h.Int(int64(c.broker))
		h.Bool(c.group)
		h.Int(int64(c.epoch))
		h.Bool(c.busy)
		h.Int(c.corr)
		h.Int(int64(len(c.queue)))
	}
}
