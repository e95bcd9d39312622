package consumer

import (
	"rebalancelab/engine/event"
	"rebalancelab/engine/kafka"
)

// prepareStep says how far the commit before a rejoin is.
type prepareStep uint8

const (
	prepareIdle prepareStep = iota
	prepareCommitting
	prepareRetry
	prepareCommitted
)

// joinPrepare is ConsumerCoordinator.onJoinPrepare: commit, then revoke. It
// reports false while it waits for the commit; the poll loop calls it again.
func (c *Client) joinPrepare(e *Env) bool {
	if !c.prepareCommit(e) {
		return false
	}
	c.prepare, c.revoking = prepareIdle, false
	lost := c.gen.id == kafka.NoGeneration || c.gen.memberID == ""
	switch {
	case lost && c.has.Has(kafka.ConsumerLostCallback):
		c.loseAll(e)
	case !c.cooperative():
		c.revokeAll(e)
	}
	c.leader = false
	return true
}

// prepareCommit commits all positions before the partitions are given up. An
// EAGER member fetches nothing meanwhile.
func (c *Client) prepareCommit(e *Env) bool {
	if !c.cfg.Settings.Bool(kafka.EnableAutoCommit) {
		return true
	}
	if c.prepare == prepareIdle {
		c.prepareDue = e.after(c.millis(c.rebalanceTimeout()))
		c.revoking = !c.cooperative()
		c.prepare = prepareRetry
	}
	if c.prepareDue <= e.Now || c.prepare == prepareCommitted {
		return true
	}
	if c.prepare == prepareRetry {
		if c.joinAt > e.Now {
			c.wake = min(c.wake, c.joinAt)
			return false
		}
		if !c.commit(e, commitBeforeJoin) {
			return true
		}
		c.prepare = prepareCommitting
	}
	c.wake = min(c.wake, c.prepareDue)
	return false
}

func (c *Client) rebalanceTimeout() kafka.Config {
	if c.has.Has(kafka.ConsumerPollTimer) {
		return kafka.MaxPollIntervalMs
	}
	return kafka.SessionTimeoutMs
}

// loseAll gives up everything without a commit: somebody else may own it.
func (c *Client) loseAll(e *Env) {
	if len(c.parts) == 0 {
		return
	}
	gone := c.withdraw(func(kafka.TopicPartition) bool { return true })
	c.log(e, event.Event{Kind: event.PartitionsLost, Partitions: gone})
}

// revokeAll gives up everything an EAGER member owns.
func (c *Client) revokeAll(e *Env) {
	gone := c.withdraw(func(kafka.TopicPartition) bool { return true })
	c.log(e, event.Event{Kind: event.PartitionsRevoked, Partitions: gone})
}
