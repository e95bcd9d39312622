package consumer

import (
	"rebalancelab/engine/clock"
	"rebalancelab/engine/event"
	"rebalancelab/engine/kafka"
)

// View is a value copy of a client's state at a time.
type View struct {
	State       MemberState
	MemberID    string
	Generation  int32
	Protocol    string
	Leader      bool
	Coordinator event.Node // 0: unknown
	Rejoin      string     // why a rejoin is needed, "" if it is not
	Joining     bool       // a JoinGroup or SyncGroup is under way
	Unapplied   bool       // SyncGroup brought an assignment that only the next poll applies
	Closing     bool
	Stalled     bool
	Heartbeats  bool       // the heartbeat thread is enabled
	BusyUntil   clock.Time // Never: the application is inside poll
	PollDue     clock.Time // Never: no poll timer runs
	Heartbeat   clock.Time // when the next one is due; Never
	Partitions  []Position
}

// Position is one assigned partition and the next offset to read, -1 unknown.
type Position struct {
	kafka.TopicPartition
	Offset int64
}

// View copies the client's state.
func (c *Client) View() View {
	v := View{
		State: c.state, MemberID: c.gen.memberID, Generation: c.gen.id, Protocol: c.protocol, Leader: c.leader,
		Coordinator: c.coordinator, Joining: c.chain == joinSent || c.chain == syncSent, Unapplied: c.chain == synced, Closing: c.closing != notClosing, Stalled: c.stalled,
		Heartbeats: c.thread && (c.has.Has(kafka.ConsumerHeartbeatThread) || !c.busy()), BusyUntil: c.busyUntil, PollDue: c.pollDue, Heartbeat: c.heartbeatDue,
	}
	if c.rejoinNeeded {
		v.Rejoin = c.rejoinReason
	}
	for i := range c.parts {
		v.Partitions = append(v.Partitions, Position{c.parts[i].TopicPartition, c.parts[i].position})
	}
	return v
}

// LastException is the last exception that the application saw: a Kafka error,
// or the name of one that no broker sent; "" if there was none.
func (c *Client) LastException() (kafka.Error, string) { return c.lastError, c.lastException }

// Hash takes everything that can influence the future into h.
func (c *Client) Hash(h *clock.Hash) {
	h.Int(c.corr)
	h.Uint64(uint64(c.state) | uint64(c.chain)<<8 | uint64(c.prepare)<<16 | uint64(c.closing)<<24 | uint64(uint8(len(c.held)))<<32)
	h.Int(int64(c.gen.id))
	h.String(c.gen.memberID)
	h.String(c.protocol)
	h.String(c.rejoinReason)
	h.Uint64(c.rejoinCause)
	h.String(c.assignment)
	for _, flag := range [...]bool{c.rejoinNeeded, c.needsJoinPrepare, c.leader, c.revoking, c.thread, c.stopRequested, c.stalled, c.closeCommit} {
		h.Bool(flag)
	}
	for _, n := range [...]int32{c.maxGeneration, c.lastGeneration, int32(c.coordinator), c.bootstrap, c.lookups, c.failures, int32(c.refused), c.refusals, int32(c.failure), int32(c.cursor)} {
		h.Int(int64(n))
	}
	for _, t := range [...]clock.Time{c.lookupAt, c.refusedTo, c.joinAt, c.metadataDue, c.prepareDue, c.heartbeatDue, c.sessionDue,
		c.pollDue, c.busyUntil, c.pollStart, c.wake, c.commitDue, c.closeDue} {
		h.Int(int64(t))
	}
	for _, n := range c.metadata {
		h.Int(int64(n))
	}
	for _, n := range c.snapshot {
		h.Int(int64(n))
	}
	for i := range c.parts {
		p := &c.parts[i]
		h.String(p.Topic)
		h.Int(int64(p.Partition))
		h.Int(p.position)
		h.Int(int64(p.askAt))
		h.Int(int64(p.resetAt))
		h.Bool(p.reset)
		h.Int(p.resetTo)
		h.Bool(p.fetching)
	}
	for i := range c.inflight {
		f := &c.inflight[i]
		h.Int(f.corr)
		h.Int(int64(f.deadline))
		h.Uint64(uint64(f.api)<<8 | uint64(f.purpose))
	}
}

// Owns reports whether the client believes that a partition is its own.
func (c *Client) Owns(tp kafka.TopicPartition) bool { return c.part(tp) != nil }

// Generation is the client's generation, -1 if it has none.
func (c *Client) Generation() int32 { return c.gen.id }

// MemberID is the id that the client sends, "" if it has none.
func (c *Client) MemberID() string { return c.gen.memberID }
