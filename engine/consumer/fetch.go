package consumer

import (
	"rebalancelab/engine/clock"
	"rebalancelab/engine/event"
	"rebalancelab/engine/kafka"
)

// The choices of auto.offset.reset, by their number in kafka.ConfigDef.Choices.
const (
	resetLatest = iota
	resetEarliest
	resetNone
)

// updatePositions fetches committed offsets for partitions without a position
// and applies auto.offset.reset to those that have none.
func (c *Client) updatePositions(e *Env) {
	var ask []kafka.TopicPartition
	for i := range c.parts {
		p := &c.parts[i]
		switch {
		case p.position >= 0 || p.fetching:
		case !p.reset && p.askAt <= e.Now:
			p.fetching = true
			ask = append(ask, p.TopicPartition)
		case !p.reset:
			c.wake = min(c.wake, p.askAt)
		case p.resetAt <= e.Now && p.resetTo >= 0:
			p.position = p.resetTo
			c.log(e, event.Event{Kind: event.PositionReset, Partition: p.TopicPartition, Offset: p.position})
		default:
			if p.resetAt <= e.Now {
				c.listOffset(e, p)
			}
			c.wake = min(c.wake, p.resetAt)
		}
	}
	if len(ask) > 0 {
		c.send(e, c.coordinator, &kafka.Request{API: kafka.OffsetFetch, Partitions: ask,
			RequireStable: c.cfg.APIVersions[kafka.OffsetFetch] >= 7}, inflight{}, false)
	}
}

func (c *Client) onOffsetFetch(e *Env, r *kafka.Response, lost bool) {
	err := r.FirstError()
	if lost || err != kafka.None {
		c.offsetFetchFailed(e, err, lost)
		return
	}
	for i := range r.Partitions {
		p := c.part(r.Partitions[i].TopicPartition)
		if p == nil || !p.fetching {
			continue
		}
		p.fetching = false
		if r.Partitions[i].Offset >= 0 {
			p.position = r.Partitions[i].Offset
			continue
		}
		if c.cfg.Settings.Values[kafka.AutoOffsetReset] == resetNone {
			c.throw(e, kafka.None, "NoOffsetForPartitionException")
			return
		}
		p.reset = true
		c.listOffset(e, p)
	}
}

// offsetFetchFailed asks again with the next poll call, as every partition is
// still without a position.
func (c *Client) offsetFetchFailed(e *Env, err kafka.Error, lost bool) {
	for i := range c.parts {
		if p := &c.parts[i]; p.fetching {
			p.fetching, p.askAt = false, c.nextPollCall(e.Now)
		}
	}
	switch {
	case lost:
	case err == kafka.NotCoordinator || err == kafka.CoordinatorNotAvailable && !c.cfg.Client.Before(3, 0, 0):
		c.leaveCoordinator(e, "error response "+err.String())
	case !retriable(err):
		c.throw(e, err, "")
	}
}

// listOffset asks the partition's leader for the first or the next offset; a
// leader that cannot be reached is asked again with the next poll call.
func (c *Client) listOffset(e *Env, p *owned) {
	earliest := c.cfg.Settings.Values[kafka.AutoOffsetReset] == resetEarliest
	p.resetTo, p.resetAt = e.Cluster.ListOffset(c.node, p.TopicPartition, e.Now, earliest)
	if p.resetAt == clock.Never {
		p.resetTo, p.resetAt = -1, c.nextPollCall(e.Now)
	}
}

func (c *Client) part(tp kafka.TopicPartition) *owned {
	for i := range c.parts {
		if c.parts[i].TopicPartition == tp {
			return &c.parts[i]
		}
	}
	return nil
}

// takeRecords hands fetched records to the application: at most
// max.poll.records, one partition after the other. It reports whether there
// were any.
func (c *Client) takeRecords(e *Env) bool {
	if c.revoking {
		return false
	}
	limit := c.cfg.Settings.Values[kafka.MaxPollRecords]
	if c.cfg.Process == 0 {
		limit = 1<<62 - 1
	}
	taken, next := int64(0), clock.Never
	for i := range c.parts {
		p := &c.parts[(i+c.cursor)%len(c.parts)]
		if p.position < 0 {
			continue
		}
		n := min(e.Cluster.End(c.node, p.TopicPartition, e.Now)-p.position, limit-taken)
		if n > 0 {
			e.Reads = append(e.Reads, Read{p.TopicPartition, p.position, p.position + n, e.Cause})
			p.position += n
			taken += n
		}
		next = min(next, e.Cluster.RecordTime(c.node, p.TopicPartition, p.position, e.Now))
	}
	if taken == 0 {
		c.wake = min(c.wake, next)
		return false
	}
	c.cursor = (c.cursor + 1) % len(c.parts)
	if c.cfg.Process == 0 {
		c.wake = min(c.wake, next)
		return true
	}
	e.Cause = e.Log.Routine(event.Event{Kind: event.Polled, At: e.Now, Node: c.node, Group: c.cfg.Group, Cause: e.Cause, N: taken})
	c.goBusy(e, clock.Duration(taken)*c.cfg.Process)
	return true
}
