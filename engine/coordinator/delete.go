package coordinator

import (
	"slices"

	"rebalancelab/engine/clock"
	"rebalancelab/engine/event"
	"rebalancelab/engine/kafka"
	"rebalancelab/engine/rule"
)

// deleteGroups mirrors handleDeleteGroups: only an Empty group can go.
func (c *Coordinator) deleteGroups(from event.Node, req *kafka.Request) {
	r := kafka.Response{API: req.API, Corr: req.Corr, Groups: make([]kafka.DescribedGroup, 0, len(req.Groups))}
	for _, id := range req.Groups {
		r.Groups = append(r.Groups, kafka.DescribedGroup{Group: id, Error: c.deleteGroup(req.API, id)})
	}
	c.reply(from, &r)
}

func (c *Coordinator) deleteGroup(api kafka.API, id string) kafka.Error {
	if err := c.status(api, id); err != kafka.None {
		c.because(c.explain(&kafka.Request{API: api, Group: id}, err))
		return err
	}
	g := c.group(id)
	switch {
	case g == nil || g.state == kafka.Dead:
		return c.groupNotExists(id, rule.Delete2)
	case g.state != kafka.Empty:
		c.because(rule.Delete2, "the group is "+g.state.In(c.version))
		return kafka.NonEmptyGroup
	}
	var gone []kafka.TopicPartition
	spared := c.has.Has(kafka.DeletionSparesPending)
	if l := c.ledger(id); l != nil {
		gone = l.partitions(func(tp kafka.TopicPartition, _ *offset) bool { return !spared || !l.pending.has(place(tp)) })
		l.transactions = nil
		l.pending.clear()
	}
	deleted := reason{rule.Delete2, "the group is deleted", ""}
	if spared {
		c.moveTo(g, kafka.Dead, deleted.rule, deleted.text) // also with offsets left
	}
	c.clean(g, gone, deleted)
	return kafka.None
}

// offsetDelete mirrors handleDeleteOffsets: offsets of topics that members are
// subscribed to stay.
func (c *Coordinator) offsetDelete(from event.Node, req *kafka.Request) {
	r := kafka.Response{API: req.API, Corr: req.Corr, Error: c.status(req.API, req.Group)}
	g := c.group(req.Group)
	switch {
	case r.Error != kafka.None:
		c.because(c.explain(req, r.Error))
	case g == nil || g.state == kafka.Dead:
		r.Error = c.groupNotExists(req.Group, rule.Delete1)
	case g.state != kafka.Empty && g.protocolType != consumerProtocolType:
		r.Error = kafka.NonEmptyGroup
		c.because(rule.Delete1, "the group has members, and its protocol type is "+quoted(g.protocolType))
	default:
		r.Partitions = c.deleteOffsets(g, req.Partitions)
	}
	c.reply(from, &r)
}

func (c *Coordinator) deleteOffsets(g *group, partitions []kafka.TopicPartition) []kafka.PartitionResult {
	results := make([]kafka.PartitionResult, 0, len(partitions))
	var gone []kafka.TopicPartition
	for _, tp := range partitions {
		r := kafka.PartitionResult{TopicPartition: tp}
		if g.state != kafka.Empty && g.subscribes(tp.Topic) {
			r.Error = kafka.GroupSubscribedToTopic
			c.because(rule.Delete1, "a member subscribes to "+tp.Topic)
		} else {
			gone = append(gone, tp)
		}
		results = append(results, r)
	}
	if len(gone) > 0 {
		c.clean(g, gone, reason{rule.Delete1, "its last offset is deleted", ""})
	}
	return results
}

// DeleteTopicPartitions drops the offsets of partitions that exist no more from
// every group (GroupCoordinator.handleDeletedPartitions).
func (c *Coordinator) DeleteTopicPartitions(at clock.Time, tps []kafka.TopicPartition, cause uint64, out *Output) {
	c.begin(at, cause, out)
	switch {
	case c.has.Has(kafka.WriteOperations):
		c.partitionsDeleted(tps)
	case c.has.Has(kafka.TopicDeletionDropsOffsets):
		for _, id := range c.GroupIDs(nil) {
			c.clean(c.group(id), tps, reason{rule.Delete3, "the topic of its last offset is deleted", ""})
			c.mark(rule.Delete3)
			c.cause = cause
		}
	}
	c.end()
}

// clean mirrors cleanupGroupMetadata for one group: the offsets go, and with the
// last of them an Empty group. Tombstones for what was in the log are one batch.
func (c *Coordinator) clean(g *group, partitions []kafka.TopicPartition, why reason) {
	l := c.ledger(g.id)
	var records []kafka.Record
	for _, tp := range partitions {
		if l != nil && l.erase(tp) {
			records = append(records, c.offsetTombstone(g.id, tp))
		}
	}
	if g.state == kafka.Empty && l.blank() {
		c.moveTo(g, kafka.Dead, why.rule, why.text)
	}
	if g.state == kafka.Dead {
		c.removed(g)
		c.forget(g)
		if g.generation > 0 {
			records = append(records, c.groupTombstone(g.id))
		}
	}
	if len(records) > 0 {
		c.appendRecords(g.id, records, pendingAppend{kind: noCallback})
	}
}

// partitions lists the committed offsets that pass a test, sorted.
func (l *ledger) partitions(test func(kafka.TopicPartition, *offset) bool) []kafka.TopicPartition {
	var list []kafka.TopicPartition
	for i := range l.committed.entries {
		if e := &l.committed.entries[i]; e.live && test(kafka.TopicPartition(e.key), &e.item) {
			list = append(list, kafka.TopicPartition(e.key))
		}
	}
	slices.SortFunc(list, comparePartitions)
	return list
}
