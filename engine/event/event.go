// Package event holds what happens inside a run: a closed set of events, each
// with its number, its time and its cause, and the log that they stand in.
package event

import (
	"rebalancelab/engine/clock"
	"rebalancelab/engine/kafka"
	"rebalancelab/engine/rule"
)

// Node is a place: a broker by its positive id, a consumer as -(index+1), 0 is
// the scenario or the cluster as a whole.
type Node int32

// Consumer is the node of the consumer with this index.
func Consumer(index int) Node { return Node(-index - 1) }

// IsConsumer reports whether n is a consumer.
func (n Node) IsConsumer() bool { return n < 0 }

// Index is the index of a consumer.
func (n Node) Index() int { return int(-n) - 1 }

// Kind says what happened. The comment names the fields that an event of that
// kind uses beside Seq, Cause, At and Node.
type Kind uint8

// The kinds of events.
const (
	Command Kind = iota // a line of the scenario or a later command: Text, N (line, 0 for a later command)

	// Messages. The arrival of a message is no event of its own: what it causes
	// names the sending as its cause.
	Request    // Node sent API to Peer, arrives at Due: API, Corr, Group, Member, Generation, Text (reason)
	Response   // broker Node answered Peer, arrives at Due: API, Corr, Error, Group, Member, Generation, Text (leader)
	Lost       // the message of the cause never arrived: Text (why)
	Disconnect // consumer Node learned that its connection to Peer is gone: Text (why)
	Timeout    // consumer Node gave up waiting for an answer: API, Corr, Config

	// The coordinator. Node is the broker; Group is always set.
	GroupState         // State after Prev, Generation, Text (reason)
	MemberPending      // an id was handed out by MEMBER_ID_REQUIRED: Member, Peer, State, Config, Due
	PendingRemoved     // such an id is forgotten: Member, Text (why), Config (the timer that decided, if one did)
	MemberAdded        // Member, Instance, Peer, State, Text (pending: the id was handed out before)
	MemberRemoved      // Member, Instance, About, Text (why), Config (the timer that decided, if one did)
	MemberReplaced     // static member: Member (new), Text (old id), Instance, Peer (0: undone), State
	MemberFenced       // a request with the instance id of another member: API, Member, Instance, Text (the member that has it)
	LeaderElected      // Member, About; Text and Instance (the leader before, if it did not rejoin)
	DelayExtended      // the initial delay, or a join phase in which nobody rejoined, goes on: Config, Due; Member, Instance (the leader that did not rejoin)
	RebalanceBegan     // Generation (old), Text (reason), Config and Due (what bounds the join phase)
	JoinCompleted      // Generation, Text (protocol), Member (leader), N (members)
	AssignmentReceived // the leader's SyncGroup: Generation, Member, N (members), Statics, Text (members it forgot)
	AssignmentStored   // Generation, N (members)
	TimerFired         // a deadline passed: Config, Member
	GroupLoaded        // Generation, N (members), State
	GroupUnloaded      // Generation
	GroupRemoved       // Generation

	// The log of __consumer_offsets. N is the partition, Offset the position.
	RecordAppended // Group, Partition (key of an offset), Member, Offset; Text says what: group, offset, tombstone
	AppendFailed   // Group, Error

	// Brokers.
	BrokerDown          // Node, Text (killed, stopped)
	BrokerUp            // Node
	LeaderMoved         // Partition led by Node after Peer, Generation (leader epoch)
	LoadBegan           // Node loads partition N of __consumer_offsets, Generation (leader epoch)
	LoadEnded           // Node, N, Generation (leader epoch)
	OffsetsTopicCreated // N partitions

	// Consumers. Node is the consumer.
	ConsumerStarted  // Text (client version)
	ConsumerStopping // a clean close begins
	ConsumerStopped  // the process ended: Text (closed, killed)
	StallBegan       // Due
	StallEnded
	CoordinatorFound   // Peer
	CoordinatorUnknown // Text (why)
	RejoinNeeded       // Text (the reason that the client sends)
	Joining            // the join phase begins on the client: state PREPARING_REBALANCE
	MemberStable       // SyncGroup succeeded: Generation, Member
	MemberReset        // generation reset: Text (why); Member is what it keeps
	PartitionsRevoked  // Partitions
	PartitionsAssigned // Partitions (added), N (now owned)
	PartitionsLost     // Partitions
	PollOverdue        // max.poll.interval.ms passed without poll: Config
	Polled             // routine: N records returned
	CommitFailed       // Error, Text
	Exception          // the application sees an exception: Text, Error
	PositionReset      // auto.offset.reset: Partition, Offset
	Duplicates         // N records from Partition are read again, from Offset

	// Topics and settings.
	TopicAltered // Text (topic), N (partitions)
	ConfigSet    // Config, Text (value)
	LinkCut      // between Node and Peer
	LinkHealed

	KindCount
)

var kindNames = [KindCount]string{
	"command", "request", "response", "lost", "disconnect", "timeout",
	"group-state", "member-pending", "pending-removed", "member-added", "member-removed", "member-replaced", "member-fenced",
	"leader-elected", "delay-extended", "rebalance-began", "join-completed", "assignment-received", "assignment-stored", "timer-fired",
	"group-loaded", "group-unloaded", "group-removed",
	"record-appended", "append-failed",
	"broker-down", "broker-up", "leader-moved", "load-began", "load-ended", "offsets-topic-created",
	"consumer-started", "consumer-stopping", "consumer-stopped", "stall-began", "stall-ended",
	"coordinator-found", "coordinator-unknown", "rejoin-needed", "joining", "member-stable", "member-reset",
	"partitions-revoked", "partitions-assigned", "partitions-lost", "poll-overdue", "polled",
	"commit-failed", "exception", "position-reset", "duplicates",
	"topic-altered", "config-set", "link-cut", "link-healed",
}

// String is the kind's name in JSON.
func (k Kind) String() string { return kindNames[k] }

// Event is one thing that happened. Unused fields are zero.
type Event struct {
	Seq   uint64 // its number; counted events have numbers too
	Cause uint64 // number of the event that made it happen; 0 only for a Command
	At    clock.Time
	Due   clock.Time
	Kind  Kind

	API   kafka.API
	Error kafka.Error
	State kafka.GroupState
	Prev  kafka.GroupState

	Node       Node
	Peer       Node
	Config     kafka.Config
	Generation int32
	Statics    int32
	Corr       int64
	N          int64
	Offset     int64

	// Of an error in a Response, a GroupState and a RebalanceBegan: the rule that
	// decided, and its guard in the group's own numbers. They are words about the
	// event and no part of a digest.
	Rule  rule.Rule
	Guard string

	Group      string
	Member     string
	Instance   string
	Text       string
	Partition  kafka.TopicPartition
	Partitions []kafka.TopicPartition // immutable
	About      *Membership            // immutable
}

// Membership is what a member has told of itself.
type Membership struct {
	Instance, ClientID, ClientHost       string
	SessionTimeoutMs, RebalanceTimeoutMs int32
	Protocols                            []kafka.Protocol
}
