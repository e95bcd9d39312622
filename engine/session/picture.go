package session

import (
	"rebalancelab/engine"
	"rebalancelab/engine/clock"
	"rebalancelab/engine/event"
	"rebalancelab/engine/kafka"
)

// Picture is what a whole branch looked like: spans over its time.
type Picture struct {
	Lanes  []*Lane
	Groups []*GroupPicture
	Lives  []*Life
}

// LaneState says what a partition's reader did.
type LaneState uint8

// The states of a lane. Stuck: its reader is dead or does not poll. Leaderless:
// the broker that leads the partition is down, so there is nothing to fetch from.
const (
	NobodyReads LaneState = iota
	Reads
	Stuck
	Leaderless
)

var laneNames = [...]string{"nobody", "reads", "stuck", "leaderless"}

// String is the state's name in JSON.
func (s LaneState) String() string { return laneNames[s] }

// LaneSpan is one span of a lane. Owner is whom the coordinator has on record.
type LaneSpan struct {
	From, To clock.Time
	Reader   event.Node
	Owner    event.Node
	State    LaneState
}

// Point is a number at a time.
type Point struct {
	At clock.Time
	N  int64
}

// Lane is one partition as one group reads it.
type Lane struct {
	Group string
	kafka.TopicPartition
	Spans   []LaneSpan
	Commits []Point // committed offsets
	Lag     []Point // straight between the points

	now       LaneSpan
	leader    event.Node // of the partition
	committed int64
	read      bool // it has had a reader
}

// GroupSpan is a span in which a group's state, generation and coordinator
// stayed the same. Coordinator 0: none serves the group.
type GroupSpan struct {
	From, To    clock.Time
	State       kafka.GroupState
	Generation  int32
	Coordinator event.Node
}

// WaitSpan is a span in which a group waited for the same.
type WaitSpan struct {
	From, To clock.Time
	engine.Wait
}

// GroupPicture is one group over the branch's time.
type GroupPicture struct {
	ID         string
	Spans      []GroupSpan
	Waits      []WaitSpan
	Stopped    clock.Duration // partition-time without a reader, while consumers run
	Duplicates int64

	now     GroupSpan
	wait    WaitSpan
	logSeen int
	running int
	stopped int64 // lanes that had a reader and have none
	since   clock.Time
}

// LifeState says how a node is.
type LifeState uint8

// The states of a life. Parked: its JoinGroup waits at the broker.
const (
	Absent LifeState = iota
	Up
	Parked
	Stalled
	Dead
	Closed
)

var lifeNames = [...]string{"absent", "up", "parked", "stalled", "dead", "stopped"}

// String is the state's name in JSON.
func (s LifeState) String() string { return lifeNames[s] }

// LifeSpan is a span of a node's life.
type LifeSpan struct {
	From, To clock.Time
	State    LifeState
}

// Life is a node over the branch's time.
type Life struct {
	Node  event.Node
	Spans []LifeSpan
	now   LifeSpan
}

// picture builds a Picture while a branch is played: from the events, and from
// the state wherever events say that it has changed.
type picture struct {
	Picture
	index   map[laneKey]*Lane
	seen    int
	arrives clock.Time // when the last request sent to a coordinator is there
}

// laneKey names a lane.
type laneKey struct {
	group string
	kafka.TopicPartition
}

func newPicture(w *engine.World) *picture {
	p := &picture{index: map[laneKey]*Lane{}}
	for i := range w.Scenario().Brokers {
		p.life(event.Node(i + 1)).now.State = Up
	}
	p.observe(w)
	return p
}

// observe takes in what has happened since the last call.
func (p *picture) observe(w *engine.World) {
	changed := false
	log := w.Log()
	if p.arrives != 0 && p.arrives <= w.Now() {
		changed, p.arrives = true, 0
	}
	for ; p.seen < log.Len(); p.seen++ {
		e := log.At(p.seen)
		changed = changed || structural[e.Kind]
		if e.Kind == event.Request {
			p.arrives = max(p.arrives, e.Due)
		}
		p.fold(w, e)
	}
	if changed || len(p.Groups) == 0 {
		p.sample(w)
	}
	for _, g := range p.Groups {
		p.readLog(w, g)
	}
}

// structural lists the kinds of events after which a group may look different.
var structural = [event.KindCount]bool{
	event.GroupState: true, event.MemberPending: true, event.PendingRemoved: true, event.MemberAdded: true, event.MemberRemoved: true,
	event.MemberReplaced: true, event.LeaderElected: true, event.DelayExtended: true, event.RebalanceBegan: true,
	event.JoinCompleted: true, event.AssignmentStored: true, event.GroupLoaded: true, event.GroupUnloaded: true,
	event.GroupRemoved: true, event.BrokerDown: true, event.BrokerUp: true, event.LeaderMoved: true,
	event.LoadEnded: true, event.ConsumerStarted: true, event.ConsumerStopped: true, event.StallBegan: true,
	event.StallEnded: true, event.PollOverdue: true, event.LinkCut: true, event.LinkHealed: true,
	event.OffsetsTopicCreated: true, event.TopicAltered: true, event.MemberReset: true,
}

// sample reads the groups' state and extends or begins their spans.
func (p *picture) sample(w *engine.World) {
	now := w.Now()
	for _, id := range w.GroupNames() {
		g := p.group(id)
		v := w.Group(id)
		span := GroupSpan{From: now, State: v.State, Generation: v.Generation}
		if v.Available {
			span.Coordinator = v.Coordinator
		}
		if g.now.State != span.State || g.now.Generation != span.Generation || g.now.Coordinator != span.Coordinator {
			g.now.To = now
			if g.now.To > g.now.From {
				g.Spans = append(g.Spans, g.now)
			}
			g.now = span
		}
		old := &g.wait.Wait
		if old.Kind != v.Wait.Kind || old.For != v.Wait.For || old.Config != v.Wait.Config || old.Due != v.Wait.Due {
			p.endWait(g, now)
			g.wait = WaitSpan{From: now, Wait: v.Wait}
		}
		g.Duplicates = v.Duplicates
	}
}

func (p *picture) endWait(g *GroupPicture, now clock.Time) {
	g.wait.To = now
	if g.wait.Kind != engine.NoWait && g.wait.To > g.wait.From {
		g.Waits = append(g.Waits, g.wait)
	}
}

func (p *picture) group(id string) *GroupPicture {
	for _, g := range p.Groups {
		if g.ID == id {
			return g
		}
	}
	p.Groups = append(p.Groups, &GroupPicture{ID: id})
	return p.Groups[len(p.Groups)-1]
}

// addLanes makes the lanes of partitions that are new, after a consumer has come
// or a topic has grown.
func (p *picture) addLanes(w *engine.World) {
	for _, view := range w.GroupPartitions() {
		if p.lane(view.Group, view.TopicPartition) == nil {
			l := &Lane{Group: view.Group, TopicPartition: view.TopicPartition,
				now: LaneSpan{From: w.Now()}, leader: view.Leader, committed: -1}
			p.Lanes = append(p.Lanes, l)
			p.index[laneKey{view.Group, view.TopicPartition}] = l
		}
	}
}

func (p *picture) lane(group string, tp kafka.TopicPartition) *Lane {
	return p.index[laneKey{group, tp}]
}

// readLog turns new offset records of a group into commits and lag.
func (p *picture) readLog(w *engine.World, g *GroupPicture) {
	for n := w.OffsetsLogLen(g.ID); g.logSeen < n; g.logSeen++ {
		record := w.OffsetsRecord(g.ID, g.logSeen)
		if record.Group != g.ID || record.OffsetValue == nil {
			continue
		}
		l := p.lane(g.ID, record.Partition)
		if l == nil {
			continue
		}
		end := w.EndOffset(l.TopicPartition)
		if l.committed >= 0 {
			l.Lag = append(l.Lag, Point{w.Now(), end - l.committed})
		}
		l.committed = record.OffsetValue.Offset
		l.Commits = append(l.Commits, Point{w.Now(), l.committed})
		l.Lag = append(l.Lag, Point{w.Now(), end - l.committed})
	}
}

// finish closes all spans at the end of the branch.
func (p *picture) finish(w *engine.World) {
	now := w.Now()
	p.sample(w)
	for _, g := range p.Groups {
		p.accrue(g, now)
		g.now.To = now
		g.Spans = append(g.Spans, g.now)
		p.endWait(g, now)
	}
	for _, l := range p.Lanes {
		l.now.To = now
		l.Spans = append(l.Spans, l.now)
		if l.committed >= 0 {
			l.Lag = append(l.Lag, Point{now, w.EndOffset(l.TopicPartition) - l.committed})
		}
	}
	for _, life := range p.Lives {
		life.now.To = now
		life.Spans = append(life.Spans, life.now)
	}
}
