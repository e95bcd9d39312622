package coordinator

import (
	"slices"

	"rebalancelab/engine/clock"
	"rebalancelab/engine/event"
	"rebalancelab/engine/kafka"
	"rebalancelab/engine/rule"
)

// Handle is what a broker does with a request that a client sent: the part of
// kafka.server.KafkaApis that comes before the coordinator, then the coordinator.
// Clients agree with brokers on versions beforehand; a version that the release
// does not speak is answered UNSUPPORTED_VERSION here, where Kafka would close
// the connection.
func (c *Coordinator) Handle(at clock.Time, from event.Node, req *kafka.Request, cause uint64, out *Output) {
	if err := c.admit(req); err != kafka.None {
		c.begin(at, cause, out)
		c.refuse(from, req, err)
		c.end()
		return
	}
	if (req.API == kafka.OffsetCommit || req.API == kafka.TxnOffsetCommit) && len(req.Offsets) == 0 {
		// The coordinator does not hear of it.
		out.Replies = append(out.Replies, Reply{To: from, Cause: cause, Response: kafka.Response{API: req.API, Corr: req.Corr}})
		return
	}
	if req.API == kafka.JoinGroup && req.Version == 0 && !c.has.Has(kafka.JoinV0WithoutTimeout) {
		out.Rules.Add(rule.API2)
	}
	c.Step(at, from, c.passedOn(req), cause, out)
}

// passedOn is a request as KafkaApis hands it to the coordinator.
func (c *Coordinator) passedOn(req *kafka.Request) *kafka.Request {
	switch {
	case req.API == kafka.DeleteGroups:
		r := *req
		r.Groups = nil
		for _, id := range req.Groups {
			if !slices.Contains(r.Groups, id) {
				r.Groups = append(r.Groups, id)
			}
		}
		return &r
	case req.API == kafka.JoinGroup && req.Version == 0 && !c.has.Has(kafka.JoinV0WithoutTimeout):
		r := *req
		r.RebalanceTimeoutMs = req.SessionTimeoutMs
		return &r
	}
	return req
}

// admit makes the checks that need no group.
func (c *Coordinator) admit(req *kafka.Request) kafka.Error {
	oldest, newest := kafka.APIVersions(c.version, req.API)
	switch {
	case req.Version < oldest || req.Version > newest:
		return kafka.UnsupportedVersion
	case req.API == kafka.SyncGroup && req.Version >= 5 && (req.ProtocolType == "" || req.ProtocolName == ""):
		return kafka.InconsistentGroupProtocol
	}
	return kafka.None
}

// refuse answers a request with an error in the form that its API has for it.
func (c *Coordinator) refuse(to event.Node, req *kafka.Request, err kafka.Error) {
	switch req.API {
	case kafka.JoinGroup:
		c.refuseJoin(to, req, req.MemberID, err)
	case kafka.OffsetCommit, kafka.TxnOffsetCommit:
		c.failPartitions(to, req, err)
	default:
		c.fail(to, req, err)
	}
}
