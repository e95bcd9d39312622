package consumer

import (
	"slices"

	"rebalancelab/engine/clock"
	"rebalancelab/engine/event"
	"rebalancelab/engine/kafka"
)

// maxTurns bounds the turns of one poll call: records that take no time to
// process make another turn at once, which finds nothing left.
const maxTurns = 4

// enterPoll brings the application back into its poll loop: first it reads the
// answers that came while nobody drove the network.
func (c *Client) enterPoll(e *Env) {
	c.busyUntil, c.pollDue = clock.Never, clock.Never
	c.pollStart = e.Now
	if c.stalled {
		c.stalled = false
		c.log(e, event.Event{Kind: event.StallEnded})
	}
	held := c.held
	c.held = nil
	for i := range held {
		e.Cause = held[i].cause
		c.handle(e, &held[i].response, held[i].lost)
		if c.closing != notClosing || e.Ended {
			return
		}
	}
	c.expireRequests(e)
	if !c.busy() && c.closing == notClosing && !e.Ended {
		c.pollTurn(e)
	}
}

// goBusy lets the application process for d. The poll timer runs from the start
// of the poll call that returned.
func (c *Client) goBusy(e *Env, d clock.Duration) {
	c.busyUntil, c.busyCause = e.Now.Add(d), e.Cause
	if c.has.Has(kafka.ConsumerPollTimer) {
		calls := e.Now.Sub(c.pollStart) / PollTimeout
		c.pollDue = c.pollStart.Add(calls * PollTimeout).Add(c.millis(kafka.MaxPollIntervalMs))
	}
}

// nextPollCall is when the poll call that is under way returns empty-handed and
// the application polls again: the pace of everything that poll retries.
func (c *Client) nextPollCall(now clock.Time) clock.Time {
	if c.busy() {
		return c.busyUntil
	}
	calls := now.Sub(c.pollStart)/PollTimeout + 1
	return c.pollStart.Add(calls * PollTimeout)
}

// pollTurn is one turn of KafkaConsumer.poll: the coordinator's part, positions,
// records. It leaves in c.wake when the loop has something to do by itself.
func (c *Client) pollTurn(e *Env) {
	for range maxTurns {
		c.wake = clock.Never
		if c.failure != kafka.None {
			failure := c.failure
			c.failure = kafka.None
			c.throw(e, failure, "")
			return
		}
		c.refreshMetadata(e)
		active := c.coordinatorPart(e)
		if c.closing != notClosing || e.Ended {
			return
		}
		if active {
			c.autoCommit(e)
			c.updatePositions(e)
		}
		if !active && !c.has.Has(kafka.ConsumerPollDuringJoin) {
			return
		}
		if !c.takeRecords(e) {
			return
		}
		if c.busy() {
			return
		}
	}
}

// coordinatorPart is ConsumerCoordinator.poll: it reports whether the member is
// in the group.
func (c *Client) coordinatorPart(e *Env) bool {
	if !c.coordinatorReady(e) {
		return false
	}
	if !c.has.Has(kafka.ConsumerHeartbeatThread) {
		c.heartbeatInPoll(e)
		if c.coordinator == 0 {
			return c.coordinatorReady(e)
		}
	}
	return c.ensureActive(e)
}

// fetchMetadata asks for the partition counts of the subscribed topics.
func (c *Client) fetchMetadata(e *Env) []int32 {
	counts := make([]int32, len(c.cfg.Topics))
	for i, topic := range c.cfg.Topics {
		counts[i] = e.Cluster.PartitionCount(topic)
	}
	return counts
}

// refreshMetadata looks at the metadata once its age is reached; a change makes
// the leader rejoin (in 0.9 every member).
func (c *Client) refreshMetadata(e *Env) {
	if c.metadataDue <= e.Now {
		c.metadataDue = e.after(c.millis(kafka.MetadataMaxAgeMs))
		c.metadata = c.fetchMetadata(e)
		watches := c.leader || c.has.Has(kafka.ConsumerAllWatch)
		if watches && c.snapshot != nil && c.state == Stable && !slices.Equal(c.snapshot, c.metadata) {
			c.requestRejoin(e, "cached metadata has changed")
		}
	}
	c.wake = min(c.wake, c.metadataDue)
}

// requestRejoin notes that a join must be attempted, and the reason to send.
func (c *Client) requestRejoin(e *Env, reason string) {
	c.rejoinNeeded, c.rejoinReason = true, reason
	c.rejoinCause = c.log(e, event.Event{Kind: event.RejoinNeeded, Text: reason})
}

// throw lets an exception leave poll. The application closes the consumer.
func (c *Client) throw(e *Env, err kafka.Error, text string) {
	c.lastError, c.lastException = err, text
	if text == "" {
		c.lastException = err.String()
	}
	e.Cause = c.log(e, event.Event{Kind: event.Exception, Error: err, Text: text})
	if c.closing != notClosing {
		c.closeCommit = false
		return
	}
	c.beginClose(e)
}

// Poke lets a client that waits inside poll look at its partitions again.
func (c *Client) Poke(e *Env) {
	if !c.busy() && c.closing == notClosing {
		c.pollTurn(e)
	}
}
