package coordinator

import (
	"slices"

	"rebalancelab/engine/event"
	"rebalancelab/engine/kafka"
	"rebalancelab/engine/rule"
)

// joint is a request whose groups lie in several partitions: it is answered when
// the event of each of them is.
type joint struct {
	to    event.Node
	corr  int64
	open  int
	parts []kafka.DescribedGroup
	rule  rule.Rule // behind the last error
	guard string
}

// deleteInPartitions mirrors GroupCoordinatorService.deleteGroups: one event a
// partition.
func (c *Coordinator) deleteInPartitions(from event.Node, req *kafka.Request) {
	var partitions []int32
	for _, id := range req.Groups {
		if p := c.partitionOf(id); !slices.Contains(partitions, p) {
			partitions = append(partitions, p)
		}
	}
	if len(partitions) > 1 && c.active {
		c.joints = append(c.joints, joint{to: from, corr: req.Corr, open: len(partitions)})
	}
	if len(partitions) == 0 || !c.active {
		c.because(c.explain(req, kafka.CoordinatorNotAvailable))
		c.reply(from, c.deleteAnswer(req, kafka.CoordinatorNotAvailable))
		return
	}
	for _, p := range partitions {
		part := *req
		part.Groups = slices.DeleteFunc(slices.Clone(req.Groups), func(id string) bool { return c.partitionOf(id) != p })
		if err := c.partitionError(p); err != kafka.None {
			c.because(c.explain(&kafka.Request{API: req.API, Group: part.Groups[0]}, err))
			c.reply(from, c.deleteAnswer(&part, err))
			continue
		}
		c.deleteEvent(&part)
		c.endEvent(p, from, &part)
	}
}

// deleteEvent mirrors GroupCoordinatorShard.deleteGroups.
func (c *Coordinator) deleteEvent(req *kafka.Request) {
	r := kafka.Response{API: req.API, Corr: req.Corr, Groups: make([]kafka.DescribedGroup, 0, len(req.Groups))}
	var records []kafka.Record
	for _, id := range req.Groups {
		d := kafka.DescribedGroup{Group: id}
		switch g := c.group(id); {
		case g == nil || g.state == kafka.Dead:
			d.Error = kafka.GroupIDNotFound
		case g.state != kafka.Empty:
			d.Error = kafka.NonEmptyGroup
		default:
			records = append(records, c.groupTombstones(g)...)
		}
		if d.Error != kafka.None {
			c.because(c.explainDeletion(c.group(id), &kafka.Request{API: req.API, Group: id}))
		}
		r.Groups = append(r.Groups, d)
	}
	c.draftTombstones(records)
	c.result(&r)
}

// deleteAnswer has the same error for every group.
func (c *Coordinator) deleteAnswer(req *kafka.Request, err kafka.Error) *kafka.Response {
	r := &kafka.Response{API: req.API, Corr: req.Corr}
	for _, id := range req.Groups {
		r.Groups = append(r.Groups, kafka.DescribedGroup{Group: id, Error: err})
	}
	return r
}

// collectPart collects the answer of one partition; it reports whether the request
// still waits for others.
func (c *Coordinator) collectPart(to event.Node, r *kafka.Response) bool {
	i := slices.IndexFunc(c.joints, func(j joint) bool { return j.to == to && j.corr == r.Corr })
	if i < 0 {
		return false
	}
	j := &c.joints[i]
	j.open--
	if r.FirstError() != kafka.None {
		j.rule, j.guard = c.rule, c.guard
	}
	j.parts = append(slices.Clone(j.parts), r.Groups...)
	if j.open > 0 {
		return true
	}
	r.Groups, c.rule, c.guard = j.parts, j.rule, j.guard
	c.joints = slices.Delete(slices.Clone(c.joints), i, i+1)
	return false
}
