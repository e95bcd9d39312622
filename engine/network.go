package engine

import (
	"rebalancelab/engine/clock"
	"rebalancelab/engine/coordinator"
	"rebalancelab/engine/event"
	"rebalancelab/engine/kafka"
)

// message is a request or a response in flight.
type message struct {
	used     bool
	process  int32 // the consumer at one end
	broker   int32 // index of the broker at the other
	group    bool  // on the coordinator's connection
	epoch    int32 // of the connection
	start    int64 // incarnation of the process
	server   int32 // start of the broker
	routine  bool  // it changes nothing worth reading
	sent     uint64
	sentAt   clock.Time
	arrives  clock.Time
	request  *kafka.Request // nil: a response
	response *kafka.Response
}

// connection is one TCP connection of a consumer to a broker. A broker reads
// the next request from it only after it has answered the last one.
type connection struct {
	broker  int32 // index
	group   bool
	epoch   int32
	busy    bool
	corr    int64      // of the request in work
	version int16      // of its API
	routine bool       // the request in work changes nothing worth reading
	toAt    clock.Time // arrival of the last message to the broker: order is kept
	backAt  clock.Time // arrival of the last message back
	queue   []int32    // messages that wait behind the one in work
}

// cut is a pair of nodes between which no message passes.
type cut struct{ a, b event.Node }

// link is a `link` line of the scenario with its ends found.
type link struct {
	a, b    event.Node
	latency clock.Duration
}

// resolveLinks finds the ends of the scenario's links; those of consumers that
// do not exist yet are found when they come.
func (w *World) resolveLinks() {
	w.links = nil
	for _, l := range w.scenario.Links {
		if a, b := w.node(l.A), w.node(l.B); a != 0 && b != 0 {
			w.links = append(w.links, link{a, b, l.Latency})
		}
	}
}

func (w *World) isCut(a, b event.Node) bool {
	for _, c := range w.cuts {
		if c == (cut{a, b}) || c == (cut{b, a}) {
			return true
		}
	}
	return false
}

// latency is the way of one message between two nodes, without jitter.
func (w *World) latency(a, b event.Node) clock.Duration {
	for i := len(w.links) - 1; i >= 0; i-- {
		if l := &w.links[i]; l.a == a && l.b == b || l.a == b && l.b == a {
			return l.latency
		}
	}
	return w.scenario.Network.Latency
}

// travel draws what a message meets: its time on the way, or its loss.
func (w *World) travel(a, b event.Node) (clock.Duration, bool) {
	n := &w.scenario.Network
	d := w.latency(a, b)
	if n.Jitter > 0 {
		d += clock.Duration(w.network.Below(int64(n.Jitter) + 1))
	}
	lost := n.LossPPM > 0 && w.network.Below(1_000_000) < int64(n.LossPPM)
	return d, lost || w.isCut(a, b)
}

// sendRequest puts a consumer's request on its connection.
func (w *World) sendRequest(p *process, to event.Node, group, routine bool, cause uint64, r *kafka.Request) {
	r.Trim()
	b := w.broker(to)
	c := p.connection(b.index, group)
	d, lost := w.travel(p.node, to)
	at := max(w.now.Add(d), c.toAt)
	reason := r.Reason
	if len(r.Members) > 0 { // of a LeaveGroup
		reason = r.Members[0].Reason
	}
	e := event.Event{Kind: event.Request, Cause: cause, Due: at, API: r.API, Corr: r.Corr, Node: p.node, Peer: to,
		Group: r.Group, Member: r.MemberID, Generation: r.Generation, Text: reason, At: w.now}
	var seq uint64
	if routine {
		seq = w.log.Routine(e)
	} else {
		seq = w.log.Add(e)
	}
	switch {
	case lost:
		w.event(event.Event{Kind: event.Lost, Cause: seq, Node: p.node, Peer: to, API: r.API, Corr: r.Corr})
	case !b.up:
		w.loseConnection(p, c, d, seq)
	default:
		c.toAt = at
		w.post(message{process: p.index, broker: b.index, group: group, epoch: c.epoch, start: p.incarnation, server: b.starts,
			routine: routine, sent: seq, request: r, arrives: at}, seq)
	}
}

// sendResponse puts a broker's answer on the connection that the request came
// on. The broker may then read the next request.
func (w *World) sendResponse(b *broker, p *process, c *connection, reply *coordinator.Reply) {
	r := &reply.Response
	r.Trim(c.version)
	err := r.FirstError()
	routine := c.routine && (err == kafka.None || r.API == kafka.FindCoordinator)
	d, lost := w.travel(b.node(), p.node)
	at := max(w.now.Add(d), c.backAt)
	e := event.Event{Kind: event.Response, Cause: reply.Cause, Rule: reply.Rule, Guard: reply.Guard, Due: at, API: r.API, Corr: r.Corr, Error: err,
		Node: b.node(), Peer: p.node, Group: p.config.Group, Member: r.MemberID, Generation: r.Generation, Text: r.Leader, At: w.now}
	var seq uint64
	if routine {
		seq = w.log.Routine(e)
	} else {
		seq = w.log.Add(e)
	}
	c.busy = false
	if len(c.queue) > 0 {
		w.add(connectionFree, w.now, p.index, w.pack(p, c), 0)
	}
	if lost {
		w.event(event.Event{Kind: event.Lost, Cause: seq, Node: b.node(), Peer: p.node, API: r.API, Corr: r.Corr})
		return
	}
	c.backAt = at
	w.post(message{process: p.index, broker: b.index, group: c.group, epoch: c.epoch, start: p.incarnation,
		sent: seq, response: w.keepResponse(r), arrives: at}, seq)
}

func (w *World) post(m message, cause uint64) {
	m.used, m.sentAt = true, w.now
	var i int32
	if n := len(w.freeMsgs); n > 0 {
		i, w.freeMsgs = w.freeMsgs[n-1], w.freeMsgs[:n-1]
		w.messages[i] = m
	} else {
		i = int32(len(w.messages))
		w.messages = append(w.messages, m)
	}
	w.add(messageArrives, m.arrives, i, 0, cause)
}

func (w *World) release(i int32) {
	w.messages[i] = message{}
	w.freeMsgs = append(w.freeMsgs, i)
}

// keepResponse copies a response for its way; the copy is used again once it has
// been received.
func (w *World) keepResponse(r *kafka.Response) *kafka.Response {
	n := len(w.responses)
	if n == 0 {
		copied := *r
		return &copied
	}
	kept := w.responses[n-1]
	w.responses = w.responses[:n-1]
	*kept = *r
	return kept
}

// reused reports whether a request is used again once it has been served: the
// coordinator keeps nothing of it.
func reused(r *kafka.Request) bool { return r.API == kafka.Heartbeat || r.API == kafka.OffsetCommit }

// cloneMessages copies what is used again after it has arrived.
func cloneMessages(from []message) []message {
	to := append([]message(nil), from...)
	for i := range to {
		if r := to[i].request; r != nil && reused(r) {
			copied := *r
			copied.Offsets = append([]kafka.CommittedOffset(nil), r.Offsets...)
			to[i].request = &copied
		}
		if r := to[i].response; r != nil {
			copied := *r
			to[i].response = &copied
		}
	}
	return to
}

// arrive hands a message to the node at its end, if that still waits for it.
func (w *World) arrive(i int32) {
	m := &w.messages[i]
	p, b := w.processes[m.process], w.brokers[m.broker]
	if m.request != nil && (!b.up || b.starts != m.server) {
		w.release(i)
		return
	}
	c := p.find(m.broker, m.group)
	if c == nil || c.epoch != m.epoch || p.incarnation != m.start {
		w.arriveAfterTheEnd(b, p, i)
		return
	}
	if m.request == nil {
		response, sent := m.response, m.sent
		w.release(i)
		w.receive(p, response, sent)
		w.responses = append(w.responses, response)
		return
	}
	if c.busy {
		c.queue = append(c.queue, i)
		return
	}
	request, sent, routine := m.request, m.sent, m.routine
	w.release(i)
	w.serve(b, p, c, request, sent, routine)
}

// arriveAfterTheEnd is for messages of a process that has ended or of a connection
// that its consumer has closed: the broker still reads a request that was under
// way, and nobody reads the answer.
func (w *World) arriveAfterTheEnd(b *broker, p *process, i int32) {
	request, sent := w.messages[i].request, w.messages[i].sent
	w.release(i)
	if request == nil || request.API == kafka.FindCoordinator {
		return
	}
	b.coordinator.Handle(w.now, p.node, request, sent, &w.out)
	w.flush(b, p.node)
}

// serveNext reads the request that waited behind the last one.
func (w *World) serveNext(p *process, packed int64) {
	c := w.unpack(p, packed)
	if c == nil || c.busy || len(c.queue) == 0 {
		return
	}
	i := c.queue[0]
	c.queue = c.queue[1:]
	request, sent, routine := w.messages[i].request, w.messages[i].sent, w.messages[i].routine
	w.release(i)
	w.serve(w.brokers[c.broker], p, c, request, sent, routine)
}

// serve lets a broker work on a request.
func (w *World) serve(b *broker, p *process, c *connection, r *kafka.Request, sent uint64, routine bool) {
	c.busy, c.corr, c.version = true, r.Corr, r.Version
	c.routine = routine || r.API == kafka.OffsetCommit
	if r.API == kafka.FindCoordinator {
		answer := coordinator.Reply{Cause: sent, Response: w.findCoordinator(b, r, sent)}
		w.sendResponse(b, p, c, &answer)
		return
	}
	b.coordinator.Handle(w.now, p.node, r, sent, &w.out)
	w.flush(b, p.node)
	if reused(r) {
		w.env.Spare = append(w.env.Spare, r)
	}
}

// loseConnection closes a connection from the broker's side; the consumer learns
// it after delay, and after the answers that are under way.
func (w *World) loseConnection(p *process, c *connection, delay clock.Duration, cause uint64) {
	at := max(w.now.Add(delay), c.backAt)
	w.dropQueue(c)
	c.busy, c.corr, c.backAt = false, 0, at
	w.add(connectionLost, at, p.index, w.pack(p, c), cause)
}

// hangUp closes a connection from the consumer's side.
func (w *World) hangUp(p *process, broker int32, group bool) {
	if c := p.find(broker, group); c != nil {
		w.dropQueue(c)
		c.epoch++
		c.busy, c.toAt, c.backAt = false, 0, 0
	}
}

func (w *World) dropQueue(c *connection) {
	for _, i := range c.queue {
		w.release(i)
	}
	c.queue = nil
}

// connectionLost tells a consumer that a connection is gone.
func (w *World) connectionLost(p *process, item clock.Item) {
	c := w.unpack(p, item.Arg)
	if c == nil || !p.running() {
		return
	}
	c.epoch++
	c.toAt, c.backAt = 0, 0
	broker := w.brokers[c.broker]
	seq := w.event(event.Event{Kind: event.Disconnect, Cause: item.Cause, Node: p.node, Peer: broker.node()})
	e := w.occasion(seq)
	p.client.Disconnected(e, broker.node(), c.group)
	w.settle(p)
}

// pack names a connection of a process's incarnation in one number.
func (w *World) pack(p *process, c *connection) int64 {
	group := int64(0)
	if c.group {
		group = 1
	}
	return p.incarnation<<32 | int64(c.epoch&0xffff)<<16 | int64(c.broker)<<1 | group
}

func (w *World) unpack(p *process, packed int64) *connection {
	if packed>>32 != p.incarnation {
		return nil
	}
	c := p.find(int32(packed>>1&0x7fff), packed&1 == 1)
	if c == nil || int64(c.epoch&0xffff) != packed>>16&0xffff {
		return nil
	}
	return c
}
