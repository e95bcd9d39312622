package kafka

// Feature names one behaviour of the group coordinator that not every release
// has. Code asks for a feature, never for a version.
type Feature uint8

// The features, oldest first. The table has what each of them means.
const (
	GroupDiesWhenEmpty Feature = iota
	GroupBornStable
	OffsetsOutsideGroup
	TimersOfDroppedMembersRun
	TimersOfRemovedMembersFire
	HeartbeatOnlyWhenStable
	SyncRearmsWhileAwaiting
	RebalanceBoundBySession
	RequestTimeoutRejoins
	CommitRearmsSession
	EmptyState
	RebalanceTimeout
	ReplicaErrorsMapped
	OffsetFetchAll
	RefusedMetadataPending
	RefusedCommitPending
	TopicDeletionDropsOffsets
	DeletionSparesPending
	LoadForgetsStateTimestamp
	ProtocolsNeededAlways
	BadSubscriptionEndsLoad
	OverCapacityMisspelt
	HeartbeatDeadlineCompared
	InitialRebalanceDelay
	JoinNeedsProtocols
	EmptyTypeRestored
	ExpiryInclusive
	CommonGroupStatus
	JoinPhaseDropsSilentMembers
	StateTimestamp
	ExpiryByGroup
	LeaderEpochStored
	RebalanceReasons
	NewMemberTimeout
	RemovedJoinAnswered
	MemberIDStep
	GroupSizeLimit
	NoGenerationOnJoinError
	ProtocolsCounted
	StaticMembers
	DeadIsUnavailable
	HeartbeatGenerationAlways
	LeaderReplacedAtJoin
	InstanceInReasons
	InstanceidInReasons
	CommitRefusedFirst
	UnloadTakesAll
	StorageErrorMapped
	InvalidSubscriptionThrows
	JoinV0WithoutTimeout
	InstanceAsOption
	BatchLeave
	ExpiryBySubscription
	NewMemberCanExpire
	NewMemberUntimed
	SyncChecksProtocol
	ProtocolTypeTold
	StaticReplacedCompleting
	TransactionChecksMember
	StableFetch
	SizeRuleByState
	ListByState
	VoteInTrie
	HeartbeatWhileCompleting
	StaticReplacedStored
	DetailedReasons
	SyncDeadline
	LoadMarkedAtStart
	SubscriptionOnlyStable
	SizeRefusalForgetsPending
	SizeRefusalForgetsInstance
	LoadedMembersStatic
	OneMemberValidation
	SyncDeadlineToleratesStrangers
	ClientReasons
	SkipAssignment
	EmptyGroupTakesAnyCommit
	RejoinUpdatesTimeouts
	StoreErrorInReason
	NetworkErrorRetriable
	StatesIgnoreCase
	ListByType
	WriteOperations
	CommittedReads
	TimersByKey
	OperationTimeout
	OneErrorTable
	SessionTimeoutFirst
	GroupBirthRecord
	DelayExtendsFromEmpty
	TimerEndsInitialDelay
	RefusalLeavesJoinPhase
	ParkedMembersTimed
	ReplacementNotNew
	RevertRestoresProtocols
	SyncKeepsSession
	SyncWhileLoadingRefused
	NullProtocolMatches
	LeaveTogether
	UnknownGroupOnCommit
	UnstableByTransaction
	OffsetDeletionKeepsGroup
	TombstoneAlways
	PartitionExpiry
	AssignmentsAlwaysDescribed
	UnknownGroupDescribed
	ListWaitsForLoad
	VoteInHashMap
	ReasonsReworded
	TopicDeletionByName

	// Of the Java consumer.
	ConsumerHeartbeatThread
	ConsumerPollTimer
	ConsumerLostCallback
	ConsumerCloseCallbacks
	ConsumerLeaveAwaited
	ConsumerPollDuringJoin
	ConsumerHeartbeatCompleting
	ConsumerKeepsMemberID
	ConsumerStatic
	ConsumerReasons
	ConsumerAllWatch
	ConsumerJoinTimeout
	ConsumerOwnedPartitions
	ConsumerGenerationTold

	featureCount
)

// Features is a set of features.
type Features [(featureCount + 63) / 64]uint64

var never = Version{}

// era is a row of the table: since is the first release with the feature (zero:
// all), until the first one without it again (zero: still there), more has
// further spans of a feature that was lost and came back.
type era struct {
	since, until Version
	meaning      string
	more         []Span
}

// Span is a range of releases: from Since (zero: the first) to before Until (zero:
// still).
type Span struct{ Since, Until Version }

// FeatureCount is the number of features.
const FeatureCount = featureCount

// Spans are the releases that have the feature, oldest first.
func (f Feature) Spans() []Span {
	e := &features[f]
	return append([]Span{{e.since, e.until}}, e.more...)
}

func (s Span) has(v Version) bool {
	return !v.Older(s.Since) && (s.Until == never || v.Older(s.Until))
}

// features is the table of eras. What was not recorded was read in the sources
// of the releases.
var features = [featureCount]era{
	GroupDiesWhenEmpty:         {never, Version{0, 10, 1, 0}, "A group whose last member goes is Dead at once and leaves a tombstone.", nil},
	GroupBornStable:            {never, Version{0, 10, 1, 0}, "A new group is Stable with generation 0 and keeps the protocol type of the first JoinGroup.", nil},
	OffsetsOutsideGroup:        {never, Version{0, 10, 1, 0}, "Committed offsets live beside the groups; they make no group and survive its end.", nil},
	TimersOfDroppedMembersRun:  {never, Version{2, 0, 1, 0}, "The session timer of a member dropped at the end of a join phase runs on.", nil},
	TimersOfRemovedMembersFire: {never, Version{2, 2, 0, 0}, "A timer that fires for a member already removed rebalances the group.", nil},
	HeartbeatOnlyWhenStable:    {never, Version{0, 10, 1, 0}, "A heartbeat outside Stable is REBALANCE_IN_PROGRESS before the member is looked at and re-arms nothing.", nil},
	SyncRearmsWhileAwaiting:    {never, Version{0, 10, 1, 0}, "A SyncGroup that is parked completes the caller's session timer.", nil},
	RebalanceBoundBySession:    {never, Version{0, 10, 1, 0}, "The join phase is bounded by the largest session timeout.", nil},
	RequestTimeoutRejoins:      {Version{0, 9, 0, 1}, never, "REQUEST_TIMED_OUT on a group record is answered REBALANCE_IN_PROGRESS.", nil},
	CommitRearmsSession:        {Version{0, 10, 0, 0}, never, "A member's OffsetCommit re-arms its session timer.", nil},
	EmptyState:                 {Version{0, 10, 1, 0}, never, "A group without members is Empty and stays until its offsets expire.", nil},
	RebalanceTimeout:           {Version{0, 10, 1, 0}, never, "The join phase is bounded by the members' rebalance timeouts (KIP-62).", nil},
	ReplicaErrorsMapped:        {Version{0, 10, 1, 0}, never, "NOT_ENOUGH_REPLICAS on an append is answered COORDINATOR_NOT_AVAILABLE.", nil},
	OffsetFetchAll:             {Version{0, 10, 2, 0}, never, "OffsetFetch has an error of its own and can ask for all partitions.", nil},
	RefusedCommitPending:       {Version{0, 10, 1, 0}, Version{0, 11, 0, 0}, "An OffsetCommit of which every offset is refused with OFFSET_METADATA_TOO_LARGE stays pending and keeps its group (a bug).", nil},
	TopicDeletionDropsOffsets:  {Version{0, 10, 2, 0}, never, "The deletion of a topic drops its offsets.", nil},
	DeletionSparesPending:      {Version{1, 1, 0, 0}, Version{2, 0, 0, 0}, "DeleteGroups writes no tombstone for an offset with a pending commit: it is back after a load (a bug).", nil},
	LoadForgetsStateTimestamp:  {Version{2, 3, 0, 0}, Version{2, 6, 1, 0}, "A load forgets since when a group is Empty: its offsets expire by their commit (a bug).", nil},
	ProtocolsNeededAlways:      {Version{2, 2, 0, 0}, never, "A JoinGroup without protocols is refused also in a join phase that has lost its members.", nil},
	BadSubscriptionEndsLoad:    {Version{2, 7, 0, 0}, Version{4, 0, 0, 0}, "A consumer subscription in the log that cannot be read ends the load: the partition is served without groups and offsets (a bug).", nil},
	OverCapacityMisspelt:       {Version{2, 2, 0, 0}, Version{3, 1, 0, 0}, "The reason for rebalancing a group that is too large after a load shows all limits of groups, and says Rebalacing.", nil},
	RefusedMetadataPending:     {Version{0, 10, 1, 0}, Version{3, 7, 1, 0}, "An offset refused with OFFSET_METADATA_TOO_LARGE stays pending when another one of its commit is stored.", nil},
	HeartbeatDeadlineCompared:  {never, Version{2, 5, 0, 0}, "A heartbeat ends only timers whose deadline it moves: re-arming within one millisecond leaves the old one in place.", nil},
	InitialRebalanceDelay:      {Version{0, 11, 0, 0}, never, "The first join phase of an empty group waits for further members (KIP-134).", nil},
	EmptyTypeRestored:          {Version{1, 0, 1, 0}, never, "A load restores the protocol type of a group without members.", nil},
	JoinNeedsProtocols:         {Version{1, 0, 0, 0}, never, "A JoinGroup to an empty group needs a protocol type and a protocol.", nil},
	ExpiryInclusive:            {Version{2, 1, 0, 0}, never, "An offset expires at its timestamp, not one millisecond later.", nil},
	CommonGroupStatus:          {Version{2, 0, 0, 0}, never, "One status check for all APIs; a loading partition answers COORDINATOR_LOAD_IN_PROGRESS.", nil},

	JoinPhaseDropsSilentMembers: {never, Version{2, 3, 0, 0}, "The end of a join phase drops every member that did not rejoin.", nil},

	StateTimestamp:             {Version{2, 1, 0, 0}, never, "Group records carry the time of the last change of state.", nil},
	ExpiryByGroup:              {Version{2, 1, 0, 0}, never, "Offsets expire by the state of their group, not by a timestamp fixed at the commit (KIP-211).", nil},
	LeaderEpochStored:          {Version{2, 1, 0, 0}, never, "Offset records carry the leader epoch.", nil},
	RebalanceReasons:           {Version{2, 1, 0, 0}, never, "The line about a rebalance has a reason.", nil},
	NewMemberTimeout:           {Version{2, 1, 1, 0}, never, "A new member runs on a timer of 5 minutes until its first join is answered.", nil},
	RemovedJoinAnswered:        {Version{2, 1, 1, 0}, never, "The parked join of a removed member is answered UNKNOWN_MEMBER_ID.", nil},
	MemberIDStep:               {Version{2, 2, 0, 0}, never, "JoinGroup v4 hands out a member id with MEMBER_ID_REQUIRED (KIP-394).", nil},
	GroupSizeLimit:             {Version{2, 2, 0, 0}, never, "group.max.size.", nil},
	ProtocolsCounted:           {Version{2, 1, 0, 0}, never, "A protocol that a member lists twice counts twice, so that it is none that all support.", nil},
	NoGenerationOnJoinError:    {Version{2, 2, 0, 0}, never, "An error answer to JoinGroup has generation -1, not 0.", nil},
	StaticMembers:              {Version{2, 3, 0, 0}, never, "group.instance.id (KIP-345).", nil},
	DeadIsUnavailable:          {Version{2, 3, 0, 0}, never, "A Dead group answers COORDINATOR_NOT_AVAILABLE, not UNKNOWN_MEMBER_ID.", nil},
	HeartbeatGenerationAlways:  {Version{2, 3, 0, 0}, never, "A heartbeat in CompletingRebalance checks the generation.", nil},
	LeaderReplacedAtJoin:       {Version{2, 3, 0, 0}, never, "A leader that did not rejoin is replaced at the end of the join phase.", nil},
	LoadedMembersStatic:        {Version{2, 3, 0, 0}, Version{2, 8, 0, 0}, "After a load every member counts as static: none is dropped at the end of a join phase (a bug).", nil},
	SizeRefusalForgetsInstance: {Version{2, 3, 0, 0}, Version{2, 8, 0, 0}, "GROUP_MAX_SIZE_REACHED forgets to whom the request's instance id belongs (a bug).", nil},
	InstanceidInReasons:        {Version{2, 3, 0, 0}, Version{2, 5, 0, 0}, "The reason of a new member's rebalance says instanceid, in one word.", nil},
	CommitRefusedFirst:         {never, Version{2, 4, 0, 0}, "An OffsetCommit in CompletingRebalance is REBALANCE_IN_PROGRESS before the member is looked at.", nil},
	UnloadTakesAll:             {never, Version{0, 9, 0, 1}, "Losing one partition of __consumer_offsets forgets the groups of all (a bug of 0.9.0.0).", nil},
	StorageErrorMapped:         {Version{1, 0, 0, 0}, never, "KAFKA_STORAGE_ERROR on an append is answered NOT_COORDINATOR.", nil},
	InvalidSubscriptionThrows:  {Version{2, 7, 0, 0}, never, "A consumer subscription with null or absurd lists makes the end of the join phase throw; the group hangs (a bug).", nil},
	JoinV0WithoutTimeout:       {Version{2, 3, 0, 0}, Version{2, 3, 1, 0}, "JoinGroup v0 is read with rebalance timeout -1 instead of the session timeout (a bug of 2.3.0, KAFKA-8653).", nil},
	ListByType:                 {Version{3, 8, 0, 0}, never, "ListGroups filters by type and tells it (KIP-848).", nil},
	InstanceAsOption:           {Version{2, 5, 0, 0}, Version{3, 0, 0, 0}, "The reason about a replaced static member prints its instance id as Some(…).", nil},
	InstanceInReasons:          {Version{2, 3, 0, 0}, never, "The reason of a new member's rebalance names the instance id.", nil},
	ReasonsReworded:            {Version{4, 0, 0, 0}, never, "The reasons of a rebalance are worded as the coordinator in Java words them.", nil},
	BatchLeave:                 {Version{2, 4, 0, 0}, never, "LeaveGroup takes a list and answers per member.", nil},
	ExpiryBySubscription:       {Version{2, 4, 0, 0}, never, "Offsets of topics that no member subscribes to expire in a living group.", nil},
	NewMemberCanExpire:         {Version{2, 4, 1, 0}, never, "A parked join does not keep a new member from expiring.", nil},
	NewMemberUntimed:           {Version{2, 4, 1, 0}, Version{2, 5, 0, 0}, "A new member has no session timer from the answer to its first JoinGroup until it is heard again (a bug of 2.4.1, KAFKA-9752).", nil},
	ProtocolTypeTold:           {Version{2, 5, 0, 0}, never, "Answers to JoinGroup and SyncGroup tell the protocol type, those to SyncGroup the protocol too (KIP-559).", nil},
	SyncChecksProtocol:         {Version{2, 5, 0, 0}, never, "SyncGroup compares protocol type and name.", nil},
	StaticReplacedCompleting:   {Version{2, 5, 0, 0}, never, "Replacing a static member in CompletingRebalance rebalances.", nil},
	TransactionChecksMember:    {Version{2, 5, 0, 0}, never, "TxnOffsetCommit checks member and generation if given.", nil},
	StableFetch:                {Version{2, 5, 0, 0}, never, "OffsetFetch can refuse offsets with pending commits (KIP-447).", nil},
	SizeRuleByState:            {Version{2, 6, 0, 0}, never, "The size limit counts parked joins in PreparingRebalance and members later.", nil},
	ListByState:                {Version{2, 6, 0, 0}, never, "ListGroups filters by state and tells it.", nil},
	VoteInTrie:                 {Version{2, 6, 0, 0}, never, "An even vote is decided by the order of Scala 2.13's hash trie, before by that of 2.11's hash table.", nil},
	HeartbeatWhileCompleting:   {Version{2, 6, 1, 0}, never, "A heartbeat in CompletingRebalance is NONE and re-arms.", nil},
	StaticReplacedStored:       {Version{2, 6, 1, 0}, never, "Replacing a static member in Stable tests the selected protocol and is written before it is answered.", nil},
	DetailedReasons:            {Version{2, 6, 1, 0}, never, "The reason of a rejoin names the state and the leader.", nil},
	SyncDeadline:               {Version{2, 8, 1, 0}, never, "Members that do not sync within the rebalance timeout are removed.", nil},
	LoadMarkedAtStart:          {Version{2, 8, 1, 0}, never, "A partition counts as loading when its load starts, not when it is scheduled; epochs guard late loads.", nil},
	SubscriptionOnlyStable:     {Version{2, 8, 2, 0}, Version{3, 0, 0, 0}, "Expiry by subscription applies in Stable only.", []Span{{Version{3, 0, 1, 0}, Version{3, 1, 0, 0}}, {Version{3, 1, 1, 0}, never}}},
	SizeRefusalForgetsPending:  {Version{2, 2, 0, 0}, Version{2, 3, 0, 0}, "GROUP_MAX_SIZE_REACHED takes the id out of the pending ones.", []Span{{Version{3, 0, 0, 0}, never}}},
	OneMemberValidation:        {Version{3, 0, 0, 0}, never, "One order of member checks for all APIs; an unmapped instance id is UNKNOWN_MEMBER_ID.", nil},

	SyncDeadlineToleratesStrangers: {Version{3, 0, 0, 0}, never, "The sync timer rebalances although it waits for a replaced id (2.8.2 dies of it).", nil},

	ClientReasons:            {Version{3, 2, 0, 0}, never, "JoinGroup and LeaveGroup carry a reason (KIP-800).", nil},
	SkipAssignment:           {Version{3, 2, 0, 0}, never, "JoinGroup v9 tells a replaced static leader to skip the assignment (KIP-814).", nil},
	EmptyGroupTakesAnyCommit: {Version{3, 3, 0, 0}, never, "A commit with generation -1 to an Empty group is taken whatever ids it carries.", nil},
	RejoinUpdatesTimeouts:    {Version{3, 3, 2, 0}, never, "A rejoin updates the member's session and rebalance timeouts.", nil},
	StoreErrorInReason:       {Version{3, 4, 0, 0}, never, "The reason after a failed store names the error.", nil},
	NetworkErrorRetriable:    {Version{3, 7, 1, 0}, never, "NETWORK_EXCEPTION on a commit is answered COORDINATOR_LOAD_IN_PROGRESS.", nil},
	StatesIgnoreCase:         {Version{3, 8, 0, 0}, never, "The filter of ListGroups ignores case.", nil},

	WriteOperations:             {Version{4, 0, 0, 0}, never, "A request is an event on its partition's only thread: what it writes counts at once, is answered when it is committed and undone when the append fails.", nil},
	CommittedReads:              {Version{4, 0, 0, 0}, never, "DescribeGroups, ListGroups and OffsetFetch see what is committed; an OffsetFetch for stable offsets waits for what is not.", nil},
	TimersByKey:                 {Version{4, 0, 0, 0}, never, "A timer belongs to a name, not to a member or group: one that nobody cancelled fires after its owner is gone, without effect.", nil},
	OperationTimeout:            {Version{4, 0, 0, 0}, never, "A request whose records are not committed within offsets.commit.timeout.ms is answered COORDINATOR_NOT_AVAILABLE.", nil},
	OneErrorTable:               {Version{4, 0, 0, 0}, never, "Failed appends of groups and offsets are answered by one table, without INVALID_COMMIT_OFFSET_SIZE and with REQUEST_TIMED_OUT as COORDINATOR_NOT_AVAILABLE.", nil},
	SessionTimeoutFirst:         {Version{4, 0, 0, 0}, never, "JoinGroup checks the session timeout before the partition, and names no member when the partition is not served.", nil},
	GroupBirthRecord:            {Version{4, 0, 0, 0}, never, "A JoinGroup that makes a group writes a record of the empty group with generation 0.", nil},
	DelayExtendsFromEmpty:       {Version{4, 0, 0, 0}, never, "New members prolong the initial delay of any group that was Empty, not only at generation 0.", nil},
	TimerEndsInitialDelay:       {Version{4, 0, 0, 0}, never, "A member or pending id that expires can end the initial delay, if all others are parked.", nil},
	RefusalLeavesJoinPhase:      {Version{4, 0, 0, 0}, never, "A JoinGroup that is refused never ends the join phase, even if GROUP_MAX_SIZE_REACHED removed the last one missing.", nil},
	ParkedMembersTimed:          {Version{4, 0, 0, 0}, never, "A heartbeat or commit re-arms the session timer even of a member whose JoinGroup is parked; the expiry is swallowed.", nil},
	ReplacementNotNew:           {Version{4, 0, 0, 0}, never, "A static member that replaces one in its first join is not new: its parked JoinGroup keeps it alive.", nil},
	RevertRestoresProtocols:     {Version{4, 0, 0, 0}, never, "A static replacement that could not be stored restores the old protocols too.", nil},
	SyncKeepsSession:            {Version{4, 0, 0, 0}, never, "A SyncGroup in Stable does not re-arm the session timer.", nil},
	SyncWhileLoadingRefused:     {Version{4, 0, 0, 0}, never, "A SyncGroup while the partition loads is COORDINATOR_LOAD_IN_PROGRESS, not REBALANCE_IN_PROGRESS.", nil},
	NullProtocolMatches:         {Version{4, 0, 0, 0}, never, "SyncGroup compares protocol type and name only if the group has them.", nil},
	LeaveTogether:               {Version{4, 0, 0, 0}, never, "A LeaveGroup removes all its members and pending ids first and begins one rebalance, even for a pending id alone.", nil},
	UnknownGroupOnCommit:        {Version{4, 0, 0, 0}, never, "An OffsetCommit v9 with a generation to an unknown group is GROUP_ID_NOT_FOUND.", nil},
	UnstableByTransaction:       {Version{4, 0, 0, 0}, never, "Only offsets of open transactions are UNSTABLE_OFFSET_COMMIT.", nil},
	OffsetDeletionKeepsGroup:    {Version{4, 0, 0, 0}, never, "A group that loses its last offset by OffsetDelete or with its topic stays until the next expiry.", nil},
	TombstoneAlways:             {Version{4, 0, 0, 0}, never, "The end of a group is always written to the log, whatever its generation.", nil},
	PartitionExpiry:             {Version{4, 0, 0, 0}, never, "Each partition runs its own expiry, offsets.retention.check.interval.ms after its load and from then on.", nil},
	AssignmentsAlwaysDescribed:  {Version{4, 0, 0, 0}, never, "DescribeGroups shows assignments in every state.", nil},
	UnknownGroupDescribed:       {Version{4, 0, 0, 0}, never, "DescribeGroups v6 answers GROUP_ID_NOT_FOUND for a group that does not exist (KIP-1043).", nil},
	ListWaitsForLoad:            {Version{4, 0, 0, 0}, never, "ListGroups while a partition loads has no groups beside its error.", nil},
	VoteInHashMap:               {Version{4, 0, 0, 0}, never, "An even vote is decided by the order of Java's HashMap.", nil},
	TopicDeletionByName:         {Version{4, 3, 0, 0}, never, "The deletion of a topic removes every offset under its name, also of partitions that it never had.", nil},
	ConsumerHeartbeatThread:     {Version{0, 10, 1, 0}, never, "The consumer: heartbeats and session run in a thread of their own, not in poll (KIP-62).", nil},
	ConsumerPollTimer:           {Version{0, 10, 1, 0}, never, "The consumer: it leaves after max.poll.interval.ms without a poll (KIP-62).", nil},
	ConsumerLostCallback:        {Version{2, 4, 0, 0}, never, "The consumer: onPartitionsLost tells of partitions that others may have already (KIP-429).", nil},
	ConsumerCloseCallbacks:      {Version{2, 4, 0, 0}, never, "The consumer: close calls the rebalance callbacks.", nil},
	ConsumerLeaveAwaited:        {Version{0, 10, 0, 0}, never, "The consumer: close waits for the answer to LeaveGroup.", nil},
	ConsumerPollDuringJoin:      {Version{2, 5, 0, 0}, never, "The consumer: poll returns records while a join is outstanding.", nil},
	ConsumerHeartbeatCompleting: {Version{2, 7, 0, 0}, never, "The consumer: it heartbeats between JoinGroup's answer and SyncGroup's.", nil},
	ConsumerKeepsMemberID:       {Version{3, 2, 0, 0}, never, "The consumer: ILLEGAL_GENERATION lets it keep its member id.", nil},
	ConsumerStatic:              {Version{2, 3, 0, 0}, never, "The consumer: group.instance.id makes it a static member, which does not leave when it closes (KIP-345).", nil},
	ConsumerReasons:             {Version{3, 2, 0, 0}, never, "The consumer: JoinGroup and LeaveGroup say why (KIP-800).", nil},
	ConsumerAllWatch:            {never, Version{0, 10, 0, 0}, "The consumer: more partitions make every member rejoin, not only the leader.", nil},
	ConsumerJoinTimeout:         {Version{2, 0, 0, 0}, never, "The consumer: JoinGroup may take max.poll.interval.ms and 5 s, whatever request.timeout.ms is.", nil},
	ConsumerOwnedPartitions:     {Version{2, 4, 0, 0}, never, "The consumer: a subscription tells the owned partitions, so that a cooperative assignor revokes only what moves (KIP-429).", nil},
	ConsumerGenerationTold:      {Version{3, 4, 0, 0}, never, "The consumer: a subscription tells its generation, so that stale claims are seen (KIP-792).", nil},
}

// FeaturesOf is what release v does.
func FeaturesOf(v Version) Features {
	var set Features
	for i := range features {
		f := &features[i]
		held := Span{f.since, f.until}.has(v)
		for _, again := range f.more {
			held = held || again.has(v)
		}
		if held {
			set[i/64] |= 1 << (i % 64)
		}
	}
	return set
}

// Has reports whether f is in the set.
func (s *Features) Has(f Feature) bool { return s[f/64]>>(f%64)&1 != 0 }

// Meaning is one sentence about the feature.
func (f Feature) Meaning() string { return features[f].meaning }
