package coordinator

import (
	"rebalancelab/engine/event"
	"rebalancelab/engine/kafka"
)

// crash marks that Kafka throws an exception at this point. What it did so far
// stays; a request under way is answered UNKNOWN_SERVER_ERROR.
func (c *Coordinator) crash() { c.crashed = true }

// catch answers the request that met a crash. If it is parked as well, Kafka
// would answer it twice; here it keeps its place but not its voice.
func (c *Coordinator) catch(to event.Node, req *kafka.Request) {
	c.reply(to, &kafka.Response{API: req.API, Corr: req.Corr, Error: kafka.UnknownServerError, Generation: kafka.NoGeneration})
	g := c.group(req.Group)
	if g == nil {
		return
	}
	for i := range g.members.entries {
		e := &g.members.entries[i]
		if e.live && e.item.join.waiting && e.item.join.to == to && e.item.join.corr == req.Corr {
			e.item.join.answered = true
		}
	}
}
