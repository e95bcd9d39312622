package consumer

import (
	"rebalancelab/engine/assignor"
	"rebalancelab/engine/clock"
	"rebalancelab/engine/event"
	"rebalancelab/engine/kafka"
)

// joinTimeoutLapse is added to the rebalance timeout for JoinGroup's own
// request timeout (AbstractCoordinator.JOIN_GROUP_TIMEOUT_LAPSE).
const joinTimeoutLapse = 5 * clock.Second

// ensureActive is the join loop: it sends what can be sent and applies what has
// arrived, but never waits. It reports whether the member is in the group.
func (c *Client) ensureActive(e *Env) bool {
	for c.rejoinNeeded || c.chain != noJoin {
		switch c.chain {
		case joinSent, syncSent:
			return false
		case synced:
			c.completeJoin(e)
			if c.closing != notClosing {
				return false
			}
			continue
		}
		if c.needsJoinPrepare {
			if !c.joinPrepare(e) {
				return false
			}
			c.needsJoinPrepare = false
		}
		if c.coordinator == 0 {
			return c.coordinatorReady(e)
		}
		if c.joinAt > e.Now {
			c.wake = min(c.wake, c.joinAt)
			return false
		}
		c.sendJoin(e)
	}
	return true
}

func (c *Client) sendJoin(e *Env) {
	c.state = PreparingRebalance
	c.disableThread()
	c.chain = joinSent
	r := c.memberRequest(kafka.JoinGroup)
	r.Generation = 0
	r.SessionTimeoutMs = int32(c.cfg.Settings.Values[kafka.SessionTimeoutMs])
	r.RebalanceTimeoutMs = r.SessionTimeoutMs
	timeout, config := c.millis(kafka.RequestTimeoutMs), kafka.RequestTimeoutMs
	if c.cfg.APIVersions[kafka.JoinGroup] >= 1 && c.has.Has(kafka.ConsumerPollTimer) {
		r.RebalanceTimeoutMs = int32(c.cfg.Settings.Values[kafka.MaxPollIntervalMs])
	}
	if longer := c.millis(kafka.MaxPollIntervalMs) + joinTimeoutLapse; c.has.Has(kafka.ConsumerJoinTimeout) && longer > timeout {
		timeout, config = longer, kafka.MaxPollIntervalMs
	}
	if c.has.Has(kafka.ConsumerReasons) && c.cfg.APIVersions[kafka.JoinGroup] >= 8 {
		r.Reason = c.rejoinReason
	}
	r.ProtocolType = "consumer"
	r.Protocols = c.subscriptions()
	if c.rejoinCause != 0 {
		e.Cause = c.rejoinCause // not the answer to the commit before it
	}
	e.Cause = c.log(e, event.Event{Kind: event.Joining, Member: c.gen.memberID, Text: c.rejoinReason})
	c.send(e, c.coordinator, r, inflight{deadline: e.after(timeout), config: config}, false)
}

// subscriptions is one protocol for each configured assignor, in their order.
func (c *Client) subscriptions() []kafka.Protocol {
	protocols := make([]kafka.Protocol, len(c.cfg.Strategies))
	for i, strategy := range c.cfg.Strategies {
		s := assignor.Subscription{Version: c.subscriptionVersion(), Topics: c.cfg.Topics, Generation: c.gen.id}
		if c.cooperative() {
			s.Owned = c.Owned()
		}
		s.UserData, s.HasUserData = assignor.UserData(strategy, c.lastGeneration)
		protocols[i] = kafka.Protocol{Name: strategy.String(), Metadata: string(assignor.EncodeSubscription(nil, &s))}
	}
	return protocols
}

// cooperative reports whether the client's rebalance protocol is COOPERATIVE:
// all its assignors support it.
func (c *Client) cooperative() bool {
	for _, strategy := range c.cfg.Strategies {
		if strategy != assignor.CooperativeSticky {
			return false
		}
	}
	return true
}

func (c *Client) onJoinGroup(e *Env, sent *inflight, r *kafka.Response, lost bool) {
	err := r.Error
	switch {
	case lost:
		c.forgetCoordinator(e, "disconnected")
		c.joinFailed(e, err, true, false)
	case err == kafka.None && c.state == PreparingRebalance:
		c.joined(e, r)
	case err == kafka.None:
		c.joinFailed(e, err, false, false)
	case err == kafka.CoordinatorLoadInProgress:
		c.joinFailed(e, err, false, false)
	case err == kafka.CoordinatorNotAvailable || err == kafka.NotCoordinator:
		c.joinFailed(e, err, false, false)
		c.leaveCoordinator(e, "error response "+err.String())
	case err == kafka.UnknownMemberID:
		if sent.gen == c.gen {
			c.resetOnError(e, false, err, kafka.JoinGroup)
		}
		c.joinFailed(e, err, false, true)
	case err == kafka.MemberIDRequired:
		c.gen = generation{id: kafka.NoGeneration, memberID: r.MemberID}
		c.chain = noJoin
		c.requestRejoin(e, "need to re-join with the given member-id: "+r.MemberID)
	case err == kafka.RebalanceInProgress && c.has.Has(kafka.ConsumerHeartbeatCompleting):
		c.joinFailed(e, err, false, true)
	default:
		c.chain = noJoin
		c.throw(e, err, "")
	}
}

// joinFailed ends the chain; the next JoinGroup follows at once, or with the
// next poll call.
func (c *Client) joinFailed(e *Env, err kafka.Error, lost, atOnce bool) {
	c.chain = noJoin
	c.joinAt = e.Now
	if !atOnce {
		c.joinAt = c.nextPollCall(e.Now)
	}
	c.requestRejoin(e, "rebalance failed due to "+exceptionName(err, lost))
}

// joined is the response handler of a JoinGroup that succeeded: the leader runs
// its assignor here, everybody sends SyncGroup.
func (c *Client) joined(e *Env, r *kafka.Response) {
	c.state = CompletingRebalance
	c.gen = generation{id: r.Generation, memberID: r.MemberID}
	c.protocol = r.ProtocolName
	c.chain = syncSent
	if c.has.Has(kafka.ConsumerHeartbeatCompleting) {
		c.enableThread(e)
	}
	if c.coordinator == 0 { // the answer was read after the connection was gone
		c.joinFailed(e, kafka.CoordinatorNotAvailable, false, false)
		return
	}
	request := c.memberRequest(kafka.SyncGroup)
	if c.cfg.APIVersions[kafka.SyncGroup] >= 5 {
		request.ProtocolType, request.ProtocolName = "consumer", c.protocol
	}
	if r.Leader == r.MemberID {
		c.leader = true
		c.snapshot = append([]int32(nil), c.metadata...)
		if !r.SkipAssignment {
			plan, ok := c.assign(e, r)
			if !ok {
				c.chain = noJoin
				c.throw(e, kafka.UnknownServerError, "IllegalStateException: the assignor failed")
				return
			}
			request.Assignments = plan
		}
	} else {
		c.snapshot = nil
		if c.has.Has(kafka.ConsumerAllWatch) {
			c.snapshot = append([]int32(nil), c.metadata...)
		}
	}
	c.send(e, c.coordinator, request, inflight{}, false)
}

func (c *Client) onSyncGroup(e *Env, sent *inflight, r *kafka.Response, lost bool) {
	err := r.Error
	if lost {
		c.forgetCoordinator(e, "disconnected")
		c.joinFailed(e, err, true, false)
		return
	}
	switch err {
	case kafka.None:
		c.syncedWith(e, r)
	case kafka.RebalanceInProgress:
		c.joinFailed(e, err, false, true)
	case kafka.UnknownMemberID, kafka.IllegalGeneration:
		if sent.gen == c.gen {
			c.resetOnError(e, err == kafka.IllegalGeneration, err, kafka.SyncGroup)
		}
		c.joinFailed(e, err, false, true)
	case kafka.CoordinatorNotAvailable, kafka.NotCoordinator:
		c.joinFailed(e, err, false, false)
		c.leaveCoordinator(e, "error response "+err.String())
	default:
		c.chain = noJoin
		c.throw(e, err, "")
	}
}

func (c *Client) syncedWith(e *Env, r *kafka.Response) {
	if c.state != CompletingRebalance || c.gen.id == kafka.NoGeneration {
		c.joinFailed(e, kafka.IllegalGeneration, false, true)
		return
	}
	c.state = Stable
	c.rejoinNeeded, c.rejoinReason, c.rejoinCause = false, "", 0
	c.chain, c.assignment = synced, r.Assignment
	if !c.has.Has(kafka.ConsumerHeartbeatCompleting) {
		c.enableThread(e)
	}
	e.Cause = c.log(e, event.Event{Kind: event.MemberStable, Member: c.gen.memberID, Generation: c.gen.id})
}

// subscriptionVersion is the version of the embedded consumer protocol.
func (c *Client) subscriptionVersion() int16 {
	switch {
	case c.has.Has(kafka.ConsumerGenerationTold):
		return 3
	case c.has.Has(kafka.ConsumerOwnedPartitions):
		return 1
	}
	return 0
}
