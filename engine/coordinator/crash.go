package coordinator

import (
	"rebalancelab/engine/event"
	"rebalancelab/engine/kafka"
)

// crash marks that Kafka throws an exception at this point. What it did so far
// stays; a request under way is answered UNKNOWN_SERVER_ERROR.
func (c *Coordinator) crash() { c.crashed = true }

// catch answers the request that met a crash. If it has its answer already, or is
// parked as well, Kafka would answer it twice; here it keeps its place but not its
// voice.
func (c *Coordinator) catch(to event.Node, req *kafka.Request) {
	if c.answeredNow(to, req.Corr) {
		return
	}
	c.because(c.explain(req, kafka.UnknownServerError))
	c.reply(to, &kafka.Response{API: req.API, Corr: req.Corr, Error: kafka.UnknownServerError, Generation: kafka.NoGeneration})
	g := c.group(req.Group)
	if g == nil {
		return
	}
	for i := range g.members.entries {
		if e := &g.members.entries[i]; e.live {
			e.item.join.answer(to, req.Corr)
			e.item.sync.answer(to, req.Corr)
		}
	}
}

// answer notes that the parked request, if it is that one, has its answer.
func (p *parked) answer(to event.Node, corr int64) {
	if p.waiting && p.to == to && p.corr == corr {
		p.answered = true
	}
}
