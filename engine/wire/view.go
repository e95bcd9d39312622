package wire

import (
	"slices"
	"strconv"

	"rebalancelab/engine"
	"rebalancelab/engine/assignor"
	"rebalancelab/engine/clock"
	"rebalancelab/engine/coordinator"
	"rebalancelab/engine/event"
	"rebalancelab/engine/kafka"
)

// AppendView appends the state of a world. If logOf is the index of a group, the
// records of the partition that it lives in come with it.
func AppendView(b []byte, world *engine.World, branch, logOf int) []byte {
	v := world.View()
	version := world.Scenario().Version
	w := writer{b}
	w.open('{')
	w.int("at", int64(v.At))
	w.int("branch", int64(branch))
	w.hex("digest", world.Digest())
	w.array("brokers")
	for i := range v.Brokers {
		w.broker(&v.Brokers[i])
	}
	w.close(']')
	w.array("groups")
	for i := range v.Groups {
		w.group(&v.Groups[i])
	}
	w.close(']')
	w.array("consumers")
	for i := range v.Consumers {
		w.consumer(&v.Consumers[i])
	}
	w.close(']')
	w.array("partitions")
	for i := range v.Partitions {
		w.partition(&v.Partitions[i])
	}
	w.close(']')
	w.array("messages")
	for i := range v.Messages {
		w.message(&v.Messages[i], version)
	}
	w.close(']')
	w.offsetsLog(world, v.Groups, logOf)
	w.close('}')
	return w.b
}

func (w *writer) broker(b *engine.BrokerView) {
	w.open('{')
	w.int("node", int64(b.Node))
	w.bool("up", b.Up)
	w.int("leads", int64(b.Leads))
	w.strings("groups", b.Groups)
	w.close('}')
}

func (w *writer) group(g *engine.GroupView) {
	w.open('{')
	w.string("id", g.ID)
	w.int("partition", int64(g.Partition))
	w.int("hash", int64(g.Hash))
	w.int("coordinator", int64(g.Coordinator))
	w.bool("available", g.Available)
	w.string("state", g.State.String())
	w.int("since", int64(g.StateSince.Time()))
	w.int("generation", int64(g.Generation))
	w.string("protocol", g.Protocol)
	leader := event.Node(0)
	w.array("members")
	for i := range g.Members {
		m := &g.Members[i]
		if m.ID == g.Leader {
			leader = m.Node
		}
		w.member(m)
	}
	w.close(']')
	w.int("leader", int64(leader))
	w.string("leaderId", g.Leader)
	w.array("pending")
	for _, p := range g.Pending {
		w.open('{')
		w.string("id", p.ID)
		w.int("node", int64(p.Node))
		w.time("due", p.Deadline)
		w.close('}')
	}
	w.close(']')
	w.timers(g)
	w.key("wait")
	w.wait(&g.Wait)
	w.int("duplicates", g.Duplicates)
	w.close('}')
}

func (w *writer) member(m *coordinator.MemberView) {
	w.open('{')
	w.string("id", m.ID)
	w.int("node", int64(m.Node))
	w.string("instance", m.InstanceID)
	w.bool("joining", m.Joining)
	w.bool("syncing", m.Syncing)
	w.bool("isNew", m.New)
	w.bool("awaitingSync", m.AwaitingSync)
	w.bool("held", m.Held)
	w.time("sessionDue", m.Deadline)
	w.int("sessionTimeoutMs", int64(m.SessionTimeoutMs))
	w.int("rebalanceTimeoutMs", int64(m.RebalanceTimeoutMs))
	w.strings("protocols", m.Protocols)
	_, assigned, _ := assignor.DecodeAssignment(m.Assignment)
	w.partitions("assigned", assigned)
	w.close('}')
}

// timer is one pending deadline of a group.
type timer struct {
	config     kafka.Config
	node       event.Node
	member     string
	armed, due clock.Time
	held       bool
}

func (w *writer) timers(g *engine.GroupView) {
	var all []timer
	if g.JoinDeadline != clock.Never {
		all = append(all, timer{config: g.JoinConfig, armed: g.StateSince.Time(), due: g.JoinDeadline})
	}
	if g.SyncDeadline != clock.Never {
		all = append(all, timer{config: g.SyncConfig, armed: g.StateSince.Time(), due: g.SyncDeadline})
	}
	for i := range g.Members {
		m := &g.Members[i]
		if m.Deadline == clock.Never {
			continue
		}
		span := clock.Duration(m.SessionTimeoutMs) * clock.Millisecond
		if m.DeadlineConfig == kafka.NewMemberJoinTimeout {
			span = 5 * clock.Minute
		}
		all = append(all, timer{m.DeadlineConfig, m.Node, m.ID, m.Deadline.Add(-span), m.Deadline, m.Held})
	}
	for _, p := range g.Pending {
		all = append(all, timer{config: kafka.SessionTimeoutMs, node: p.Node, member: p.ID, due: p.Deadline})
	}
	slices.SortStableFunc(all, func(a, b timer) int { return int(min(max(a.due-b.due, -1), 1)) })
	w.array("timers")
	for _, t := range all {
		w.open('{')
		w.string("config", t.config.String())
		w.int("node", int64(t.node))
		w.string("member", t.member)
		w.time("armed", t.armed)
		w.time("due", t.due)
		w.bool("held", t.held)
		w.close('}')
	}
	w.close(']')
}

func (w *writer) wait(wait *engine.Wait) {
	w.open('{')
	w.waitFields(wait)
	w.close('}')
}

func (w *writer) waitFields(wait *engine.Wait) {
	w.string("kind", wait.Kind.String())
	w.int("for", int64(wait.For))
	w.string("member", wait.Member)
	w.nodes("others", wait.Others)
	config := ""
	if wait.Config != kafka.NoConfig {
		config = wait.Config.String()
	}
	w.string("config", config)
	w.time("since", wait.Since)
	w.time("due", wait.Due)
}

func (w *writer) consumer(c *engine.ConsumerView) {
	v := &c.Client
	w.open('{')
	w.int("node", int64(c.Node))
	w.string("name", c.Name)
	w.string("group", c.Group)
	w.string("instance", c.Instance)
	w.string("phase", c.Phase.String())
	w.int("since", int64(c.Since))
	w.string("state", v.State.String())
	w.string("memberId", v.MemberID)
	w.int("generation", int64(v.Generation))
	w.bool("leader", v.Leader)
	w.int("coordinator", int64(v.Coordinator))
	w.string("rejoin", v.Rejoin)
	w.time("busyUntil", v.BusyUntil)
	w.time("pollDue", v.PollDue)
	w.bool("stalled", v.Stalled)
	w.array("assigned")
	for _, p := range v.Partitions {
		w.open('{')
		w.string("partition", PartitionName(p.TopicPartition))
		w.int("position", p.Offset)
		w.close('}')
	}
	w.close(']')
	w.string("error", c.Error)
	w.close('}')
}

func (w *writer) partition(p *engine.PartitionView) {
	w.open('{')
	w.string("group", p.Group)
	w.string("topic", p.Topic)
	w.int("partition", int64(p.Partition))
	w.int("leader", int64(p.Leader))
	w.int("owner", int64(p.Owner))
	w.int("reader", int64(p.Reader))
	w.int("committed", p.Committed)
	w.int("end", p.End)
	w.int("lag", p.Lag())
	w.close('}')
}

func (w *writer) message(m *engine.MessageView, version kafka.Version) {
	w.open('{')
	w.int("from", int64(m.From))
	w.int("to", int64(m.To))
	w.string("api", m.API.String())
	w.bool("response", m.Response)
	w.string("error", m.Error.In(version))
	w.int("sent", int64(m.Sent))
	w.int("sentAt", int64(m.SentAt))
	w.int("at", int64(m.At))
	w.close('}')
}

// offsetsLog writes the log that a group lives in; without the group nothing. A
// record is current if it is the newest of its key.
func (w *writer) offsetsLog(world *engine.World, groups []engine.GroupView, logOf int) {
	if logOf < 0 || logOf >= len(groups) {
		return
	}
	g := &groups[logOf]
	w.object("log")
	w.int("partition", int64(g.Partition))
	w.int("leader", int64(g.Coordinator))
	n := world.OffsetsLogLen(g.ID)
	newest := make(map[string]int, 16)
	for i := range n {
		newest[recordKey(world.OffsetsRecord(g.ID, i))] = i
	}
	w.array("records")
	for i := range n {
		r := world.OffsetsRecord(g.ID, i)
		w.record(world, r, i, newest[recordKey(r)] == i)
	}
	w.close(']')
	w.close('}')
}

func recordKey(r *kafka.Record) string {
	return strconv.Itoa(int(r.KeyVersion)) + " " + r.Group + " " + PartitionName(r.Partition)
}

func (w *writer) record(world *engine.World, r *kafka.Record, offset int, current bool) {
	w.open('{')
	w.int("offset", int64(offset))
	w.int("at", int64(r.At.Time()))
	w.int("cause", int64(r.Cause))
	kind := "offset"
	switch {
	case r.Marker != kafka.NoMarker:
		kind = "marker"
	case r.KeyVersion == 2:
		kind = "group"
	}
	w.string("key", kind)
	w.int("keyVersion", int64(r.KeyVersion))
	w.bool("tombstone", r.Tombstone())
	w.bool("current", current && !r.Tombstone())
	w.string("group", r.Group)
	if o := r.OffsetValue; o != nil {
		w.int("valueVersion", int64(o.Version))
		w.string("partition", PartitionName(r.Partition))
		w.int("committed", o.Offset)
		w.string("metadata", o.Metadata)
		w.int("commitTimestamp", int64(o.CommitTimestamp.Time()))
		if o.Version == 1 && o.ExpireTimestamp >= 0 {
			w.int("expireTimestamp", int64(o.ExpireTimestamp.Time()))
		}
		if o.Version >= 3 {
			w.int("leaderEpoch", int64(o.LeaderEpoch))
		}
	} else if r.KeyVersion == 1 {
		w.string("partition", PartitionName(r.Partition))
	}
	if g := r.GroupValue; g != nil {
		w.int("valueVersion", int64(g.Version))
		w.groupRecord(world, g)
	}
	w.optional("by", int64(r.By))
	w.close('}')
}

// groupRecord writes what the version of the value's schema has.
func (w *writer) groupRecord(world *engine.World, g *kafka.GroupMetadata) {
	w.string("protocolType", g.ProtocolType)
	w.int("generation", int64(g.Generation))
	w.string("protocol", g.Protocol)
	w.string("leader", g.Leader)
	if g.Version >= 2 {
		w.int("stateTimestamp", int64(g.StateTimestamp.Time()))
	}
	w.array("members")
	for i := range g.Members {
		m := &g.Members[i]
		_, assigned, _ := assignor.DecodeAssignment(m.Assignment)
		w.open('{')
		w.string("id", m.MemberID)
		w.int("node", int64(world.NodeOf(m.ClientID, m.ClientHost)))
		if g.Version >= 3 {
			w.string("instance", m.InstanceID)
		}
		w.string("clientId", m.ClientID)
		w.string("clientHost", m.ClientHost)
		if g.Version >= 1 {
			w.int("rebalanceTimeoutMs", int64(m.RebalanceTimeoutMs))
		}
		w.int("sessionTimeoutMs", int64(m.SessionTimeoutMs))
		w.partitions("assigned", assigned)
		w.close('}')
	}
	w.close(']')
}
