package wire

import (
	"strconv"

	"rebalancelab/engine"
	"rebalancelab/engine/clock"
	"rebalancelab/engine/event"
	"rebalancelab/engine/kafka"
)

// AppendText appends the printed form of an event: time in seconds, who, what,
// and the fields as key=value. Transcripts and the terminal print nothing else.
func AppendText(b []byte, e *event.Event, world *engine.World) []byte {
	p := printer{b: appendPadded(b, e.At), world: world, version: world.Scenario().Version}
	p.head(e)
	p.fields(e)
	return append(p.b, '\n')
}

type printer struct {
	b       []byte
	world   *engine.World
	version kafka.Version
}

// appendPadded right-aligns the seconds in nine columns.
func appendPadded(b []byte, at clock.Time) []byte {
	seconds := at.AppendSeconds(nil)
	for range 9 - len(seconds) {
		b = append(b, ' ')
	}
	return append(append(b, seconds...), ' ', ' ')
}

func (p *printer) words(words ...string) {
	for i, word := range words {
		if i > 0 {
			p.b = append(p.b, ' ')
		}
		p.b = append(p.b, word...)
	}
}

func (p *printer) field(key, value string) {
	if value == "" {
		return
	}
	p.words(" "+key+"=", "")
	p.b = append(p.b[:len(p.b)-1], value...)
}

func (p *printer) number(key string, n int64) { p.field(key, strconv.FormatInt(n, 10)) }

// head is who did what.
func (p *printer) head(e *event.Event) {
	node, peer := p.world.Name(e.Node), p.world.Name(e.Peer)
	if e.Node == 0 {
		node = "cluster"
	}
	group := "group " + e.Group
	switch e.Kind {
	case event.Command:
		p.words("command", e.Text)
	case event.Request:
		p.words(node, "->", peer, e.API.String())
	case event.Response:
		p.words(node, "->", peer, e.API.String(), e.Error.In(p.version))
	case event.Lost:
		p.words("lost", e.API.String(), "from", node, "to", peer)
	case event.Disconnect:
		p.words(node, "disconnected from", peer)
	case event.Timeout:
		p.words(node, "gave up", e.API.String(), "to", peer)
	case event.GroupState:
		p.words(group, orAbsent(e.Prev.In(p.version)), "->", orAbsent(e.State.In(p.version)))
	case event.MemberPending, event.PendingRemoved, event.MemberAdded, event.MemberRemoved, event.MemberReplaced,
		event.MemberFenced, event.LeaderElected, event.DelayExtended, event.RebalanceBegan, event.JoinCompleted,
		event.AssignmentReceived, event.AssignmentStored, event.GroupLoaded, event.GroupUnloaded, event.GroupRemoved:
		p.words(group, e.Kind.String())
	case event.TimerFired:
		if e.Group == "" {
			p.words(node, "timer")
		} else {
			p.words(group, "timer")
		}
	case event.RecordAppended:
		p.words(node, "appended", e.Text, "to", kafka.OffsetsTopic+"-"+strconv.FormatInt(e.N, 10))
	case event.LinkCut, event.LinkHealed, event.CoordinatorFound, event.CoordinatorUnknown:
		p.words(node, e.Kind.String(), peer)
	case event.LeaderMoved:
		p.words(PartitionName(e.Partition), "led by", orAbsent(p.world.Name(e.Node)), "after", orAbsent(peer))
	case event.TopicAltered:
		p.words("topic", e.Text)
	default:
		p.words(node, e.Kind.String())
	}
}

func orAbsent(name string) string {
	if name == "" {
		return "nobody"
	}
	return name
}

// fields are the rest of the event, in a fixed order.
func (p *printer) fields(e *event.Event) {
	if e.Error != kafka.None && e.Kind != event.Response {
		p.field("error", e.Error.In(p.version))
	}
	if e.Config != kafka.NoConfig {
		p.field("config", e.Config.String())
	}
	p.field("member", e.Member)
	p.field("instance", e.Instance)
	switch e.Kind {
	case event.GroupState, event.JoinCompleted, event.AssignmentReceived, event.AssignmentStored, event.RebalanceBegan,
		event.MemberStable, event.GroupLoaded, event.GroupUnloaded, event.GroupRemoved, event.PartitionsAssigned:
		p.number("generation", int64(e.Generation))
	}
	switch e.Kind {
	case event.AssignmentReceived:
		p.number("members", e.N)
		p.number("static", int64(e.Statics))
	case event.JoinCompleted, event.AssignmentStored, event.GroupLoaded:
		p.number("members", e.N)
	case event.Polled, event.Duplicates:
		p.number("records", e.N)
	case event.LoadBegan, event.LoadEnded:
		p.number("partition", e.N)
	case event.OffsetsTopicCreated, event.TopicAltered:
		p.number("partitions", e.N)
	case event.ConfigSet:
		if e.Text == "" {
			p.number("value", e.N)
		}
	}
	if e.Partition.Topic != "" && e.Kind != event.LeaderMoved {
		p.field("partition", PartitionName(e.Partition))
	}
	switch e.Kind {
	case event.RecordAppended, event.PositionReset, event.Duplicates:
		p.number("offset", e.Offset)
	case event.PartitionsAssigned, event.PartitionsRevoked, event.PartitionsLost:
		p.field("partitions", partitionList(e.Partitions))
	}
	if e.Due != 0 && e.Kind != event.Request && e.Kind != event.Response {
		p.field("due", e.Due.String())
	}
	if e.Text != "" && e.Kind != event.Command && e.Kind != event.RecordAppended && e.Kind != event.TopicAltered {
		p.b = append(p.b, ' ')
		p.b = AppendString(p.b, e.Text)
	}
	if e.Guard != "" && (e.Kind == event.Response || e.Kind == event.GroupState) {
		p.words("  ["+e.Rule.String()+":", e.Guard+"]")
	}
}

func partitionList(tps []kafka.TopicPartition) string {
	if len(tps) == 0 {
		return engine.None
	}
	list := PartitionName(tps[0])
	for _, tp := range tps[1:] {
		list += "," + PartitionName(tp)
	}
	return list
}
