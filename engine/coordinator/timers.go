package coordinator

import (
	"rebalancelab/engine/clock"
	"rebalancelab/engine/event"
	"rebalancelab/engine/kafka"
	"rebalancelab/engine/rule"
)

// timerKind says what happens when a timer fires.
type timerKind uint8

const (
	noTimerKind    timerKind = iota
	memberTimer              // DelayedHeartbeat of a member
	pendingTimer             // DelayedHeartbeat of an id handed out by MEMBER_ID_REQUIRED
	leftoverTimer            // up to 2.4.0: a DelayedHeartbeat that its member no longer holds
	joinPhaseTimer           // DelayedJoin, InitialDelayedJoin
	syncPhaseTimer           // DelayedSync
	operationTimer           // 4.0: OperationTimeout
	expiryTimer              // 4.0: expire-group-metadata
)

// noTimer stands where an owner has no timer.
const noTimer int32 = -1

// timer is one deadline, kept as data. The wheel holds at most one valid item
// for it: the one with the sequence number queued. Re-arming to a later time
// leaves that item where it is; when it comes up too early it is queued again.
type timer struct {
	kind     timerKind
	armed    bool
	config   kafka.Config // what set the deadline
	next     int32        // next free timer, or next stray of its member
	serial   uint64       // of the group
	group    string
	member   string
	deadline clock.Time
	seq      uint64 // order of arming
	cause    uint64 // number of the event that armed it
	queued   uint64
	queuedAt clock.Time
}

// newTimer takes a free timer or makes one; it is not armed.
func (c *Coordinator) newTimer(kind timerKind, g *group, member string) int32 {
	if i := c.adopt(kind, g.id, member); i != noTimer {
		return i
	}
	i := c.freeTimer
	if i == noTimer {
		i = int32(len(c.timers))
		c.timers = append(c.timers, timer{})
	} else {
		c.freeTimer = c.timers[i].next
	}
	c.timers[i] = timer{kind: kind, next: noTimer, serial: g.serial, group: g.id, member: member, deadline: clock.Never}
	return i
}

// freeTimerOf gives a timer back and forgets it.
func (c *Coordinator) freeTimerOf(i *int32) {
	if *i == noTimer {
		return
	}
	c.timers[*i] = timer{next: c.freeTimer, deadline: clock.Never}
	c.freeTimer = *i
	*i = noTimer
}

// arm sets a timer to fire ms milliseconds from now, instead of what it was set
// to before. It is constant work.
func (c *Coordinator) arm(i int32, ms int64, config kafka.Config) {
	t := &c.timers[i]
	c.armings++
	t.armed, t.config, t.cause, t.seq = true, config, c.cause, c.armings
	t.deadline = c.now.Millis().Time().Add(clock.Duration(ms) * clock.Millisecond)
	if t.queued == 0 || t.queuedAt > t.deadline {
		c.queue(i)
	}
}

func (c *Coordinator) queue(i int32) {
	t := &c.timers[i]
	t.queued, t.queuedAt = t.seq, t.deadline
	c.wheel.Add(clock.Item{At: t.deadline, Seq: t.seq, Owner: i})
}

// disarm stops a timer; its owner keeps it for the next time.
func (c *Coordinator) disarm(i int32) {
	if i != noTimer {
		c.timers[i].armed, c.timers[i].deadline = false, clock.Never
	}
}

// armed reports whether a timer runs.
func (c *Coordinator) armed(i int32) bool { return i != noTimer && c.timers[i].armed }

// deadline is when a timer fires, Never if it does not run.
func (c *Coordinator) deadline(i int32) clock.Time {
	if i == noTimer {
		return clock.Never
	}
	return c.timers[i].deadline
}

// Next is a time at or before the next deadline, Never if there is none.
func (c *Coordinator) Next() clock.Time { return c.wheel.Next() }

// Expire fires every timer that is due at or before the time, each at its own
// deadline, in the order of deadlines, then of arming.
func (c *Coordinator) Expire(at clock.Time, out *Output) {
	c.out, c.firedAt = out, clock.Never
	for c.expireOne(at) {
	}
	c.end()
}

// expireOne fires the next timer that is due, false if there is none.
func (c *Coordinator) expireOne(at clock.Time) bool {
	for {
		item, ok := c.wheel.Pop(at)
		if !ok {
			return false
		}
		t := &c.timers[item.Owner]
		switch {
		case t.queued != item.Seq: // superseded by an earlier deadline, or given back
		case !t.armed:
			t.queued = 0
		case t.deadline != item.At || t.seq != item.Seq:
			c.queue(item.Owner)
		default:
			t.queued, t.armed, t.deadline = 0, false, clock.Never
			if item.At == c.firedAt {
				c.mark(rule.Timer6)
			}
			c.firedAt, c.rule, c.guard = item.At, rule.None, ""
			c.now, c.stepReplies = max(c.now, item.At), len(c.out.Replies)
			c.fire(*t, item.Owner)
			c.crashed = false // the next timer runs all the same
			return true
		}
	}
}

// fire carries out an expiry, by what the timer was for.
func (c *Coordinator) fire(t timer, i int32) {
	c.cause = t.cause
	if c.has.Has(kafka.TimersByKey) {
		c.fireByKey(&t, i)
		return
	}
	g := c.group(t.group)
	gone := g == nil || g.serial != t.serial
	if gone && t.kind == leftoverTimer {
		c.freeTimerOf(&i)
		return
	}
	if gone {
		panic("coordinator: a timer outlived its group")
	}
	switch t.kind {
	case memberTimer:
		c.memberExpired(g, &t)
	case pendingTimer:
		c.pendingExpired(g, &t)
	case leftoverTimer:
		c.leftoverExpired(g, &t, i)
	case joinPhaseTimer:
		c.joinPhaseExpired(g, &t)
	case syncPhaseTimer:
		c.syncPhaseExpired(g, &t)
	default:
		panic("coordinator: a timer of no kind fired")
	}
}

// fired logs that a deadline had an effect; the event is the cause of all that
// follows.
func (c *Coordinator) fired(g *group, t *timer) {
	c.cause = c.log(event.Event{Kind: event.TimerFired, Config: t.config, Group: g.id, Member: t.member})
}
