package coordinator

import (
	"slices"
	"strings"

	"rebalancelab/engine/event"
	"rebalancelab/engine/kafka"
)

// describeGroups mirrors handleDescribeGroup for each group asked for.
func (c *Coordinator) describeGroups(from event.Node, req *kafka.Request) {
	r := kafka.Response{API: req.API, Corr: req.Corr, Groups: make([]kafka.DescribedGroup, 0, len(req.Groups))}
	for _, id := range req.Groups {
		r.Groups = append(r.Groups, c.describe(req.API, req.Version, id))
	}
	c.reply(from, &r)
}

func (c *Coordinator) describe(api kafka.API, version int16, id string) kafka.DescribedGroup {
	d := kafka.DescribedGroup{Group: id, Error: c.status(api, id)}
	if d.Error != kafka.None {
		return d
	}
	g := c.group(id)
	if c.has.Has(kafka.CommittedReads) {
		g = c.committedGroup(id)
	}
	if g == nil {
		d.State = kafka.Dead.String()
		if c.has.Has(kafka.UnknownGroupDescribed) && version >= 6 {
			d.Error = kafka.GroupIDNotFound
		}
		return d
	}
	d.State, d.ProtocolType = g.state.In(c.version), g.protocolType
	if g.state == kafka.Stable {
		d.Protocol = g.protocol
	}
	d.Members = make([]kafka.DescribedMember, 0, g.size())
	for i := range g.members.entries {
		e := &g.members.entries[i]
		if !e.live {
			continue
		}
		m := &e.item
		dm := kafka.DescribedMember{MemberID: m.id, InstanceID: m.instance, ClientID: m.clientID, ClientHost: m.clientHost}
		if g.state == kafka.Stable {
			dm.Metadata, _ = m.metadata(g.protocol)
		}
		if g.state == kafka.Stable || c.has.Has(kafka.AssignmentsAlwaysDescribed) {
			dm.Assignment = m.assignment
		}
		d.Members = append(d.Members, dm)
	}
	return d
}

// listGroups mirrors handleListGroups. While any partition is loading, the
// answer has an error and the groups that are in memory.
func (c *Coordinator) listGroups(from event.Node, req *kafka.Request) {
	r := kafka.Response{API: req.API, Corr: req.Corr}
	if !c.active {
		r.Error = kafka.CoordinatorNotAvailable
		c.reply(from, &r)
		return
	}
	for i := range c.partitions {
		if c.partitions[i].loading {
			r.Error = kafka.CoordinatorLoadInProgress
		}
	}
	if r.Error != kafka.None && c.has.Has(kafka.ListWaitsForLoad) {
		c.reply(from, &r)
		return
	}
	ids := c.GroupIDs(nil)
	if c.has.Has(kafka.CommittedReads) {
		ids = c.committedIDs()
	}
	for _, id := range ids {
		g := c.group(id)
		if c.has.Has(kafka.CommittedReads) {
			g = c.committedGroup(id)
		}
		if g == nil || len(req.Types) > 0 && c.has.Has(kafka.ListByType) && !slices.ContainsFunc(req.Types, isClassic) {
			continue
		}
		state := g.state.In(c.version)
		if len(req.States) > 0 && c.has.Has(kafka.ListByState) && !c.listed(req.States, state) {
			continue
		}
		d := kafka.DescribedGroup{Group: id, ProtocolType: g.protocolType}
		if c.has.Has(kafka.ListByState) {
			d.State = state
		}
		r.Groups = append(r.Groups, d)
	}
	c.reply(from, &r)
}

// isClassic reports whether a type that ListGroups asks for is that of a classic
// group.
func isClassic(groupType string) bool { return strings.EqualFold(groupType, "classic") }

func (c *Coordinator) listed(states []string, state string) bool {
	return slices.ContainsFunc(states, func(s string) bool {
		return s == state || c.has.Has(kafka.StatesIgnoreCase) && strings.EqualFold(s, state)
	})
}
