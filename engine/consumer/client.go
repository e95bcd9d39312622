// Package consumer is the simulated Kafka client: the Java consumer's poll
// loop, heartbeat thread, rebalance callbacks and commits, by era. A Client is
// told what arrives and when; it answers with requests to send. It knows
// brokers only by their replies.
package consumer

import (
	"rebalancelab/engine/assignor"
	"rebalancelab/engine/clock"
	"rebalancelab/engine/event"
	"rebalancelab/engine/kafka"
)

// PollTimeout is what the simulated application passes to poll().
const PollTimeout = 100 * clock.Millisecond

// CloseTimeout is close()'s default limit.
const CloseTimeout = 30 * clock.Second

// Config is everything about a consumer that does not change while it runs.
type Config struct {
	Name        string
	ClientID    string
	Host        string // "/10.0.1.1"
	Group       string
	Topics      []string // sorted
	Client      kafka.Version
	APIVersions [kafka.APICount]int16
	NoHeartbeat bool
	Process     clock.Duration // per record
	Settings    kafka.Settings
	Strategies  []assignor.Strategy
}

// Cluster is what a client learns from brokers without a group request:
// metadata, records and their offsets.
type Cluster interface {
	// Brokers is the number of brokers; their ids are 1..Brokers.
	Brokers() int32
	// PartitionCount is the number of partitions of a topic, 0 if there is none.
	PartitionCount(topic string) int32
	// End is the offset after the last record that node can have fetched at the
	// time; it is below the position asked for when the leader cannot be reached.
	End(node event.Node, tp kafka.TopicPartition, at clock.Time) int64
	// RecordTime is when node can have fetched the record at offset, Never if it
	// is not known that it will exist.
	RecordTime(node event.Node, tp kafka.TopicPartition, offset int64, at clock.Time) clock.Time
	// ListOffset asks the leader for the first or the next offset; the answer is
	// there at the time returned, Never if the leader cannot be reached.
	ListOffset(node event.Node, tp kafka.TopicPartition, at clock.Time, earliest bool) (int64, clock.Time)
}

// Send is a request that leaves the client.
type Send struct {
	To      event.Node
	Group   bool // on the connection that is kept for the coordinator
	Routine bool // it changes nothing worth reading
	Cause   uint64
	Request *kafka.Request
}

// Read is a run of records handed to the application: offsets From..To-1.
type Read struct {
	kafka.TopicPartition
	From, To int64
	Cause    uint64
}

// Hangup is a connection that the client closes.
type Hangup struct {
	To    event.Node
	Group bool
}

// Env is the occasion on which a client acts, and where it puts what follows.
type Env struct {
	Now     clock.Time
	Cause   uint64
	Cluster Cluster
	Log     *event.Log
	Sends   []Send
	Reads   []Read
	Hangups []Hangup
	Connect event.Node // the broker to open the coordinator's connection to; 0: none
	Ended   bool       // the process has ended; nothing more may reach it

	Spare []*kafka.Request // heartbeats and commits that have been served, to be used again
}

// request is an empty request; the memory of its Offsets may be used again.
func (e *Env) request(api kafka.API) *kafka.Request {
	n := len(e.Spare)
	if n == 0 {
		return &kafka.Request{API: api}
	}
	r := e.Spare[n-1]
	e.Spare = e.Spare[:n-1]
	*r = kafka.Request{API: api, Offsets: r.Offsets[:0]}
	return r
}

// after is when a span that begins now has passed for a clock that reads whole
// milliseconds. It is never this very moment, so that nothing repeats in it.
func (e *Env) after(d clock.Duration) clock.Time {
	return e.Now.Millis().Time().Add(max(d, clock.Millisecond))
}

// MemberState is the client's own state of its membership (AbstractCoordinator.MemberState).
type MemberState uint8

// The member states.
const (
	Unjoined MemberState = iota
	PreparingRebalance
	CompletingRebalance
	Stable
)

var memberStateNames = [...]string{"UNJOINED", "PREPARING_REBALANCE", "COMPLETING_REBALANCE", "STABLE"}

// String is Kafka's name of the state.
func (s MemberState) String() string { return memberStateNames[s] }

// generation is the triple that JoinGroup sets; requests remember the one that
// they were sent with.
type generation struct {
	id       int32
	memberID string
}

var noGeneration = generation{id: kafka.NoGeneration}

// joinStep says how far the outstanding JoinGroup→SyncGroup chain is.
type joinStep uint8

const (
	noJoin joinStep = iota
	joinSent
	syncSent
	synced
)

// owned is one assigned partition.
type owned struct {
	kafka.TopicPartition
	position int64      // -1: not known yet
	fetching bool       // an OffsetFetch for it is under way
	askAt    clock.Time // the committed offset is not asked for before
	reset    bool       // nothing is committed: auto.offset.reset applies
	resetAt  clock.Time // when the leader has answered ListOffsets, or is asked again
	resetTo  int64      // the answer; -1: the leader could not be reached
}

// inflight is a request without an answer yet.
type inflight struct {
	corr     int64
	api      kafka.API
	to       event.Node
	deadline clock.Time
	config   kafka.Config // that the deadline comes from
	gen      generation
	purpose  commitPurpose
}

// Client is one consumer process.
type Client struct {
	cfg  *Config
	has  kafka.Features
	node event.Node
	corr int64 // of the last request

	state            MemberState
	gen              generation
	protocol         string
	rejoinNeeded     bool
	rejoinReason     string
	rejoinCause      uint64 // the event that asked for it; 0: none did
	needsJoinPrepare bool
	chain            joinStep
	assignment       string // of the SyncGroup reply, until it is applied
	leader           bool
	maxGeneration    int32 // the assignor's memory
	lastGeneration   int32 // of the last onAssignment

	coordinator event.Node
	bootstrap   int32 // the broker that the next lookup goes to
	lookupAt    clock.Time
	lookups     int32      // since the coordinator was last known
	refused     event.Node // whose connection was lost last: not connected to before refusedTo
	refusals    int32      // in a row
	refusedTo   clock.Time
	joinAt      clock.Time

	metadata    []int32 // partitions of each topic of cfg.Topics, as last fetched
	metadataDue clock.Time
	snapshot    []int32 // the metadata that the leader assigned from

	parts      []owned
	cursor     int  // the partition whose records go first
	revoking   bool // the pre-join commit is under way: nothing may be fetched
	prepare    prepareStep
	prepareDue clock.Time

	thread       bool // the heartbeat thread is enabled
	threadCause  uint64
	heartbeatDue clock.Time
	sessionDue   clock.Time
	pollDue      clock.Time
	failures     int32       // heartbeats that failed in a row
	failure      kafka.Error // stored by the heartbeat thread, thrown by poll

	busyUntil     clock.Time // Never: inside poll
	busyCause     uint64
	stalled       bool
	pollStart     clock.Time // when the application went into its poll loop
	wake          clock.Time // when the poll loop has something to do by itself
	commitDue     clock.Time
	closing       closeStep
	closeDue      clock.Time
	closeCommit   bool // close has still to commit
	stopRequested bool
	lastError     kafka.Error
	lastException string // the error's name, or that of an exception without a code

	inflight []inflight
	held     []heldResponse // answers that nobody reads while the application is busy
}

type heldResponse struct {
	response kafka.Response
	cause    uint64
	lost     bool // not an answer: the connection is gone
}

// New is a consumer that has not started. The incarnation keeps the requests of
// one process apart from those of its predecessor.
func New(cfg *Config, node event.Node, incarnation int64) *Client {
	return &Client{
		cfg: cfg, has: kafka.FeaturesOf(cfg.Client), node: node, corr: incarnation << 32, bootstrap: int32(node.Index()),
		gen: noGeneration, rejoinNeeded: true, needsJoinPrepare: true,
		maxGeneration: -1, lastGeneration: -1,
		heartbeatDue: clock.Never, sessionDue: clock.Never, pollDue: clock.Never,
		busyUntil: clock.Never, wake: clock.Never, commitDue: clock.Never, closeDue: clock.Never, prepareDue: clock.Never,
	}
}

// Clone is an independent copy.
func (c *Client) Clone() *Client {
	d := *c
	d.metadata = append([]int32(nil), c.metadata...)
	d.parts = append([]owned(nil), c.parts...)
	d.inflight = append([]inflight(nil), c.inflight...)
	d.held = append([]heldResponse(nil), c.held...)
	return &d
}

// Start runs the application: it subscribes and polls for the first time.
func (c *Client) Start(e *Env) {
	c.metadata = c.fetchMetadata(e)
	c.metadataDue = e.after(c.millis(kafka.MetadataMaxAgeMs))
	c.enterPoll(e)
}

// Stall makes the record in hand take d longer; heartbeats go on, poll does not.
func (c *Client) Stall(e *Env, d clock.Duration) {
	c.stalled = true
	if c.busy() {
		c.busyUntil = c.busyUntil.Add(d)
		return
	}
	c.goBusy(e, d)
}

// Stop asks for a clean close: at once inside poll, else after the batch in hand.
func (c *Client) Stop(e *Env) {
	if c.stopRequested || c.closing != notClosing {
		return
	}
	c.stopRequested = true
	if !c.busy() {
		c.beginClose(e)
	}
}

// Next is when the client has something to do by itself, Never if nothing.
func (c *Client) Next() clock.Time {
	if c.closing != notClosing {
		return min(c.closeDue, c.wake)
	}
	next := c.busyUntil
	if c.networkDriven() {
		for i := range c.inflight {
			next = min(next, c.inflight[i].deadline)
		}
	}
	if c.thread {
		next = min(next, c.threadDue())
	}
	if !c.busy() {
		next = min(next, c.wake)
	}
	return next
}

// Expire does everything that is due.
func (c *Client) Expire(e *Env) {
	if c.closing != notClosing {
		c.continueClose(e)
		return
	}
	if c.networkDriven() {
		c.expireRequests(e)
	}
	if c.busyUntil <= e.Now {
		e.Cause = c.busyCause
		if c.stopRequested {
			c.busyUntil = clock.Never
			c.beginClose(e)
			return
		}
		c.enterPoll(e)
		return
	}
	if c.thread && c.threadDue() <= e.Now {
		c.threadTurn(e)
	}
	if !c.busy() && !e.Ended && c.closing == notClosing {
		c.pollTurn(e)
	}
}

// busy reports whether the application is processing records, outside poll.
func (c *Client) busy() bool { return c.busyUntil != clock.Never }

// networkDriven reports whether anybody reads answers: the application inside
// poll or close, or the heartbeat thread while it is enabled.
func (c *Client) networkDriven() bool {
	return !c.busy() || c.has.Has(kafka.ConsumerHeartbeatThread) && c.thread
}

func (c *Client) millis(config kafka.Config) clock.Duration {
	return clock.Duration(c.cfg.Settings.Millis(config)) * clock.Millisecond
}

func (c *Client) log(e *Env, ev event.Event) uint64 {
	ev.At, ev.Node, ev.Cause, ev.Group = e.Now, c.node, e.Cause, c.cfg.Group
	return e.Log.Add(ev)
}
