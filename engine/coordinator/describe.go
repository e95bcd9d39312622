package coordinator

import (
	"slices"
	"strings"

	"rebalancelab/engine/event"
	"rebalancelab/engine/kafka"
	"rebalancelab/engine/rule"
)

// describeGroups mirrors handleDescribeGroup for each group asked for.
func (c *Coordinator) describeGroups(from event.Node, req *kafka.Request) {
	r := kafka.Response{API: req.API, Corr: req.Corr, Groups: make([]kafka.DescribedGroup, 0, len(req.Groups))}
	for _, id := range req.Groups {
		r.Groups = append(r.Groups, c.describe(req.API, req.Version, id))
	}
	if !c.crashed {
		c.reply(from, &r)
	}
}

func (c *Coordinator) describe(api kafka.API, version int16, id string) kafka.DescribedGroup {
	d := kafka.DescribedGroup{Group: id, Error: c.status(api, id)}
	c.mark(rule.Describe1)
	if d.Error != kafka.None {
		c.because(c.explain(&kafka.Request{API: api, Group: id}, d.Error))
		return d
	}
	g := c.group(id)
	if c.has.Has(kafka.CommittedReads) {
		c.mark(rule.Event4)
		g = c.committedGroup(id)
	}
	if g == nil {
		d.State = kafka.Dead.String()
		if c.has.Has(kafka.UnknownGroupDescribed) && version >= 6 {
			d.Error = kafka.GroupIDNotFound
			c.because(rule.Describe1, "there is no group "+quoted(id))
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
			dm.Metadata = c.metadataOf(g, m)
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
	c.mark(rule.List1)
	if len(req.States)+len(req.Types) > 0 {
		c.mark(rule.List2)
	}
	if !c.active {
		r.Error = kafka.CoordinatorNotAvailable
		c.because(rule.List1, "the coordinator is not active")
		c.reply(from, &r)
		return
	}
	for i := range c.partitions {
		if c.partitions[i].loading {
			r.Error = kafka.CoordinatorLoadInProgress
			c.because(rule.List1, kafka.OffsetsTopic+"-"+itoa(int32(i))+" is being loaded")
		}
	}
	if r.Error != kafka.None && c.has.Has(kafka.ListWaitsForLoad) {
		c.reply(from, &r)
		return
	}
	ids := c.GroupIDs(nil)
	if c.has.Has(kafka.CommittedReads) {
		ids = c.committedIDs()
		c.mark(rule.Event4)
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
		if c.has.Has(kafka.ListByType) {
			d.Type = classic
		}
		if c.has.Has(kafka.ListByState) {
			d.State = state
		}
		r.Groups = append(r.Groups, d)
	}
	c.reply(from, &r)
}

// classic is the type of every group of this package.
const classic = "classic"

func isClassic(groupType string) bool { return strings.EqualFold(groupType, classic) }

func (c *Coordinator) listed(states []string, state string) bool {
	return slices.ContainsFunc(states, func(s string) bool {
		return s == state || c.has.Has(kafka.StatesIgnoreCase) && strings.EqualFold(s, state)
	})
}
