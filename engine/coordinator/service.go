package coordinator

import (
	"rebalancelab/engine/event"
	"rebalancelab/engine/kafka"
	"rebalancelab/engine/rule"
)

// serve takes a request in as GroupCoordinatorService does: what can be refused
// without a look at the partition is, the rest is an event of the partition.
func (c *Coordinator) serve(from event.Node, req *kafka.Request) {
	switch req.API {
	case kafka.DescribeGroups:
		c.describeGroups(from, req)
		return
	case kafka.ListGroups:
		c.listGroups(from, req)
		return
	case kafka.DeleteGroups:
		c.deleteInPartitions(from, req)
		return
	}
	if err := c.refusal(req); err != kafka.None {
		c.because(c.explain(req, err))
		r := c.errorAnswer(req, err)
		if req.API == kafka.JoinGroup {
			r.MemberID = req.MemberID
		}
		c.reply(from, r)
		return
	}
	partition := c.partitionOf(req.Group)
	if err := c.partitionError(partition); err != kafka.None {
		c.throw(from, req, err)
		return
	}
	c.handle(from, req)
	c.endEvent(partition, from, req)
}

// handle is the event of a request to one group.
func (c *Coordinator) handle(from event.Node, req *kafka.Request) {
	switch req.API {
	case kafka.JoinGroup:
		c.joinEvent(from, req)
	case kafka.SyncGroup:
		c.syncEvent(from, req)
	case kafka.Heartbeat:
		c.heartbeatEvent(from, req)
	case kafka.LeaveGroup:
		c.leaveEvent(from, req)
	case kafka.OffsetCommit, kafka.TxnOffsetCommit:
		c.commitEvent(from, req)
	case kafka.OffsetFetch:
		c.fetchEvent(from, req)
	case kafka.OffsetDelete:
		c.deleteOffsetsEvent(from, req)
	default:
		panic("coordinator: a request that is not the coordinator's")
	}
}

// refusal is the error of the checks before the runtime is asked.
func (c *Coordinator) refusal(req *kafka.Request) kafka.Error {
	switch {
	case !c.active:
		return kafka.CoordinatorNotAvailable
	case req.Group == "" && needsGroupID(req.API):
		return kafka.InvalidGroupID
	case req.API == kafka.JoinGroup && c.has.Has(kafka.SessionTimeoutFirst) && !c.sessionAllowed(req):
		return kafka.InvalidSessionTimeout
	}
	return kafka.None
}

func (c *Coordinator) sessionAllowed(req *kafka.Request) bool {
	ms := int64(req.SessionTimeoutMs)
	return ms >= c.setting(kafka.GroupMinSessionTimeoutMs) && ms <= c.setting(kafka.GroupMaxSessionTimeoutMs)
}

// partitionError mirrors withActiveContextOrThrow.
func (c *Coordinator) partitionError(partition int32) kafka.Error {
	switch p := &c.partitions[partition]; {
	case p.loading:
		return kafka.CoordinatorLoadInProgress
	case !p.owned:
		return kafka.NotCoordinator
	}
	return kafka.None
}

// throw answers a request whose event threw, at once.
func (c *Coordinator) throw(to event.Node, req *kafka.Request, err kafka.Error) {
	c.because(c.explain(req, err))
	c.failEvent(to, req, err)
}

// failEvent answers a request whose event threw or whose append failed, at once
// (CoordinatorOperationExceptionHelper.handleOperationException).
func (c *Coordinator) failEvent(to event.Node, req *kafka.Request, err kafka.Error) {
	switch {
	case req.API == kafka.OffsetFetch && (err == kafka.UnknownTopicOrPartition || err == kafka.NotEnoughReplicas || err == kafka.RequestTimedOut):
		err = kafka.NotCoordinator
	case req.API == kafka.Heartbeat && err == kafka.CoordinatorLoadInProgress:
		err = kafka.None // the group is still loading: answer blindly
		c.mark(rule.Status4)
	case req.API == kafka.SyncGroup && err == kafka.CoordinatorLoadInProgress && !c.has.Has(kafka.SyncWhileLoadingRefused):
		err = kafka.RebalanceInProgress
	default:
		err = c.operationError(err)
	}
	c.reply(to, c.errorAnswer(req, err))
}

// operationError is what the failure of an operation means to the client.
func (c *Coordinator) operationError(err kafka.Error) kafka.Error {
	if !c.has.Has(kafka.OneErrorTable) {
		return c.groupStoreError(err)
	}
	switch err {
	case kafka.NetworkException:
		return kafka.CoordinatorLoadInProgress
	case kafka.UnknownTopicOrPartition, kafka.NotEnoughReplicas, kafka.RequestTimedOut:
		return kafka.CoordinatorNotAvailable
	case kafka.NotLeaderOrFollower, kafka.KafkaStorageError:
		return kafka.NotCoordinator
	case kafka.MessageTooLarge, kafka.RecordListTooLarge, kafka.InvalidFetchSize:
		return kafka.UnknownServerError
	}
	return err
}

// errorAnswer is a request's answer with an error, in the shape of its API.
func (c *Coordinator) errorAnswer(req *kafka.Request, err kafka.Error) *kafka.Response {
	r := &kafka.Response{API: req.API, Corr: req.Corr}
	switch req.API {
	case kafka.JoinGroup:
		r.Error, r.Generation = err, kafka.NoGeneration
	case kafka.OffsetCommit, kafka.TxnOffsetCommit:
		r.Partitions = make([]kafka.PartitionResult, 0, len(req.Offsets))
		for i := range req.Offsets {
			r.Partitions = append(r.Partitions, kafka.PartitionResult{TopicPartition: req.Offsets[i].TopicPartition, Error: err})
		}
	case kafka.DeleteGroups:
		return c.deleteAnswer(req, err)
	case kafka.LeaveGroup:
		if err == kafka.UnknownMemberID {
			r.Results = unknownLeavers(req)
		} else {
			r.Error = err
		}
	default:
		r.Error = err
	}
	return r
}

// unknownLeavers is the answer for a group that does not exist.
func unknownLeavers(req *kafka.Request) []kafka.MemberResult {
	list := make([]kafka.MemberResult, 0, len(req.Members))
	for _, l := range req.Members {
		list = append(list, kafka.MemberResult{MemberID: l.MemberID, InstanceID: l.InstanceID, Error: kafka.UnknownMemberID})
	}
	return list
}
