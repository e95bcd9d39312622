package consumer

import "rebalancelab/engine/kafka"

// era has the client's behaviours that differ between releases, each named for
// what holds since (or until) the release beside it in eraOf.
type era struct {
	heartbeatThread       bool  // heartbeats, session and poll timer in a thread of their own
	pollTimer             bool  // max.poll.interval.ms
	lostCallback          bool  // onPartitionsLost
	closeCallbacks        bool  // close calls the rebalance callbacks
	leaveAwaited          bool  // close waits for the answer to LeaveGroup
	pollDuringJoin        bool  // poll returns records while a join is outstanding
	heartbeatCompleting   bool  // heartbeats between JoinGroup's answer and SyncGroup's
	keepIDOnOldGeneration bool  // ILLEGAL_GENERATION keeps the member id
	staticMembership      bool  // group.instance.id
	reasons               bool  // JoinGroup and LeaveGroup carry a reason
	rejoinKeepsCommit     bool  // REBALANCE_IN_PROGRESS to a commit asks for a rejoin
	everyMemberWatches    bool  // a partition count change makes every member rejoin, not only the leader
	subscriptionVersion   int16 // of the embedded consumer protocol
	joinTimeoutExtended   bool  // JoinGroup's own request timeout
}

func eraOf(v kafka.Version) era {
	since := func(major, minor, patch int16) bool { return !v.Before(major, minor, patch) }
	e := era{
		heartbeatThread:       since(0, 10, 1),
		pollTimer:             since(0, 10, 1),
		lostCallback:          since(2, 4, 0),
		closeCallbacks:        since(2, 4, 0),
		leaveAwaited:          since(0, 10, 0),
		pollDuringJoin:        since(2, 5, 0),
		heartbeatCompleting:   since(2, 7, 0),
		keepIDOnOldGeneration: since(3, 2, 0),
		staticMembership:      since(2, 3, 0),
		reasons:               since(3, 2, 0),
		rejoinKeepsCommit:     since(2, 4, 0),
		everyMemberWatches:    !since(0, 10, 0),
		joinTimeoutExtended:   since(2, 0, 0),
	}
	switch {
	case since(3, 4, 0):
		e.subscriptionVersion = 3
	case since(2, 4, 0):
		e.subscriptionVersion = 1
	}
	return e
}
