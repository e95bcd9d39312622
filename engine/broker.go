package engine

import (
	"slices"

	"rebalancelab/engine/clock"
	"rebalancelab/engine/coordinator"
	"rebalancelab/engine/event"
	"rebalancelab/engine/kafka"
	"rebalancelab/engine/tape"
)

// broker is one broker: its process and, while it is up, its coordinator.
type broker struct {
	index       int32
	settings    kafka.Settings
	up          bool
	starts      int32      // counts its starts; what was set up by an earlier one is void
	downSince   clock.Time // of a killed broker whose death the controller has not noticed; Never
	waits       bool       // started again meanwhile: it may register when that session has expired
	coordinator *coordinator.Coordinator
	due         clock.Time // the coordinator's next deadline
	appends     tape.Queue[pendingAppend]
	loads       []pendingLoad // the first is under way
}

// pendingAppend is a batch that the log has not acknowledged yet.
type pendingAppend struct {
	coordinator.Append
	at   clock.Time
	by   event.Node // whose request it was, 0: nobody's
	err  kafka.Error
	lost bool // it is written nowhere
}

type pendingLoad struct {
	partition int32
	cause     uint64
}

func newBroker(s *Scenario, id int32) *broker {
	b := &broker{index: id - 1, settings: s.BrokerSettings, due: clock.Never}
	for _, x := range s.BrokerExceptions {
		if x.Broker == id {
			b.settings.Values[x.Config] = x.Value
		}
	}
	b.start(s)
	return b
}

func (b *broker) start(s *Scenario) {
	b.up, b.due, b.downSince, b.waits = true, clock.Never, clock.Never, false
	b.starts++
	ids := clock.NewStream(s.Seed, "broker "+itoa(int64(b.index)+1)+" start "+itoa(int64(b.starts)))
	settings := b.settings
	b.coordinator = coordinator.New(b.node(), s.Version, &settings, ids, offsetsPartitions(s))
}

func offsetsPartitions(s *Scenario) int32 {
	return int32(s.BrokerSettings.Values[kafka.OffsetsTopicNumPartitions])
}

func (b *broker) node() event.Node { return event.Node(b.index + 1) }

func (b *broker) millis(c kafka.Config) clock.Duration {
	return clock.Duration(b.settings.Values[c]) * clock.Millisecond
}

func (b *broker) clone() *broker {
	c := *b
	if b.coordinator != nil {
		c.coordinator = b.coordinator.Clone()
	}
	c.appends = b.appends.Clone()
	c.loads = append([]pendingLoad(nil), b.loads...)
	return &c
}

func (w *World) broker(n event.Node) *broker { return w.brokers[n-1] }

// flush carries out what a coordinator put into the output, on the request of by
// (0: nobody's): answers go to the network, appends to the log.
func (w *World) flush(b *broker, by event.Node) {
	for i := range w.out.Replies {
		r := &w.out.Replies[i]
		p := w.processes[r.To.Index()]
		c := p.find(b.index, true)
		if c == nil || !c.busy || c.corr != r.Corr {
			continue // that connection is gone
		}
		w.sendResponse(b, p, c, r)
	}
	for i := range w.out.Appends {
		a := w.out.Appends[i]
		at, err := w.now.Add(w.scenario.Network.Append), w.appendFailure()
		if err == kafka.RequestTimedOut && !b.coordinator.CommitsLater(err) {
			at = w.now.Add(b.millis(kafka.OffsetsCommitTimeoutMs)) // it is the wait that timed out
		}
		b.appends.Push(pendingAppend{a, at, by, err, err == kafka.RequestTimedOut && w.appendLost})
		w.add(appendDone, at, b.index, a.ID, uint64(b.starts))
	}
	w.out.Reset()
	b.due = clock.Never
	if b.coordinator != nil {
		b.due = b.coordinator.Next()
	}
}

// appendFailure is the error that appends end with now.
func (w *World) appendFailure() kafka.Error {
	switch {
	case w.appendUntil <= w.now:
		return kafka.None
	case w.appendLost:
		return kafka.RequestTimedOut // after the wait
	}
	return w.appendError
}

// appendDone ends an append to __consumer_offsets: the records are in the log,
// or the coordinator gets the error.
func (w *World) appendDone(b *broker, item clock.Item) {
	if !b.up || uint64(b.starts) != item.Cause {
		return
	}
	i := slices.IndexFunc(b.appends.All(), func(a pendingAppend) bool { return a.ID == item.Arg })
	if i < 0 {
		return
	}
	a := b.appends.All()[i]
	err := a.err
	if b.coordinator.CommitsLater(err) {
		if b.coordinator.CommitsLater(w.appendFailure()) && w.offsets[a.Partition].leader == b.node() {
			w.add(appendDone, w.now.Add(replicaFetchWait), b.index, a.ID, uint64(b.starts))
			return
		}
		err = kafka.None
	}
	b.appends.Remove(i)
	if !b.coordinator.Expects(a.ID) {
		return
	}
	if w.offsets[a.Partition].leader != b.node() {
		err = kafka.NotLeaderOrFollower
	}
	cause := a.Cause
	if err == kafka.None {
		w.writeEarlier(b, &a)
	}
	if !a.lost && (err == kafka.None || err == kafka.RequestTimedOut || err == kafka.NotEnoughReplicasAfterAppend) {
		cause = w.writeRecords(b, &a)
	}
	if err != kafka.None {
		cause = w.event(event.Event{Kind: event.AppendFailed, Cause: a.Cause, Node: b.node(), Group: a.Group, Error: err})
	}
	b.coordinator.AppendDone(w.now, a.ID, err, cause, &w.out)
	w.flush(b, 0)
}

// replicaFetchWait is replica.fetch.wait.max.ms: how often a broker learns that
// its followers have caught up.
const replicaFetchWait = 500 * clock.Millisecond

// writeEarlier writes the batches of the partition that still wait for the
// followers: they are committed together with one that comes after them.
func (w *World) writeEarlier(b *broker, a *pendingAppend) {
	for i := 0; i < len(b.appends.All()); {
		earlier := b.appends.All()[i]
		if earlier.ID > a.ID || earlier.Partition != a.Partition || !b.coordinator.CommitsLater(earlier.err) {
			i++
			continue
		}
		b.appends.Remove(i)
		if b.coordinator.Expects(earlier.ID) {
			w.writeRecords(b, &earlier)
		}
	}
}

// writeRecords appends a batch to the partition's log. An offset is routine: it
// stands in the log to be looked at.
func (w *World) writeRecords(b *broker, a *pendingAppend) uint64 {
	log := &w.offsets[a.Partition].log
	last := a.Cause
	for _, record := range a.Records {
		e := event.Event{Kind: event.RecordAppended, At: w.now, Cause: a.Cause, Node: b.node(), Group: record.Group,
			N: int64(a.Partition), Offset: int64(log.Len()), Partition: record.Partition}
		switch {
		case record.Tombstone():
			e.Text = "tombstone"
			last = w.log.Add(e)
		case record.GroupValue != nil:
			e.Text, e.Generation, e.Member = "group", record.GroupValue.Generation, record.GroupValue.Leader
			last = w.log.Add(e)
		default:
			e.Text = "offset"
			last = w.log.Routine(e)
		}
		record.Cause, record.At, record.By = last, w.now.Millis(), int32(a.by)
		log.Append(record)
	}
	return last
}

// loading reports whether the broker has still to read a partition.
func (b *broker) loading(partition int32) bool {
	return slices.ContainsFunc(b.loads, func(l pendingLoad) bool { return l.partition == partition })
}

// queueLoad lets a broker read a partition's log; one at a time.
func (w *World) queueLoad(b *broker, partition int32, cause uint64) {
	b.loads = append(b.loads, pendingLoad{partition, cause})
	if len(b.loads) == 1 {
		w.beginLoad(b)
	}
}

func (w *World) beginLoad(b *broker) {
	l := b.loads[0]
	e := event.Event{Kind: event.LoadBegan, At: w.now, Cause: l.cause, Node: b.node(), N: int64(l.partition), Generation: w.offsets[l.partition].epoch}
	seq := w.visible(l.partition, e)
	b.coordinator.BeginLoad(w.now, l.partition, seq)
	w.add(loadDone, w.now.Add(w.scenario.Network.Load), b.index, int64(b.starts)<<32|int64(l.partition), seq)
}

// visible logs an event about a partition that holds something; about an empty
// one it is routine.
func (w *World) visible(partition int32, e event.Event) uint64 {
	if w.offsets[partition].log.Len() > 0 {
		return w.log.Add(e)
	}
	return w.log.Routine(e)
}

func (w *World) loadDone(b *broker, arg int64, cause uint64) {
	partition := int32(arg & 0xffffffff)
	if !b.up || arg>>32 != int64(b.starts) || len(b.loads) == 0 {
		return
	}
	b.loads = b.loads[1:]
	p := w.offsets[partition]
	if p.leader == b.node() {
		seq := w.visible(partition, event.Event{Kind: event.LoadEnded, At: w.now, Cause: cause, Node: b.node(), N: int64(partition), Generation: p.epoch})
		b.coordinator.EndLoad(w.now, partition, &p.log, seq, &w.out)
		w.flush(b, 0)
	}
	if len(b.loads) > 0 {
		w.beginLoad(b)
	}
}

func (w *World) cleanup(b *broker, item clock.Item) {
	if !b.up || int64(b.starts) != item.Arg {
		return
	}
	cause := w.log.Routine(event.Event{Kind: event.TimerFired, At: w.now, Cause: item.Cause, Node: b.node(), Config: kafka.OffsetsRetentionCheckIntervalMs})
	b.coordinator.Cleanup(w.now, cause, &w.out)
	w.flush(b, 0)
	w.add(cleanupDue, w.now.Add(b.millis(kafka.OffsetsRetentionCheckIntervalMs)), b.index, int64(b.starts), item.Cause)
}
