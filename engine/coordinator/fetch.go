package coordinator

import (
	"rebalancelab/engine/event"
	"rebalancelab/engine/kafka"
	"rebalancelab/engine/rule"
)

// offsetFetch mirrors handleFetchOffsets and GroupMetadataManager.getOffsets: it
// needs no membership and works in every state.
func (c *Coordinator) offsetFetch(from event.Node, req *kafka.Request) {
	err := c.status(req.API, req.Group)
	r := kafka.Response{API: req.API, Corr: req.Corr}
	top := c.has.Has(kafka.OffsetFetchAll) && req.Version >= 2
	if top {
		r.Error = err
	}
	if err != kafka.None {
		c.because(c.explain(req, err))
	}
	c.mark(rule.Fetch1)
	if err != kafka.None && top {
		c.reply(from, &r)
		return
	}
	l := c.ledger(req.Group)
	if g := c.group(req.Group); !c.has.Has(kafka.OffsetsOutsideGroup) && (g == nil || g.state == kafka.Dead) {
		l = nil
	}
	if req.AllPartitions || len(req.Partitions) == 0 && !c.has.Has(kafka.OffsetFetchAll) {
		if l != nil && err == kafka.None {
			r.Partitions = c.fetchAll(l, req.RequireStable)
		}
		c.reply(from, &r)
		return
	}
	for _, tp := range req.Partitions {
		result := nothing(tp)
		result.Error = err
		if l != nil && err == kafka.None {
			result = c.fetch(l, tp, req.RequireStable)
		}
		r.Partitions = append(r.Partitions, result)
	}
	c.reply(from, &r)
}

// nothing is the answer for a partition without a committed offset.
func nothing(tp kafka.TopicPartition) kafka.PartitionResult {
	return kafka.PartitionResult{TopicPartition: tp, Offset: -1, LeaderEpoch: -1}
}

func (c *Coordinator) fetch(l *ledger, tp kafka.TopicPartition, requireStable bool) kafka.PartitionResult {
	r := nothing(tp)
	if requireStable && c.has.Has(kafka.StableFetch) && l.unstable(tp) {
		r.Error = kafka.UnstableOffsetCommit
		c.because(explainUnstable(tp))
		return r
	}
	if o := l.committed.get(place(tp)); o != nil {
		r.Offset, r.LeaderEpoch, r.Metadata = o.value.Offset, o.value.LeaderEpoch, o.value.Metadata
	}
	return r
}

func (c *Coordinator) fetchAll(l *ledger, requireStable bool) []kafka.PartitionResult {
	list := make([]kafka.PartitionResult, 0, l.committed.live)
	for i := range l.committed.entries {
		if e := &l.committed.entries[i]; e.live {
			list = append(list, c.fetch(l, kafka.TopicPartition(e.key), requireStable))
		}
	}
	return list
}
