package engine

import (
	"slices"

	"rebalancelab/engine/assignor"
	"rebalancelab/engine/clock"
	"rebalancelab/engine/consumer"
	"rebalancelab/engine/coordinator"
	"rebalancelab/engine/event"
	"rebalancelab/engine/kafka"
)

// View is a value copy of everything that can be looked at, at one time.
type View struct {
	At         clock.Time
	Brokers    []BrokerView
	Groups     []GroupView
	Consumers  []ConsumerView
	Partitions []PartitionView
	Messages   []MessageView
}

// BrokerView is one broker.
type BrokerView struct {
	Node   event.Node
	Up     bool
	Leads  int // partitions of __consumer_offsets
	Groups []string
}

// GroupView is one group as its coordinator has it. Without a coordinator that
// has loaded it, its state is NoState.
type GroupView struct {
	coordinator.GroupView
	Hash        int32      // String.hashCode of the id
	Coordinator event.Node // the leader of its partition, 0: none
	Available   bool       // the coordinator is up and serves the partition
	Wait        Wait
	Duplicates  int64 // records read more than once, so far
}

// ConsumerView is one consumer: its process and the client's own state.
type ConsumerView struct {
	Name     string
	Node     event.Node
	Group    string
	Instance string
	Phase    Phase
	Since    clock.Time // of the phase
	Client   consumer.View
	Error    string // the last exception that the application saw, "" none
}

// PartitionView is one partition as one group sees it. Owner is whom the
// coordinator has on record, Reader who reads: they may differ.
type PartitionView struct {
	kafka.TopicPartition
	Group     string
	Leader    event.Node
	Owner     event.Node // 0: nobody
	OwnerID   string
	Reader    event.Node // 0: nobody
	Committed int64      // -1: nothing
	End       int64
}

// Lag is the group's lag as admin tools show it, -1 if nothing is committed.
func (p *PartitionView) Lag() int64 {
	if p.Committed < 0 {
		return -1
	}
	return p.End - p.Committed
}

// MessageView is a message in flight.
type MessageView struct {
	From, To   event.Node
	API        kafka.API
	Response   bool
	Error      kafka.Error
	Sent       uint64 // number of the event
	SentAt, At clock.Time
}

// View copies the state.
func (w *World) View() View {
	v := View{At: w.now}
	for _, b := range w.brokers {
		v.Brokers = append(v.Brokers, w.brokerView(b))
	}
	for _, p := range w.processes {
		v.Consumers = append(v.Consumers, w.consumerView(p))
	}
	for _, g := range w.groups {
		v.Groups = append(v.Groups, w.groupView(g))
	}
	for i := range v.Groups {
		v.Partitions = append(v.Partitions, w.partitionViews(&v.Groups[i])...)
	}
	for i := range w.messages {
		if m := &w.messages[i]; m.used && m.arrives > w.now {
			v.Messages = append(v.Messages, w.messageView(m))
		}
	}
	slices.SortFunc(v.Messages, func(a, b MessageView) int { return int(a.Sent) - int(b.Sent) })
	return v
}

func (w *World) brokerView(b *broker) BrokerView {
	v := BrokerView{Node: b.node(), Up: b.up}
	for _, p := range w.offsets {
		if p.leader == b.node() {
			v.Leads++
		}
	}
	if b.up {
		v.Groups = b.coordinator.GroupIDs(nil)
	}
	return v
}

func (w *World) consumerView(p *process) ConsumerView {
	v := ConsumerView{Name: p.def.Name, Node: p.node, Group: p.def.Group, Phase: p.phase, Since: p.since, Error: w.exception(p),
		Instance: p.settings.Texts[kafka.GroupInstanceID]}
	v.Client = consumer.View{BusyUntil: clock.Never, PollDue: clock.Never, Heartbeat: clock.Never, Generation: kafka.NoGeneration}
	if p.client != nil {
		v.Client = p.client.View()
	}
	return v
}

// exception is what the application saw last: an error by the name that the
// cluster's version has for it.
func (w *World) exception(p *process) string {
	if p.lastError != kafka.None {
		return p.lastError.In(w.scenario.Version)
	}
	return p.exception
}

// groupPartition is the partition of __consumer_offsets that a group lives in.
func (w *World) groupPartition(group string) int32 {
	return kafka.OffsetsPartition(group, offsetsPartitions(w.scenario))
}

func (w *World) groupView(g *groupStats) GroupView {
	v := GroupView{Hash: kafka.JavaHash(g.name), Duplicates: g.duplicates}
	v.ID, v.Partition = g.name, w.groupPartition(g.name)
	v.JoinDeadline, v.SyncDeadline = clock.Never, clock.Never
	if len(w.offsets) > 0 {
		v.Coordinator = w.offsets[v.Partition].leader
	}
	if v.Coordinator != 0 && w.broker(v.Coordinator).up && !w.broker(v.Coordinator).loading(v.Partition) {
		v.Available = true
		if found, ok := w.broker(v.Coordinator).coordinator.Group(g.name); ok {
			v.GroupView = found
		}
		for i := range v.Members {
			if m := &v.Members[i]; m.Node == 0 { // read from the log, which knows no nodes
				m.Node = w.NodeOf(m.ClientID, m.ClientHost)
			}
		}
	}
	v.Wait = w.wait(&v)
	return v
}

// partitionViews lists the partitions of every topic that the group's consumers
// subscribe, in the order of the scenario.
func (w *World) partitionViews(g *GroupView) []PartitionView {
	var views []PartitionView
	first := make([]int, len(w.topics)) // of each topic, in views; -1: not subscribed
	for i, t := range w.topics {
		first[i] = -1
		if !w.subscribes(g.ID, t.Name) {
			continue
		}
		first[i] = len(views)
		for p := range t.last().partitions {
			tp := kafka.TopicPartition{Topic: t.Name, Partition: p}
			views = append(views, PartitionView{TopicPartition: tp, Group: g.ID, Leader: t.leaders[p], End: t.end(p, w.now), Committed: -1})
		}
	}
	find := func(tp kafka.TopicPartition) *PartitionView {
		for i, t := range w.topics {
			if t.Name == tp.Topic && first[i] >= 0 && tp.Partition < t.last().partitions {
				return &views[first[i]+int(tp.Partition)]
			}
		}
		return nil
	}
	w.addOwners(g, find)
	w.addReaders(g.ID, find)
	if g.Available {
		for i := range views {
			if offset, ok := w.broker(g.Coordinator).coordinator.Committed(g.ID, views[i].TopicPartition); ok {
				views[i].Committed = offset
			}
		}
	}
	return views
}

// addOwners notes whom the coordinator has on record.
func (w *World) addOwners(g *GroupView, find func(kafka.TopicPartition) *PartitionView) {
	for i := range g.Members {
		_, list, _ := assignor.DecodeAssignment(g.Members[i].Assignment)
		for _, tp := range list {
			if v := find(tp); v != nil {
				v.Owner, v.OwnerID = g.Members[i].Node, g.Members[i].ID
			}
		}
	}
}

// addReaders notes who reads: of several that believe a partition is theirs the
// one of the newest generation.
func (w *World) addReaders(group string, find func(kafka.TopicPartition) *PartitionView) {
	for _, p := range w.processes {
		if p.client == nil || p.def.Group != group {
			continue
		}
		for _, tp := range p.client.Owned() {
			v := find(tp)
			if v == nil {
				continue
			}
			if v.Reader == 0 || w.processes[v.Reader.Index()].client.Generation() < p.client.Generation() {
				v.Reader = p.node
			}
		}
	}
}

func (w *World) subscribes(group, topic string) bool {
	for _, p := range w.processes {
		if p.def.Group == group && slices.Contains(p.def.Topics, topic) {
			return true
		}
	}
	return false
}

func (w *World) messageView(m *message) MessageView {
	consumer, broker := w.processes[m.process].node, w.brokers[m.broker].node()
	v := MessageView{From: consumer, To: broker, Sent: m.sent, SentAt: m.sentAt, At: m.arrives}
	if m.request != nil {
		v.API = m.request.API
		return v
	}
	v.From, v.To, v.Response = broker, consumer, true
	v.API, v.Error = m.response.API, m.response.FirstError()
	return v
}

// GroupNames lists the groups of the scenario, in its order.
func (w *World) GroupNames() []string {
	names := make([]string, len(w.groups))
	for i, g := range w.groups {
		names[i] = g.name
	}
	return names
}

// Group is one group of the scenario as its coordinator has it.
func (w *World) Group(name string) GroupView { return w.groupView(w.group(name)) }

// GroupPartitions lists every group's partitions.
func (w *World) GroupPartitions() []PartitionView {
	var all []PartitionView
	for _, g := range w.groups {
		v := w.groupView(g)
		all = append(all, w.partitionViews(&v)...)
	}
	return all
}

// OffsetsLogLen is the length of the log of __consumer_offsets that a group
// lives in.
func (w *World) OffsetsLogLen(group string) int {
	if len(w.offsets) == 0 {
		return 0
	}
	return w.offsets[w.groupPartition(group)].log.Len()
}

// OffsetsRecord is the record i of that log, to read only.
func (w *World) OffsetsRecord(group string, i int) *kafka.Record {
	return w.offsets[w.groupPartition(group)].log.At(i)
}

// EndOffset is the end offset of a partition now.
func (w *World) EndOffset(tp kafka.TopicPartition) int64 {
	if t := w.topic(tp.Topic); t != nil {
		return t.end(tp.Partition, w.now)
	}
	return 0
}

// Name is what the scenario calls a node: "c1", "broker 2".
func (w *World) Name(n event.Node) string {
	switch {
	case n > 0:
		return "broker " + itoa(int64(n))
	case n.IsConsumer() && n.Index() < len(w.names):
		return w.names[n.Index()]
	}
	return ""
}

// Node is the place that a subject names, 0 if it names none.
func (w *World) Node(s Subject) event.Node { return w.node(s) }

// OffsetsPartitions is the number of partitions of __consumer_offsets.
func (w *World) OffsetsPartitions() int32 { return offsetsPartitions(w.scenario) }

// NodeOf is the consumer that a member of a record was, 0 if unknown. Two
// consumers may have the same client id; no two have the same host.
func (w *World) NodeOf(clientID, clientHost string) event.Node {
	for _, p := range w.processes {
		if p.config.Host == clientHost && p.config.ClientID == clientID {
			return p.node
		}
	}
	return 0
}
