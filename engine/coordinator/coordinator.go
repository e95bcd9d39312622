// Package coordinator is the classic group coordinator of one broker, as
// kafka.coordinator.group.GroupCoordinator and GroupMetadataManager (Scala)
// implement it: groups, members, committed offsets and every timer. It is a
// pure state machine: a step takes a time and a request and yields answers,
// records to append and events. What a release does differently is a
// kafka.Feature; the biggest is WriteOperations, the coordinator of 4.0 and later
// (GroupMetadataManager.java, OffsetMetadataManager.java, CoordinatorRuntime.java).
package coordinator

import (
	"rebalancelab/engine/clock"
	"rebalancelab/engine/event"
	"rebalancelab/engine/kafka"
	"rebalancelab/engine/rule"
	"rebalancelab/engine/tape"
)

// Reply is the answer to a request. Cause is the event that made it. With an
// error come the rule that decided and its guard in words.
type Reply struct {
	To    event.Node
	Cause uint64
	Rule  rule.Rule
	Guard string
	kafka.Response
}

// Append is a batch of records for the log of a partition of
// __consumer_offsets. The caller answers it with AppendDone(ID). After counts
// the replies of the same Output that were given before it.
type Append struct {
	ID        int64
	Partition int32
	Records   []kafka.Record
	Cause     uint64
	Group     string
	After     int
}

// Output is what a step yields. The caller resets and reuses it.
type Output struct {
	Replies []Reply
	Appends []Append
	Log     *event.Log
	Rules   rule.Set // that were met; never reset
}

// Reset empties replies and appends and keeps their memory.
func (o *Output) Reset() {
	clear(o.Replies)
	clear(o.Appends)
	o.Replies, o.Appends = o.Replies[:0], o.Appends[:0]
}

// partitionState says whether the broker serves a partition of
// __consumer_offsets, and from 4.0 on how far its timeline is written and
// committed.
type partitionState struct {
	owned, loading     bool
	written, committed int64 // numbers of batches
	expiry             int32 // timer
	groups, slots      int32 // in the map of groups
}

// Coordinator is the state of one broker's coordinator.
type Coordinator struct {
	broker   event.Node
	version  kafka.Version
	has      kafka.Features
	settings *kafka.Settings // never changed
	choices  Choices         // nil: own order
	active   bool

	ids        clock.Stream
	partitions []partitionState
	groups     roster[name, *group]
	ledgers    roster[name, *ledger]
	serials    uint64                    // numbers group objects
	appends    int64                     // numbers batches
	inFlight   tape.Queue[pendingAppend] // in the order of their ids

	events     uint64                // numbers operations
	operations tape.Queue[operation] // in the order of the batches they wait for
	undos      tape.Queue[undo]      // in the order of the changes
	joints     []joint

	wheel     *clock.Wheel
	timers    []timer
	freeTimer int32
	armings   uint64
	strays    roster[timerKey, int32]

	// The step under way.
	now     clock.Time
	api     kafka.API // of the request
	cause   uint64
	out     *Output
	crashed bool      // Kafka threw
	rule    rule.Rule // that decides the answers
	guard   string
	firedAt clock.Time // when the timer before fired

	op          draft
	completing  bool // an operation ends: what it would write is lost
	reading     bool // the log is being read
	stepReplies int  // answers in out from before the step
}

// New is a coordinator that is active and owns no partition yet. The settings
// must not change afterwards.
func New(broker event.Node, v kafka.Version, s *kafka.Settings, ids clock.Stream, offsetsPartitions int32) *Coordinator {
	c := &Coordinator{
		broker: broker, version: v, has: kafka.FeaturesOf(v), settings: s, active: true,
		ids: ids, partitions: make([]partitionState, offsetsPartitions),
		wheel: clock.NewWheel(), freeTimer: noTimer,
	}
	for i := range c.partitions {
		c.partitions[i].expiry = noTimer
	}
	return c
}

// Activate lets the coordinator answer again (GroupCoordinator.startup).
func (c *Coordinator) Activate() { c.active = true }

// Deactivate makes every request COORDINATOR_NOT_AVAILABLE
// (GroupCoordinator.shutdown).
func (c *Coordinator) Deactivate() { c.active = false }

// Step handles one request. What it causes at once goes to out; an answer that
// has to wait comes with a later step.
func (c *Coordinator) Step(at clock.Time, from event.Node, req *kafka.Request, cause uint64, out *Output) {
	c.begin(at, cause, out)
	c.api = req.API
	if c.has.Has(kafka.WriteOperations) {
		c.serve(from, req)
		c.end()
		return
	}
	switch req.API {
	case kafka.JoinGroup:
		c.joinGroup(from, req)
	case kafka.SyncGroup:
		c.syncGroup(from, req)
	case kafka.Heartbeat:
		c.heartbeat(from, req)
	case kafka.LeaveGroup:
		c.leaveGroup(from, req)
	case kafka.OffsetCommit:
		c.offsetCommit(from, req)
	case kafka.TxnOffsetCommit:
		c.txnOffsetCommit(from, req)
	case kafka.OffsetFetch:
		c.offsetFetch(from, req)
	case kafka.DescribeGroups:
		c.describeGroups(from, req)
	case kafka.ListGroups:
		c.listGroups(from, req)
	case kafka.DeleteGroups:
		c.deleteGroups(from, req)
	case kafka.OffsetDelete:
		c.offsetDelete(from, req)
	default:
		panic("coordinator: a request that is not the coordinator's")
	}
	if c.crashed {
		c.catch(from, req)
	}
	c.end()
}

func (c *Coordinator) begin(at clock.Time, cause uint64, out *Output) {
	c.now, c.cause, c.out, c.stepReplies = at, cause, out, len(out.Replies)
	c.rule, c.guard = rule.None, ""
}

func (c *Coordinator) end() { c.out, c.crashed = nil, false }

// reply hands over the answer to a request.
func (c *Coordinator) reply(to event.Node, r *kafka.Response) {
	if len(c.joints) > 0 && r.API == kafka.DeleteGroups && c.collectPart(to, r) {
		return
	}
	c.out.Replies = append(c.out.Replies, Reply{To: to, Cause: c.cause, Response: *r})
	if c.rule != rule.None && r.FirstError() != kafka.None {
		last := &c.out.Replies[len(c.out.Replies)-1]
		last.Rule, last.Guard = c.rule, c.guard
	}
	if (r.API == kafka.JoinGroup || r.API == kafka.SyncGroup) && len(c.operations.All()) > 0 {
		c.noteAnswer(to, r)
	}
}

// fail answers a request with an error and nothing else.
func (c *Coordinator) fail(to event.Node, req *kafka.Request, err kafka.Error) {
	if err != kafka.None {
		c.because(c.explain(req, err))
	}
	c.reply(to, &kafka.Response{API: req.API, Corr: req.Corr, Error: err})
}

// log numbers an event of this broker, caused by the step's cause.
func (c *Coordinator) log(e event.Event) uint64 {
	e.Cause, e.At, e.Node = c.cause, c.now, c.broker
	return c.out.Log.Add(e)
}

// group is the group in memory, nil if there is none.
func (c *Coordinator) group(id string) *group {
	if g := c.groups.get(name(id)); g != nil {
		return *g
	}
	return nil
}

func (c *Coordinator) setting(config kafka.Config) int64 { return c.settings.Values[config] }
