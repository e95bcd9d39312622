package coordinator

import (
	"rebalancelab/engine/event"
	"rebalancelab/engine/kafka"
	"rebalancelab/engine/rule"
)

// heartbeatRules has the rule about a heartbeat that is heard, by state.
var heartbeatRules = [...]rule.Rule{kafka.Stable: rule.HB2, kafka.PreparingRebalance: rule.HB3, kafka.CompletingRebalance: rule.HB4}

// heartbeat mirrors handleHeartbeat.
func (c *Coordinator) heartbeat(from event.Node, req *kafka.Request) {
	err := c.status(req.API, req.Group)
	if err == kafka.CoordinatorLoadInProgress {
		err = kafka.None // the group is still loading: answer blindly
		c.mark(rule.Status4)
	} else if err == kafka.None {
		err = c.heartbeatOf(req)
	}
	c.fail(from, req, err)
}

func (c *Coordinator) heartbeatOf(req *kafka.Request) kafka.Error {
	g := c.group(req.Group)
	if g == nil {
		return kafka.UnknownMemberID
	}
	if g.state == kafka.Dead {
		return c.deadError()
	}
	if c.has.Has(kafka.HeartbeatOnlyWhenStable) && g.state != kafka.Stable {
		return kafka.RebalanceInProgress
	}
	m, err := c.validate(g, req.MemberID, req.InstanceID)
	if err != kafka.None {
		return err
	}
	completing := g.state == kafka.CompletingRebalance
	if req.Generation != g.generation && (!completing || c.has.Has(kafka.HeartbeatGenerationAlways)) {
		return kafka.IllegalGeneration
	}
	switch {
	case g.state == kafka.Empty:
		return kafka.UnknownMemberID
	case completing && !c.has.Has(kafka.HeartbeatWhileCompleting):
		return kafka.RebalanceInProgress
	}
	c.mark(heartbeatRules[g.state])
	c.rearm(g, m)
	if g.state == kafka.PreparingRebalance {
		return kafka.RebalanceInProgress
	}
	return kafka.None
}
