package coordinator

import (
	"rebalancelab/engine/clock"
	"rebalancelab/engine/kafka"
	"rebalancelab/engine/rule"
)

// From 4.0 on a timer belongs to its key (EventBasedCoordinatorTimer): whoever
// arms "join-g" again replaces it, and nobody has to hold it. Here members and
// groups hold their timers; one that runs on without its owner is a stray, found
// by its key.
type timerKey struct {
	kind          timerKind
	group, member string
}

func (k timerKey) hash() uint32 {
	return name(k.group).hash()*31 ^ name(k.member).hash() ^ uint32(k.kind)*0x9e3779b1
}

// keyOf is the key of a timer. A pending id and the member that it becomes share
// theirs.
func keyOf(kind timerKind, group, member string) timerKey {
	if kind == pendingTimer {
		kind = memberTimer
	}
	return timerKey{kind, group, member}
}

// adopt gives back the stray with a key, noTimer if there is none.
func (c *Coordinator) adopt(kind timerKind, group, member string) int32 {
	if c.strays.live == 0 {
		return noTimer
	}
	k := keyOf(kind, group, member)
	at := c.strays.get(k)
	if at == nil {
		return noTimer
	}
	i := *at
	c.strays.remove(k)
	c.timers[i].kind = kind
	return i
}

// letGo is what becomes of a timer whose owner goes without cancelling it.
func (c *Coordinator) letGo(i *int32) {
	switch {
	case !c.has.Has(kafka.TimersByKey) || !c.armed(*i):
		c.freeTimerOf(i)
	default:
		t := &c.timers[*i]
		c.strays.add(keyOf(t.kind, t.group, t.member), *i)
		*i = noTimer
	}
}

// cancelStray cancels the timer with a key that nobody holds.
func (c *Coordinator) cancelStray(kind timerKind, group, member string) {
	i := c.adopt(kind, group, member)
	c.freeTimerOf(&i)
}

// strand lets go of all timers of a group that leaves the timeline.
func (c *Coordinator) strand(g *group) {
	for i := range g.members.entries {
		if e := &g.members.entries[i]; e.live {
			c.letGo(&e.item.timer)
		}
	}
	for i := range g.pending.entries {
		if e := &g.pending.entries[i]; e.live {
			c.letGo(&e.item.timer)
		}
	}
	c.letGo(&g.joinTimer)
	c.letGo(&g.syncTimer)
}

// reclaim gives a group whose deletion is undone the timers that still run for
// its pending ids; it is Empty and has no others.
func (c *Coordinator) reclaim(g *group) {
	g.returned = true
	for i := range g.pending.entries {
		if e := &g.pending.entries[i]; e.live {
			e.item.timer = c.adopt(pendingTimer, g.id, string(e.key))
		}
	}
}

// fireByKey runs a timer as an event of its partition.
func (c *Coordinator) fireByKey(t *timer, i int32) {
	switch t.kind {
	case operationTimer:
		c.operationTimedOut(t)
		return
	case expiryTimer:
		c.expirePartition(int32(t.serial))
		c.endEvent(int32(t.serial), 0, nil)
		return
	}
	if at := c.strays.get(keyOf(t.kind, t.group, t.member)); at != nil && *at == i {
		c.strays.remove(keyOf(t.kind, t.group, t.member))
		c.freeTimerOf(&i)
		c.mark(rule.Event5)
	}
	if g := c.group(t.group); g != nil {
		c.expire(g, t)
	}
	c.endEvent(c.partitionOf(t.group), 0, nil)
}

// expire carries out the expiry of a timer on whatever has its name now.
func (c *Coordinator) expire(g *group, t *timer) {
	switch t.kind {
	case memberTimer, pendingTimer:
		if g.pending.has(name(t.member)) {
			c.pendingExpired(g, t)
		} else if g.member(t.member) != nil {
			c.memberExpired(g, t)
		}
	case joinPhaseTimer:
		if g.state == kafka.PreparingRebalance {
			c.joinPhaseExpired(g, t)
		} else {
			// The join phase of a group that was undone ends for its successor:
			// Kafka throws, after it has raised the generation.
			g.generation++
			g.protocol = ""
			c.crash()
		}
	case syncPhaseTimer:
		if c.armedFor(g) {
			c.syncPhaseExpired(g, t)
		}
	}
}

// armedFor reports whether somebody still has to sync.
func (c *Coordinator) armedFor(g *group) bool { return g.unsynced+len(g.strangers) > 0 }

// cancelTimers forgets every timer of a partition (EventBasedCoordinatorTimer.
// cancelAll).
func (c *Coordinator) cancelTimers(partition int32) {
	for i := range c.timers {
		t := &c.timers[i]
		if t.kind == noTimerKind || t.kind == operationTimer || t.kind == expiryTimer || c.partitionOf(t.group) != partition {
			continue
		}
		if at := c.strays.get(keyOf(t.kind, t.group, t.member)); at != nil && *at == int32(i) {
			c.strays.remove(keyOf(t.kind, t.group, t.member))
			stray := int32(i)
			c.freeTimerOf(&stray)
		}
	}
	c.freeTimerOf(&c.partitions[partition].expiry)
}

func (c *Coordinator) hashStrays(h *clock.Hash) {
	for i := range c.strays.entries {
		if e := &c.strays.entries[i]; e.live {
			h.String(e.key.group)
			h.String(e.key.member)
			c.hashTimer(h, e.item)
		}
	}
}
