package consumer

import (
	"rebalancelab/engine/clock"
	"rebalancelab/engine/event"
	"rebalancelab/engine/kafka"
)

// enableThread starts heartbeats and all three timers, after JoinGroup
// succeeded (before 2.7: after SyncGroup).
func (c *Client) enableThread(e *Env) {
	c.thread = !c.cfg.NoHeartbeat
	c.failures = 0
	if !c.thread {
		return
	}
	c.heartbeatDue = e.after(c.millis(kafka.HeartbeatIntervalMs))
	c.sessionDue = e.after(c.millis(kafka.SessionTimeoutMs))
	c.threadCause = e.Cause
}

// threadDue is when the heartbeat thread has something to do. Without a thread
// (0.9) the same timers are looked at inside poll only.
func (c *Client) threadDue() clock.Time {
	if !c.has.Has(kafka.ConsumerHeartbeatThread) && (c.busy() || c.rejoinNeeded) {
		return clock.Never
	}
	if c.coordinator == 0 {
		if c.lookingUp() || !c.busy() {
			return clock.Never
		}
		return c.lookupAt
	}
	return min(c.heartbeatDue, c.sessionDue, c.pollDue)
}

// threadTurn is one turn of HeartbeatThread.run: the first that is due is done.
func (c *Client) threadTurn(e *Env) {
	e.Cause = c.threadCause
	switch {
	case c.coordinator == 0:
		c.lookup(e)
	case c.sessionDue <= e.Now:
		c.leaveCoordinator(e, "session timed out without receiving a heartbeat response")
	case c.pollDue <= e.Now:
		e.Cause = c.busyCause
		c.pollOverdue(e)
	case c.heartbeatDue <= e.Now:
		c.heartbeat(e)
	}
}

// heartbeatInPoll is 0.9's delayed task, which runs inside poll.
func (c *Client) heartbeatInPoll(e *Env) {
	if c.thread && !c.rejoinNeeded && c.threadDue() <= e.Now {
		c.threadTurn(e)
	}
}

func (c *Client) heartbeat(e *Env) {
	c.heartbeatDue = e.after(c.millis(kafka.HeartbeatIntervalMs))
	c.send(e, c.coordinator, c.sign(e.request(kafka.Heartbeat)), inflight{}, true)
}

// pollOverdue leaves the group because poll was not called in time. A static
// member sends no LeaveGroup; no callback is called before the next poll.
func (c *Client) pollOverdue(e *Env) {
	c.pollDue = clock.Never
	e.Cause = c.log(e, event.Event{Kind: event.PollOverdue, Config: kafka.MaxPollIntervalMs})
	c.leaveGroup(e, "consumer poll timeout has expired.")
}

func (c *Client) onHeartbeat(e *Env, sent *inflight, r *kafka.Response, lost bool) {
	unchanged := sent.gen == c.gen
	switch {
	case lost:
		c.heartbeatFailed(e)
	case r.Error == kafka.None:
		c.heartbeatSucceeded(e)
	case r.Error == kafka.CoordinatorNotAvailable || r.Error == kafka.NotCoordinator:
		c.heartbeatFailed(e)
		c.leaveCoordinator(e, "error response "+r.Error.String())
	case r.Error == kafka.RebalanceInProgress:
		c.heartbeatSucceeded(e)
		if c.state == Stable && !c.rejoinNeeded {
			c.requestRejoin(e, "group is already rebalancing")
		}
	case r.Error == kafka.IllegalGeneration || r.Error == kafka.UnknownMemberID || r.Error == kafka.FencedInstanceID:
		if !unchanged {
			c.heartbeatSucceeded(e)
			return
		}
		c.heartbeatRefused(e, r.Error)
	default:
		c.heartbeatFailed(e)
	}
}

// heartbeatRefused handles an answer that says that the membership is gone.
// 0.9 keeps the member id on ILLEGAL_GENERATION.
func (c *Client) heartbeatRefused(e *Env, err kafka.Error) {
	if !c.has.Has(kafka.ConsumerHeartbeatThread) && err == kafka.IllegalGeneration {
		c.requestRejoin(e, "encountered "+err.String()+" from HEARTBEAT response")
		return
	}
	c.resetOnError(e, err == kafka.IllegalGeneration, err, kafka.Heartbeat)
	if err == kafka.FencedInstanceID {
		c.failure = err
	}
}

func (c *Client) heartbeatSucceeded(e *Env) {
	c.failures = 0
	if c.thread {
		c.sessionDue = e.after(c.millis(kafka.SessionTimeoutMs))
	}
}

// heartbeatFailed repeats the heartbeat after the back-off.
func (c *Client) heartbeatFailed(e *Env) {
	if c.thread {
		c.heartbeatDue = e.after(c.backoff(c.failures))
		c.failures++
	}
}
