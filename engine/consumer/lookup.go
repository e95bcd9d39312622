package consumer

import (
	"rebalancelab/engine/clock"
	"rebalancelab/engine/event"
	"rebalancelab/engine/kafka"
)

// threadLookupPause is how long the heartbeat thread waits after a failed
// lookup: it looks at every second turn of retry.backoff.ms (section 8.1).
const threadLookupPause = 2

// coordinatorReady looks the coordinator up while it is unknown; one lookup at
// a time is under way (AbstractCoordinator.ensureCoordinatorReady).
func (c *Client) coordinatorReady(e *Env) bool {
	if c.coordinator != 0 {
		return true
	}
	if c.lookingUp() {
		return false
	}
	if c.lookupAt > e.Now {
		c.wake = min(c.wake, c.lookupAt)
		return false
	}
	c.lookup(e)
	return false
}

func (c *Client) lookingUp() bool {
	for i := range c.inflight {
		if c.inflight[i].api == kafka.FindCoordinator {
			return true
		}
	}
	return false
}

func (c *Client) lookup(e *Env) {
	brokers := e.Cluster.Brokers()
	to := event.Node(c.bootstrap%brokers + 1)
	c.lookups++
	c.send(e, to, &kafka.Request{API: kafka.FindCoordinator}, inflight{}, c.lookups > 1)
}

func (c *Client) onFindCoordinator(e *Env, r *kafka.Response, lost bool) {
	if lost {
		c.bootstrap++
	}
	waiting := !lost && r.Error == kafka.None && event.Node(r.Node) == c.refused && e.Now < c.refusedTo
	switch {
	case !lost && r.Error == kafka.None && !waiting:
		c.coordinator, c.lookups = event.Node(r.Node), 0
		e.Connect = c.coordinator
		e.Cause = c.log(e, event.Event{Kind: event.CoordinatorFound, Peer: c.coordinator})
		if c.thread {
			c.sessionDue = e.after(c.millis(kafka.SessionTimeoutMs))
		}
	case !lost && !waiting && !retriable(r.Error):
		c.throw(e, r.Error, "")
	case c.closing != notClosing:
		c.lookupAt = e.after(c.backoff(c.lookups - 1))
	case c.busy():
		c.lookupAt = e.after(threadLookupPause * c.millis(kafka.RetryBackoffMs))
	default:
		c.lookupAt = c.nextPollCall(e.Now)
	}
}

// The pause before a lost connection is made again: reconnect.backoff.ms and
// reconnect.backoff.max.ms (0.11+; the same 50 ms every time before).
const (
	reconnectBackoff    = 50 * clock.Millisecond
	reconnectBackoffMax = clock.Second
)

// noteRefusal keeps the client from connecting to a broker again at once
// (ClusterConnectionStates.updateReconnectBackoff).
func (c *Client) noteRefusal(e *Env, broker event.Node) {
	if c.refused != broker {
		c.refused, c.refusals = broker, 0
	}
	pause := reconnectBackoff
	if !c.cfg.Client.Before(0, 11, 0) {
		pause = min(reconnectBackoff<<min(c.refusals, 10), reconnectBackoffMax)
	}
	c.refusals++
	c.refusedTo = e.after(pause)
}

// forgetCoordinator marks the coordinator unknown. It touches neither state nor
// generation.
func (c *Client) forgetCoordinator(e *Env, why string) {
	if c.coordinator == 0 {
		return
	}
	c.log(e, event.Event{Kind: event.CoordinatorUnknown, Peer: c.coordinator, Text: why})
	c.coordinator = 0
	c.lookupAt = e.Now
}

// leaveCoordinator marks the coordinator unknown after an answer that said so:
// the client drops that connection, and what is under way on it fails.
func (c *Client) leaveCoordinator(e *Env, why string) {
	broker := c.coordinator
	if broker == 0 {
		return
	}
	c.forgetCoordinator(e, why)
	e.Hangups = append(e.Hangups, Hangup{To: broker, Group: true})
	for _, corr := range c.lostRequests(broker, true) {
		c.handle(e, &kafka.Response{Corr: corr}, true)
	}
}

// retriable reports whether Kafka's exception for the error is a RetriableException.
func retriable(err kafka.Error) bool {
	switch err {
	case kafka.UnknownTopicOrPartition, kafka.RequestTimedOut, kafka.CoordinatorLoadInProgress,
		kafka.CoordinatorNotAvailable, kafka.NotCoordinator, kafka.UnstableOffsetCommit:
		return true
	}
	return false
}

// exceptionName is the simple name of Kafka's exception for an error.
func exceptionName(err kafka.Error, lost bool) string {
	if lost {
		return "DisconnectException"
	}
	switch err {
	case kafka.CoordinatorLoadInProgress:
		return "CoordinatorLoadInProgressException"
	case kafka.CoordinatorNotAvailable:
		return "CoordinatorNotAvailableException"
	case kafka.NotCoordinator:
		return "NotCoordinatorException"
	case kafka.UnknownMemberID:
		return "UnknownMemberIdException"
	case kafka.IllegalGeneration:
		return "IllegalGenerationException"
	case kafka.RebalanceInProgress:
		return "RebalanceInProgressException"
	}
	return "KafkaException"
}

// backoff is the exponential back-off of attempt n without its random part.
func (c *Client) backoff(n int32) clock.Duration {
	base, limit := c.millis(kafka.RetryBackoffMs), c.millis(kafka.RetryBackoffMaxMs)
	if c.cfg.Client.Before(3, 7, 0) || limit <= base {
		return base
	}
	return min(base<<min(max(n, 0), 20), limit)
}
