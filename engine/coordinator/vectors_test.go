package coordinator

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"rebalancelab/engine/clock"
	"rebalancelab/engine/event"
	"rebalancelab/engine/kafka"
	"rebalancelab/engine/rule"
	"rebalancelab/engine/tape"
)

// vectorFile is testdata/classic-vectors.json.gz, converted from the shared
// classic-vectors.yaml.
type vectorFile struct {
	Defaults struct{ Config map[string]int64 }
	Setups   map[string][]object
	Vectors  []vector
}

type vector struct {
	Name, Setup string
	Profiles    []string
	Config      map[string]int64
	Steps       []object
}

// vectorProfiles has the releases that each profile of the vectors stands for.
var vectorProfiles = map[string][]string{
	"scala-3.9":    {"3.3.2", "3.6.2", "3.9.1"},
	"scala-3.2":    {"3.2.0", "3.2.3"},
	"scala-3.0":    {"3.0.2", "3.1.2"},
	"scala-2.8":    {"2.8.1", "2.8.2"},
	"scala-2.6.0":  {"2.6.0"},
	"scala-2.4":    {"2.4.1"},
	"scala-2.3":    {"2.3.1"},
	"scala-2.2":    {"2.2.0", "2.2.2"},
	"scala-2.1":    {"2.1.1"},
	"scala-0.11":   {"0.11.0.3"},
	"scala-0.10.1": {"0.10.1.1", "0.10.2.2"},
	"scala-0.10.0": {"0.9.0.1", "0.10.0.1"},
	"java":         {"4.0.0", "4.4.0"},
}

// TestVectors runs the behavioural vectors distilled from Kafka's own tests.
func TestVectors(t *testing.T) {
	var file vectorFile
	if err := decode([]byte(strings.Join(lines(readLines(t, "testdata/classic-vectors.json.gz")), "\n")), &file); err != nil {
		t.Fatal(err)
	}
	ran := 0
	for _, v := range file.Vectors {
		for _, profile := range v.Profiles {
			for _, release := range vectorProfiles[profile] {
				ran++
				t.Run(v.Name+"/"+release, func(t *testing.T) {
					version, ok := kafka.ParseVersion(release)
					if !ok {
						t.Fatalf("there is no Kafka %s", release)
					}
					r := newVectorRunner(t, version, &file, v)
					for _, s := range append(slices.Clone(file.Setups[v.Setup]), v.Steps...) {
						r.step(s)
					}
				})
			}
		}
	}
	if ran != 1046 {
		t.Errorf("%d vectors ran, want 1046", ran)
	}
}

func lines(raw [][]byte) (list []string) {
	for _, l := range raw {
		list = append(list, string(l))
	}
	return list
}

type vectorRunner struct {
	t        *testing.T
	c        *Coordinator
	version  kafka.Version
	settings kafka.Settings
	scale    int64 // of all times, to make short retentions whole minutes
	out      Output
	now      clock.Time
	log      tape.Tape[kafka.Record]

	corr     int64
	handles  map[string]int64
	answered map[int64]kafka.Response
	bound    map[string]string
	records  []string
	store    kafka.Error
	hold     bool
	held     []int64
}

func newVectorRunner(t *testing.T, version kafka.Version, file *vectorFile, v vector) *vectorRunner {
	r := &vectorRunner{t: t, version: version, settings: kafka.DefaultSettings(version), scale: 1, out: Output{Log: event.NewLog()},
		handles: map[string]int64{}, answered: map[int64]kafka.Response{}, bound: map[string]string{}}
	if ms := v.Config["retention"]; ms > 0 && ms < 60_000 {
		r.scale = 60_000 / ms
	}
	if ms := v.Config["new_member_timeout"]; ms > 0 {
		r.scale = newMemberTimeoutMs / ms
	}
	names := map[string]kafka.Config{"min_session": kafka.GroupMinSessionTimeoutMs, "max_session": kafka.GroupMaxSessionTimeoutMs,
		"max_size": kafka.GroupMaxSize, "initial_delay": kafka.GroupInitialRebalanceDelayMs, "max_metadata": kafka.OffsetMetadataMaxBytes}
	for _, config := range []map[string]int64{file.Defaults.Config, v.Config} {
		for key, value := range config {
			switch key {
			case "max_size", "max_metadata":
				r.settings.Values[names[key]] = value
			case "retention":
				r.settings.Values[kafka.OffsetsRetentionMinutes] = value * r.scale / 60_000
			case "new_member_timeout":
			default:
				r.settings.Values[names[key]] = value * r.scale
			}
		}
	}
	r.newCoordinator()
	return r
}

func (r *vectorRunner) newCoordinator() {
	r.c = New(1, r.version, &r.settings, clock.NewStream(1, "vector"), 50)
	for p := range int32(50) {
		log := &tape.Tape[kafka.Record]{}
		if p == kafka.OffsetsPartition("g", 50) {
			log = &r.log
		}
		r.c.EndLoad(r.now, p, log, 1, &r.out)
	}
}

// step carries out one step and checks what it expects.
func (r *vectorRunner) step(s object) {
	r.t.Helper()
	for op, arg := range s {
		switch op {
		case "as", "expect", "bind":
			continue
		case "done", "still_pending", "state", "records", "find":
			r.check(op, arg, s)
			return
		}
		if a, ok := arg.(object); ok && op != "load" {
			r.request(op, a, s)
		} else {
			r.act(op, arg)
		}
		return
	}
}

func (r *vectorRunner) request(op string, a, s object) {
	r.t.Helper()
	r.corr++
	corr := r.corr
	if h, ok := s["as"].(string); ok {
		r.handles[h] = corr
	}
	if topics, ok := a["subscribed"].([]any); ok {
		r.subscribe(topics)
	}
	req := r.build(op, a)
	req.Corr = corr
	r.c.Step(r.now, event.Consumer(0), req, 1, &r.out)
	r.settle()
	r.expect(op, corr, s)
}

// act is a step that is no request.
func (r *vectorRunner) act(op string, arg any) {
	switch op {
	case "advance":
		r.advance(clock.Duration(number(arg)*r.scale) * clock.Millisecond)
	case "coordinator":
		p := r.c.partitionOf("g")
		r.c.Unload(r.now, p, 1, &r.out)
		switch arg {
		case "loading":
			r.c.BeginLoad(r.now, p, 1)
		case "inactive":
			r.c.Deactivate()
		}
	case "force_state":
		r.c.begin(r.now, 1, &r.out)
		r.c.moveTo(r.c.group("g"), kafka.Dead, rule.None, "")
		r.c.end()
	case "store":
		r.hold, r.store = arg == "hold", kafka.None
		if arg != "hold" && arg != "auto" {
			r.store, _ = kafka.ErrorNamed(arg.(string))
		}
	case "complete_store":
		err, _ := kafka.ErrorNamed(arg.(string))
		id := r.held[0]
		r.held = r.held[1:]
		r.c.AppendDone(r.now, id, err, 1, &r.out)
	case "unload":
		r.c.Unload(r.now, r.c.partitionOf("g"), 1, &r.out)
	case "cleanup":
		r.cleanup()
	case "subscription":
		r.subscribe(arg.([]any))
	case "load":
		r.load(arg.(object))
	default:
		r.t.Fatalf("unknown step %s", op)
	}
	r.settle()
}

// cleanup is one run of the expiry: from 4.0 on what the partition's timer does.
func (r *vectorRunner) cleanup() {
	r.c.Cleanup(r.now, 1, &r.out)
	if r.c.has.Has(kafka.PartitionExpiry) {
		r.c.begin(r.now, 1, &r.out)
		p := r.c.partitionOf("g")
		r.c.expirePartition(p)
		r.c.endEvent(p, 0, nil)
		r.c.end()
	}
}

func (r *vectorRunner) advance(d clock.Duration) {
	to := r.now.Add(d)
	for r.c.Next() <= to {
		r.now = max(r.now, r.c.Next())
		r.c.Expire(r.now, &r.out)
		r.settle()
	}
	r.now = to
}

// settle takes replies and answers appends.
func (r *vectorRunner) settle() {
	for i := 0; i < len(r.out.Appends); i++ {
		a := r.out.Appends[i]
		for j := range a.Records {
			r.records = append(r.records, kindOf(&a.Records[j]))
		}
		if r.hold {
			r.held = append(r.held, a.ID)
		} else {
			r.c.AppendDone(r.now, a.ID, r.store, 1, &r.out)
		}
	}
	for _, reply := range r.out.Replies {
		if _, twice := r.answered[reply.Corr]; twice {
			r.t.Errorf("request %d is answered twice", reply.Corr)
		}
		r.answered[reply.Corr] = reply.Response
	}
	r.out.Reset()
	if broken := r.c.Check(); broken != "" {
		r.t.Errorf("invariant: %s", broken)
	}
}

func kindOf(r *kafka.Record) string {
	switch {
	case r.KeyVersion == 2 && r.Tombstone():
		return "group_tombstone"
	case r.Tombstone():
		return "offset_tombstone"
	case r.KeyVersion == 1:
		return "offset"
	case len(r.GroupValue.Members) == 0:
		return "group_empty"
	}
	return "group"
}

func number(v any) int64 {
	var n int64
	fmt.Sscan(fmt.Sprint(v), &n)
	return n
}

func (r *vectorRunner) subscribe(topics []any) {
	g := r.c.group("g")
	g.subscribed, g.subscribedKnown = nil, true
	for _, topic := range topics {
		g.subscribed = append(g.subscribed, topic.(string))
	}
	slices.Sort(g.subscribed)
}
