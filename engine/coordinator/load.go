package coordinator

import (
	"rebalancelab/engine/clock"
	"rebalancelab/engine/event"
	"rebalancelab/engine/kafka"
	"rebalancelab/engine/rule"
	"rebalancelab/engine/tape"
)

// loadedGroup is what the log holds about one group id.
type loadedGroup struct {
	value  *kafka.GroupMetadata // nil: no record, or a tombstone
	ledger *ledger
}

// loadedBefore moves the positions of what was read from the log before those of
// everything that is appended later.
const loadedBefore int64 = -1 << 40

// BeginLoad marks a partition as being read
// (GroupMetadataManager.addLoadingPartition).
func (c *Coordinator) BeginLoad(at clock.Time, partition int32, cause uint64) {
	if !c.loadIsLate(partition) {
		c.partitions[partition].loading = true
	}
}

// loadIsLate reports whether the partition is served already: since 2.8.1 such a
// load is ignored.
func (c *Coordinator) loadIsLate(partition int32) bool {
	return c.partitions[partition].owned && c.has.Has(kafka.LoadMarkedAtStart)
}

// EndLoad reads the log of a partition and serves it from now on. Members keep
// their ids and generation; what was parked or pending is lost.
func (c *Coordinator) EndLoad(at clock.Time, partition int32, log *tape.Tape[kafka.Record], cause uint64, out *Output) {
	if c.loadIsLate(partition) {
		return
	}
	c.begin(at, cause, out)
	if c.has.Has(kafka.WriteOperations) {
		c.readLog(partition, log)
		c.end()
		return
	}
	groups := replay(log)
	if c.has.Has(kafka.BadSubscriptionEndsLoad) && badSubscription(log) {
		groups.clear()
	}
	for i := range groups.entries {
		if e := &groups.entries[i]; e.live && e.item.value != nil {
			c.install(partition, string(e.key), &e.item)
			c.cause = cause
		}
	}
	for i := range groups.entries {
		if e := &groups.entries[i]; e.live && e.item.value == nil && !e.item.ledger.blank() {
			c.install(partition, string(e.key), &e.item)
			c.cause = cause
		}
	}
	c.partitions[partition] = partitionState{owned: true, expiry: noTimer}
	c.end()
}

// badSubscription reports whether a group record is in the log at which Kafka
// throws, read or not any more (GroupMetadata.loadGroup).
func badSubscription(log *tape.Tape[kafka.Record]) bool {
	for i := range log.Len() {
		r := log.At(i)
		if r.KeyVersion != 2 || r.GroupValue == nil || r.GroupValue.ProtocolType != consumerProtocolType {
			continue
		}
		for _, m := range r.GroupValue.Members {
			if _, result := appendTopics(nil, m.Subscription); result != parsedWell {
				if result == parsedBadly {
					return true
				}
				break // the subscription counts as unknown
			}
		}
	}
	return false
}

// replay keeps the last value of each key. Offsets of a transaction count from
// its marker on (GroupMetadataManager.doLoadGroupsAndOffsets).
func replay(log *tape.Tape[kafka.Record]) roster[name, loadedGroup] {
	var groups roster[name, loadedGroup]
	for i := range log.Len() {
		r := log.At(i)
		if r.Marker != kafka.NoMarker {
			for j := range groups.entries {
				groups.entries[j].item.ledger.complete(r.ProducerID, r.Marker == kafka.CommitMarker)
			}
			continue
		}
		if r.KeyVersion < 0 || r.KeyVersion > 2 {
			continue
		}
		g := groups.get(name(r.Group))
		if g == nil {
			g = groups.add(name(r.Group), loadedGroup{ledger: &ledger{id: r.Group}})
		}
		if r.KeyVersion == 2 {
			g.value = r.GroupValue
			continue
		}
		g.ledger.read(r, loadedBefore+int64(i))
	}
	return groups
}

// read takes in one offset record of the log.
func (l *ledger) read(r *kafka.Record, position int64) {
	staged := stagedOffset{r.Partition, offset{r.OffsetValue, position}}
	if v := r.OffsetValue; v != nil && v.Version < 3 && v.LeaderEpoch >= 0 {
		asWritten := *v
		asWritten.LeaderEpoch = -1
		staged.value = &asWritten
	}
	switch {
	case r.ProducerID >= 0 && r.Tombstone():
		if t := l.transaction(r.ProducerID); t != nil {
			t.drop(r.Partition)
		}
	case r.ProducerID >= 0:
		l.stageTransaction(r.ProducerID, []stagedOffset{staged})
	case r.Tombstone():
		l.committed.remove(place(r.Partition))
	default:
		l.put(r.Partition, staged.offset)
	}
}

// install puts a loaded group into the cache, unless there is one already
// (GroupMetadataManager.loadGroup), and starts its members' sessions
// (GroupCoordinator.onGroupLoaded).
func (c *Coordinator) install(partition int32, id string, l *loadedGroup) {
	l.ledger.partition = partition
	apart := c.has.Has(kafka.OffsetsOutsideGroup)
	if apart || c.group(id) == nil {
		c.ledgers.remove(name(id))
		c.ledgers.add(name(id), l.ledger)
	}
	if c.group(id) != nil || apart && l.value == nil {
		return
	}
	g := c.newGroup(id)
	if l.value != nil {
		c.restore(g, l.value)
	}
	c.startLoaded(g)
}

// startLoaded mirrors GroupCoordinator.onGroupLoaded: sessions begin anew, a
// group that is too large rebalances.
func (c *Coordinator) startLoaded(g *group) {
	c.mark(rule.Load2)
	if l := c.ledger(g.id); l != nil && len(l.transactions) > 0 {
		c.mark(rule.Load5)
	}
	c.cause = c.log(event.Event{Kind: event.GroupLoaded, Group: g.id, Generation: g.generation, N: int64(g.size()), State: g.state})
	overfull := c.has.Has(kafka.GroupSizeLimit) && int64(g.size()) > c.setting(kafka.GroupMaxSize)
	if overfull && !c.has.Has(kafka.WriteOperations) {
		c.prepareRebalance(g, c.reasonOverCapacity(g))
	}
	for i := range g.members.entries {
		if e := &g.members.entries[i]; e.live {
			c.mark(rule.Load3)
			c.rearm(g, &e.item)
		}
	}
	if overfull && c.has.Has(kafka.WriteOperations) {
		c.prepareRebalance(g, c.reasonOverCapacity(g))
	}
}

// restore mirrors GroupMetadata.loadGroup: the group is as its record says,
// Stable if it has members. Each member supports the selected protocol only.
func (c *Coordinator) restore(g *group, v *kafka.GroupMetadata) {
	g.generation, g.protocolType, g.protocol, g.leader = v.Generation, v.ProtocolType, v.Protocol, v.Leader
	if len(v.Members) == 0 && !c.has.Has(kafka.EmptyTypeRestored) {
		g.protocolType = ""
		c.mark(rule.Old5)
	}
	g.stateSince = noTimestamp
	if v.Version == 2 || v.Version > 2 && !c.has.Has(kafka.LoadForgetsStateTimestamp) {
		g.stateSince = v.StateTimestamp
	}
	if len(v.Members) > 0 {
		g.state = kafka.Stable
	}
	for i := range v.Members {
		s := &v.Members[i]
		c.serials++
		m := member{id: s.MemberID, birth: c.serials, instance: s.InstanceID, clientID: s.ClientID, clientHost: s.ClientHost,
			sessionTimeoutMs: s.SessionTimeoutMs, rebalanceTimeoutMs: s.RebalanceTimeoutMs, assignment: s.Assignment,
			protocols: []kafka.Protocol{{Name: v.Protocol, Metadata: s.Subscription}}, loaded: true, timer: noTimer, leftovers: noTimer, heardAt: -1}
		if v.Version == 0 {
			m.rebalanceTimeoutMs = m.sessionTimeoutMs
		}
		g.members.add(name(m.id), m)
		c.countProtocols(g, m.protocols, 1)
		if m.isStatic() {
			g.statics.add(name(m.instance), m.id)
		}
	}
	c.subscribe(g)
}
