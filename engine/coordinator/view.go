package coordinator

import (
	"slices"

	"rebalancelab/engine/clock"
	"rebalancelab/engine/event"
	"rebalancelab/engine/kafka"
)

// GroupView is a value copy of one group for pictures.
type GroupView struct {
	ID           string
	Partition    int32
	State        kafka.GroupState
	Generation   int32
	ProtocolType string
	Protocol     string
	Leader       string
	StateSince   clock.Millis
	Members      []MemberView
	Pending      []PendingView
	JoinDeadline clock.Time // Never when no join phase runs
	JoinConfig   kafka.Config
	InitialDelay bool
	SyncDeadline clock.Time
	SyncConfig   kafka.Config
	Offsets      int
}

// MemberView is a value copy of one member. Held says that a parked request
// keeps the member alive: the timer's expiry would be swallowed.
type MemberView struct {
	ID, InstanceID     string
	ClientID           string
	ClientHost         string
	Node               event.Node
	SessionTimeoutMs   int32
	RebalanceTimeoutMs int32
	Deadline           clock.Time // Never when none runs
	DeadlineConfig     kafka.Config
	Held               bool
	Joining, Syncing   bool
	New, AwaitingSync  bool
	Metadata           string // for the selected protocol
	Assignment         string
	Protocols          []string
}

// PendingView is an id handed out by MEMBER_ID_REQUIRED that has not joined yet.
type PendingView struct {
	ID       string
	Node     event.Node
	Deadline clock.Time
}

// GroupIDs appends the ids of the groups in memory, sorted.
func (c *Coordinator) GroupIDs(dst []string) []string { return sortedKeys(dst, &c.groups) }

func sortedKeys[T any](dst []string, r *roster[name, T]) []string {
	start := len(dst)
	for i := range r.entries {
		if r.entries[i].live {
			dst = append(dst, string(r.entries[i].key))
		}
	}
	slices.Sort(dst[start:])
	return dst
}

// Group is a copy of a group, false if it is not in memory.
func (c *Coordinator) Group(id string) (GroupView, bool) {
	g := c.group(id)
	if g == nil {
		return GroupView{}, false
	}
	v := GroupView{
		ID: g.id, Partition: g.partition, State: g.state, Generation: g.generation, ProtocolType: g.protocolType,
		Protocol: g.protocol, Leader: g.leader, StateSince: g.stateSince, InitialDelay: g.initialDelay,
		JoinDeadline: c.deadline(g.joinTimer), SyncDeadline: c.deadline(g.syncTimer),
		Members: make([]MemberView, 0, g.size()),
	}
	if c.armed(g.joinTimer) {
		v.JoinConfig = g.joinConfig
	}
	if c.armed(g.syncTimer) {
		v.SyncConfig = c.timers[g.syncTimer].config
	}
	if l := c.ledger(id); l != nil {
		v.Offsets = l.committed.live
	}
	for i := range g.members.entries {
		if e := &g.members.entries[i]; e.live {
			v.Members = append(v.Members, c.memberView(g, &e.item))
		}
	}
	for i := range g.pending.entries {
		if e := &g.pending.entries[i]; e.live {
			v.Pending = append(v.Pending, PendingView{string(e.key), e.item.node, c.deadline(e.item.timer)})
		}
	}
	return v, true
}

func (c *Coordinator) memberView(g *group, m *member) MemberView {
	v := MemberView{
		ID: m.id, InstanceID: m.instance, ClientID: m.clientID, ClientHost: m.clientHost, Node: m.node,
		SessionTimeoutMs: m.sessionTimeoutMs, RebalanceTimeoutMs: m.rebalanceTimeoutMs, Deadline: c.deadline(m.timer),
		Held: c.satisfied(m), Joining: m.join.waiting, Syncing: m.sync.waiting, New: m.isNew, AwaitingSync: m.awaitsSync,
		Assignment: m.assignment, Protocols: make([]string, 0, len(m.protocols)),
	}
	if c.armed(m.timer) {
		v.DeadlineConfig = c.timers[m.timer].config
	}
	v.Metadata, _ = m.metadata(g.protocol)
	for i := range m.protocols {
		v.Protocols = append(v.Protocols, m.protocols[i].Name)
	}
	return v
}

// Committed is the committed offset of a group for a partition.
func (c *Coordinator) Committed(group string, tp kafka.TopicPartition) (offset int64, ok bool) {
	l := c.ledger(group)
	if l == nil {
		l = &ledger{id: group} // deleted, but perhaps not committed
	}
	o := c.committedOffset(l, tp)
	if o.value == nil {
		return 0, false
	}
	return o.value.Offset, true
}
