package consumer

import (
	"slices"
	"strings"

	"rebalancelab/engine/assignor"
	"rebalancelab/engine/event"
	"rebalancelab/engine/kafka"
)

// assign runs the assignor that the broker chose, as the leader does inside the
// JoinGroup response handler. False: the assignor threw an exception.
func (c *Client) assign(e *Env, r *kafka.Response) ([]kafka.MemberAssignment, bool) {
	strategy, _ := assignor.StrategyNamed(r.ProtocolName)
	members := make([]assignor.Member, len(r.Members))
	for i := range r.Members {
		members[i] = assignor.DecodeMember(strategy, r.Members[i].MemberID, r.Members[i].InstanceID, r.Members[i].Metadata)
	}
	lists := assignor.Assign(strategy, c.cfg.Client, members, c.topicsOf(e, members), &c.maxGeneration)
	if lists == nil {
		return nil, false
	}
	assignments := make([]kafka.MemberAssignment, 0, len(members))
	for _, i := range assignor.SyncOrder(members) {
		bytes := assignor.EncodeAssignment(nil, c.subscriptionVersion(), lists[i])
		assignments = append(assignments, kafka.MemberAssignment{MemberID: members[i].ID, Assignment: string(bytes)})
	}
	return assignments, true
}

// topicsOf is the metadata of every topic that some member subscribes: the
// leader's own from its snapshot, the others fetched now.
func (c *Client) topicsOf(e *Env, members []assignor.Member) []assignor.Topic {
	var names []string
	for i := range members {
		names = append(names, members[i].Topics...)
	}
	slices.Sort(names)
	names = slices.Compact(names)
	topics := make([]assignor.Topic, 0, len(names))
	for _, name := range names {
		count := int32(0)
		if i, own := slices.BinarySearch(c.cfg.Topics, name); own {
			count = c.metadata[i]
		} else {
			count = e.Cluster.PartitionCount(name)
		}
		if count > 0 {
			topics = append(topics, assignor.Topic{Name: name, Partitions: count})
		}
	}
	return topics
}

// completeJoin is onJoinComplete: it runs inside poll, after SyncGroup.
func (c *Client) completeJoin(e *Env) {
	c.chain = noJoin
	if c.state != Stable {
		c.resetGeneration(e, false, "rebalance failed since the generation was reset")
		return
	}
	c.needsJoinPrepare = true
	_, assigned, ok := assignor.DecodeAssignment(c.assignment)
	if !ok {
		c.throw(e, kafka.UnknownServerError, "There are insufficient bytes available to read assignment from the sync-group response")
		return
	}
	for i := range assigned {
		if _, subscribed := slices.BinarySearch(c.cfg.Topics, assigned[i].Topic); !subscribed {
			c.requestRejoin(e, "received assignment does not match the current subscription")
			return
		}
	}
	c.apply(e, assigned)
}

func (c *Client) apply(e *Env, assigned []kafka.TopicPartition) {
	slices.SortFunc(assigned, comparePartitions)
	if c.cooperative() {
		revoked := c.withdraw(func(tp kafka.TopicPartition) bool {
			_, keep := slices.BinarySearchFunc(assigned, tp, comparePartitions)
			return !keep
		})
		if len(revoked) > 0 {
			c.log(e, event.Event{Kind: event.PartitionsRevoked, Partitions: revoked})
			c.requestRejoin(e, "need to revoke partitions and re-join")
		}
	}
	c.lastGeneration = c.gen.id
	c.commitDue = e.after(c.millis(kafka.AutoCommitIntervalMs))
	added := c.adopt(assigned)
	e.Cause = c.log(e, event.Event{Kind: event.PartitionsAssigned, Partitions: added, N: int64(len(c.parts)), Generation: c.gen.id})
}

// withdraw takes the partitions that match out of the assignment.
func (c *Client) withdraw(match func(kafka.TopicPartition) bool) []kafka.TopicPartition {
	var gone []kafka.TopicPartition
	kept := c.parts[:0:0]
	for _, p := range c.parts {
		if match(p.TopicPartition) {
			gone = append(gone, p.TopicPartition)
		} else {
			kept = append(kept, p)
		}
	}
	c.parts = kept
	return gone
}

// adopt makes assigned (sorted) the assignment; partitions that stay keep their
// position. It returns the added ones.
func (c *Client) adopt(assigned []kafka.TopicPartition) []kafka.TopicPartition {
	var added []kafka.TopicPartition
	parts := make([]owned, 0, len(assigned))
	for _, tp := range assigned {
		i, found := slices.BinarySearchFunc(c.parts, tp, func(p owned, tp kafka.TopicPartition) int {
			return comparePartitions(p.TopicPartition, tp)
		})
		if found {
			parts = append(parts, c.parts[i])
			continue
		}
		parts = append(parts, owned{TopicPartition: tp, position: -1})
		added = append(added, tp)
	}
	c.parts = parts
	return added
}

func comparePartitions(a, b kafka.TopicPartition) int {
	if d := strings.Compare(a.Topic, b.Topic); d != 0 {
		return d
	}
	return int(a.Partition - b.Partition)
}

// Owned lists the partitions that the client believes it owns, sorted.
func (c *Client) Owned() []kafka.TopicPartition {
	var tps []kafka.TopicPartition
	for i := range c.parts {
		tps = append(tps, c.parts[i].TopicPartition)
	}
	return tps
}
