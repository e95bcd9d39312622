package coordinator

import (
	"cmp"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"rebalancelab/engine/clock"
	"rebalancelab/engine/event"
	"rebalancelab/engine/kafka"
)

// events reports whether the trace comes from the Java coordinator.
func (t *oracleTrace) events() bool { return !t.version.Older(kafka.Version{Major: 4}) }

// eventPlayer replays a trace of the Java coordinator: its appends fail before
// anything is stored, and what is held is stored but not committed.
type eventPlayer struct {
	oraclePlayer
	fired    []string
	names    map[string]string // a made-up id to its name; and back
	topics   map[string]int32
	prefixes map[string]string // of a made-up id
	markers  map[int64]int64   // append of a marker to the request that waits for it
}

// replayEvents is the first difference between a trace and the engine, "" if
// there is none.
func replayEvents(t *oracleTrace) (diff string) {
	p := &eventPlayer{topics: map[string]int32{}, markers: map[int64]int64{}, names: map[string]string{}, prefixes: map[string]string{}}
	p.trace, p.out, p.groups, p.known = t, Output{Log: event.NewLog()}, map[int64]string{}, map[string]string{}
	defer func() {
		if r := recover(); r != nil {
			diff = fmt.Sprintf("step %d: panic: %v", p.step, r)
		}
	}()
	for _, topic := range t.Topics {
		p.topics[topic.Name] = topic.Partitions
	}
	p.c = p.newCoordinator(t.Config)
	p.c.Follow(p)
	p.c.EndLoad(0, 0, &p.log, 0, &p.out)
	for i := range t.Steps {
		s := &t.Steps[i]
		p.step, p.got, p.fired = i, nil, nil
		p.groups[s.Corr] = s.Group
		p.advance(clock.Millis(s.At).Time())
		p.do(s)
		if diff := p.compare(s); diff != "" {
			return fmt.Sprintf("step %d at %d (%s): %s", i, s.At, s.Do, diff)
		}
		if broken := p.c.Check(); broken != "" {
			return fmt.Sprintf("step %d at %d (%s): invariant %s", i, s.At, s.Do, broken)
		}
	}
	return ""
}

// advance lets every timer fire at its own time, one by one.
func (p *eventPlayer) advance(to clock.Time) {
	for {
		i := p.next(to)
		if i == noTimer {
			break
		}
		p.now = max(p.now, p.c.timers[i].deadline)
		if key := p.keyName(&p.c.timers[i]); key != "" {
			p.fired = append(p.fired, fmt.Sprint(int64(p.now.Millis()), " ", key))
		}
		p.c.out = &p.out
		p.c.expireOne(p.now)
		p.c.end()
		p.collect()
		p.markerTimeouts()
	}
	p.now = to
}

// next is the timer that fires next up to a time: the one that was armed first,
// or the recorded one where that was left to chance.
func (p *eventPlayer) next(to clock.Time) int32 {
	var due []int32
	for i := range p.c.timers {
		t := &p.c.timers[i]
		if !t.armed || t.deadline > to || len(due) > 0 && t.deadline > p.c.timers[due[0]].deadline {
			continue
		}
		if len(due) > 0 && t.deadline < p.c.timers[due[0]].deadline {
			due = due[:0]
		}
		due = append(due, int32(i))
	}
	if len(due) == 0 {
		return noTimer
	}
	slices.SortFunc(due, func(a, b int32) int { return cmp.Compare(p.c.timers[a].seq, p.c.timers[b].seq) })
	if s := &p.trace.Steps[p.step]; s.TieDecides && len(p.fired) < len(s.Fired) {
		for _, i := range due {
			t := &p.c.timers[i]
			if key := p.keyName(t); fmt.Sprint(int64(t.deadline.Millis()), " ", key) == s.Fired[len(p.fired)] {
				first := &p.c.timers[due[0]]
				first.seq, t.seq = t.seq, first.seq
				p.c.queue(i)
				p.c.queue(due[0])
				return i
			}
		}
	}
	return due[0]
}

// keyName is Kafka's key of a timer, "" for one that has none.
func (p *eventPlayer) keyName(t *timer) string {
	switch t.kind {
	case memberTimer, pendingTimer:
		if prefix, madeUp := p.prefixes[t.member]; madeUp && !p.seen(t.member) {
			return "heartbeat-" + t.group + "-" + prefix + "-uuid" // the recordings have no name for it either
		}
		return "heartbeat-" + t.group + "-" + p.name(t.member)
	case joinPhaseTimer:
		return "join-" + t.group
	case syncPhaseTimer:
		return "sync-" + t.group
	case expiryTimer:
		return "expire-group-metadata"
	}
	return ""
}

// do hands in the request of a step, or does what else it says.
func (p *eventPlayer) do(s *oracleStep) {
	if api, ok := oracleAPIs[s.Do]; ok {
		r := p.request(api, s)
		p.c.Step(p.now, event.Consumer(0), r, 1, &p.out)
		p.collect()
		return
	}
	switch s.Do {
	case "advance":
	case "metadata":
		p.metadata(s)
	case "txn_complete":
		if err := p.c.partitionError(0); err != kafka.None {
			p.got = append(p.got, p.markerReply(s.Corr, err))
			break
		}
		p.c.CompleteTransaction(p.now, 0, s.Producer, s.Epoch, s.Result == "COMMIT", 1, &p.out)
		for i := range p.out.Appends {
			p.markers[p.out.Appends[i].ID] = s.Corr
		}
	case "unload":
		p.c.Unload(p.now, 0, 1, &p.out)
	case "load":
		p.c.BeginLoad(p.now, 0, 1)
		p.c.EndLoad(p.now, 0, &p.log, 1, &p.out)
	case "load_begin":
		p.c.BeginLoad(p.now, 0, 1)
	case "load_end":
		p.c.EndLoad(p.now, 0, &p.log, 1, &p.out)
	case "append_error":
		p.appendError = errorNamed(s.Error)
	case "append_hold":
		p.holding = true
	case "append_release":
		p.release()
	default:
		panic("unknown step " + s.Do)
	}
	p.collect()
}

// metadata is a new image: offsets of topics that it lacks are removed.
func (p *eventPlayer) metadata(s *oracleStep) {
	var gone []kafka.TopicPartition
	for _, topic := range s.Delete {
		for i := range p.topics[topic] {
			gone = append(gone, kafka.TopicPartition{Topic: topic, Partition: i})
		}
		delete(p.topics, topic)
	}
	for topic, n := range s.Set {
		p.topics[topic] = n
	}
	if len(gone) > 0 {
		p.c.DeleteTopicPartitions(p.now, gone, 1, &p.out)
	}
}

// collect takes what the coordinator yielded, in the order in which it did, and
// answers the appends.
func (p *eventPlayer) collect() {
	for replies, appends := 0, 0; replies < len(p.out.Replies) || appends < len(p.out.Appends); {
		if appends < len(p.out.Appends) && p.out.Appends[appends].After <= replies {
			p.append(p.out.Appends[appends])
			appends++
			continue
		}
		p.got = append(p.got, p.replyEntry(&p.out.Replies[replies]))
		replies++
	}
	p.out.Reset()
}

func (p *eventPlayer) append(a Append) {
	err := p.appendError
	if p.appendError = kafka.None; err != kafka.None {
		p.c.AppendDone(p.now, a.ID, err, 1, &p.out)
		if corr, ok := p.markers[a.ID]; ok {
			p.got = append(p.got, p.markerReply(corr, err))
		}
		return
	}
	for i := range a.Records {
		p.log.Append(a.Records[i])
		p.got = append(p.got, p.recordEntry(&a.Records[i]))
	}
	if p.holding {
		p.held = append(p.held, heldAppend{p.c, a})
		return
	}
	p.committed(a)
}

func (p *eventPlayer) committed(a Append) {
	p.c.AppendDone(p.now, a.ID, kafka.None, 1, &p.out)
	if corr, ok := p.markers[a.ID]; ok {
		p.got = append(p.got, p.markerReply(corr, kafka.None))
	}
}

// markerReply is the answer to the writing of a marker, which is not the
// coordinator's: its errors stay as they are.
func (p *eventPlayer) markerReply(corr int64, err kafka.Error) object {
	e := fields{"reply": corr, "at": int64(p.now.Millis())}
	e.err(err)
	return object(e)
}

// markerTimeouts answers markers whose operation has timed out.
func (p *eventPlayer) markerTimeouts() {
	for _, o := range p.c.operations.All() {
		if corr, ok := p.markers[o.batch]; ok && o.done && o.writes {
			p.got = append(p.got, p.markerReply(corr, kafka.RequestTimedOut))
			delete(p.markers, o.batch)
		}
	}
}

func (p *eventPlayer) release() {
	held := p.held
	p.held, p.holding = nil, false
	for _, a := range held {
		p.committed(a.Append)
		p.collect()
	}
}

// MemberID makes an id up. It gets its name, M1, M2, …, when it is seen for the
// first time.
func (p *eventPlayer) MemberID(group, prefix string) string {
	p.ids++
	id := "made up " + strconv.Itoa(p.ids)
	p.prefixes[id] = prefix
	return id
}

// name is an id as the recordings write it.
func (p *eventPlayer) name(id string) string {
	if !strings.HasPrefix(id, "made up ") {
		return id
	}
	if p.names[id] == "" {
		seen := "M" + strconv.Itoa(len(p.names)/2+1)
		p.names[id], p.names[seen] = seen, id
	}
	return p.names[id]
}

// seen reports whether an answer or a group has shown the id.
func (p *eventPlayer) seen(id string) bool { return p.names[id] != "" }

// id is the id behind a name.
func (p *eventPlayer) id(name string) string {
	if id := p.names[name]; id != "" {
		return id
	}
	return name
}

// Leader is the first candidate in the order of a java.util.HashMap of the ids
// that Kafka made up.
func (p *eventPlayer) Leader(group string, candidates []string) string {
	bucket := func(id string) uint32 {
		real := p.trace.IDs[p.name(id)]
		h := uint32(kafka.JavaHash(real))
		return (h ^ h>>16) & 15
	}
	g := p.c.group(group)
	return slices.MinFunc(candidates, func(a, b string) int {
		return cmp.Or(cmp.Compare(bucket(a), bucket(b)), cmp.Compare(g.member(a).birth, g.member(b).birth))
	})
}

// request is the step as a request of the engine.
func (p *eventPlayer) request(api kafka.API, s *oracleStep) *kafka.Request {
	r := s.request(api)
	r.Version, r.States, r.Types, r.ClientHost = s.Version, s.StatesFilter, s.TypesFilter, p.trace.ClientHost
	r.MemberID = p.id(r.MemberID)
	for i := range r.Members {
		r.Members[i].MemberID = p.id(r.Members[i].MemberID)
	}
	for i := range r.Assignments {
		r.Assignments[i].MemberID = p.id(r.Assignments[i].MemberID)
	}
	if (api == kafka.OffsetCommit || api == kafka.TxnOffsetCommit) && s.Generation == nil {
		r.Generation = -1 // the schema's default
	}
	if api == kafka.DescribeGroups {
		r.Groups, r.Version = s.GroupIDs, 6
	}
	return r
}

var uuids = regexp.MustCompile(`-[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}`)

// compare is the first difference between what a step should yield and what it
// did.
func (p *eventPlayer) compare(s *oracleStep) string {
	if want, got := uuids.ReplaceAllString(strings.Join(s.Fired, ", "), "-uuid"), strings.Join(p.fired, ", "); want != got {
		return fmt.Sprintf("fired\n  expected %s\n  got      %s", want, got)
	}
	for _, e := range s.Out {
		delete(e, "exception")
		if e["record"] != nil && e["at"] == nil {
			e["at"] = s.At
		}
		delete(e, "producer_epoch")
	}
	if s.Tie {
		p.bucket(s.Out)
		p.bucket(p.got)
	}
	for i := range max(len(s.Out), len(p.got)) {
		w, g := "nothing", "nothing"
		if i < len(s.Out) {
			w = p.written(s.Out[i])
		}
		if i < len(p.got) {
			g = p.written(p.got[i])
		}
		if w != g {
			return fmt.Sprintf("out %d\n  expected %s\n  got      %s", i, w, g)
		}
	}
	if !p.c.partitions[0].owned {
		return "" // nobody sees the groups
	}
	return p.compareGroups(s)
}
