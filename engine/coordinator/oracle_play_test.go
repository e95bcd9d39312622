package coordinator

import (
	"fmt"
	"slices"
	"strconv"

	"rebalancelab/engine/clock"
	"rebalancelab/engine/event"
	"rebalancelab/engine/kafka"
	"rebalancelab/engine/rule"
	"rebalancelab/engine/tape"
)

// oraclePlayer replays one trace: it is the broker around the coordinator.
type oraclePlayer struct {
	trace *oracleTrace
	c     *Coordinator
	out   Output
	log   tape.Tape[kafka.Record]

	now     clock.Time
	step    int
	got     []map[string]any  // what the step has yielded so far
	groups  map[int64]string  // by corr
	known   map[string]string // group id to its last entry
	ids     int
	choices []choice // to follow first
	made    []choice
	remains []remains

	appendError kafka.Error
	holding     bool
	held        []heldAppend
	ghosts      []*Coordinator
}

// heldAppend is a batch whose result is held back.
type heldAppend struct {
	of *Coordinator
	Append
}

// oracleTries bounds the search for the order of sweeps in one trace.
const oracleTries = 400

// replayTrace is the first difference between a trace and the engine in any
// order of the sweeps, "" if one order has none.
func replayTrace(t *oracleTrace) string {
	first, choices := "", []choice(nil)
	for range oracleTries {
		diff, made := replayOnce(t, choices)
		if diff == "" {
			return ""
		}
		if first == "" {
			first = diff
		}
		for len(made) > 0 && made[len(made)-1].taken+1 == made[len(made)-1].of {
			made = made[:len(made)-1]
		}
		if len(made) == 0 {
			break
		}
		made[len(made)-1].taken++
		choices = made
	}
	return first
}

// choice is one decision of the search: which of the timers that were armed in
// one sweep fires next.
type choice struct{ taken, of int }

// replayOnce is the first difference between a trace and the engine, "" if
// there is none.
func replayOnce(t *oracleTrace, choices []choice) (diff string, made []choice) {
	p := &oraclePlayer{trace: t, choices: choices, out: Output{Log: event.NewLog()}, groups: map[int64]string{}, known: map[string]string{}}
	defer func() {
		made = p.made
		if r := recover(); r != nil {
			diff = fmt.Sprintf("step %d: panic: %v", p.step, r)
		}
	}()
	p.c = p.newCoordinator(t.Config)
	p.c.EndLoad(0, 0, &p.log, 0, &p.out)
	for i := range t.Steps {
		p.step = i
		s := &t.Steps[i]
		p.groups[s.Corr] = s.Group
		p.got = nil
		p.advance(clock.Millis(s.At).Time())
		p.do(s)
		if diff := p.compare(s); diff != "" {
			return fmt.Sprintf("step %d at %d (%s): %s", i, s.At, s.Do, diff), nil
		}
		if broken := p.c.Check(); broken != "" {
			return fmt.Sprintf("step %d at %d (%s): invariant %s", i, s.At, s.Do, broken), nil
		}
	}
	return "", nil
}

func (p *oraclePlayer) newCoordinator(config map[string]int64) *Coordinator {
	settings := kafka.DefaultSettings(p.trace.version)
	for _, values := range []map[string]int64{p.trace.Config, config} {
		for key, value := range values {
			k := kafka.ConfigNamed(key)
			if k == kafka.NoConfig {
				panic("unknown setting " + key)
			}
			settings.Values[k] = value
		}
	}
	c := New(1, p.trace.version, &settings, clock.NewStream(1, p.trace.ID), 1)
	c.Follow(p)
	return c
}

// advance lets every timer fire at its own time.
func (p *oraclePlayer) advance(to clock.Time) {
	for {
		due, next := p.nextDue()
		if next > to {
			break
		}
		p.now = max(p.now, next)
		if due == p.c {
			p.orderSweep(next)
		}
		due.Expire(next, &p.out)
		p.collectFrom(due)
		p.alignArmings()
	}
	p.now = to
	p.expireRemains()
}

// do hands in the request of a step, or does what else it says.
func (p *oraclePlayer) do(s *oracleStep) {
	if api, ok := oracleAPIs[s.Do]; ok {
		p.c.Step(p.now, event.Consumer(0), s.request(api), 1, &p.out)
		p.collect()
		return
	}
	switch s.Do {
	case "advance":
	case "cleanup":
		p.c.Cleanup(p.now, 1, &p.out)
	case "delete_topic":
		p.c.DeleteTopicPartitions(p.now, s.places(), 1, &p.out)
	case "txn_complete":
		p.completeTransaction(s)
	case "unload":
		p.leaveRemains()
		p.c.Unload(p.now, 0, 1, &p.out)
	case "load":
		if s.Config != nil {
			p.c, p.remains, p.ghosts = p.newCoordinator(s.Config), nil, nil
		}
		if p.loadsAgain() {
			p.loadAgain()
		}
		p.c.BeginLoad(p.now, 0, 1)
		p.c.EndLoad(p.now, 0, &p.log, 1, &p.out)
	case "load_begin":
		p.c.BeginLoad(p.now, 0, 1)
	case "load_end":
		if p.loadsAgain() {
			p.loadAgain()
		}
		p.c.EndLoad(p.now, 0, &p.log, 1, &p.out)
	case "append_error":
		p.appendError = errorNamed(s.Error)
	case "append_hold":
		p.holding = true
	case "append_release":
		p.release(errorNamed(s.Error))
	case "stop":
		p.c.Deactivate()
	case "start":
		p.c.Activate()
	case "kill":
		p.c.begin(p.now, 1, &p.out)
		p.c.moveTo(p.c.group(s.Group), kafka.Dead, rule.None, "killed")
		p.c.end()
	default:
		panic("unknown step " + s.Do)
	}
	p.collect()
}

func errorNamed(name string) kafka.Error {
	err, ok := kafka.ErrorNamed(name)
	if !ok {
		panic("unknown error " + name)
	}
	return err
}

func (p *oraclePlayer) completeTransaction(s *oracleStep) {
	marker := kafka.AbortMarker
	if s.Result == "COMMIT" {
		marker = kafka.CommitMarker
	}
	p.log.Append(kafka.Record{KeyVersion: -1, Marker: marker, ProducerID: s.Producer})
	p.c.CompleteTransaction(p.now, 0, s.Producer, s.Epoch, s.Result == "COMMIT", 1, &p.out)
}

// collect takes what the coordinator yielded, in the order in which it did, and
// answers the appends.
func (p *oraclePlayer) collect() { p.collectFrom(p.c) }

func (p *oraclePlayer) collectFrom(c *Coordinator) {
	replies, appends := 0, 0
	for replies < len(p.out.Replies) || appends < len(p.out.Appends) {
		if appends < len(p.out.Appends) && p.out.Appends[appends].After <= replies {
			a := p.out.Appends[appends]
			appends++
			if replies < len(p.out.Replies) && a.After == len(p.out.Replies) {
				panic("replies out of order")
			}
			p.append(c, a)
			continue
		}
		p.got = append(p.got, p.replyEntry(&p.out.Replies[replies]))
		replies++
	}
	p.out.Reset()
}

// append gives a batch to the log and tells the coordinator at once how it went,
// unless appends are held.
func (p *oraclePlayer) append(c *Coordinator, a Append) {
	err, held := kafka.None, false
	if !a.Records[0].Tombstone() {
		err, p.appendError = p.appendError, kafka.None
		held = p.holding && err == kafka.None
	}
	for i := range a.Records {
		e := p.recordEntry(&a.Records[i])
		if err != kafka.None {
			e["record"].(object)["append_error"] = err.String()
		}
		e["record"].(object)["held"] = held
		p.got = append(p.got, e)
	}
	if held {
		p.held = append(p.held, heldAppend{c, a})
		return
	}
	p.finish(c, a, err)
}

func (p *oraclePlayer) finish(c *Coordinator, a Append, err kafka.Error) {
	switch err {
	case kafka.None, kafka.RequestTimedOut, kafka.NotEnoughReplicasAfterAppend:
		for _, r := range a.Records {
			p.log.Append(r)
		}
	}
	c.AppendDone(p.now, a.ID, err, 1, &p.out)
}

func (p *oraclePlayer) release(err kafka.Error) {
	held := p.held
	p.held, p.holding = nil, false
	for _, a := range held {
		p.finish(a.of, a.Append, err)
		p.collectFrom(a.of)
	}
}

// MemberID names ids M1, M2, … as the recordings do.
func (p *oraclePlayer) MemberID(group, prefix string) string {
	p.ids++
	return "M" + strconv.Itoa(p.ids)
}

// Leader takes the choice from the recording. A static member that was replaced
// after it was chosen shows under its new id.
func (p *oraclePlayer) Leader(group string, candidates []string) string {
	id := p.recorded(group, "leader")
	if slices.Contains(candidates, id) {
		return id
	}
	for i := p.step; i < len(p.trace.Steps) && i < p.step+2; i++ {
		for _, g := range p.trace.Steps[i].Groups {
			if instance := instanceOf(g, id); instance != "" && g["group"] == group {
				if old := p.c.group(group).statics.get(name(instance)); old != nil {
					return *old
				}
			}
		}
	}
	return id
}

// instanceOf is the instance id of a member in a recorded entry of a group.
func instanceOf(g map[string]any, id string) string {
	members, _ := g["members"].([]any)
	for _, m := range members {
		if m := m.(map[string]any); m["member_id"] == id {
			instance, _ := m["group_instance_id"].(string)
			return instance
		}
	}
	return ""
}

// Protocol takes the outcome of an even vote from the recording.
func (p *oraclePlayer) Protocol(group string, tied []string) string {
	return ""
}

// recorded is the first value of a field that the recording names after this
// point: in a reply, or in the entry of the group after this step or the next.
func (p *oraclePlayer) recorded(group, field string) string {
	s := &p.trace.Steps[p.step]
	so := len(p.got) + len(p.out.Replies) + len(p.out.Appends)
	for i := so; i < len(s.Out); i++ {
		corr, _ := strconv.ParseInt(fmt.Sprint(s.Out[i]["reply"]), 10, 64)
		if name, ok := s.Out[i][field].(string); ok && p.groups[corr] == group {
			return name
		}
	}
	for i := p.step; i < len(p.trace.Steps) && i < p.step+2; i++ {
		for _, g := range p.trace.Steps[i].Groups {
			if name, ok := g[field].(string); ok && g["group"] == group {
				return name
			}
		}
	}
	return ""
}
