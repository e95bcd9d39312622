package engine_test

import (
	"flag"
	"fmt"
	"runtime"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"rebalancelab/engine"
	"rebalancelab/engine/clock"
	"rebalancelab/engine/event"
	"rebalancelab/engine/kafka"
	"rebalancelab/engine/rule"
	"rebalancelab/engine/script"
)

// The simulation plays scenarios that a seed makes up: -sim.seeds says how many,
// -sim.from which comes first. `make sim` runs many.
var (
	simSeeds = flag.Uint64("sim.seeds", 2000, "scenarios to simulate")
	simFrom  = flag.Uint64("sim.from", 1, "seed of the first")
	simFor   = flag.Duration("sim.for", 0, "go on for this long, whatever the number")
)

// reached is what simulated scenarios have met.
type reached struct {
	rules  rule.Set
	states [8]bool
	errors map[kafka.Error]bool
}

func (r *reached) add(o *reached) {
	r.rules.AddAll(o.rules)
	for i, met := range o.states {
		r.states[i] = r.states[i] || met
	}
	for err := range o.errors {
		r.errors[err] = true
	}
}

// look takes in what the events of a world tell.
func (r *reached) look(w *engine.World) {
	r.rules.AddAll(w.Rules())
	for i := range w.Log().Len() {
		switch e := w.Log().At(i); e.Kind {
		case event.GroupState:
			r.states[e.State] = true
		case event.Response:
			r.errors[e.Error] = true
		}
	}
}

// simulate plays a plan and says what went wrong, "" if nothing did.
func simulate(p *plan, met *reached) (problem string) {
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
	defer met.look(w)
	return settle(w, p)
}

// settle lets the faults' end take effect: within the bound that the timeouts imply
// the group has to converge.
func settle(w *engine.World, p *plan) string {
	const step = clock.Time(20 * clock.Second)
	for at := w.Now(); ; {
		at = min(at+step, w.Scenario().End)
		if broken := advance(w, at); broken != "" {
			return broken
		}
		apart := converged(w)
		switch {
		case p.converge && apart == "":
			return ""
		case p.converge && at == w.Scenario().End:
			return apart
		case !p.converge && at >= clock.Time(p.calm)*clock.Time(clock.Second)+5*step:
			return ""
		}
	}
}

func advance(w *engine.World, to clock.Time) string {
	kept := w.Log().Len()
	for to >= 0 && w.Next() <= to {
		at := w.Next()
		if !w.Advance(at, 1<<16) {
			return "at " + at.String() + " s time does not go on"
		}
		if w.Log().Len() == kept {
			continue // only what changes nothing has happened
		}
		for i := kept; i < w.Log().Len(); i++ {
			if e := w.Log().At(i); e.Kind == event.LoadEnded {
				if broken := w.OffsetsKept(int32(e.N)); broken != "" {
					return "at " + at.String() + " s: " + broken
				}
			}
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

// TestSimulation plays seeds on all cores. What the seeds have met is printed, and
// must be most of what there is.
func TestSimulation(t *testing.T) {
	began, next := time.Now(), atomic.Uint64{}
	next.Store(*simFrom)
	var lock sync.Mutex
	met := &reached{errors: map[kafka.Error]bool{}}
	var workers sync.WaitGroup
	for range runtime.NumCPU() {
		workers.Go(func() {
			own := &reached{errors: map[kafka.Error]bool{}}
			for !t.Failed() {
				seed := next.Add(1) - 1
				if seed-*simFrom >= *simSeeds && time.Since(began) >= *simFor {
					break
				}
				p := makePlan(seed)
				if problem := simulate(p, own); problem != "" {
					p = minimise(p)
					t.Errorf("seed %d: %s\n%s", seed, simulate(p, own), p.text())
				}
			}
			lock.Lock()
			defer lock.Unlock()
			met.add(own)
		})
	}
	workers.Wait()
	played := next.Load() - *simFrom - uint64(runtime.NumCPU())
	t.Logf("%d scenarios in %s", played, time.Since(began).Round(time.Second))
	t.Logf("not met: %s", met.rules.Missing())
	if played >= 2000 {
		checkReached(t, met)
	}
}

// unmet are the rules that no consumer of a scenario brings about, or hardly one:
// admin requests, transactions, foreign clients. The simulation of the coordinator
// alone meets them.
var unmet = []rule.Rule{rule.API1, rule.API3, rule.Status2, rule.Status3, rule.Join10, rule.Join11, rule.Vote1, rule.HB6, rule.Leave2,
	rule.Leave5, rule.Timer7, rule.Commit5, rule.Commit7, rule.Fetch2, rule.Txn1, rule.Txn2, rule.Txn3, rule.Load5, rule.List1, rule.List2, rule.Describe1, rule.Delete1, rule.Delete2, rule.Delete3, rule.Sub1}

func checkReached(t *testing.T, met *reached) {
	for s := kafka.Empty; s <= kafka.Dead; s++ {
		if !met.states[s] {
			t.Errorf("no group was ever %s", s)
		}
	}
	for _, err := range []kafka.Error{kafka.UnknownMemberID, kafka.IllegalGeneration, kafka.RebalanceInProgress, kafka.NotCoordinator,
		kafka.CoordinatorNotAvailable, kafka.CoordinatorLoadInProgress, kafka.MemberIDRequired, kafka.FencedInstanceID, kafka.GroupMaxSizeReached} {
		if !met.errors[err] {
			t.Errorf("nobody was ever answered %s", err)
		}
	}
	for r := rule.None + 1; r < rule.Count; r++ {
		if !met.rules.Has(r) && !slices.Contains(unmet, r) {
			t.Errorf("%s was not met", r)
		}
	}
}

// minimise leaves out every line of set-up and every fault without which the plan
// still goes wrong.
func minimise(p *plan) *plan {
	for _, part := range []func(*plan) *[]string{func(p *plan) *[]string { return &p.faults }, func(p *plan) *[]string { return &p.healing }} {
		for i := 0; i < len(*part(p)); {
			shorter := *p
			lines := part(&shorter)
			*lines = slices.Delete(slices.Clone(*lines), i, i+1)
			if simulate(&shorter, &reached{errors: map[kafka.Error]bool{}}) != "" {
				p = &shorter
			} else {
				i++
			}
		}
	}
	return p
}
