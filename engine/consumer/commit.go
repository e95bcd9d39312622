package consumer

import (
	"rebalancelab/engine/clock"
	"rebalancelab/engine/event"
	"rebalancelab/engine/kafka"
)

// commitPurpose says why an OffsetCommit was sent.
type commitPurpose uint8

const (
	commitAuto commitPurpose = iota
	commitBeforeJoin
	commitClosing
)

var commitReasons = [...]string{"auto", "before rejoin", "close"}

// autoCommit commits all positions when the interval has passed
// (ConsumerCoordinator.maybeAutoCommitOffsetsAsync).
func (c *Client) autoCommit(e *Env) {
	if !c.cfg.Settings.Bool(kafka.EnableAutoCommit) {
		return
	}
	if c.commitDue == clock.Never {
		c.commitDue = e.after(c.millis(kafka.AutoCommitIntervalMs))
	}
	if c.commitDue <= e.Now {
		c.commitDue = e.after(c.millis(kafka.AutoCommitIntervalMs))
		c.commit(e, commitAuto)
	}
	c.wake = min(c.wake, c.commitDue)
}

// commit sends an OffsetCommit of all positions. It reports whether one is
// under way: there may be nothing to commit, or the client refuses by itself.
func (c *Client) commit(e *Env, purpose commitPurpose) bool {
	if !c.hasPositions() || c.coordinator == 0 {
		return false
	}
	if c.state != Stable {
		c.log(e, event.Event{Kind: event.CommitFailed, Text: commitReasons[purpose] + ": no active generation"})
		return false
	}
	r := c.sign(e.request(kafka.OffsetCommit))
	for i := range c.parts {
		if p := &c.parts[i]; p.position >= 0 {
			r.Offsets = append(r.Offsets, kafka.CommittedOffset{TopicPartition: p.TopicPartition, Offset: p.position, LeaderEpoch: 0})
		}
	}
	r.RetentionMs = -1
	c.send(e, c.coordinator, r, inflight{purpose: purpose}, purpose == commitAuto)
	return true
}

// onOffsetCommit looks at the first error; all partitions share one record
// batch, so they differ only in what the scenario language cannot say.
func (c *Client) onOffsetCommit(e *Env, sent *inflight, r *kafka.Response, lost bool) {
	err := r.FirstError()
	if !lost && err == kafka.None {
		if c.prepare == prepareCommitting && sent.purpose == commitBeforeJoin {
			c.prepare = prepareCommitted
		}
		if sent.purpose == commitClosing {
			c.closeCommit = false
		}
		return
	}
	c.log(e, event.Event{Kind: event.CommitFailed, Error: err, Text: commitReasons[sent.purpose] + ": " + commitException(err, lost)})
	c.commitRefused(e, sent, err)
	if sent.purpose == commitBeforeJoin && c.prepare == prepareCommitting {
		c.prepare = prepareCommitted
		if lost || retriable(err) {
			c.prepare, c.joinAt = prepareRetry, c.nextPollCall(e.Now)
		}
	}
	if sent.purpose == commitClosing {
		c.closeCommit = lost || retriable(err)
		c.joinAt = e.after(c.backoff(c.failures))
		c.failures++
	}
	if sent.purpose == commitAuto && (lost || retriable(err)) {
		c.commitDue = e.after(c.millis(kafka.RetryBackoffMs))
	}
}

func (c *Client) commitRefused(e *Env, sent *inflight, err kafka.Error) {
	stale := sent.gen != c.gen && c.state == PreparingRebalance
	switch err {
	case kafka.CoordinatorNotAvailable, kafka.NotCoordinator, kafka.RequestTimedOut:
		c.leaveCoordinator(e, "error response "+err.String())
	case kafka.RebalanceInProgress:
		c.requestRejoin(e, "offset commit failed since group is already rebalancing")
	case kafka.UnknownMemberID, kafka.IllegalGeneration:
		switch {
		case !c.has.Has(kafka.ConsumerHeartbeatThread):
			c.requestRejoin(e, "encountered "+err.String()+" from OFFSET_COMMIT response")
		case !stale:
			c.resetOnError(e, err == kafka.IllegalGeneration, err, kafka.OffsetCommit)
		}
	case kafka.FencedInstanceID:
		if sent.gen == c.gen && sent.purpose == commitAuto {
			c.failure = err
		}
	}
}

// commitException is the simple name of what the application would see.
func commitException(err kafka.Error, lost bool) string {
	switch {
	case lost || retriable(err):
		return "RetriableCommitFailedException"
	case err == kafka.UnknownMemberID || err == kafka.IllegalGeneration:
		return "CommitFailedException"
	case err == kafka.RebalanceInProgress:
		return "RebalanceInProgressException"
	case err == kafka.FencedInstanceID:
		return "FencedInstanceIdException"
	}
	return err.String()
}
