package coordinator

import (
	"slices"

	"rebalancelab/engine/clock"
	"rebalancelab/engine/event"
	"rebalancelab/engine/kafka"
	"rebalancelab/engine/rule"
)

// storeKind says who waits for an append.
type storeKind uint8

const (
	noCallback      storeKind = iota // tombstones: nobody
	emptyGroupStore                  // a failure only makes Kafka log a warning
	assignmentStore                  // the leader's SyncGroup
	staticStore                      // a replaced static member's JoinGroup
	commitStore                      // OffsetCommit
	txnStore                         // TxnOffsetCommit
	expiryStore                      // 4.0: the expiry of a partition
)

// pendingAppend is a batch handed to the log whose result is not known. It is
// immutable.
type pendingAppend struct {
	id          int64
	kind        storeKind
	group       string
	serial      uint64 // of the group object, 0: none
	member      string
	generation  int32
	assignments []kafka.MemberAssignment
	replaced    *replacement
	commit      *commit
}

// appendRecords hands a batch to the log.
func (c *Coordinator) appendRecords(group string, records []kafka.Record, p pendingAppend) {
	if p.group = group; c.has.Has(kafka.WriteOperations) {
		c.draftRecords(records, p)
		return
	}
	c.appends++
	p.id = c.appends
	if p.kind != noCallback && p.kind != emptyGroupStore {
		c.inFlight.Push(p)
	}
	c.out.Appends = append(c.out.Appends, Append{ID: p.id, Partition: c.partitionOf(group), Records: records,
		Cause: c.cause, Group: group, After: len(c.out.Replies)})
}

// AppendDone tells the result of an append. A batch that nobody waits for is
// ignored.
func (c *Coordinator) AppendDone(at clock.Time, id int64, err kafka.Error, cause uint64, out *Output) {
	if c.has.Has(kafka.WriteOperations) {
		c.begin(at, cause, out)
		c.batchDone(id, err)
		c.end()
		return
	}
	i, ok := slices.BinarySearchFunc(c.inFlight.All(), id, func(p pendingAppend, id int64) int { return int(p.id - id) })
	if !ok {
		return
	}
	p := c.inFlight.All()[i]
	c.inFlight.Remove(i)
	c.begin(at, cause, out)
	g := c.group(p.group)
	if g != nil && g.serial != p.serial {
		g = nil
	}
	switch p.kind {
	case assignmentStore:
		if g != nil {
			c.assignmentStored(g, &p, c.groupStoreError(err))
		}
	case staticStore:
		c.replacementStored(g, p.replaced, c.groupStoreError(err))
	case commitStore, txnStore:
		c.commitStored(g, &p, err)
	}
	c.end()
}

// storeGroup writes the group's record (GroupMetadataManager.storeGroup). The
// assignments are those of a SyncGroup, or the members' own.
func (c *Coordinator) storeGroup(g *group, sync *kafka.Request, p pendingAppend) {
	p.serial = g.serial
	var assigned []string
	if sync != nil {
		assigned = assignmentOf(g, sync.Assignments)
	}
	value := &kafka.GroupMetadata{Version: c.groupValueVersion(), ProtocolType: g.protocolType, Generation: g.generation,
		Protocol: g.protocol, Leader: g.leader, StateTimestamp: noTimestamp, Members: make([]kafka.GroupMember, 0, g.size())}
	if c.has.Has(kafka.StateTimestamp) {
		value.StateTimestamp = g.stateSince
	}
	for i := range g.members.entries {
		e := &g.members.entries[i]
		if !e.live {
			continue
		}
		stored := c.storedMember(g, &e.item)
		if sync != nil {
			stored.Assignment = assigned[i]
		}
		value.Members = append(value.Members, stored)
	}
	if c.crashed {
		return
	}
	c.appendRecords(g.id, []kafka.Record{{KeyVersion: 2, Group: g.id, GroupValue: value, ProducerID: -1,
		At: c.now.Millis(), Cause: c.cause}}, p)
}

func (c *Coordinator) storedMember(g *group, m *member) kafka.GroupMember {
	subscription := c.metadataOf(g, m)
	s := kafka.GroupMember{MemberID: m.id, ClientID: m.clientID, ClientHost: m.clientHost,
		SessionTimeoutMs: m.sessionTimeoutMs, Subscription: subscription, Assignment: m.assignment}
	version := c.groupValueVersion()
	if version >= 1 {
		s.RebalanceTimeoutMs = m.rebalanceTimeoutMs
	}
	if version >= 3 {
		s.InstanceID = m.instance
	}
	return s
}

// assignmentOf puts a leader's assignments in the order of the members' places;
// members that it forgot get nothing.
func assignmentOf(g *group, assignments []kafka.MemberAssignment) []string {
	assigned := make([]string, len(g.members.entries))
	for i := range assignments {
		if at := g.members.find(name(assignments[i].MemberID)); at >= 0 {
			assigned[at] = assignments[i].Assignment
		}
	}
	return assigned
}

// groupValueVersion is the schema of a group record by release.
func (c *Coordinator) groupValueVersion() int16 {
	switch {
	case c.has.Has(kafka.StaticMembers):
		return 3
	case c.has.Has(kafka.StateTimestamp):
		return 2
	case c.has.Has(kafka.RebalanceTimeout):
		return 1
	}
	return 0
}

func (c *Coordinator) groupTombstone(group string) kafka.Record {
	return kafka.Record{KeyVersion: 2, Group: group, ProducerID: -1, At: c.now.Millis(), Cause: c.cause}
}

func (c *Coordinator) offsetTombstone(group string, tp kafka.TopicPartition) kafka.Record {
	return kafka.Record{KeyVersion: 1, Group: group, Partition: tp, ProducerID: -1, At: c.now.Millis(), Cause: c.cause}
}

// groupStoreError is what a failed append of a group record means to a member.
func (c *Coordinator) groupStoreError(err kafka.Error) kafka.Error {
	if err != kafka.None {
		c.mark(rule.Store1)
	}
	switch err {
	case kafka.MessageTooLarge, kafka.RecordListTooLarge, kafka.InvalidFetchSize:
		return kafka.UnknownServerError
	case kafka.RequestTimedOut:
		if c.has.Has(kafka.RequestTimeoutRejoins) {
			return kafka.RebalanceInProgress
		}
	}
	return c.storeError(err)
}

// commitStoreError is what a failed append of offsets means to the committer.
func (c *Coordinator) commitStoreError(err kafka.Error) kafka.Error {
	switch err {
	case kafka.MessageTooLarge, kafka.RecordListTooLarge, kafka.InvalidFetchSize:
		return kafka.InvalidCommitOffsetSize
	case kafka.NetworkException:
		if c.has.Has(kafka.NetworkErrorRetriable) {
			return kafka.CoordinatorLoadInProgress
		}
	}
	return c.storeError(err)
}

func (c *Coordinator) storeError(err kafka.Error) kafka.Error {
	switch err {
	case kafka.UnknownTopicOrPartition:
		return kafka.CoordinatorNotAvailable
	case kafka.NotEnoughReplicas, kafka.NotEnoughReplicasAfterAppend:
		if c.has.Has(kafka.ReplicaErrorsMapped) {
			return kafka.CoordinatorNotAvailable
		}
	case kafka.NotLeaderOrFollower:
		return kafka.NotCoordinator
	case kafka.KafkaStorageError:
		if c.has.Has(kafka.StorageErrorMapped) {
			return kafka.NotCoordinator
		}
	}
	return err
}

// removed logs that a group is gone from memory.
func (c *Coordinator) removed(g *group) {
	c.log(event.Event{Kind: event.GroupRemoved, Group: g.id, Generation: g.generation})
}
