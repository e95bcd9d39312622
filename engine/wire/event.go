package wire

import (
	"rebalancelab/engine/event"
	"rebalancelab/engine/kafka"
)

// AppendEvent appends one event as a JSON object; fields that do not apply are
// left out.
func AppendEvent(b []byte, e *event.Event, version kafka.Version) []byte {
	w := writer{b}
	w.event(e, version)
	return w.b
}

func (w *writer) event(e *event.Event, version kafka.Version) {
	w.open('{')
	w.int("n", int64(e.Seq))
	w.int("at", int64(e.At))
	w.string("kind", e.Kind.String())
	w.int("cause", int64(e.Cause))
	w.optional("due", int64(e.Due))
	w.optional("node", int64(e.Node))
	w.optional("peer", int64(e.Peer))
	message := e.Kind == event.Request || e.Kind == event.Response || e.Kind == event.Lost || e.Kind == event.Timeout
	if message || e.Kind == event.MemberFenced {
		w.string("api", e.API.String())
	}
	if message {
		w.int("corr", e.Corr)
	}
	if e.Kind == event.Response || e.Error != kafka.None {
		w.string("error", e.Error.In(version))
	}
	if e.Kind == event.GroupState || e.State != kafka.NoState {
		w.string("state", e.State.String())
	}
	if e.Kind == event.GroupState {
		w.string("prev", e.Prev.String())
	}
	if e.Config != kafka.NoConfig {
		w.string("config", e.Config.String())
	}
	w.optional("generation", int64(e.Generation))
	w.optional("count", e.N)
	w.optional("statics", int64(e.Statics))
	if e.Kind == event.RecordAppended || e.Kind == event.PositionReset || e.Kind == event.Duplicates {
		w.int("offset", e.Offset)
	}
	for _, field := range [...]struct{ name, value string }{
		{"group", e.Group}, {"member", e.Member}, {"instance", e.Instance}, {"text", e.Text}, {"rule", e.Rule.String()}, {"guard", e.Guard}} {
		if field.value != "" {
			w.string(field.name, field.value)
		}
	}
	if e.Partition.Topic != "" {
		w.string("partition", PartitionName(e.Partition))
	}
	if len(e.Partitions) > 0 {
		w.partitions("partitions", e.Partitions)
	}
	if e.About != nil {
		w.membership(e.About)
	}
	w.close('}')
}

// membership is what a log line about a member says.
func (w *writer) membership(m *event.Membership) {
	w.object("about")
	w.string("instance", m.Instance)
	w.string("clientId", m.ClientID)
	w.string("clientHost", m.ClientHost)
	w.int("sessionTimeoutMs", int64(m.SessionTimeoutMs))
	w.int("rebalanceTimeoutMs", int64(m.RebalanceTimeoutMs))
	names := make([]string, len(m.Protocols))
	for i := range m.Protocols {
		names[i] = m.Protocols[i].Name
	}
	w.strings("protocols", names)
	w.close('}')
}

func (w *writer) optional(name string, v int64) {
	if v != 0 {
		w.int(name, v)
	}
}

// AppendEvents appends {"events":[…]}.
func AppendEvents(b []byte, events []event.Event, version kafka.Version) []byte {
	w := writer{b}
	w.open('{')
	w.array("events")
	for i := range events {
		w.event(&events[i], version)
	}
	w.close(']')
	w.close('}')
	return w.b
}
