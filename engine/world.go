// Package engine is the whole simulated cluster: brokers with a coordinator
// each, __consumer_offsets, a network, topics and consumers, in virtual time.
//
// A World is a pure state machine. Its caller applies commands and advances the
// clock; the same Scenario with the same commands gives the same events and the
// same Digest on every platform. At one time everything inside that is due
// happens first, then the commands in their order, then what they cause.
package engine

import (
	"rebalancelab/engine/clock"
	"rebalancelab/engine/consumer"
	"rebalancelab/engine/coordinator"
	"rebalancelab/engine/event"
	"rebalancelab/engine/kafka"
)

// World is a scenario that has been played up to Now.
type World struct {
	scenario *Scenario // shared, never changed
	now      clock.Time
	seq      uint64 // breaks ties between items of the wheel
	wheel    *clock.Wheel
	log      *event.Log
	network  clock.Stream

	brokers   []*broker
	offsets   []*offsetsPartition // empty while the topic does not exist
	creating  bool                // __consumer_offsets is being created
	topics    []*topic
	processes []*process
	names     []string // of consumers, by index
	messages  []message
	freeMsgs  []int32
	responses []*kafka.Response // that have been received, to be used again
	cuts      []cut
	links     []link
	root      uint64 // the event of the cluster's own start

	appendError kafka.Error
	appendLost  bool
	appendUntil clock.Time // the error ends here; Never: it stays

	groups []*groupStats

	out coordinator.Output
	env consumer.Env
}

// The kinds of items in the wheel. Owner is an index that the comment names.
const (
	messageArrives    int32 = iota // message
	processWakes                   // process; Arg: incarnation
	connectionFree                 // process; Arg: incarnation
	connectionLost                 // process; Arg: packed connection
	appendDone                     // broker; Arg: index of the pending append
	loadDone                       // broker; Arg: partition
	leaderLost                     // broker; Arg: its start count
	leadersBalanced                // none
	cleanupDue                     // broker; Arg: its start count
	offsetsTopicReady              // none
)

// New is the cluster at 0 s, before any command: brokers are up, consumers are
// not started.
func New(s *Scenario) *World {
	w := &World{
		scenario: s, wheel: clock.NewWheel(), log: event.NewLog(),
		network: clock.NewStream(s.Seed, "network"), appendUntil: clock.Never,
	}
	for id := int32(1); id <= s.Brokers; id++ {
		w.brokers = append(w.brokers, newBroker(s, id))
	}
	for _, t := range s.Topics {
		w.addTopic(t)
	}
	for i := range s.Consumers {
		w.addProcess(&s.Consumers[i])
	}
	if !s.OffsetsTopicAbsent {
		w.createOffsetsTopic()
		for _, p := range w.offsets {
			b := w.broker(p.leader)
			b.coordinator.BeginLoad(0, p.id, 0)
			w.out.Reset()
			w.out.Log = event.NewLog()
			b.coordinator.EndLoad(0, p.id, &p.log, 0, &w.out)
		}
	}
	w.out.Reset()
	w.out.Log = w.log
	w.resolveLinks()
	w.root = w.event(event.Event{Kind: event.Command, Text: "brokers " + itoa(int64(s.Brokers)), N: int64(s.BrokersLine)})
	w.scheduleClusterWork()
	return w
}

func (w *World) scheduleClusterWork() {
	interval := w.scenario.BrokerSettings.Values[kafka.LeaderImbalanceCheckIntervalSeconds]
	w.add(leadersBalanced, w.now.Add(clock.Duration(interval)*clock.Second), 0, 0, w.root)
	for i, b := range w.brokers {
		w.add(cleanupDue, w.now.Add(b.millis(kafka.OffsetsRetentionCheckIntervalMs)), int32(i), int64(b.starts), w.root)
	}
}

// Now is the time up to which everything has happened.
func (w *World) Now() clock.Time { return w.now }

// Scenario is what the world was made from.
func (w *World) Scenario() *Scenario { return w.scenario }

// Log is the world's event log. Callers only read it, or set Detail.
func (w *World) Log() *event.Log { return w.log }

// Next is when something happens inside the next time, Never if nothing will.
func (w *World) Next() clock.Time {
	next := w.wheel.Next()
	for _, b := range w.brokers {
		next = min(next, b.due)
	}
	return next
}

// Advance lets everything happen that is due at or before to, at most budget
// steps of it. It reports whether it got there; if not, call it again.
func (w *World) Advance(to clock.Time, budget int) bool {
	for ; budget > 0; budget-- {
		if !w.step(to) {
			w.now = max(w.now, to)
			return true
		}
	}
	return w.Next() > to
}

// step does the next thing due at or before to. Deadlines of coordinators come
// before everything else of the same time, as a broker's timers do before the
// requests that it reads.
func (w *World) step(to clock.Time) bool {
	next := w.wheel.Next()
	var due *broker
	for _, b := range w.brokers {
		if b.due <= next && (due == nil || b.due < due.due) {
			due = b
		}
	}
	if due != nil {
		if due.due > to || due.due == clock.Never {
			return false
		}
		w.now = max(w.now, due.due)
		due.coordinator.Expire(w.now, &w.out)
		w.flush(due, 0)
		return true
	}
	item, ok := w.wheel.Pop(to)
	if !ok {
		return false
	}
	w.now = max(w.now, item.At)
	w.dispatch(item)
	return true
}

func (w *World) dispatch(item clock.Item) {
	switch item.Kind {
	case messageArrives:
		w.arrive(item.Owner)
	case processWakes:
		w.wakeProcess(w.processes[item.Owner], item)
	case connectionFree:
		w.serveNext(w.processes[item.Owner], item.Arg)
	case connectionLost:
		w.connectionLost(w.processes[item.Owner], item)
	case appendDone:
		w.appendDone(w.brokers[item.Owner], item)
	case loadDone:
		w.loadDone(w.brokers[item.Owner], item.Arg, item.Cause)
	case leaderLost:
		w.brokerSessionExpired(w.brokers[item.Owner], item)
	case leadersBalanced:
		w.balanceLeaders()
	case cleanupDue:
		w.cleanup(w.brokers[item.Owner], item)
	case offsetsTopicReady:
		w.offsetsTopicReady(item.Cause)
	default:
		panic("engine: unknown kind of item in the wheel")
	}
}

func (w *World) add(kind int32, at clock.Time, owner int32, arg int64, cause uint64) {
	w.seq++
	w.wheel.Add(clock.Item{At: at, Seq: w.seq, Cause: cause, Kind: kind, Owner: owner, Arg: arg})
}

func (w *World) event(e event.Event) uint64 {
	e.At = w.now
	return w.log.Add(e)
}

// Clone is an independent copy of the state; logs share their full chunks.
func (w *World) Clone() *World {
	c := *w
	c.wheel = w.wheel.Clone()
	c.log = w.log.Clone()
	c.brokers = cloneAll(w.brokers, (*broker).clone)
	c.offsets = cloneAll(w.offsets, (*offsetsPartition).clone)
	c.topics = cloneAll(w.topics, (*topic).clone)
	c.processes = cloneAll(w.processes, (*process).clone)
	c.groups = cloneAll(w.groups, (*groupStats).clone)
	c.names = append([]string(nil), w.names...)
	c.messages = cloneMessages(w.messages)
	c.freeMsgs = append([]int32(nil), w.freeMsgs...)
	c.cuts = append([]cut(nil), w.cuts...)
	c.out = coordinator.Output{Log: c.log}
	c.env, c.responses = consumer.Env{}, nil
	return &c
}

func cloneAll[T any](from []*T, clone func(*T) *T) []*T {
	to := make([]*T, len(from))
	for i := range from {
		to[i] = clone(from[i])
	}
	return to
}
