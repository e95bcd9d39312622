package coordinator

import (
	"rebalancelab/engine/clock"
	"rebalancelab/engine/event"
	"rebalancelab/engine/kafka"
	"rebalancelab/engine/rule"
)

// Unload forgets a partition that this broker leads no more: every parked
// request is answered NOT_COORDINATOR (GroupMetadataManager.
// removeGroupsAndOffsets, GroupCoordinator.onGroupUnloaded).
func (c *Coordinator) Unload(at clock.Time, partition int32, cause uint64, out *Output) {
	c.begin(at, cause, out)
	c.failOperations(partition)
	c.partitions[partition] = partitionState{expiry: noTimer}
	for _, id := range c.GroupIDs(nil) {
		if g := c.group(id); g.partition == partition || c.has.Has(kafka.UnloadTakesAll) {
			c.unloadGroup(g)
			c.cause = cause
		}
	}
	for _, id := range c.ledgerIDs() {
		if c.ledger(id).partition == partition {
			c.ledgers.remove(name(id))
		}
	}
	c.end()
}

func (c *Coordinator) unloadGroup(g *group) {
	c.cause = c.log(event.Event{Kind: event.GroupUnloaded, Group: g.id, Generation: g.generation})
	if g.pending.live+g.joining > 0 {
		c.mark(rule.Load4)
	}
	before := g.state
	c.moveTo(g, kafka.Dead, rule.Load1, "this broker does not lead "+kafka.OffsetsTopic+"-"+itoa(g.partition)+" any more")
	c.because(rule.Load1, "the group was unloaded")
	for i := range g.members.entries {
		e := &g.members.entries[i]
		switch {
		case !e.live:
		case before == kafka.PreparingRebalance:
			c.answerJoin(g, &e.item, c.joinError(e.item.id, kafka.NotCoordinator))
		case before == kafka.Stable || before == kafka.CompletingRebalance:
			c.answerSync(&e.item, &kafka.Response{Error: kafka.NotCoordinator})
		}
	}
	c.orphanReplacements(g)
	c.forget(g)
}

// failOperations ends everything that waits for a commit of the partition, and
// its timers (CoordinatorContext.unload).
func (c *Coordinator) failOperations(partition int32) {
	if !c.has.Has(kafka.WriteOperations) {
		return
	}
	c.completeWhere(kafka.NotCoordinator, func(o *operation) bool { return o.partition == partition })
	for i := 0; i < len(c.undos.All()); {
		if c.undos.All()[i].partition == partition {
			c.undos.Remove(i)
		} else {
			i++
		}
	}
	c.cancelTimers(partition)
}

// ledgerIDs lists the group ids that have offsets, sorted.
func (c *Coordinator) ledgerIDs() []string { return sortedKeys(nil, &c.ledgers) }
