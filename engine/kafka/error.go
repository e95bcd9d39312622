package kafka

import "strconv"

// Error is a Kafka protocol error code. It is a value in a reply, never a Go
// error: the code is the wire's, the name follows the era (see Error.In).
type Error int16

// The codes that the group APIs can answer.
const (
	UnknownServerError           Error = -1
	None                         Error = 0
	CorruptMessage               Error = 2
	UnknownTopicOrPartition      Error = 3
	InvalidFetchSize             Error = 4
	NotLeaderOrFollower          Error = 6
	RequestTimedOut              Error = 7
	MessageTooLarge              Error = 10
	OffsetMetadataTooLarge       Error = 12
	NetworkException             Error = 13
	CoordinatorLoadInProgress    Error = 14
	CoordinatorNotAvailable      Error = 15
	NotCoordinator               Error = 16
	RecordListTooLarge           Error = 18
	NotEnoughReplicas            Error = 19
	NotEnoughReplicasAfterAppend Error = 20
	IllegalGeneration            Error = 22
	InconsistentGroupProtocol    Error = 23
	InvalidGroupID               Error = 24
	UnknownMemberID              Error = 25
	InvalidSessionTimeout        Error = 26
	RebalanceInProgress          Error = 27
	InvalidCommitOffsetSize      Error = 28
	TopicAuthorizationFailed     Error = 29
	GroupAuthorizationFailed     Error = 30
	UnsupportedVersion           Error = 35
	InvalidRequest               Error = 42
	KafkaStorageError            Error = 56
	NonEmptyGroup                Error = 68
	GroupIDNotFound              Error = 69
	MemberIDRequired             Error = 79
	GroupMaxSizeReached          Error = 81
	FencedInstanceID             Error = 82
	GroupSubscribedToTopic       Error = 86
	UnstableOffsetCommit         Error = 88
)

// errorNames has the name that each code has today.
var errorNames = [...]struct {
	code Error
	name string
}{
	{UnknownServerError, "UNKNOWN_SERVER_ERROR"},
	{None, "NONE"},
	{CorruptMessage, "CORRUPT_MESSAGE"},
	{UnknownTopicOrPartition, "UNKNOWN_TOPIC_OR_PARTITION"},
	{InvalidFetchSize, "INVALID_FETCH_SIZE"},
	{NotLeaderOrFollower, "NOT_LEADER_OR_FOLLOWER"},
	{RequestTimedOut, "REQUEST_TIMED_OUT"},
	{MessageTooLarge, "MESSAGE_TOO_LARGE"},
	{OffsetMetadataTooLarge, "OFFSET_METADATA_TOO_LARGE"},
	{NetworkException, "NETWORK_EXCEPTION"},
	{CoordinatorLoadInProgress, "COORDINATOR_LOAD_IN_PROGRESS"},
	{CoordinatorNotAvailable, "COORDINATOR_NOT_AVAILABLE"},
	{NotCoordinator, "NOT_COORDINATOR"},
	{RecordListTooLarge, "RECORD_LIST_TOO_LARGE"},
	{NotEnoughReplicas, "NOT_ENOUGH_REPLICAS"},
	{NotEnoughReplicasAfterAppend, "NOT_ENOUGH_REPLICAS_AFTER_APPEND"},
	{IllegalGeneration, "ILLEGAL_GENERATION"},
	{InconsistentGroupProtocol, "INCONSISTENT_GROUP_PROTOCOL"},
	{InvalidGroupID, "INVALID_GROUP_ID"},
	{UnknownMemberID, "UNKNOWN_MEMBER_ID"},
	{InvalidSessionTimeout, "INVALID_SESSION_TIMEOUT"},
	{RebalanceInProgress, "REBALANCE_IN_PROGRESS"},
	{InvalidCommitOffsetSize, "INVALID_COMMIT_OFFSET_SIZE"},
	{TopicAuthorizationFailed, "TOPIC_AUTHORIZATION_FAILED"},
	{GroupAuthorizationFailed, "GROUP_AUTHORIZATION_FAILED"},
	{UnsupportedVersion, "UNSUPPORTED_VERSION"},
	{InvalidRequest, "INVALID_REQUEST"},
	{KafkaStorageError, "KAFKA_STORAGE_ERROR"},
	{NonEmptyGroup, "NON_EMPTY_GROUP"},
	{GroupIDNotFound, "GROUP_ID_NOT_FOUND"},
	{MemberIDRequired, "MEMBER_ID_REQUIRED"},
	{GroupMaxSizeReached, "GROUP_MAX_SIZE_REACHED"},
	{FencedInstanceID, "FENCED_INSTANCE_ID"},
	{GroupSubscribedToTopic, "GROUP_SUBSCRIBED_TO_TOPIC"},
	{UnstableOffsetCommit, "UNSTABLE_OFFSET_COMMIT"},
}

// String is the name that the code has today.
func (e Error) String() string {
	for _, n := range errorNames {
		if n.code == e {
			return n.name
		}
	}
	return "ERROR(" + strconv.Itoa(int(e)) + ")"
}

// In is the name that the code had in version v.
func (e Error) In(v Version) string {
	switch {
	case e == UnknownServerError && v.Before(1, 0, 0):
		return "UNKNOWN"
	case e == NotLeaderOrFollower && v.Before(2, 6, 0):
		return "NOT_LEADER_FOR_PARTITION"
	case e == CoordinatorLoadInProgress && v.Before(0, 11, 0):
		return "GROUP_LOAD_IN_PROGRESS"
	case e == CoordinatorNotAvailable && v.Before(0, 11, 0):
		return "GROUP_COORDINATOR_NOT_AVAILABLE"
	case e == NotCoordinator && v.Before(0, 11, 0):
		return "NOT_COORDINATOR_FOR_GROUP"
	}
	return e.String()
}

// ErrorNamed finds a code by the name that it has today.
func ErrorNamed(name string) (Error, bool) {
	for _, n := range errorNames {
		if n.name == name {
			return n.code, true
		}
	}
	return 0, false
}
