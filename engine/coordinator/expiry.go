package coordinator

import (
	"cmp"
	"strings"

	"rebalancelab/engine/clock"
	"rebalancelab/engine/kafka"
	"rebalancelab/engine/rule"
)

func comparePartitions(a, b kafka.TopicPartition) int {
	return cmp.Or(strings.Compare(a.Topic, b.Topic), cmp.Compare(a.Partition, b.Partition))
}

// Cleanup is one run of the expiry of offsets and empty groups
// (GroupMetadataManager.cleanupGroupMetadata; deleteExpiredOffsets before
// 0.10.1).
func (c *Coordinator) Cleanup(at clock.Time, cause uint64, out *Output) {
	if c.has.Has(kafka.PartitionExpiry) {
		return // each partition has its timer
	}
	c.begin(at, cause, out)
	if c.has.Has(kafka.OffsetsOutsideGroup) {
		c.cleanLedgers()
		c.end()
		return
	}
	for _, id := range c.GroupIDs(nil) {
		g := c.group(id)
		c.clean(g, c.expired(g), reason{rule.Expire3, "no offset is left", ""})
		c.cause = cause
	}
	c.end()
}

// expired mirrors GroupMetadata.removeExpiredOffsets: which offsets of the
// group have passed their time. Since 2.1 (KIP-211) the group's state decides
// whether they age at all and from when.
func (c *Coordinator) expired(g *group) []kafka.TopicPartition {
	l := c.ledger(g.id)
	if l == nil || g.state == kafka.Dead {
		return nil
	}
	fromState, bySubscription := false, false
	switch {
	case !c.has.Has(kafka.ExpiryByGroup):
		c.mark(rule.Expire4)
	case g.protocolType == "":
	case g.state == kafka.Empty:
		c.mark(rule.Expire1)
		fromState = g.stateSince != noTimestamp
	case c.expiresBySubscription(g):
		c.mark(rule.Expire2)
		bySubscription = true
	default:
		return nil
	}
	return l.partitions(func(tp kafka.TopicPartition, o *offset) bool {
		if bySubscription && g.subscribes(tp.Topic) || l.pending.has(place(tp)) {
			return false
		}
		since := o.value.CommitTimestamp
		if fromState {
			since = g.stateSince
		}
		return c.expiredAt(o.value, since)
	})
}

func (c *Coordinator) expiresBySubscription(g *group) bool {
	return c.has.Has(kafka.ExpiryBySubscription) && g.protocolType == consumerProtocolType && g.subscribedKnown &&
		(g.state == kafka.Stable || !c.has.Has(kafka.SubscriptionOnlyStable))
}

// expiredAt tells whether an offset's time is up. An explicit timestamp wins
// over the retention that starts at since.
func (c *Coordinator) expiredAt(v *kafka.OffsetMetadata, since clock.Millis) bool {
	limit := v.ExpireTimestamp
	if limit == noTimestamp {
		limit = since + clock.Millis(c.retentionMs())
	}
	if !c.has.Has(kafka.ExpiryInclusive) {
		limit++
	}
	return c.now.Millis() >= limit
}

// cleanLedgers expires offsets by their own timestamps, whatever became of the
// group.
func (c *Coordinator) cleanLedgers() {
	for _, id := range c.ledgerIDs() {
		l := c.ledger(id)
		c.mark(rule.Expire4)
		gone := l.partitions(func(_ kafka.TopicPartition, o *offset) bool {
			return c.expiredAt(o.value, o.value.CommitTimestamp)
		})
		var records []kafka.Record
		for _, tp := range gone {
			l.erase(tp)
			records = append(records, c.offsetTombstone(id, tp))
		}
		if len(records) > 0 {
			c.appendRecords(id, records, pendingAppend{kind: noCallback})
		}
		if l.blank() {
			c.ledgers.remove(name(id))
		}
	}
}
