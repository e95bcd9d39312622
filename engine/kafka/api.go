// Package kafka is the field's vocabulary: versions and their features, error
// codes, requests and responses, records of __consumer_offsets, configs. Names
// are Kafka's own. It decides nothing.
package kafka

import "rebalancelab/engine/clock"

// API is a kind of request.
type API uint8

// The APIs that the simulated brokers answer.
const (
	FindCoordinator API = iota
	JoinGroup
	SyncGroup
	Heartbeat
	LeaveGroup
	OffsetCommit
	OffsetFetch
	TxnOffsetCommit
	DescribeGroups
	ListGroups
	DeleteGroups
	OffsetDelete
	APICount
)

var apiNames = [APICount]string{"FindCoordinator", "JoinGroup", "SyncGroup", "Heartbeat", "LeaveGroup",
	"OffsetCommit", "OffsetFetch", "TxnOffsetCommit", "DescribeGroups", "ListGroups", "DeleteGroups", "OffsetDelete"}

// String is Kafka's name of the API.
func (a API) String() string { return apiNames[a] }

// APINamed finds an API by Kafka's name.
func APINamed(name string) (API, bool) {
	for i, n := range apiNames {
		if n == name {
			return API(i), true
		}
	}
	return 0, false
}

// NoGeneration is the generation of a request or reply that has none.
const NoGeneration int32 = -1

// OffsetsTopic is the internal topic that holds groups and their offsets.
const OffsetsTopic = "__consumer_offsets"

// TopicPartition names one partition.
type TopicPartition struct {
	Topic     string
	Partition int32
}

// Protocol is one entry of a JoinGroup's list: an assignor's name and the bytes
// of its subscription.
type Protocol struct {
	Name     string
	Metadata string // opaque bytes
}

// MemberAssignment is one entry of a leader's SyncGroup.
type MemberAssignment struct {
	MemberID   string
	Assignment string // opaque bytes
}

// LeavingMember is one entry of a LeaveGroup (exactly one before v3).
type LeavingMember struct {
	MemberID   string
	InstanceID string // "" is null
	Reason     string // v5+
}

// CommittedOffset is one partition of an OffsetCommit.
type CommittedOffset struct {
	TopicPartition
	Offset      int64
	LeaderEpoch int32 // -1: none
	Metadata    string
}

// Request is a request of any group API; each API uses the fields that Kafka's
// request of that name has. A request is immutable once sent.
type Request struct {
	API        API
	Version    int16
	Corr       int64 // chosen by the sender; the reply carries it
	ClientID   string
	ClientHost string // "/10.0.0.1"

	Group      string
	MemberID   string
	InstanceID string // "" is null
	Generation int32

	SessionTimeoutMs   int32
	RebalanceTimeoutMs int32  // JoinGroup v0 has none: the session timeout stands here
	ProtocolType       string // "" is null
	ProtocolName       string // "" is null
	Protocols          []Protocol
	Assignments        []MemberAssignment
	Reason             string // JoinGroup v8+

	Members []LeavingMember

	Offsets       []CommittedOffset
	RetentionMs   int64 // OffsetCommit v2-v4; -1: none
	ProducerID    int64 // TxnOffsetCommit
	ProducerEpoch int16
	Partitions    []TopicPartition // OffsetFetch, OffsetDelete
	AllPartitions bool             // OffsetFetch with a null list
	RequireStable bool             // OffsetFetch v7+

	Groups []string // DescribeGroups, DeleteGroups
	States []string // ListGroups v4+
	Types  []string // ListGroups v5+
}

// JoinedMember is one entry of the leader's JoinGroup response.
type JoinedMember struct {
	MemberID   string
	InstanceID string
	Metadata   string
}

// MemberResult is one entry of a LeaveGroup response (v3+).
type MemberResult struct {
	MemberID   string
	InstanceID string
	Error      Error
}

// PartitionResult is one partition of an offset API's response. Offset is -1
// where nothing is committed.
type PartitionResult struct {
	TopicPartition
	Offset      int64
	LeaderEpoch int32
	Metadata    string
	Error       Error
}

// DescribedMember is one member of a described group.
type DescribedMember struct {
	MemberID, InstanceID, ClientID, ClientHost string
	Metadata, Assignment                       string
}

// DescribedGroup is one entry of DescribeGroups, ListGroups or DeleteGroups.
type DescribedGroup struct {
	Group        string
	Error        Error
	State        string
	ProtocolType string
	Protocol     string
	Members      []DescribedMember
}

// Response is the answer to a Request with the same Corr.
type Response struct {
	API   API
	Corr  int64
	Error Error

	Node int32 // FindCoordinator: the broker, -1 on an error

	MemberID       string
	Generation     int32
	ProtocolType   string
	ProtocolName   string
	Leader         string
	SkipAssignment bool
	Members        []JoinedMember
	Assignment     string

	Results    []MemberResult
	Partitions []PartitionResult
	Groups     []DescribedGroup
}

// FirstError is the error that decides the answer: its own, or that of its
// first partition or member with one.
func (r *Response) FirstError() Error {
	if r.Error != None {
		return r.Error
	}
	for i := range r.Partitions {
		if r.Partitions[i].Error != None {
			return r.Partitions[i].Error
		}
	}
	for i := range r.Results {
		if r.Results[i].Error != None {
			return r.Results[i].Error
		}
	}
	return None
}

// GroupMember is one member in a GroupMetadata record.
type GroupMember struct {
	MemberID           string
	InstanceID         string // value version 3+; "" is null
	ClientID           string
	ClientHost         string
	RebalanceTimeoutMs int32 // value version 1+
	SessionTimeoutMs   int32
	Subscription       string // for the selected protocol only
	Assignment         string
}

// GroupMetadata is the value of a group's record (key version 2).
type GroupMetadata struct {
	Version        int16
	ProtocolType   string
	Generation     int32
	Protocol       string       // "" is null
	Leader         string       // "" is null
	StateTimestamp clock.Millis // value version 2+; -1: none
	Members        []GroupMember
}

// OffsetMetadata is the value of an offset's record (key version 1).
type OffsetMetadata struct {
	Version         int16
	Offset          int64
	LeaderEpoch     int32 // value version 3+; -1: none
	Metadata        string
	CommitTimestamp clock.Millis
	ExpireTimestamp clock.Millis // value version 1; -1: none
}

// Record is one record of __consumer_offsets. Exactly one of Group value,
// Offset value and Marker is set, none of them on a tombstone. Records are
// immutable; checkpoints share them.
type Record struct {
	KeyVersion  int16 // 1 offset, 2 group, -1 control marker
	Group       string
	Partition   TopicPartition // key version 1
	GroupValue  *GroupMetadata
	OffsetValue *OffsetMetadata
	Marker      Marker
	ProducerID  int64 // -1: not part of a transaction
	At          clock.Millis
	Cause       uint64 // number of the event that wrote it
	By          int32  // the node whose request wrote it, 0 if none did
}

// Marker is the control record that ends a transaction.
type Marker uint8

// The markers.
const (
	NoMarker Marker = iota
	CommitMarker
	AbortMarker
)

// Tombstone reports whether the record deletes its key.
func (r *Record) Tombstone() bool {
	return r.GroupValue == nil && r.OffsetValue == nil && r.Marker == NoMarker
}
