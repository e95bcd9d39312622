package coordinator

import (
	"slices"

	"rebalancelab/engine/event"
	"rebalancelab/engine/kafka"
	"rebalancelab/engine/rule"
)

// replacement is what a stored static replacement needs to be undone or
// answered.
type replacement struct {
	instance, oldID, newID string
	birth                  uint64           // of the member
	leader                 string           // before the swap
	protocols              []kafka.Protocol // restored on failure
	rebalanceTimeoutMs     int32
	sessionTimeoutMs       int32
	skipAssignment         bool // the request can be told to skip it
	to                     event.Node
	corr                   int64
	orphan                 *orphan // the group was unloaded meanwhile
}

// orphan is what a replacement will be answered whose group is unloaded: the
// parked JoinGroup of a Stable group outlives it.
type orphan struct{ stored, failed kafka.Response }

// joinStatic handles a static member without a member id: it is new, or takes
// the place of the member with its instance id.
func (c *Coordinator) joinStatic(g *group, from event.Node, req *kafka.Request) {
	id := c.newMemberID(g, req.InstanceID)
	if old := g.statics.get(name(req.InstanceID)); old != nil {
		c.replaceStatic(g, *old, id, from, req)
		return
	}
	c.mark(rule.Static1)
	c.addMember(g, id, from, req)
	c.rebalanceForNewMember(g, id, req)
}

// replaceStatic mirrors updateStaticMemberAndRebalance.
func (c *Coordinator) replaceStatic(g *group, oldID, id string, from event.Node, req *kafka.Request) {
	r := replacement{instance: req.InstanceID, oldID: oldID, newID: id, leader: g.leader,
		skipAssignment: c.has.Has(kafka.SkipAssignment) && req.Version >= 9, to: from, corr: req.Corr}
	m := c.swap(g, oldID, id)
	c.cause = c.log(event.Event{Kind: event.MemberReplaced, Group: g.id, Member: id, Text: oldID, Instance: m.instance, Peer: from, State: g.state})
	c.rearm(g, m)
	r.rebalanceTimeoutMs, r.sessionTimeoutMs = m.rebalanceTimeoutMs, m.sessionTimeoutMs
	if c.has.Has(kafka.RevertRestoresProtocols) {
		r.protocols = m.protocols
	}
	c.updateMember(g, m, from, req)
	r.birth = m.birth
	if r.protocols == nil {
		r.protocols = m.protocols // Kafka captures the list after the update
	}
	switch g.state {
	case kafka.Stable:
		c.replaceInStable(g, m, req, r)
	case kafka.CompletingRebalance:
		if c.has.Has(kafka.StaticReplacedCompleting) {
			c.prepareRebalance(g, c.reasonStaticReplaced(m, req))
		} else {
			c.mark(rule.Static11)
			c.answerReplaced(g, m, &r)
		}
	case kafka.PreparingRebalance:
		if c.has.Has(kafka.RefusalLeavesJoinPhase) {
			c.tryCompleteJoin(g)
		}
	default:
		panic("coordinator: a static member in a group without members")
	}
}

// replaceInStable keeps the generation if the selected protocol stays: the new
// id is written to the log before it is answered.
func (c *Coordinator) replaceInStable(g *group, m *member, req *kafka.Request, r replacement) {
	if !c.has.Has(kafka.StaticReplacedStored) {
		c.mark(rule.Static12)
		c.answerReplaced(g, m, &r)
		return
	}
	if selected, ok := c.selectProtocol(g); !ok || selected != g.protocol {
		c.prepareRebalance(g, c.reasonStaticProtocol(m, req))
		return
	}
	c.mark(rule.Static2)
	c.storeGroup(g, nil, pendingAppend{kind: staticStore, replaced: &r})
}

// swap mirrors GroupMetadata.replaceStaticMember: the member goes on under a new
// id; requests parked under the old one are fenced. The old id's timer would
// run out without effect.
func (c *Coordinator) swap(g *group, oldID, id string) *member {
	m := g.members.rename(name(oldID), name(id))
	c.because(rule.Static8, "the instance id "+m.instance+" was taken over by "+id)
	c.answerJoin(g, m, c.joinError(oldID, kafka.FencedInstanceID))
	c.answerSync(m, &kafka.Response{Error: kafka.FencedInstanceID})
	m.id = id
	if c.has.Has(kafka.ReplacementNotNew) {
		c.serials++
		m.isNew, m.birth = false, c.serials // Kafka puts a copy in its place
	}
	if g.leader == oldID {
		g.leader = id
	}
	*g.statics.get(name(m.instance)) = id
	if m.awaitsSync {
		// Kafka leaves the old id among those that still have to sync.
		g.synced(m)
		g.strangers = append(g.strangers, oldID)
	}
	if at := slices.Index(g.strangers, id); at >= 0 {
		g.strangers = slices.Delete(slices.Clone(g.strangers), at, at+1)
		m.awaitsSync = true
		g.unsynced++
	}
	c.letGo(&m.timer)
	c.dropMemberTimers(m)
	return m
}

// answerReplaced answers a static member that keeps its place in the generation.
func (c *Coordinator) answerReplaced(g *group, m *member, r *replacement) {
	answer := c.replacedAnswer(g, m, r)
	c.answerJoin(g, m, &answer)
}

// replacedAnswer is the success answer of a replacement. Before JoinGroup v9 a
// replaced leader is told the old leader id, so that it does not compute an
// assignment nobody would read.
func (c *Coordinator) replacedAnswer(g *group, m *member, r *replacement) kafka.Response {
	answer := c.joined(g, m)
	answer.MemberID, answer.Leader = r.newID, r.leader
	if r.skipAssignment {
		c.mark(rule.Static3)
		answer.Leader = g.leader
		if g.leader == r.newID {
			answer.SkipAssignment = true
			answer.Members = c.joinedMembers(g)
		}
	} else {
		c.mark(rule.Static4)
	}
	return answer
}

func (c *Coordinator) failedAnswer(g *group, r *replacement) kafka.Response {
	return kafka.Response{API: kafka.JoinGroup, Corr: r.corr, Generation: g.generation, ProtocolType: g.protocolType,
		ProtocolName: g.protocol, Leader: r.leader}
}

// replacementStored ends a replacement whose record was written, or was not. The
// answer goes to whatever JoinGroup the member has parked by now.
func (c *Coordinator) replacementStored(g *group, r *replacement, err kafka.Error) {
	if r.orphan != nil {
		c.answerOrphan(r, err)
	}
	if g == nil {
		return
	}
	m := g.replaced(r)
	switch {
	case m == nil:
	case err == kafka.None:
		c.answerReplaced(g, m, r)
	case m.id == r.newID:
		answer, waits := c.failedAnswer(g, r), m.join.waiting && m.join.corr == r.corr && m.join.to == r.to
		c.revertReplacement(g, m, r)
		if waits {
			c.because(rule.Static5, "the group record could not be written: "+err.In(c.version))
			answer.Error = err
			c.reply(r.to, &answer)
		}
	}
}

// replaced is the member that the replacement put in its place, nil if it is
// gone. It may have been replaced once more.
func (g *group) replaced(r *replacement) *member {
	id := g.statics.get(name(r.instance))
	if id == nil {
		return nil
	}
	if m := g.member(*id); m.birth == r.birth {
		return m
	}
	return nil
}

// orphanReplacements notes the answers of replacements whose group is about to
// be unloaded.
func (c *Coordinator) orphanReplacements(g *group) {
	for i := range c.inFlight.All() {
		p := &c.inFlight.All()[i]
		if p.kind != staticStore || p.serial != g.serial {
			continue
		}
		m := g.replaced(p.replaced)
		if m == nil || !m.join.waiting || m.join.corr != p.replaced.corr {
			continue
		}
		r := *p.replaced
		r.orphan = &orphan{stored: c.replacedAnswer(g, m, &r), failed: c.failedAnswer(g, &r)}
		r.orphan.stored.API, r.orphan.stored.Corr = kafka.JoinGroup, r.corr
		p.replaced = &r
	}
}

func (c *Coordinator) answerOrphan(r *replacement, err kafka.Error) {
	answer := r.orphan.stored
	if err != kafka.None {
		c.because(rule.Static5, "the group record could not be written: "+err.In(c.version))
		answer = r.orphan.failed
		answer.Error = err
	}
	c.reply(r.to, &answer)
}

// revertReplacement puts the old id back. The protocols stay those of the
// refused request, as in Kafka.
func (c *Coordinator) revertReplacement(g *group, m *member, r *replacement) {
	c.countProtocols(g, m.protocols, -1)
	c.countProtocols(g, r.protocols, 1)
	m.protocols = r.protocols
	m.rebalanceTimeoutMs, m.sessionTimeoutMs = r.rebalanceTimeoutMs, r.sessionTimeoutMs
	if m.join.waiting {
		m.join = parked{}
		g.joining--
	}
	m = c.swap(g, r.newID, r.oldID)
	c.cause = c.log(event.Event{Kind: event.MemberReplaced, Group: g.id, Member: r.oldID, Text: r.newID, Instance: m.instance, State: g.state})
	c.rearm(g, m)
}
