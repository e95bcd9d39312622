package engine

import (
	"slices"
	"strings"

	"rebalancelab/engine/clock"
	"rebalancelab/engine/kafka"
)

// None is what Lookup answers where there is nothing.
const None = "none"

// Lookup is the value of a field of a subject as `expect` writes it; false if
// the subject or the field does not exist.
func (w *World) Lookup(s Subject, field string) (string, bool) {
	if !slices.Contains(Fields(s.Kind), field) {
		return "", false
	}
	switch s.Kind {
	case ConsumerSubject:
		if p := w.process(s.Name); p != nil {
			return w.consumerField(p, field), true
		}
	case BrokerSubject:
		if s.ID >= 1 && int(s.ID) <= len(w.brokers) {
			return w.brokerField(w.brokers[s.ID-1], field), true
		}
	case GroupSubject:
		for _, g := range w.groups {
			if g.name == s.Name {
				return w.groupField(g, field), true
			}
		}
	case PartitionSubject:
		return w.partitionField(kafka.TopicPartition{Topic: s.Name, Partition: s.ID}, field)
	}
	return "", false
}

func (w *World) consumerField(p *process, field string) string {
	v := w.consumerView(p)
	switch field {
	case "state":
		if v.Phase == Running {
			return v.Client.State.String()
		}
		return v.Phase.String()
	case "member":
		return orNone(v.Client.MemberID)
	case "generation":
		return itoa(int64(v.Client.Generation))
	case "assigned":
		var names []string
		for _, position := range v.Client.Partitions {
			names = append(names, partitionName(position.TopicPartition))
		}
		return orNone(strings.Join(names, ","))
	case "error":
		return orNone(v.Error)
	}
	lag := int64(0)
	for _, position := range v.Client.Partitions {
		if t := w.topic(position.Topic); t != nil && position.Offset >= 0 {
			lag += t.end(position.Partition, w.now) - position.Offset
		}
	}
	return itoa(lag)
}

func (w *World) brokerField(b *broker, field string) string {
	v := w.brokerView(b)
	if field == "groups" {
		return orNone(strings.Join(v.Groups, ","))
	}
	if v.Up {
		return "up"
	}
	return "down"
}

func (w *World) groupField(g *groupStats, field string) string {
	v := w.groupView(g)
	switch field {
	case "state":
		return orNone(v.State.In(w.scenario.Version))
	case "generation":
		return itoa(int64(v.Generation))
	case "members":
		return itoa(int64(len(v.Members)))
	case "leader":
		return orNone(w.memberName(&v, v.Leader))
	case "protocol":
		return orNone(v.Protocol)
	case "partition":
		return itoa(int64(v.Partition))
	case "coordinator":
		return orNone(w.Name(v.Coordinator))
	case "waiting_for":
		return orNone(w.Name(v.Wait.For))
	}
	if v.Wait.Due == clock.Never {
		return None
	}
	return clock.Duration(v.Wait.Due).String()
}

func (w *World) partitionField(tp kafka.TopicPartition, field string) (string, bool) {
	for _, g := range w.groups {
		v := w.groupView(g)
		for _, p := range w.partitionViews(&v) {
			if p.TopicPartition != tp {
				continue
			}
			switch field {
			case "owner":
				return orNone(w.Name(p.Owner)), true
			case "reader":
				return orNone(w.Name(p.Reader)), true
			case "committed":
				return itoa(p.Committed), true
			}
			return itoa(p.Lag()), true
		}
	}
	return "", false
}

// memberName is the consumer behind a member id, or the id itself.
func (w *World) memberName(g *GroupView, id string) string {
	for i := range g.Members {
		if m := &g.Members[i]; m.ID == id && m.Node != 0 {
			return w.Name(m.Node)
		}
	}
	return id
}

func partitionName(tp kafka.TopicPartition) string {
	return tp.Topic + "-" + itoa(int64(tp.Partition))
}

func orNone(s string) string {
	if s == "" {
		return None
	}
	return s
}
