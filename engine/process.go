package engine

import (
	"rebalancelab/engine/assignor"
	"rebalancelab/engine/clock"
	"rebalancelab/engine/consumer"
	"rebalancelab/engine/event"
	"rebalancelab/engine/kafka"
)

// Phase says what has become of a consumer's process.
type Phase uint8

// The phases.
const (
	NotStarted Phase = iota
	Running
	Stopping // close() is under way, or waits for the batch in hand
	Stopped  // closed cleanly
	Killed
	Failed // it closed after an exception
)

var phaseNames = [...]string{"not-started", "running", "stopping", "stopped", "killed", "failed"}

// String is the phase's name in the language and in JSON.
func (p Phase) String() string { return phaseNames[p] }

// process is a consumer of the scenario and, while it runs, its client.
type process struct {
	index       int32
	node        event.Node
	def         *Consumer // shared
	config      *consumer.Config
	settings    *kafka.Settings // of the next start: shared, `set` takes a changed copy
	client      *consumer.Client
	phase       Phase
	since       clock.Time
	incarnation int64
	restart     bool   // start again when the close is done
	cause       uint64 // the last event that concerned it
	wakeAt      clock.Time
	conns       []connection
	lastError   kafka.Error
	exception   string // what the application saw last, "" nothing
}

func (w *World) addProcess(def *Consumer) *process {
	index := len(w.processes)
	p := &process{index: int32(index), node: event.Consumer(index), def: def, settings: &def.Settings, wakeAt: clock.Never}
	p.config = w.configOf(p)
	w.processes = append(w.processes, p)
	w.names = append(w.names, def.Name)
	w.group(def.Group)
	return p
}

// configOf is what the process's next start reads.
func (w *World) configOf(p *process) *consumer.Config {
	def := p.def
	c := &consumer.Config{
		Name: def.Name, ClientID: p.settings.Texts[kafka.ClientID], Host: hostOf(p.index),
		Group: def.Group, Topics: sorted(def.Topics), Client: def.Client, NoHeartbeat: def.NoHeartbeat,
		Process: def.Process, Settings: *p.settings,
	}
	if c.ClientID == "" {
		c.ClientID = def.Name
	}
	for api := range kafka.APICount {
		newest := min(kafka.LatestVersion(def.Client, api), kafka.LatestVersion(w.scenario.Version, api))
		if chosen := def.APIVersions[api]; chosen >= 0 {
			newest = min(newest, chosen)
		}
		c.APIVersions[api] = newest
	}
	for _, name := range splitList(p.settings.Texts[kafka.PartitionAssignmentStrategy]) {
		if strategy, ok := assignor.StrategyNamed(name); ok {
			c.Strategies = append(c.Strategies, strategy)
		}
	}
	return c
}

// hostOf is a consumer's own address: no two share one.
func hostOf(index int32) string {
	return "/10.1." + itoa(int64(index/250)) + "." + itoa(int64(index%250)+1)
}

func (p *process) clone() *process {
	c := *p
	if p.client != nil {
		c.client = p.client.Clone()
	}
	c.conns = append([]connection(nil), p.conns...)
	for i := range c.conns {
		c.conns[i].queue = append([]int32(nil), p.conns[i].queue...)
	}
	return &c
}

func (p *process) running() bool { return p.phase == Running || p.phase == Stopping }

func (p *process) find(broker int32, group bool) *connection {
	for i := range p.conns {
		if c := &p.conns[i]; c.broker == broker && c.group == group {
			return c
		}
	}
	return nil
}

func (p *process) connection(broker int32, group bool) *connection {
	if c := p.find(broker, group); c != nil {
		return c
	}
	p.conns = append(p.conns, connection{broker: broker, group: group})
	return &p.conns[len(p.conns)-1]
}

func (w *World) startProcess(p *process, cause uint64) {
	p.config = w.configOf(p)
	p.incarnation++
	p.client = consumer.New(p.config, p.node, p.incarnation)
	p.phase, p.since, p.restart, p.lastError = Running, w.now, false, kafka.None
	p.exception = ""
	p.conns = nil
	seq := w.event(event.Event{Kind: event.ConsumerStarted, Cause: cause, Node: p.node, Group: p.def.Group,
		Instance: p.settings.Texts[kafka.GroupInstanceID], Text: "java-" + p.def.Client.Short()})
	p.client.Start(w.occasion(seq))
	w.settle(p)
}

// endProcess is the end of the process, clean or not. Its connections are gone.
func (w *World) endProcess(p *process, phase Phase, cause uint64) {
	for i := range p.conns {
		w.dropQueue(&p.conns[i])
	}
	p.conns = nil
	p.client = nil
	p.phase, p.since, p.wakeAt = phase, w.now, clock.Never
	seq := w.event(event.Event{Kind: event.ConsumerStopped, Cause: cause, Node: p.node, Group: p.def.Group,
		Instance: p.config.Settings.Texts[kafka.GroupInstanceID], Text: phase.String()})
	p.cause = seq
	if p.restart {
		w.startProcess(p, seq)
	}
}

func (w *World) wakeProcess(p *process, item clock.Item) {
	if item.Arg != p.incarnation || item.At != p.wakeAt || !p.running() {
		return
	}
	p.wakeAt = clock.Never
	p.client.Expire(w.occasion(p.cause))
	w.settle(p)
}

func (w *World) receive(p *process, r *kafka.Response, sent uint64) {
	if !p.running() {
		return
	}
	p.client.Receive(w.occasion(sent), r)
	w.settle(p)
}

// occasion prepares the client's environment for one call.
func (w *World) occasion(cause uint64) *consumer.Env {
	e := &w.env
	e.Now, e.Cause, e.Cluster, e.Log = w.now, cause, cluster{w}, w.log
	e.Sends, e.Reads, e.Hangups, e.Connect, e.Ended = e.Sends[:0], e.Reads[:0], e.Hangups[:0], 0, false
	return e
}

// settle carries out what a client asked for and notes when it acts next.
func (w *World) settle(p *process) {
	e := &w.env
	p.cause = e.Cause
	w.noteReads(p, e.Reads)
	for _, h := range e.Hangups {
		w.hangUp(p, int32(h.To)-1, h.Group)
	}
	if e.Connect != 0 && !w.broker(e.Connect).up {
		way := w.latency(p.node, e.Connect)
		w.loseConnection(p, p.connection(int32(e.Connect)-1, true), 2*way, e.Cause)
	}
	for i := range e.Sends {
		s := &e.Sends[i]
		w.sendRequest(p, s.To, s.Group, s.Routine, s.Cause, s.Request)
	}
	p.lastError, p.exception = p.client.LastException()
	if e.Ended {
		phase := Stopped
		if p.exception != "" {
			phase = Failed
		}
		w.endProcess(p, phase, e.Cause)
		return
	}
	next := p.client.Next()
	if next < p.wakeAt || p.wakeAt < w.now {
		p.wakeAt = next
		w.add(processWakes, next, p.index, p.incarnation, 0)
	}
}

// poke lets every consumer that waits inside poll look again: a partition's
// leader may be within reach now.
func (w *World) poke() {
	for _, p := range w.processes {
		if p.running() {
			p.client.Poke(w.occasion(p.cause))
			w.settle(p)
		}
	}
}
