package session

import (
	"rebalancelab/engine"
	"rebalancelab/engine/clock"
	"rebalancelab/engine/event"
	"rebalancelab/engine/kafka"
)

// fold takes one event into lanes and lives.
func (p *picture) fold(w *engine.World, e *event.Event) {
	switch e.Kind {
	case event.PartitionsAssigned:
		p.assigned(e)
	case event.PartitionsRevoked, event.PartitionsLost:
		for _, tp := range e.Partitions {
			if l := p.lane(e.Group, tp); l != nil && l.now.Reader == e.Node {
				p.setReader(l, e.At, 0, NobodyReads)
			}
		}
	case event.TopicAltered:
		p.addLanes(w)
	case event.ConsumerStarted:
		p.addLanes(w)
		p.count(e, 1)
		p.live(e.Node, e.At, Up)
	case event.ConsumerStopped:
		p.count(e, -1)
		if e.Text == engine.Killed.String() {
			p.readerBecomes(e, Stuck)
			p.live(e.Node, e.At, Dead)
		} else {
			p.readerBecomes(e, NobodyReads)
			p.live(e.Node, e.At, Closed)
			p.stayOnRecord(e)
		}
	case event.StallBegan:
		p.readerBecomes(e, Stuck)
		p.live(e.Node, e.At, Stalled)
	case event.StallEnded:
		p.readerBecomes(e, Reads)
		p.live(e.Node, e.At, Up)
	case event.Request:
		if e.API == kafka.JoinGroup {
			p.live(e.Node, e.Due, Parked)
		}
	case event.Response:
		if e.API == kafka.JoinGroup {
			p.live(e.Peer, e.At, Up)
		}
	case event.BrokerDown:
		state := Dead
		if e.Text == "stopped" {
			state = Closed
		}
		p.live(e.Node, e.At, state)
		p.leadersChanged(e.At)
	case event.BrokerUp:
		p.live(e.Node, e.At, Up)
		p.leadersChanged(e.At)
	case event.LeaderMoved:
		for _, l := range p.Lanes {
			if l.TopicPartition == e.Partition {
				l.leader = e.Node
			}
		}
		p.leadersChanged(e.At)
	case event.RecordAppended, event.GroupRemoved, event.GroupLoaded:
		if e.Text != "tombstone" || e.Partition.Topic == "" {
			p.setOwners(w, e)
		}
	}
}

func (p *picture) assigned(e *event.Event) {
	for _, tp := range e.Partitions {
		if l := p.lane(e.Group, tp); l != nil {
			p.setReader(l, e.At, e.Node, Reads)
		}
	}
	p.leadersChanged(e.At)
}

// leadersChanged shows which readers have a leader to fetch from.
func (p *picture) leadersChanged(at clock.Time) {
	for _, l := range p.Lanes {
		led := l.leader != 0 && p.life(l.leader).now.State == Up
		switch {
		case l.now.State == Reads && !led:
			p.setReader(l, at, l.now.Reader, Leaderless)
		case l.now.State == Leaderless && led:
			p.setReader(l, at, l.now.Reader, Reads)
		}
	}
}

// readerBecomes changes the state of every lane that a consumer reads.
func (p *picture) readerBecomes(e *event.Event, state LaneState) {
	for _, l := range p.Lanes {
		if l.now.Reader != e.Node {
			continue
		}
		reader := e.Node
		if state == NobodyReads {
			reader = 0
		}
		p.setReader(l, e.At, reader, state)
	}
}

// stayOnRecord shows a static member that has closed as the one that its
// partitions wait for: it has not left the group.
func (p *picture) stayOnRecord(e *event.Event) {
	for _, l := range p.Lanes {
		if e.Instance != "" && l.now.Owner == e.Node && l.now.Reader == 0 {
			p.setReader(l, e.At, e.Node, Stuck)
		}
	}
}

func (p *picture) setReader(l *Lane, at clock.Time, reader event.Node, state LaneState) {
	g := p.group(l.Group)
	p.accrue(g, at)
	if l.read && l.now.State != Reads {
		g.stopped--
	}
	l.read = l.read || state == Reads
	if l.read && state != Reads {
		g.stopped++
	}
	next := l.now
	next.Reader, next.State = reader, state
	l.change(at, next)
}

// setOwners reads from the coordinator whom it has on record.
func (p *picture) setOwners(w *engine.World, e *event.Event) {
	for _, view := range w.GroupPartitions() {
		l := p.lane(view.Group, view.TopicPartition)
		if view.Group != e.Group || l == nil {
			continue
		}
		next := l.now
		next.Owner = view.Owner
		l.change(e.At, next)
		p.inherit(l, e.At)
	}
}

// inherit shows a lane that nobody reads as waiting for its new owner, if that
// one is gone too; the one that read it last has no part in it any more.
func (p *picture) inherit(l *Lane, at clock.Time) {
	owner := l.now.Owner
	unread := l.now.Reader == 0 || l.now.State == Stuck && p.gone(l.now.Reader)
	switch {
	case !unread || owner == l.now.Reader:
	case owner != 0 && p.gone(owner):
		p.setReader(l, at, owner, Stuck)
	case l.now.Reader != 0:
		p.setReader(l, at, 0, NobodyReads)
	}
}

func (p *picture) gone(n event.Node) bool {
	state := p.life(n).now.State
	return state == Dead || state == Closed
}

// change ends the lane's span if the next one differs.
func (l *Lane) change(at clock.Time, next LaneSpan) {
	if next.Reader == l.now.Reader && next.Owner == l.now.Owner && next.State == l.now.State {
		return
	}
	l.now.To = at
	if l.now.To > l.now.From {
		l.Spans = append(l.Spans, l.now)
	}
	next.From = at
	l.now = next
}

// accrue adds the time since the last change to the group's stopped time.
func (p *picture) accrue(g *GroupPicture, at clock.Time) {
	if g.running > 0 {
		g.Stopped += at.Sub(g.since) * clock.Duration(g.stopped)
	}
	g.since = at
}

// count notes that a consumer of the group runs, or runs no more.
func (p *picture) count(e *event.Event, by int) {
	g := p.group(e.Group)
	p.accrue(g, e.At)
	g.running += by
}

func (p *picture) life(n event.Node) *Life {
	for _, l := range p.Lives {
		if l.Node == n {
			return l
		}
	}
	p.Lives = append(p.Lives, &Life{Node: n})
	return p.Lives[len(p.Lives)-1]
}

// live changes how a node is; a dead one is brought back only by a start.
func (p *picture) live(n event.Node, at clock.Time, state LifeState) {
	l := p.life(n)
	ended := l.now.State == Dead || l.now.State == Closed || l.now.State == Absent
	if l.now.State == state || state == Parked && ended {
		return
	}
	l.now.To = at
	if l.now.To > l.now.From {
		l.Spans = append(l.Spans, l.now)
	}
	l.now = LifeSpan{From: at, State: state}
}
