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
	c.closing, c.closeDue = closeCommitting, c.closeLimit(e)
	c.closeCommit = c.cfg.Settings.Bool(kafka.EnableAutoCommit) && c.state == Stable && c.hasPositions()
	c.lookups, c.failures, c.joinAt = 0, 0, e.Now
	e.Cause = c.log(e, event.Event{Kind: event.ConsumerStopping})
	c.continueClose(e)
}

func (c *Client) closeLimit(e *Env) clock.Time {
	return e.after(min(CloseTimeout, c.millis(kafka.RequestTimeoutMs)))
}

func (c *Client) hasPositions() bool {
	for i := range c.parts {
		if c.parts[i].position >= 0 {
			return true
		}
	}
	return false
}

// continueClose goes on as far as the answers allow.
func (c *Client) continueClose(e *Env) {
	c.wake = clock.Never
	if c.closing == closeCommitting {
		if c.closeCommit && c.closeDue > e.Now {
			c.commitToClose(e)
			return
		}
		c.closeCallbacks(e)
		c.leaveGroup(e, "the consumer is being closed")
		c.closing, c.closeDue = closeLeaving, c.closeLimit(e)
	}
	if c.has.Has(kafka.ConsumerLeaveAwaited) && c.awaited() && c.closeDue > e.Now {
		return
	}
	c.closeDue = clock.Never
	e.Ended = true
}

// commitToClose is the synchronous commit inside close: it looks the coordinator
// up if need be and repeats what can be repeated.
func (c *Client) commitToClose(e *Env) {
	switch {
	case c.awaits(kafka.OffsetCommit) || c.lookingUp():
	case c.coordinator == 0 && c.lookupAt <= e.Now:
		c.lookup(e)
	case c.coordinator == 0:
		c.wake = c.lookupAt
	case c.joinAt > e.Now:
		c.wake = c.joinAt
	case !c.commit(e, commitClosing):
		c.closeCommit = false
		c.continueClose(e)
	}
}

func (c *Client) awaits(api kafka.API) bool {
	for i := range c.inflight {
		if c.inflight[i].api == api {
			return true
		}
	}
	return false
}

// awaited reports whether the coordinator owes an answer.
func (c *Client) awaited() bool {
	for i := range c.inflight {
		if c.inflight[i].api != kafka.FindCoordinator {
			return true
		}
	}
	return false
}

func (c *Client) closeCallbacks(e *Env) {
	switch {
	case !c.has.Has(kafka.ConsumerCloseCallbacks):
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
		if c.cfg.APIVersions[kafka.LeaveGroup] >= 5 && c.has.Has(kafka.ConsumerReasons) {
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
