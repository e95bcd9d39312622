package consumer

import (
	"rebalancelab/engine/clock"
	"rebalancelab/engine/event"
	"rebalancelab/engine/kafka"
)

// closeStep says how far close() is.
type closeStep uint8

const (
	notClosing closeStep = iota
	closeCommitting
	closeLeaving
)

// beginClose is KafkaConsumer.close: commit, callbacks, LeaveGroup. Every wait
// is bounded by min(timeout, request.timeout.ms).
func (c *Client) beginClose(e *Env) {
	c.busyUntil, c.pollDue, c.wake = clock.Never, clock.Never, clock.Never
	c.disableThread()
	c.held = nil
	c.closeDue = e.after(min(CloseTimeout, c.millis(kafka.RequestTimeoutMs)))
	c.closing = closeCommitting
	e.Cause = c.log(e, event.Event{Kind: event.ConsumerStopping})
	if c.cfg.Settings.Bool(kafka.EnableAutoCommit) && c.state == Stable {
		c.commit(e, commitClosing)
	}
	c.continueClose(e)
}

// continueClose goes on as far as the answers allow.
func (c *Client) continueClose(e *Env) {
	expired := c.closeDue <= e.Now
	if c.closing == closeCommitting {
		if c.era.commitBeforeClose && !expired && c.underWay(kafka.OffsetCommit) {
			return
		}
		c.closeCallbacks(e)
		c.leaveGroup(e, "the consumer is being closed")
		c.closing = closeLeaving
		c.closeDue = e.after(min(CloseTimeout, c.millis(kafka.RequestTimeoutMs)))
	}
	if c.era.commitBeforeClose && c.underWay(kafka.LeaveGroup) && c.closeDue > e.Now {
		return
	}
	c.closeDue = clock.Never
	e.Ended = true
}

func (c *Client) underWay(api kafka.API) bool {
	for i := range c.inflight {
		if c.inflight[i].api == api {
			return true
		}
	}
	return false
}

func (c *Client) closeCallbacks(e *Env) {
	switch {
	case !c.era.closeCallbacks:
		c.withdraw(func(kafka.TopicPartition) bool { return true })
	case c.gen.id == kafka.NoGeneration || c.state == PreparingRebalance || c.state == CompletingRebalance:
		c.loseAll(e)
	case len(c.parts) > 0:
		c.revokeAll(e)
	}
}

// leaveGroup sends LeaveGroup if there is a membership to end, and forgets the
// generation. Static members never send it.
func (c *Client) leaveGroup(e *Env, reason string) {
	if !c.static() && c.coordinator != 0 && c.state != Unjoined && c.gen.memberID != "" {
		r := &kafka.Request{API: kafka.LeaveGroup, MemberID: c.gen.memberID}
		member := kafka.LeavingMember{MemberID: c.gen.memberID}
		if c.cfg.APIVersions[kafka.LeaveGroup] >= 5 && c.era.reasons {
			member.Reason = reason
		}
		r.Members = []kafka.LeavingMember{member}
		c.send(e, c.coordinator, r, inflight{}, false)
	}
	if c.closing == notClosing {
		c.resetGeneration(e, false, "consumer pro-actively leaving the group")
		return
	}
	c.state, c.gen = Unjoined, noGeneration
}
