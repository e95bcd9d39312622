package kafka

// Feature names one behaviour of the group coordinator that not every release
// has. Code asks for a feature, never for a version.
type Feature uint8

// The features, oldest first. The table has what each of them means.
const (
	GroupDiesWhenEmpty Feature = iota
	GroupBornStable
	OffsetsOutsideGroup
	TimersOfRemovedMembersFire
	HeartbeatOnlyWhenStable
	SyncRearmsWhileAwaiting
	RebalanceBoundBySession
	RequestTimeoutRejoins
	CommitRearmsSession
	EmptyState
	RebalanceTimeout
	ReplicaErrorsMapped
	EmptyGroupRecord
	OffsetFetchAll
	RefusedMetadataPending
	HeartbeatDeadlineCompared
	InitialRebalanceDelay
	TransactionalCommits
	JoinNeedsProtocols
	ExpiryInclusive
	GroupDeletion
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
	StaticMembers
	DeadIsUnavailable
	HeartbeatGenerationAlways
	LeaderReplacedAtJoin
	InstanceInReasons
	BatchLeave
	OffsetDeletion
	ExpiryBySubscription
	NewMemberCanExpire
	SyncChecksProtocol
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

	featureCount
)

// Features is a set of features.
type Features [(featureCount + 63) / 64]uint64

var never = Version{}

// features is the table of eras: since is the first release with the feature
// (zero: all), until the first one without it again (zero: still there).
var features = [featureCount]struct {
	since, until Version
	meaning      string
}{
	GroupDiesWhenEmpty:         {never, Version{0, 10, 1, 0}, "A group whose last member goes is Dead at once and leaves a tombstone."},
	GroupBornStable:            {never, Version{0, 10, 1, 0}, "A new group is Stable with generation 0 and keeps the protocol type of the first JoinGroup."},
	OffsetsOutsideGroup:        {never, Version{0, 10, 1, 0}, "Committed offsets live beside the groups; they make no group and survive its end."},
	TimersOfRemovedMembersFire: {never, Version{0, 10, 0, 0}, "The session timer of a member dropped at the end of a join phase still fires and rebalances."},
	HeartbeatOnlyWhenStable:    {never, Version{0, 10, 1, 0}, "A heartbeat outside Stable is REBALANCE_IN_PROGRESS before the member is looked at and re-arms nothing."},
	SyncRearmsWhileAwaiting:    {never, Version{0, 10, 1, 0}, "A SyncGroup that is parked completes the caller's session timer."},
	RebalanceBoundBySession:    {never, Version{0, 10, 1, 0}, "The join phase is bounded by the largest session timeout."},
	RequestTimeoutRejoins:      {Version{0, 9, 0, 1}, never, "REQUEST_TIMED_OUT on a group record is answered REBALANCE_IN_PROGRESS."},
	CommitRearmsSession:        {Version{0, 10, 0, 1}, never, "A member's OffsetCommit re-arms its session timer."},
	EmptyState:                 {Version{0, 10, 1, 0}, never, "A group without members is Empty and stays until its offsets expire."},
	RebalanceTimeout:           {Version{0, 10, 1, 0}, never, "The join phase is bounded by the members' rebalance timeouts (KIP-62)."},
	ReplicaErrorsMapped:        {Version{0, 10, 1, 0}, never, "NOT_ENOUGH_REPLICAS on an append is answered COORDINATOR_NOT_AVAILABLE."},
	EmptyGroupRecord:           {Version{0, 10, 1, 0}, never, "A join phase that ends without members writes a group record."},
	OffsetFetchAll:             {Version{0, 10, 2, 0}, never, "OffsetFetch has an error of its own and can ask for all partitions."},
	RefusedMetadataPending:     {Version{0, 10, 2, 0}, Version{3, 3, 0, 0}, "An offset refused with OFFSET_METADATA_TOO_LARGE stays pending when another one of its commit is stored."},
	HeartbeatDeadlineCompared:  {never, Version{1, 0, 0, 0}, "Re-arming a session timer within one millisecond leaves the old one in place."},
	InitialRebalanceDelay:      {Version{0, 11, 0, 0}, never, "The first join phase of an empty group waits for further members (KIP-134)."},
	TransactionalCommits:       {Version{0, 11, 0, 0}, never, "TxnOffsetCommit holds offsets back until the transaction's marker."},
	JoinNeedsProtocols:         {Version{1, 0, 0, 0}, never, "A JoinGroup to an empty group needs a protocol type and a protocol."},
	ExpiryInclusive:            {Version{1, 0, 0, 0}, never, "An offset expires at its timestamp, not one millisecond later."},
	GroupDeletion:              {Version{1, 1, 0, 0}, never, "DeleteGroups (KIP-229)."},
	CommonGroupStatus:          {Version{2, 0, 0, 0}, never, "One status check for all APIs; a loading partition answers COORDINATOR_LOAD_IN_PROGRESS."},

	JoinPhaseDropsSilentMembers: {never, Version{2, 3, 0, 0}, "The end of a join phase drops every member that did not rejoin."},

	StateTimestamp:            {Version{2, 1, 0, 0}, never, "Group records carry the time of the last change of state."},
	ExpiryByGroup:             {Version{2, 1, 0, 0}, never, "Offsets expire by the state of their group, not by a timestamp fixed at the commit (KIP-211)."},
	LeaderEpochStored:         {Version{2, 1, 0, 0}, never, "Offset records carry the leader epoch."},
	RebalanceReasons:          {Version{2, 1, 0, 0}, never, "The line about a rebalance has a reason."},
	NewMemberTimeout:          {Version{2, 1, 1, 0}, never, "A new member runs on a timer of 5 minutes until its first join is answered."},
	RemovedJoinAnswered:       {Version{2, 1, 1, 0}, never, "The parked join of a removed member is answered UNKNOWN_MEMBER_ID."},
	MemberIDStep:              {Version{2, 2, 0, 0}, never, "JoinGroup v4 hands out a member id with MEMBER_ID_REQUIRED (KIP-394)."},
	GroupSizeLimit:            {Version{2, 2, 0, 0}, never, "group.max.size."},
	NoGenerationOnJoinError:   {Version{2, 2, 0, 0}, never, "An error answer to JoinGroup has generation -1, not 0."},
	StaticMembers:             {Version{2, 3, 0, 0}, never, "group.instance.id (KIP-345)."},
	DeadIsUnavailable:         {Version{2, 3, 0, 0}, never, "A Dead group answers COORDINATOR_NOT_AVAILABLE, not UNKNOWN_MEMBER_ID."},
	HeartbeatGenerationAlways: {Version{2, 3, 0, 0}, never, "A heartbeat in CompletingRebalance checks the generation."},
	LeaderReplacedAtJoin:      {Version{2, 3, 0, 0}, never, "A leader that did not rejoin is replaced at the end of the join phase."},
	InstanceInReasons:         {Version{2, 3, 0, 0}, never, "The reason of a new member's rebalance names the instance id."},
	BatchLeave:                {Version{2, 4, 0, 0}, never, "LeaveGroup takes a list and answers per member."},
	OffsetDeletion:            {Version{2, 4, 0, 0}, never, "OffsetDelete (KIP-496)."},
	ExpiryBySubscription:      {Version{2, 4, 0, 0}, never, "Offsets of topics that no member subscribes to expire in a living group."},
	NewMemberCanExpire:        {Version{2, 4, 1, 0}, never, "A parked join does not keep a new member from expiring."},
	SyncChecksProtocol:        {Version{2, 5, 0, 0}, never, "SyncGroup compares protocol type and name."},
	StaticReplacedCompleting:  {Version{2, 5, 0, 0}, never, "Replacing a static member in CompletingRebalance rebalances."},
	TransactionChecksMember:   {Version{2, 5, 0, 0}, never, "TxnOffsetCommit checks member and generation if given."},
	StableFetch:               {Version{2, 5, 0, 0}, never, "OffsetFetch can refuse offsets with pending commits (KIP-447)."},
	SizeRuleByState:           {Version{2, 6, 0, 0}, never, "The size limit counts parked joins in PreparingRebalance and members later."},
	ListByState:               {Version{2, 6, 0, 0}, never, "ListGroups filters by state and tells it."},
	VoteInTrie:                {Version{2, 6, 0, 0}, never, "An even vote is decided by the order of Scala 2.13's hash trie, before by that of 2.11's hash table."},
	HeartbeatWhileCompleting:  {Version{2, 6, 1, 0}, never, "A heartbeat in CompletingRebalance is NONE and re-arms."},
	StaticReplacedStored:      {Version{2, 6, 1, 0}, never, "Replacing a static member in Stable tests the selected protocol and is written before it is answered."},
	DetailedReasons:           {Version{2, 6, 1, 0}, never, "The reason of a rejoin names the state and the leader."},
	SyncDeadline:              {Version{2, 8, 1, 0}, never, "Members that do not sync within the rebalance timeout are removed."},
	LoadMarkedAtStart:         {Version{2, 8, 1, 0}, never, "A partition counts as loading when its load starts, not when it is scheduled; epochs guard late loads."},
	SubscriptionOnlyStable:    {Version{2, 8, 2, 0}, never, "Expiry by subscription applies in Stable only."},
	SizeRefusalForgetsPending: {Version{3, 0, 0, 0}, never, "GROUP_MAX_SIZE_REACHED takes the id out of the pending ones (seen in 3.2.3, not in 2.8.2)."},
	OneMemberValidation:       {Version{3, 0, 0, 0}, never, "One order of member checks for all APIs; an unmapped instance id is UNKNOWN_MEMBER_ID."},

	SyncDeadlineToleratesStrangers: {Version{3, 0, 0, 0}, never, "The sync timer rebalances although it waits for a replaced id (2.8.2 dies of it)."},

	ClientReasons:            {Version{3, 2, 0, 0}, never, "JoinGroup and LeaveGroup carry a reason (KIP-800)."},
	SkipAssignment:           {Version{3, 2, 0, 0}, never, "JoinGroup v9 tells a replaced static leader to skip the assignment (KIP-814)."},
	EmptyGroupTakesAnyCommit: {Version{3, 3, 0, 0}, never, "A commit with generation -1 to an Empty group is taken whatever ids it carries."},
	RejoinUpdatesTimeouts:    {Version{3, 3, 2, 0}, never, "A rejoin updates the member's session and rebalance timeouts."},
	StoreErrorInReason:       {Version{3, 4, 0, 0}, never, "The reason after a failed store names the error."},
	NetworkErrorRetriable:    {Version{3, 6, 0, 0}, never, "NETWORK_EXCEPTION on a commit is answered COORDINATOR_LOAD_IN_PROGRESS (seen in 3.9.1, not in 3.2.3)."},
	StatesIgnoreCase:         {Version{3, 8, 0, 0}, never, "The filter of ListGroups ignores case."},
	ListByType:               {Version{3, 8, 0, 0}, never, "ListGroups filters by the type of group."},

	// The Java coordinator. It goes ways of its own where WriteOperations is asked
	// for; LeaveTogether and OffsetDeletionKeepsGroup only say what happens there.
	WriteOperations:            {Version{4, 0, 0, 0}, never, "A request is an event on its partition's only thread: what it writes counts at once, is answered when it is committed and undone when the append fails."},
	CommittedReads:             {Version{4, 0, 0, 0}, never, "DescribeGroups, ListGroups and OffsetFetch see what is committed; an OffsetFetch for stable offsets waits for what is not."},
	TimersByKey:                {Version{4, 0, 0, 0}, never, "A timer belongs to a name, not to a member or group: one that nobody cancelled fires after its owner is gone, without effect."},
	OperationTimeout:           {Version{4, 0, 0, 0}, never, "A request whose records are not committed within offsets.commit.timeout.ms is answered COORDINATOR_NOT_AVAILABLE."},
	OneErrorTable:              {Version{4, 0, 0, 0}, never, "Failed appends of groups and offsets are answered by one table, without INVALID_COMMIT_OFFSET_SIZE and with REQUEST_TIMED_OUT as COORDINATOR_NOT_AVAILABLE."},
	SessionTimeoutFirst:        {Version{4, 0, 0, 0}, never, "JoinGroup checks the session timeout before the partition, and names no member when the partition is not served."},
	GroupBirthRecord:           {Version{4, 0, 0, 0}, never, "A JoinGroup that makes a group writes a record of the empty group with generation 0."},
	DelayExtendsFromEmpty:      {Version{4, 0, 0, 0}, never, "New members prolong the initial delay of any group that was Empty, not only at generation 0."},
	TimerEndsInitialDelay:      {Version{4, 0, 0, 0}, never, "A member or pending id that expires can end the initial delay, if all others are parked."},
	RefusalLeavesJoinPhase:     {Version{4, 0, 0, 0}, never, "A JoinGroup that is refused never ends the join phase, even if GROUP_MAX_SIZE_REACHED removed the last one missing."},
	ParkedMembersTimed:         {Version{4, 0, 0, 0}, never, "A heartbeat or commit re-arms the session timer even of a member whose JoinGroup is parked; the expiry is swallowed."},
	ReplacementNotNew:          {Version{4, 0, 0, 0}, never, "A static member that replaces one in its first join is not new: its parked JoinGroup keeps it alive."},
	RevertRestoresProtocols:    {Version{4, 0, 0, 0}, never, "A static replacement that could not be stored restores the old protocols too."},
	SyncKeepsSession:           {Version{4, 0, 0, 0}, never, "A SyncGroup in Stable does not re-arm the session timer."},
	SyncWhileLoadingRefused:    {Version{4, 0, 0, 0}, never, "A SyncGroup while the partition loads is COORDINATOR_LOAD_IN_PROGRESS, not REBALANCE_IN_PROGRESS."},
	NullProtocolMatches:        {Version{4, 0, 0, 0}, never, "SyncGroup compares protocol type and name only if the group has them."},
	LeaveTogether:              {Version{4, 0, 0, 0}, never, "A LeaveGroup removes all its members and pending ids first and begins one rebalance, even for a pending id alone."},
	UnknownGroupOnCommit:       {Version{4, 0, 0, 0}, never, "An OffsetCommit v9 with a generation to an unknown group is GROUP_ID_NOT_FOUND."},
	UnstableByTransaction:      {Version{4, 0, 0, 0}, never, "Only offsets of open transactions are UNSTABLE_OFFSET_COMMIT."},
	OffsetDeletionKeepsGroup:   {Version{4, 0, 0, 0}, never, "A group that loses its last offset by OffsetDelete or with its topic stays until the next expiry."},
	TombstoneAlways:            {Version{4, 0, 0, 0}, never, "The end of a group is always written to the log, whatever its generation."},
	PartitionExpiry:            {Version{4, 0, 0, 0}, never, "Each partition runs its own expiry, offsets.retention.check.interval.ms after its load and from then on."},
	AssignmentsAlwaysDescribed: {Version{4, 0, 0, 0}, never, "DescribeGroups shows assignments in every state."},
	UnknownGroupDescribed:      {Version{4, 0, 0, 0}, never, "DescribeGroups v6 answers GROUP_ID_NOT_FOUND for a group that does not exist (KIP-1043)."},
	ListWaitsForLoad:           {Version{4, 0, 0, 0}, never, "ListGroups while a partition loads has no groups beside its error."},
	VoteInHashMap:              {Version{4, 0, 0, 0}, never, "An even vote is decided by the order of Java's HashMap."},
	ReasonsReworded:            {Version{4, 0, 0, 0}, never, "The reasons of rebalances are worded anew; that of a LeaveGroup names all that left."},
	TopicDeletionByName:        {Version{4, 3, 0, 0}, never, "The deletion of a topic removes every offset under its name, also of partitions that it never had."},
}

// FeaturesOf is what release v does.
func FeaturesOf(v Version) Features {
	var set Features
	for i := range features {
		f := &features[i]
		if !v.Older(f.since) && (f.until == never || v.Older(f.until)) {
			set[i/64] |= 1 << (i % 64)
		}
	}
	return set
}

// Has reports whether f is in the set.
func (s *Features) Has(f Feature) bool { return s[f/64]>>(f%64)&1 != 0 }

// Meaning is one sentence about the feature.
func (f Feature) Meaning() string { return features[f].meaning }
