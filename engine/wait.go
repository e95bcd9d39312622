package engine

import (
	"rebalancelab/engine/clock"
	"rebalancelab/engine/consumer"
	"rebalancelab/engine/event"
	"rebalancelab/engine/kafka"
)

// WaitKind says what a group waits for.
type WaitKind uint8

// The kinds of waiting.
const (
	NoWait         WaitKind = iota
	InitialDelay            // for more members, whoever they are
	MissingMembers          // in the join phase: for members that have not rejoined
	MissingSync             // in the sync phase: for the leader or a follower
	SilentMember            // Stable, yet a member is dead or stuck and nobody knows
	NoCoordinator           // the coordinator is away or loads the partition
)

var waitNames = [...]string{"none", "initial-delay", "members", "sync", "silent", "coordinator"}

// String is the kind's name in JSON.
func (k WaitKind) String() string { return waitNames[k] }

// Wait is whom a group waits for, until when if nothing else happens, and the
// setting that decides.
type Wait struct {
	Kind   WaitKind
	For    event.Node   // the one that is waited for longest; 0: nobody in particular
	Member string       // its member id
	Others []event.Node // that are waited for as well, by index
	Config kafka.Config // NoConfig: no setting decides, the one waited for does
	Since  clock.Time   // when the deciding timer was armed
	Due    clock.Time   // Never: not known
}

// candidate is one that a group may wait for.
type candidate struct {
	node   event.Node
	member string
	config kafka.Config
	since  clock.Time
	due    clock.Time
}

func (w *World) wait(g *GroupView) Wait {
	if !g.Available {
		return w.waitForCoordinator(g)
	}
	switch g.State {
	case kafka.PreparingRebalance:
		if g.InitialDelay {
			delay := w.broker(g.Coordinator).millis(kafka.GroupInitialRebalanceDelayMs)
			return Wait{Kind: InitialDelay, Config: g.JoinConfig, Since: g.JoinDeadline.Add(-delay), Due: g.JoinDeadline}
		}
		return w.waitForJoins(g)
	case kafka.CompletingRebalance:
		return w.waitForSyncs(g)
	case kafka.Stable:
		return w.waitForSilent(g)
	}
	return Wait{Due: clock.Never}
}

// waitForCoordinator says when the controller will notice that the broker is
// dead; how long a load takes is not known beforehand.
func (w *World) waitForCoordinator(g *GroupView) Wait {
	wait := Wait{Kind: NoCoordinator, For: g.Coordinator, Due: clock.Never}
	if g.Coordinator == 0 {
		return wait
	}
	if b := w.broker(g.Coordinator); !b.up && b.downSince != clock.Never {
		wait.Config, wait.Since = w.brokerSession(), b.downSince
		wait.Due = b.downSince.Add(b.millis(wait.Config))
	}
	return wait
}

func (w *World) waitForJoins(g *GroupView) Wait {
	var missing []candidate
	for i := range g.Members {
		if m := &g.Members[i]; !m.Joining {
			missing = append(missing, w.expect(g, i))
		}
	}
	for _, p := range g.Pending {
		missing = append(missing, candidate{node: p.Node, member: p.ID, config: kafka.SessionTimeoutMs, due: p.Deadline})
	}
	return longest(MissingMembers, missing, g.JoinDeadline, g.JoinConfig)
}

func (w *World) waitForSyncs(g *GroupView) Wait {
	var missing []candidate
	for i := range g.Members {
		if m := &g.Members[i]; !m.Syncing && (m.ID == g.Leader || m.AwaitingSync) {
			missing = append(missing, w.expect(g, i))
		}
	}
	return longest(MissingSync, missing, g.SyncDeadline, g.SyncConfig)
}

// waitForSilent finds members that the coordinator still counts on although
// their process is gone, cut off, or will not poll in time.
func (w *World) waitForSilent(g *GroupView) Wait {
	var silent []candidate
	for i := range g.Members {
		c := w.expect(g, i)
		if c.config == kafka.SessionTimeoutMs || c.config == kafka.MaxPollIntervalMs {
			silent = append(silent, c)
		}
	}
	return longest(SilentMember, silent, clock.Never, kafka.NoConfig)
}

// expect says what will end the waiting for member i, if nothing else happens:
// its session if its process is gone or heartbeats have stopped, its poll timer
// if it is stuck, else its next poll or heartbeat. Due is Never where a message
// is on its way, or where nothing will end it.
func (w *World) expect(g *GroupView, i int) candidate {
	m := &g.Members[i]
	span := clock.Duration(m.SessionTimeoutMs) * clock.Millisecond
	session := candidate{m.Node, m.ID, kafka.SessionTimeoutMs, m.Deadline.Add(-span), m.Deadline}
	if m.Node == 0 {
		return session
	}
	p := w.processes[m.Node.Index()]
	if p.client == nil || p.client.MemberID() != m.ID || w.isCut(p.node, g.Coordinator) {
		return session
	}
	v, settings := p.client.View(), &p.config.Settings
	busy := v.BusyUntil != clock.Never
	switch {
	case p.config.NoHeartbeat && settings.Bool(kafka.EnableAutoCommit) && len(v.Partitions) > 0:
		return candidate{node: m.Node, member: m.ID, due: clock.Never} // its commits keep it alive
	case p.config.NoHeartbeat, busy && !v.Heartbeats && m.Deadline < v.BusyUntil:
		return session
	case busy && v.Heartbeats && v.PollDue < v.BusyUntil:
		return w.pollTimer(g, i, &v, settings)
	case busy:
		return candidate{node: m.Node, member: m.ID, due: v.BusyUntil}
	case v.Rejoin != "" || v.Joining:
		return candidate{node: m.Node, member: m.ID, due: clock.Never}
	}
	return candidate{node: m.Node, member: m.ID, config: kafka.HeartbeatIntervalMs, due: v.Heartbeat}
}

// pollTimer is for a member that will not poll in time: a dynamic one leaves
// then, a static one only falls silent, and its session ends it.
func (w *World) pollTimer(g *GroupView, i int, v *consumer.View, settings *kafka.Settings) candidate {
	m := &g.Members[i]
	millis := func(c kafka.Config) clock.Duration { return clock.Duration(settings.Values[c]) * clock.Millisecond }
	if m.InstanceID == "" {
		return candidate{m.Node, m.ID, kafka.MaxPollIntervalMs, v.PollDue.Add(-millis(kafka.MaxPollIntervalMs)), v.PollDue}
	}
	last := v.Heartbeat
	if interval := millis(kafka.HeartbeatIntervalMs); last < v.PollDue {
		last = last.Add(v.PollDue.Sub(last) / interval * interval)
	} else {
		last = last.Add(-interval)
	}
	arrives := last.Add(w.latency(m.Node, g.Coordinator))
	return candidate{m.Node, m.ID, kafka.SessionTimeoutMs, arrives, arrives.Millis().Time().Add(clock.Duration(m.SessionTimeoutMs) * clock.Millisecond)}
}

// longest picks the candidate that is waited for longest; the bound of the
// whole phase comes before it if it is earlier. One that is not known to last
// comes after all others.
func longest(kind WaitKind, all []candidate, bound clock.Time, config kafka.Config) Wait {
	if len(all) == 0 {
		return Wait{Due: clock.Never}
	}
	best := all[0]
	for _, c := range all[1:] {
		if c.due != clock.Never && (best.due == clock.Never || c.due > best.due) {
			best = c
		}
	}
	wait := Wait{Kind: kind, For: best.node, Member: best.member, Config: best.config, Since: best.since, Due: best.due}
	if best.due != clock.Never && bound < best.due {
		wait.Config, wait.Due, wait.Since = config, bound, 0
	}
	for _, c := range all {
		if c.member != best.member {
			wait.Others = append(wait.Others, c.node)
		}
	}
	return wait
}
