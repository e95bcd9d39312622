package engine_test

import (
	"flag"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"rebalancelab/engine"
	"rebalancelab/engine/clock"
	"rebalancelab/engine/script"
)

// The simulation plays scenarios that a seed makes up: -sim.seeds says how many,
// -sim.from which comes first. `make sim` runs many.
var (
	simSeeds = flag.Uint64("sim.seeds", 150, "scenarios to simulate")
	simFrom  = flag.Uint64("sim.from", 1, "seed of the first")
	simFor   = flag.Duration("sim.for", 0, "go on for this long, whatever the number")
)

// plan is a made-up scenario: set-up lines, faults, and when they have ended.
type plan struct {
	setup    []string
	faults   []string
	healing  []string
	calm     int // seconds; from here on nothing disturbs
	end      int
	converge bool
}

func (p *plan) text() string {
	return strings.Join(slices.Concat(p.setup, p.faults, p.healing, []string{fmt.Sprintf("run until %ds", p.end)}), "\n") + "\n"
}

func pick[T any](r *rand.Rand, from ...T) T { return from[r.IntN(len(from))] }

func makePlan(seed uint64) *plan {
	r := rand.New(rand.NewPCG(seed, 1))
	p := &plan{converge: true}
	version := pick(r, "3.9", "3.9", "4.4", "0.9")
	brokers, consumers := 1+r.IntN(4), 1+r.IntN(6)
	session, poll := pick(r, 6000, 6500, 10000, 30000), pick(r, 7000, 20000, 60000)
	add := func(format string, args ...any) { p.setup = append(p.setup, fmt.Sprintf(format, args...)) }
	add("kafka %s", version)
	add("seed %d", seed)
	add("brokers %d%s", brokers, pick(r, "", " offsets.topic.num.partitions=3"))
	network := fmt.Sprintf("network latency=%s append=%s load=%s", pick(r, "0ms", "1ms", "7ms", "90ms"), pick(r, "0ms", "1ms", "40ms"), pick(r, "1ms", "300ms"))
	if r.IntN(3) == 0 {
		network += " jitter=" + pick(r, "1ms", "30ms")
	}
	if r.IntN(8) == 0 {
		network += " loss=" + pick(r, "0.1%", "2%")
		p.converge = false
	}
	add("%s", network)
	rate := pick(r, 1, 20, 300)
	add("topic orders partitions=%d rate=%d/s", 1+r.IntN(7), rate)
	settings := fmt.Sprintf("session.timeout.ms=%d", session)
	if version != "0.9" {
		settings += fmt.Sprintf(" max.poll.interval.ms=%d assignor=%s", poll, pick(r, "range", "cooperative-sticky", "cooperative-sticky,range"))
		settings += pick(r, "", " enable.auto.commit=false", " group.instance.id=pod-{n}")
	}
	add("group g %s auto.offset.reset=%s", settings, pick(r, "latest", "earliest"))
	process := pick(r, "0ms", "1ms", "9ms")
	if version == "0.9" && process != "0ms" || rate == 300 && process == "9ms" {
		p.converge = false // a backlog that takes longer than the timeouts makes a storm, as it does in Kafka
	}
	client := ""
	if version == "4.4" {
		client = " client=java-3.9"
	}
	add("consumer c1..c%d group=g topics=orders%s process=%s", consumers, client, process)
	at := 1
	for range r.IntN(14) {
		at += 1 + r.IntN(pick(r, 2, 9, 40))
		name, id := fmt.Sprintf("c%d", 1+r.IntN(consumers)), 1+r.IntN(brokers)
		switch r.IntN(9) {
		case 0:
			p.fault(at, "kill "+name)
		case 1:
			p.fault(at, "stop "+name)
		case 2:
			p.fault(at, "restart "+name)
		case 3:
			p.fault(at, fmt.Sprintf("stall %s for %ds", name, 1+r.IntN(40)))
		case 4:
			p.fault(at, fmt.Sprintf("cut %s broker %d", name, id))
		case 5:
			p.fault(at, "append fail "+pick(r, "NOT_ENOUGH_REPLICAS", "REQUEST_TIMED_OUT", "NOT_LEADER_OR_FOLLOWER", "MESSAGE_TOO_LARGE")+" for 4s")
		case 6:
			p.fault(at, fmt.Sprintf("%s broker %d", pick(r, "kill", "stop"), id))
		case 7:
			p.fault(at, fmt.Sprintf("start broker %d", id))
		default:
			p.fault(at, "start "+name)
		}
	}
	p.heal(at+45, brokers, consumers)
	p.end = p.calm + 3*(session+poll)/1000 + 400
	return p
}

func (p *plan) fault(at int, line string) {
	p.faults = append(p.faults, fmt.Sprintf("at %ds %s", at, line))
}

// heal undoes every fault. A command that finds nothing to do is refused.
func (p *plan) heal(at, brokers, consumers int) {
	line := func(at int, text string) { p.healing = append(p.healing, fmt.Sprintf("at %ds %s", at, text)) }
	for id := 1; id <= brokers; id++ {
		line(at, fmt.Sprintf("start broker %d", id))
		for c := 1; c <= consumers; c++ {
			line(at, fmt.Sprintf("heal c%d broker %d", c, id))
		}
	}
	for c := 1; c <= consumers; c++ {
		line(at+40, fmt.Sprintf("start c%d", c))
	}
	p.calm = at + 40
}

// simulate plays a plan and says what went wrong, "" if nothing did.
func simulate(p *plan) (problem string) {
	file, diagnostics := script.Parse(p.text())
	if file == nil {
		return fmt.Sprintf("the plan does not parse: %v", diagnostics)
	}
	defer func() {
		if r := recover(); r != nil {
			problem = fmt.Sprintf("panic: %v", r)
		}
	}()
	scenario := file.Scenario()
	w := engine.New(scenario)
	for _, c := range scenario.Timeline() {
		if broken := advance(w, c.At-1); broken != "" {
			return broken
		}
		_ = w.Apply(c)
	}
	if broken := advance(w, scenario.End); broken != "" {
		return broken
	}
	if p.converge {
		return converged(w)
	}
	return ""
}

func advance(w *engine.World, to clock.Time) string {
	kept := -1
	for to >= 0 && w.Next() <= to {
		at := w.Next()
		if !w.Advance(at, 1<<16) {
			return "at " + at.String() + " s time does not go on"
		}
		if w.Log().Len() == kept {
			continue // only what changes nothing has happened
		}
		kept = w.Log().Len()
		if broken := w.Invariant(); broken != "" {
			return "at " + at.String() + " s: " + broken
		}
	}
	w.Advance(max(to, w.Now()), 1<<20)
	return ""
}

// converged holds that after the faults the group is Stable and every partition
// is read by the member that the coordinator has on record.
func converged(w *engine.World) string {
	running := 0
	v := w.View()
	for _, c := range v.Consumers {
		if c.Phase == engine.Running {
			running++
		}
	}
	if running == 0 {
		return ""
	}
	g := v.Groups[0]
	if g.State.String() != "Stable" || len(g.Members) != running {
		return fmt.Sprintf("the group is %s with %d members; %d consumers run", g.State, len(g.Members), running)
	}
	for _, p := range v.Partitions {
		if p.Owner == 0 || p.Reader != p.Owner {
			return fmt.Sprintf("orders-%d is on record for %q and read by %q", p.Partition, w.Name(p.Owner), w.Name(p.Reader))
		}
	}
	return ""
}

func TestSimulation(t *testing.T) {
	began, played := time.Now(), uint64(0)
	for seed := *simFrom; played < *simSeeds || time.Since(began) < *simFor; seed++ {
		p := makePlan(seed)
		if problem := simulate(p); problem != "" {
			p = minimise(p)
			t.Fatalf("seed %d: %s\n%s", seed, simulate(p), p.text())
		}
		played++
	}
	t.Logf("%d scenarios in %s", played, time.Since(began).Round(time.Second))
}

// minimise leaves out every fault without which the plan still goes wrong.
func minimise(p *plan) *plan {
	for i := 0; i < len(p.faults); {
		shorter := *p
		shorter.faults = slices.Delete(slices.Clone(p.faults), i, i+1)
		if simulate(&shorter) != "" {
			p = &shorter
		} else {
			i++
		}
	}
	return p
}
