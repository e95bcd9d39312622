package coordinator

import (
	"rebalancelab/engine/event"
	"rebalancelab/engine/kafka"
	"rebalancelab/engine/rule"
)

// status mirrors GroupCoordinator.validateGroupStatus: what keeps this broker
// from answering for the group at all.
func (c *Coordinator) status(api kafka.API, group string) kafka.Error {
	if !c.has.Has(kafka.CommonGroupStatus) {
		return c.oldStatus(api, group)
	}
	p := &c.partitions[c.partitionOf(group)]
	switch {
	case group == "" && needsGroupID(api):
		return kafka.InvalidGroupID
	case !c.active:
		return kafka.CoordinatorNotAvailable
	case p.loading:
		return kafka.CoordinatorLoadInProgress
	case !p.owned:
		return kafka.NotCoordinator
	}
	return kafka.None
}

// oldStatus is the order of the checks up to 1.1: a partition counts as owned
// only when its first load has ended, so loading shows on a repeated load only.
func (c *Coordinator) oldStatus(api kafka.API, group string) kafka.Error {
	p := &c.partitions[c.partitionOf(group)]
	switch {
	case !c.active:
		return kafka.CoordinatorNotAvailable
	case group == "" && (api == kafka.JoinGroup || api == kafka.DeleteGroups):
		return kafka.InvalidGroupID
	case !p.owned:
		return kafka.NotCoordinator
	case p.loading && api != kafka.SyncGroup:
		return kafka.CoordinatorLoadInProgress
	}
	return kafka.None
}

// needsGroupID mirrors GroupCoordinator.isValidGroupId: the empty id is legal
// for the APIs that simple consumers of 0.9 use.
func needsGroupID(api kafka.API) bool {
	switch api {
	case kafka.OffsetCommit, kafka.OffsetFetch, kafka.DescribeGroups, kafka.DeleteGroups:
		return false
	}
	return true
}

func (c *Coordinator) partitionOf(group string) int32 {
	return kafka.OffsetsPartition(group, int32(len(c.partitions)))
}

// deadError is what a request gets that finds the group Dead.
func (c *Coordinator) deadError() kafka.Error {
	if c.has.Has(kafka.DeadIsUnavailable) {
		return kafka.CoordinatorNotAvailable
	}
	return kafka.UnknownMemberID
}

// validate mirrors GroupCoordinator.validateCurrentMember: fencing first, then
// membership. It yields the member if there is no error.
func (c *Coordinator) validate(g *group, memberID, instance string) (*member, kafka.Error) {
	if err := c.fenced(g, memberID, instance); err != kafka.None {
		return nil, err
	}
	m := g.member(memberID)
	if m == nil {
		return nil, kafka.UnknownMemberID
	}
	return m, kafka.None
}

// fenced reports that an instance id belongs to another member; since 3.0.0 also
// that it belongs to none.
func (c *Coordinator) fenced(g *group, memberID, instance string) kafka.Error {
	if instance == "" {
		return kafka.None
	}
	holder := g.statics.get(name(instance))
	switch {
	case holder == nil && c.has.Has(kafka.OneMemberValidation):
		return kafka.UnknownMemberID
	case holder != nil && *holder != memberID:
		c.log(event.Event{Kind: event.MemberFenced, API: c.api, Group: g.id, Member: memberID, Instance: instance, Text: *holder})
		return kafka.FencedInstanceID
	}
	return kafka.None
}

// groupNotExists mirrors GroupMetadataManager.groupNotExists and turns it into
// the error that deletions answer.
func (c *Coordinator) groupNotExists(group string, r rule.Rule) kafka.Error {
	c.because(r, "there is no group "+quoted(group))
	if c.partitions[c.partitionOf(group)].owned {
		return kafka.GroupIDNotFound
	}
	return kafka.NotCoordinator
}
