package wire

import (
	"strconv"

	"rebalancelab/engine"
	"rebalancelab/engine/clock"
	"rebalancelab/engine/event"
	"rebalancelab/engine/kafka"
)

// AppendViewText appends the state of a world for people: each group with whom it
// waits for, its members and deadlines, its partitions, and the consumers.
func AppendViewText(b []byte, world *engine.World) []byte {
	v := world.View()
	p := printer{b: b, world: world, version: world.Scenario().Version}
	p.words("at " + v.At.String() + " s\n")
	for i := range v.Brokers {
		p.brokerText(&v.Brokers[i])
	}
	for i := range v.Groups {
		p.groupText(&v.Groups[i], v.At)
		for j := range v.Partitions {
			if v.Partitions[j].Group == v.Groups[i].ID {
				p.partitionText(&v.Partitions[j])
			}
		}
	}
	for i := range v.Consumers {
		p.consumerText(&v.Consumers[i], v.At)
	}
	return p.b
}

func (p *printer) brokerText(b *engine.BrokerView) {
	state := "up"
	if !b.Up {
		state = "down"
	}
	p.words(p.world.Name(b.Node), state)
	p.number("leads", int64(b.Leads))
	p.words("\n")
}

func (p *printer) groupText(g *engine.GroupView, now clock.Time) {
	p.words("group", g.ID, orAbsent(g.State.In(p.version)))
	p.number("generation", int64(g.Generation))
	p.field("protocol", g.Protocol)
	p.field("coordinator", orAbsent(p.world.Name(g.Coordinator)))
	p.number("partition", int64(g.Partition))
	p.words("\n")
	p.waitText(&g.Wait, now)
	for i := range g.Members {
		m := &g.Members[i]
		p.words("  member " + p.nodeOr(m.Node, m.ID))
		p.field("id", m.ID)
		switch {
		case m.Joining:
			p.words(" parked in JoinGroup")
		case m.Syncing:
			p.words(" parked in SyncGroup")
		}
		if m.ID == g.Leader {
			p.words(" leader")
		}
		if m.Deadline != clock.Never {
			p.field(m.DeadlineConfig.String(), "until "+m.Deadline.String()+" s")
		}
		if m.Held {
			p.words(" (held)")
		}
		p.words("\n")
	}
	for _, pending := range g.Pending {
		p.words("  pending " + p.nodeOr(pending.Node, pending.ID) + " until " + pending.Deadline.String() + " s\n")
	}
}

// waitText says whom the group waits for, until when, and what decides.
func (p *printer) waitText(w *engine.Wait, now clock.Time) {
	if w.Kind == engine.NoWait {
		return
	}
	p.words("  waits for")
	switch {
	case w.Kind == engine.InitialDelay:
		p.words(" more members")
	case w.Kind == engine.NoCoordinator:
		p.words(" a coordinator")
	default:
		p.words(" " + p.nodeOr(w.For, w.Member))
	}
	for _, other := range w.Others {
		p.words(", " + p.nodeOr(other, "a pending member"))
	}
	if w.Due != clock.Never {
		p.words(": " + clock.Time(w.Due.Sub(now)).String() + " s more, until " + w.Due.String() + " s")
	}
	if w.Config != kafka.NoConfig {
		p.words(", because of " + w.Config.String())
	}
	p.words("\n")
}

func (p *printer) partitionText(v *engine.PartitionView) {
	p.words("  " + PartitionName(v.TopicPartition))
	p.field("owner", p.nodeOr(v.Owner, "nobody"))
	p.field("reader", p.nodeOr(v.Reader, "nobody"))
	if v.Committed >= 0 {
		p.number("committed", v.Committed)
		p.number("lag", v.Lag())
	}
	p.number("end", v.End)
	p.words("\n")
}

func (p *printer) consumerText(c *engine.ConsumerView, now clock.Time) {
	p.words("consumer", c.Name, c.Phase.String())
	if c.Phase == engine.Running || c.Phase == engine.Stopping {
		p.words(" " + c.Client.State.String())
		p.number("generation", int64(c.Client.Generation))
		p.field("coordinator", p.nodeOr(c.Client.Coordinator, "unknown"))
	}
	if c.Client.BusyUntil != clock.Never {
		p.field("processes", "until "+c.Client.BusyUntil.String()+" s")
	}
	p.field("error", c.Error)
	p.words(" since " + strconv.FormatInt(int64(now.Sub(c.Since)/clock.Second), 10) + " s\n")
}

func (p *printer) nodeOr(n event.Node, otherwise string) string {
	if name := p.world.Name(n); name != "" {
		return name
	}
	return otherwise
}
