package coordinator

import (
	"strconv"

	"rebalancelab/engine/event"
	"rebalancelab/engine/kafka"
	"rebalancelab/engine/rule"
)

// because notes which rule decides the answers that follow in this step, and the
// guard that decided it in the group's own numbers.
func (c *Coordinator) because(r rule.Rule, guard string) {
	c.out.Rules.Add(r)
	c.rule, c.guard = r, guard
}

// mark notes that a rule was met that no answer or event tells.
func (c *Coordinator) mark(r rule.Rule) { c.out.Rules.Add(r) }

// explained is the event with the rule and guard that were noted.
func (c *Coordinator) explained(e event.Event) event.Event {
	e.Rule, e.Guard = c.rule, c.guard
	return e
}

// explain finds the rule behind an error that a request is about to get.
func (c *Coordinator) explain(req *kafka.Request, err kafka.Error) (rule.Rule, string) {
	g := c.group(req.Group)
	switch err {
	case kafka.UnsupportedVersion:
		oldest, newest := kafka.APIVersions(c.version, req.API)
		return rule.API1, req.API.String() + " v" + itoa(int32(req.Version)) + " is not in v" + itoa(int32(oldest)) + " to v" + itoa(int32(newest))
	case kafka.InvalidGroupID, kafka.CoordinatorLoadInProgress, kafka.NotCoordinator, kafka.CoordinatorNotAvailable:
		return c.explainStatus(g, req, err)
	case kafka.UnknownMemberID:
		return c.explainUnknown(g, req)
	case kafka.FencedInstanceID:
		return c.explainFenced(g, req)
	case kafka.IllegalGeneration:
		return explainGeneration(g, req)
	case kafka.RebalanceInProgress:
		return c.explainRebalance(g, req)
	case kafka.InconsistentGroupProtocol:
		return explainProtocol(g, req)
	case kafka.InvalidSessionTimeout:
		return c.explainSessionTimeout(req)
	case kafka.MemberIDRequired:
		return rule.Join1, "no member id, no instance id, and JoinGroup v" + itoa(int32(req.Version)) + " ≥ v4"
	case kafka.GroupMaxSizeReached:
		return c.explainSize(g, req)
	case kafka.GroupIDNotFound, kafka.NonEmptyGroup:
		return c.explainDeletion(g, req)
	}
	return rule.Sub1, "the release throws an exception here"
}

// explainLeaver finds the rule behind the error of one entry of a LeaveGroup.
func (c *Coordinator) explainLeaver(g *group, l *kafka.LeavingMember, err kafka.Error) (rule.Rule, string) {
	return c.explain(&kafka.Request{API: kafka.LeaveGroup, Group: g.id, MemberID: l.MemberID, InstanceID: l.InstanceID}, err)
}

// explainDeletion finds the rule behind the refusal to delete a group or its
// offsets.
func (c *Coordinator) explainDeletion(g *group, req *kafka.Request) (rule.Rule, string) {
	r := rule.Delete2
	switch req.API {
	case kafka.OffsetDelete:
		r = rule.Delete1
	case kafka.OffsetCommit:
		r = rule.Commit1
	}
	switch {
	case g == nil || g.state == kafka.Dead:
		return r, "there is no group " + quoted(req.Group)
	case req.API == kafka.OffsetDelete:
		return r, "the group has members, and its protocol type is " + quoted(g.protocolType)
	}
	return r, "the group is " + g.state.In(c.version)
}

// statusRule is the rule about what keeps a broker from answering at all.
func (c *Coordinator) statusRule() rule.Rule {
	if c.has.Has(kafka.CommonGroupStatus) {
		return rule.Status1
	}
	return rule.Status2
}

func (c *Coordinator) explainStatus(g *group, req *kafka.Request, err kafka.Error) (rule.Rule, string) {
	partition := kafka.OffsetsTopic + "-" + itoa(c.partitionOf(req.Group))
	switch {
	case err == kafka.InvalidGroupID:
		return c.statusRule(), "the group id is empty"
	case !c.active:
		return c.statusRule(), "the coordinator is not active"
	case g != nil && g.state == kafka.Dead:
		return rule.Status3, "the group is Dead"
	case err == kafka.CoordinatorLoadInProgress:
		return c.statusRule(), partition + " is being loaded"
	}
	return c.statusRule(), "this broker does not lead " + partition
}

func (c *Coordinator) explainUnknown(g *group, req *kafka.Request) (rule.Rule, string) {
	r := unknownRules[req.API]
	switch {
	case g == nil:
		return r, "there is no group " + quoted(req.Group)
	case g.state == kafka.Dead:
		return rule.Status3, "the group is Dead"
	case req.InstanceID != "" && !g.statics.has(name(req.InstanceID)):
		return rule.Static7, "nobody has the instance id " + quoted(req.InstanceID)
	case req.MemberID == "" && req.API != kafka.LeaveGroup:
		return r, "no member id, and the group is " + g.state.In(c.version)
	case g.member(req.MemberID) != nil:
		return r, "the group is " + g.state.In(c.version)
	}
	return r, quoted(req.MemberID) + " is no member of generation " + itoa(g.generation)
}

// unknownRules has the rule about members that nobody knows, by API.
var unknownRules = [kafka.APICount]rule.Rule{kafka.JoinGroup: rule.Join12, kafka.SyncGroup: rule.Sync7, kafka.Heartbeat: rule.HB1,
	kafka.LeaveGroup: rule.Leave1, kafka.OffsetCommit: rule.Commit2, kafka.TxnOffsetCommit: rule.Txn3}

func (c *Coordinator) explainFenced(g *group, req *kafka.Request) (rule.Rule, string) {
	holder := ""
	if id := g.statics.get(name(req.InstanceID)); id != nil {
		holder = *id
	}
	return rule.Static7, "the instance id " + quoted(req.InstanceID) + " is " + holder + "'s, not " + quoted(req.MemberID) + "'s"
}

func explainGeneration(g *group, req *kafka.Request) (rule.Rule, string) {
	r := generationRules[req.API]
	if g == nil {
		return rule.Commit1, "generation " + itoa(req.Generation) + " ≥ 0, and there is no group " + quoted(req.Group)
	}
	sign := " < "
	if req.Generation > g.generation {
		sign = " > "
	}
	return r, "member generation " + itoa(req.Generation) + sign + "group generation " + itoa(g.generation)
}

var generationRules = [kafka.APICount]rule.Rule{kafka.SyncGroup: rule.Sync7, kafka.Heartbeat: rule.HB1,
	kafka.OffsetCommit: rule.Commit2, kafka.TxnOffsetCommit: rule.Txn3}

func (c *Coordinator) explainRebalance(g *group, req *kafka.Request) (rule.Rule, string) {
	if g == nil || c.partitions[g.partition].loading {
		return rule.Status4, "the partition is being loaded: what was joined is lost"
	}
	guard := "the group is " + g.state.In(c.version)
	switch {
	case req.API == kafka.SyncGroup:
		return rule.Sync7, guard
	case req.API == kafka.OffsetCommit:
		return rule.Commit3, guard
	case c.has.Has(kafka.HeartbeatOnlyWhenStable):
		return rule.HB5, guard
	case g.state == kafka.CompletingRebalance:
		return rule.HB6, guard
	}
	return rule.HB3, guard
}

func explainProtocol(g *group, req *kafka.Request) (rule.Rule, string) {
	r := rule.Join11
	if req.API == kafka.SyncGroup {
		r = rule.Sync7
	}
	switch {
	case req.API == kafka.SyncGroup && req.Version >= 5 && (req.ProtocolType == "" || req.ProtocolName == ""):
		return rule.API3, "SyncGroup v5 needs the protocol type and the protocol"
	case req.API == kafka.JoinGroup && (req.ProtocolType == "" || len(req.Protocols) == 0):
		return r, "no protocol type or no protocol"
	case req.ProtocolType != "" && req.ProtocolType != g.protocolType:
		return r, "protocol type " + quoted(req.ProtocolType) + ", the group's is " + quoted(g.protocolType)
	case req.API == kafka.SyncGroup:
		return r, "protocol " + quoted(req.ProtocolName) + ", the group's is " + quoted(g.protocol)
	}
	return r, "no protocol that every member supports (" + itoa(int32(g.size())) + ")"
}

func (c *Coordinator) explainSessionTimeout(req *kafka.Request) (rule.Rule, string) {
	ms := req.SessionTimeoutMs
	if low := c.setting(kafka.GroupMinSessionTimeoutMs); int64(ms) < low {
		return rule.Join10, "session timeout " + itoa(ms) + " < group.min.session.timeout.ms " + strconv.FormatInt(low, 10)
	}
	return rule.Join10, "session timeout " + itoa(ms) + " > group.max.session.timeout.ms " + strconv.FormatInt(c.setting(kafka.GroupMaxSessionTimeoutMs), 10)
}

func (c *Coordinator) explainSize(g *group, req *kafka.Request) (rule.Rule, string) {
	r, count, what := rule.Size2, g.size(), " members"
	if !c.has.Has(kafka.SizeRuleByState) {
		r = rule.Size4
	} else if g.state == kafka.PreparingRebalance {
		count, what = g.joining, " parked joins"
	}
	return r, strconv.Itoa(count) + what + " ≥ group.max.size " + strconv.FormatInt(c.setting(kafka.GroupMaxSize), 10)
}

func (c *Coordinator) explainMetadata(o *kafka.CommittedOffset) (rule.Rule, string) {
	return rule.Commit5, "metadata of " + itoa(int32(kafka.UTF16Len(o.Metadata))) + " characters > offset.metadata.max.bytes " +
		itoa(int32(c.setting(kafka.OffsetMetadataMaxBytes)))
}

func explainUnstable(tp kafka.TopicPartition) (rule.Rule, string) {
	return rule.Fetch2, tp.Topic + "-" + itoa(tp.Partition) + " has a pending commit"
}

func itoa(n int32) string { return strconv.Itoa(int(n)) }

// quoted is an id as it reads in a sentence; an empty one is seen too.
func quoted(id string) string {
	if id == "" {
		return `""`
	}
	return id
}
