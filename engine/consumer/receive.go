package consumer

import (
	"slices"

	"rebalancelab/engine/clock"
	"rebalancelab/engine/event"
	"rebalancelab/engine/kafka"
)

// Receive takes an answer from a broker. While the application is busy and the
// heartbeat thread is disabled nobody reads it: it waits for the next poll.
func (c *Client) Receive(e *Env, response *kafka.Response) {
	c.take(e, response, false)
}

// Disconnected tells that the connection to a broker is gone; every request
// under way on it fails.
func (c *Client) Disconnected(e *Env, broker event.Node, group bool) {
	if group {
		c.noteRefusal(e, broker)
	}
	lost := c.lostRequests(broker, group)
	if len(lost) == 0 && !(group && broker == c.coordinator) {
		return
	}
	if group && broker == c.coordinator {
		c.forgetCoordinator(e, "disconnected")
	}
	for _, corr := range lost {
		c.take(e, &kafka.Response{Corr: corr}, true)
		if e.Ended {
			return
		}
	}
	if len(lost) == 0 && !c.busy() && c.closing == notClosing {
		c.pollTurn(e)
	}
}

func (c *Client) take(e *Env, response *kafka.Response, lost bool) {
	if c.find(response.Corr) < 0 {
		return
	}
	if c.closing == notClosing && !c.networkDriven() {
		c.held = append(c.held, heldResponse{*response, e.Cause, lost})
		return
	}
	c.handle(e, response, lost)
	switch {
	case e.Ended:
	case c.closing != notClosing:
		c.continueClose(e)
	case !c.busy():
		c.pollTurn(e)
	}
}

// handle is the response handler of one request.
func (c *Client) handle(e *Env, r *kafka.Response, lost bool) {
	i := c.find(r.Corr)
	if i < 0 {
		return
	}
	sent := c.inflight[i]
	c.inflight = slices.Delete(c.inflight, i, i+1)
	if !lost && sent.to == c.refused && sent.api != kafka.FindCoordinator {
		c.refused, c.refusals = 0, 0
	}
	if c.closing != notClosing && (sent.api == kafka.JoinGroup || sent.api == kafka.SyncGroup) {
		return // it has left; nobody asks any more
	}
	switch sent.api {
	case kafka.FindCoordinator:
		c.onFindCoordinator(e, r, lost)
	case kafka.JoinGroup:
		c.onJoinGroup(e, &sent, r, lost)
	case kafka.SyncGroup:
		c.onSyncGroup(e, &sent, r, lost)
	case kafka.Heartbeat:
		c.onHeartbeat(e, &sent, r, lost)
	case kafka.OffsetCommit:
		c.onOffsetCommit(e, &sent, r, lost)
	case kafka.OffsetFetch:
		c.onOffsetFetch(e, r, lost)
	case kafka.LeaveGroup:
		// The answer only ends the wait inside close.
	}
}

func (c *Client) find(corr int64) int {
	return slices.IndexFunc(c.inflight, func(f inflight) bool { return f.corr == corr })
}

// lostRequests lists the requests under way on one connection.
func (c *Client) lostRequests(broker event.Node, group bool) []int64 {
	var lost []int64
	for i := range c.inflight {
		f := &c.inflight[i]
		if f.to == broker && (f.api != kafka.FindCoordinator) == group {
			lost = append(lost, f.corr)
		}
	}
	return lost
}

// expireRequests gives up requests without an answer in time: the client closes
// that connection, so all requests on it fail.
func (c *Client) expireRequests(e *Env) {
	for i := 0; i < len(c.inflight) && c.networkDriven(); i++ {
		f := c.inflight[i]
		if f.deadline > e.Now {
			continue
		}
		e.Cause = c.log(e, event.Event{Kind: event.Timeout, API: f.api, Corr: f.corr, Peer: f.to, Config: f.config})
		group := f.api != kafka.FindCoordinator
		e.Hangups = append(e.Hangups, Hangup{To: f.to, Group: group})
		c.Disconnected(e, f.to, group)
		if e.Ended || c.closing != notClosing {
			return
		}
		i = -1
	}
}

// send hands a request to the network.
func (c *Client) send(e *Env, to event.Node, r *kafka.Request, f inflight, routine bool) {
	c.corr++
	r.Corr, r.ClientID, r.ClientHost, r.Group = c.corr, c.cfg.ClientID, c.cfg.Host, c.cfg.Group
	r.Version = c.cfg.APIVersions[r.API]
	f.corr, f.api, f.to, f.gen = r.Corr, r.API, to, c.gen
	if f.deadline == 0 {
		f.deadline, f.config = e.after(c.millis(kafka.RequestTimeoutMs)), kafka.RequestTimeoutMs
	}
	c.inflight = append(c.inflight, f)
	e.Sends = append(e.Sends, Send{To: to, Group: r.API != kafka.FindCoordinator, Routine: routine, Cause: e.Cause, Request: r})
}

// memberRequest is a request that names this member and its generation.
func (c *Client) memberRequest(api kafka.API) *kafka.Request {
	return c.sign(&kafka.Request{API: api})
}

// sign fills in who asks.
func (c *Client) sign(r *kafka.Request) *kafka.Request {
	r.MemberID, r.Generation = c.gen.memberID, c.gen.id
	if c.has.Has(kafka.ConsumerStatic) {
		r.InstanceID = c.cfg.Settings.Texts[kafka.GroupInstanceID]
	}
	return r
}

func (c *Client) static() bool {
	return c.has.Has(kafka.ConsumerStatic) && c.cfg.Settings.Texts[kafka.GroupInstanceID] != ""
}

// resetGeneration forgets the generation, and the member id unless it is kept.
func (c *Client) resetGeneration(e *Env, keepID bool, why string) {
	id := ""
	if keepID && c.has.Has(kafka.ConsumerKeepsMemberID) {
		id = c.gen.memberID
	}
	c.state = Unjoined
	c.gen = generation{id: kafka.NoGeneration, memberID: id}
	c.protocol = ""
	c.needsJoinPrepare = true
	c.disableThread()
	c.log(e, event.Event{Kind: event.MemberReset, Member: id, Text: why})
	c.requestRejoin(e, why)
}

func (c *Client) disableThread() {
	c.thread = false
	c.heartbeatDue, c.sessionDue = clock.Never, clock.Never
}

// resetOnError is resetStateOnResponseError: the reason names error and API.
func (c *Client) resetOnError(e *Env, keepID bool, err kafka.Error, api kafka.API) {
	c.resetGeneration(e, keepID, "encountered "+err.String()+" from "+requestName(api)+" response")
}

// requestName is ApiKeys' name of an API as the client's texts have it.
func requestName(api kafka.API) string {
	switch api {
	case kafka.JoinGroup:
		return "JOIN_GROUP"
	case kafka.SyncGroup:
		return "SYNC_GROUP"
	case kafka.OffsetCommit:
		return "OFFSET_COMMIT"
	}
	return "HEARTBEAT"
}
