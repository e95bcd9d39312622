package coordinator

import (
	"flag"

	"slices"
	"strconv"
	"sync"
	"testing"
	"time"

	"rebalancelab/engine/clock"
	"rebalancelab/engine/event"
	"rebalancelab/engine/kafka"
	"rebalancelab/engine/rule"
	"rebalancelab/engine/tape"
)

// simulation drives a coordinator with random requests, times, append results and
// changes of leadership, and checks the invariants after every step.
type simulation struct {
	t        *testing.T
	seed     uint64
	version  kafka.Version
	slowest  int // rebalance timeout, in half seconds
	rng      dice
	c        *Coordinator
	twin     *Coordinator // a clone that does the same step; nil: none does
	out      Output
	twinOut  Output
	log      tape.Tape[kafka.Record]
	now      clock.Time
	owned    bool
	corr     int64
	open     map[int64]bool // requests not answered
	ids      []string
	held     []Append
	seen     map[string]seenGeneration
	api      map[int64]kafka.API
	dropped  int
	answered int
	late     int // answered in a later step
	errors   map[kafka.Error]bool
	fired    int
}

type seenGeneration struct {
	serial     uint64
	generation int32
}

// dice decides what a simulation does: a stream of random numbers, or the bytes
// of the fuzzer.
type dice interface{ Below(n int64) int64 }

var simGroups = []string{"a", "b", ""}

var (
	simSeeds = flag.Uint64("sim.seeds", 80, "schedules for each release")
	simFor   = flag.Duration("sim.for", 0, "go on with further seeds for so long")
)

// TestSimulation plays seeds of random steps on every release, and must meet
// every rule, state and error that there is.
func TestSimulation(t *testing.T) {
	began, met, schedules := time.Now(), &reached{errors: map[kafka.Error]bool{}}, 0
	var lock sync.Mutex
	for from := uint64(0); from == 0 || time.Since(began) < *simFor && !t.Failed(); from += *simSeeds {
		t.Run("from "+strconv.FormatUint(from, 10), func(t *testing.T) {
			for _, v := range simulated() {
				t.Run(v.String(), func(t *testing.T) {
					t.Parallel()
					for seed := from; seed < from+*simSeeds; seed++ {
						rng := clock.NewStream(seed, "sim "+v.String())
						s := newSimulation(t, v, &rng)
						s.seed = seed
						for range 400 {
							s.step()
						}
						lock.Lock()
						met.add(s)
						schedules++
						lock.Unlock()
					}
				})
			}
		})
	}
	t.Logf("%d schedules of 400 steps in %s; not met: %s", schedules, time.Since(began).Round(time.Second), met.rules.Missing())
	if *simSeeds >= 80 && !t.Failed() {
		met.check(t)
	}
}

// simulated lists every release line, and the patches that have a bug of their
// own.
func simulated() []kafka.Version {
	return append(slices.Clone(kafka.Newest()), kafka.Version{Minor: 9}, kafka.Version{Major: 2, Minor: 1},
		kafka.Version{Major: 2, Minor: 2}, kafka.Version{Major: 2, Minor: 3}, kafka.Version{Major: 2, Minor: 6}, kafka.Version{Major: 2, Minor: 8})
}

func newSimulation(t *testing.T, v kafka.Version, rng dice) *simulation {
	s := &simulation{t: t, version: v, rng: rng, open: map[int64]bool{}, errors: map[kafka.Error]bool{},
		seen: map[string]seenGeneration{}, api: map[int64]kafka.API{}, out: Output{Log: event.NewLog()}, twinOut: Output{Log: event.NewLog()}}
	s.slowest = []int{2, 30}[s.below(2)]
	s.c = s.newCoordinator()
	s.load()
	return s
}

// newCoordinator is another broker's, with its own idea of the limits.
func (s *simulation) newCoordinator() *Coordinator {
	settings := kafka.DefaultSettings(s.version)
	settings.Values[kafka.GroupInitialRebalanceDelayMs] = s.rng.Below(3) * 1500
	settings.Values[kafka.GroupMaxSize] = 2 + s.rng.Below(6)
	settings.Values[kafka.GroupMinSessionTimeoutMs] = 10
	settings.Values[kafka.OffsetsRetentionMinutes] = 1
	return New(1, s.version, &settings, clock.NewStream(uint64(s.corr), "ids"), 1)
}

// moveAway lets another broker lead the partition; what the old one still had to
// say is lost.
func (s *simulation) moveAway() {
	s.c = s.newCoordinator()
	s.twin = nil
	clear(s.open)
	clear(s.seen)
	s.held = nil
}

func (s *simulation) fail(format string, args ...any) {
	s.t.Helper()
	s.t.Fatalf("%s, seed %d, request %d, at %s: "+format, append([]any{s.version, s.seed, s.corr, s.now}, args...)...)
}

// step does one random thing on the coordinator and on its twin.
func (s *simulation) step() {
	s.twin = nil
	if s.one(4) {
		s.twin = s.c.Clone()
	}
	switch s.rng.Below(12) {
	case 0, 1, 2:
		s.advance(clock.Duration(s.rng.Below(800)) * clock.Millisecond)
	case 3:
		s.advance(clock.Duration(s.rng.Below([]int64{40_000, 400_000}[s.rng.Below(8)/7])) * clock.Millisecond)
	case 4:
		s.other()
	default:
		s.request()
	}
	s.check()
}

// both does the same to the coordinator and to its twin.
func (s *simulation) both(do func(c *Coordinator, out *Output)) {
	do(s.c, &s.out)
	if s.twin != nil {
		do(s.twin, &s.twinOut)
	}
	s.collect()
}

// advance goes to the time at once; the twin stops halfway.
func (s *simulation) advance(d clock.Duration) {
	half, to := s.now.Add(d/2), s.now.Add(d)
	for laps := 0; s.c.Next() <= to; laps++ {
		if laps == 1000 { // a join phase that is begun anew every millisecond
			to, s.twin = s.now, nil
			break
		}
		s.now = max(s.now, s.c.Next())
		before := s.out.Log.Len()
		s.c.Expire(s.now, &s.out)
		s.fired += min(1, s.out.Log.Len()-before)
	}
	s.now = to
	if s.twin != nil {
		s.twin.Expire(half, &s.twinOut)
		s.twin.Expire(to, &s.twinOut)
	}
	s.collect()
}

// other is something that is no request.
func (s *simulation) other() {
	switch s.rng.Below(7) {
	case 0:
		if s.owned {
			s.both(func(c *Coordinator, out *Output) { c.Unload(s.now, 0, 1, out) })
			s.owned = false
			if s.rng.Below(2) == 0 {
				s.moveAway()
			}
		} else {
			s.load()
		}
	case 1:
		s.both(func(c *Coordinator, out *Output) { c.Cleanup(s.now, 1, out) })
	case 2:
		s.endTransaction()
	case 3:
		tps := []kafka.TopicPartition{{Topic: "t", Partition: int32(s.rng.Below(3))}}
		s.both(func(c *Coordinator, out *Output) { c.DeleteTopicPartitions(s.now, tps, 1, out) })
	case 4:
		s.both(func(c *Coordinator, out *Output) { c.BeginLoad(s.now, 0, 1) })
		s.request()
		s.load()
	case 5:
		s.both(func(c *Coordinator, out *Output) { c.Deactivate() })
		s.request()
		s.both(func(c *Coordinator, out *Output) { c.Activate() })
	case 6:
		s.finish()
	}
}

func (s *simulation) load() {
	s.both(func(c *Coordinator, out *Output) {
		c.BeginLoad(s.now, 0, 1)
		c.EndLoad(s.now, 0, &s.log, 1, out)
	})
	s.owned = true
}

// endTransaction commits or aborts the transaction of a producer; from 4.0 on the
// coordinator writes the marker.
func (s *simulation) endTransaction() {
	producer, marker := 7+s.rng.Below(2), kafka.CommitMarker
	if s.rng.Below(3) == 0 {
		marker = kafka.AbortMarker
	}
	if !s.c.has.Has(kafka.WriteOperations) {
		s.log.Append(kafka.Record{KeyVersion: -1, Marker: marker, ProducerID: producer})
	}
	s.both(func(c *Coordinator, out *Output) {
		c.CompleteTransaction(s.now, 0, producer, 0, marker == kafka.CommitMarker, 1, out)
	})
}

// finish answers the oldest append that is held.
func (s *simulation) finish() {
	if len(s.held) == 0 {
		return
	}
	a := s.held[0]
	s.held = s.held[1:]
	err := kafka.None
	if s.rng.Below(3) == 0 {
		err = appendErrors[s.rng.Below(int64(len(appendErrors)))]
	}
	if err == kafka.None && s.c.Expects(a.ID) {
		for _, r := range a.Records {
			s.log.Append(r)
		}
	}
	s.both(func(c *Coordinator, out *Output) { c.AppendDone(s.now, a.ID, err, 1, out) })
}

var appendErrors = []kafka.Error{kafka.NotEnoughReplicas, kafka.RequestTimedOut, kafka.NotLeaderOrFollower, kafka.MessageTooLarge,
	kafka.UnknownTopicOrPartition, kafka.NotEnoughReplicasAfterAppend, kafka.KafkaStorageError, kafka.NetworkException}

// request sends a random request.
func (s *simulation) request() {
	s.corr++
	s.open[s.corr] = true
	r := s.draw()
	s.api[s.corr] = r.API

	s.both(func(c *Coordinator, out *Output) { c.Handle(s.now, event.Consumer(0), r, 1, out) })
	for len(s.held) > 0 && s.rng.Below(3) > 0 {
		s.finish()
	}
}

// memberOf is the id of the nth member.
func (s *simulation) memberOf(g *group, n int64) string {
	for i := range g.members.entries {
		if e := &g.members.entries[i]; e.live {
			if n == 0 {
				return string(e.key)
			}
			n--
		}
	}
	return ""
}

// collect takes the replies and holds the appends.
func (s *simulation) collect() {
	if s.twin != nil && (len(s.out.Replies) != len(s.twinOut.Replies) || len(s.out.Appends) != len(s.twinOut.Appends)) {
		s.fail("the clone answers otherwise: %v, %v and %v, %v", s.out.Replies, s.out.Appends, s.twinOut.Replies, s.twinOut.Appends)
	}
	for i := range s.out.Replies {
		r := &s.out.Replies[i]
		if !s.open[r.Corr] {
			s.fail("request %d is answered twice", r.Corr)
		}
		if r.Corr != s.corr {
			s.late++
		}
		s.answered++
		if err := r.FirstError(); err != kafka.None {
			s.errors[err] = true
			if r.Rule == rule.None || r.Guard == "" {
				s.fail("nobody says why request %d is answered %s", r.Corr, err)
			}
		}
		delete(s.open, r.Corr)
		if r.API == kafka.JoinGroup && r.MemberID != "" {
			s.ids = append(s.ids, r.MemberID)
		}
	}
	s.held = append(s.held, s.out.Appends...)
	s.out.Reset()
	s.twinOut.Reset()
}

func (s *simulation) check() {
	if broken := s.c.Check(); broken != "" {
		s.fail("invariant: %s", broken)
	}
	if s.twin != nil {
		a, b := clock.NewHash(), clock.NewHash()
		s.c.Hash(&a)
		s.twin.Hash(&b)
		if a.Sum() != b.Sum() {
			s.fail("the clone went another way")
		}
	}
	for _, id := range simGroups {
		g := s.c.group(id)
		if g == nil {
			continue
		}
		before := s.seen[id]
		if before.serial == g.serial && g.generation < before.generation {
			s.fail("the generation of %s fell from %d to %d", strconv.Quote(id), before.generation, g.generation)
		}
		s.seen[id] = seenGeneration{g.serial, g.generation}
	}
	if unknown := s.unanswered(); unknown != 0 {
		s.fail("request %d is lost", unknown)
	}
}
