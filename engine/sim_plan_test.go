package engine_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"

	"rebalancelab/engine/kafka"
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

// static makes a group's consumers static members.
const static = " group.instance.id=pod-{n}"

// planner makes a plan up.
type planner struct {
	*rand.Rand
	plan
	version            kafka.Version
	brokers, consumers int
	partitions         int // of the topic
	session, poll      int // ms
}

// makePlan makes up the scenario of a seed: any release, any number of brokers
// and members, timeouts tiny and huge, faults of every kind, and then calm.
func makePlan(seed uint64) *plan {
	r := &planner{Rand: rand.New(rand.NewPCG(seed, 1)), plan: plan{converge: true}}
	line := pick(r.Rand, kafka.Playable()...)
	r.version, _ = kafka.ParseVersion(line)
	if features := kafka.FeaturesOf(r.version); features.Has(kafka.NewMemberUntimed) {
		r.converge = false // a member that dies before it has synced stays for good
	}
	r.brokers, r.consumers = 1+r.IntN(4), 1+r.IntN(6)
	r.session, r.poll = pick(r.Rand, 200, 6000, 6500, 10000, 30000, 120000), pick(r.Rand, 400, 7000, 20000, 60000, 300000)
	if !r.has(0, 10, 1) {
		r.session = min(r.session, 30000) // request.timeout.ms is 40 s
	}
	r.add("kafka %s", line)
	r.add("seed %d", seed)
	r.cluster()
	r.clients()
	r.disturb()
	r.end = r.calm + 3*(r.session+r.poll)/1000 + 700
	return &r.plan
}

func (r *planner) add(format string, args ...any) {
	r.setup = append(r.setup, fmt.Sprintf(format, args...))
}

func (r *planner) has(major, minor, patch int16) bool { return !r.version.Before(major, minor, patch) }

func (r *planner) cluster() {
	settings := pick(r.Rand, "", " offsets.topic.num.partitions=3")
	if r.session < 6000 {
		settings += " group.min.session.timeout.ms=100"
	}
	if r.session > 30000 {
		settings += " group.max.session.timeout.ms=200000"
	}
	if r.has(0, 11, 0) {
		settings += pick(r.Rand, "", " group.initial.rebalance.delay.ms=0", " group.initial.rebalance.delay.ms=300")
	}
	if r.has(2, 2, 0) && r.IntN(8) == 0 {
		settings += fmt.Sprintf(" group.max.size=%d", 1+r.IntN(4))
		r.converge = false // somebody may have to stay outside
	}
	settings += pick(r.Rand, "", "", " offsets.retention.check.interval.ms=20000")
	r.add("brokers %d%s", r.brokers, settings)
	network := fmt.Sprintf("network latency=%s append=%s load=%s", pick(r.Rand, "0ms", "1ms", "7ms", "90ms"),
		pick(r.Rand, "0ms", "1ms", "40ms"), pick(r.Rand, "1ms", "300ms", "4s"))
	if r.IntN(3) == 0 {
		network += " jitter=" + pick(r.Rand, "1ms", "30ms")
	}
	if r.IntN(8) == 0 {
		network += " loss=" + pick(r.Rand, "0.1%", "2%")
		r.converge = false
	}
	r.add("%s", network)
}

func (r *planner) clients() {
	rate := pick(r.Rand, 1, 1, 1, 20, 20, 300)
	r.partitions = 1 + r.IntN(7)
	r.add("topic orders partitions=%d rate=%d/s", r.partitions, rate)
	settings := fmt.Sprintf("session.timeout.ms=%d", r.session)
	if r.session <= 3000 {
		settings += fmt.Sprintf(" heartbeat.interval.ms=%d", r.session/3)
	}
	assignors := []string{"range"}
	if r.has(2, 4, 0) {
		assignors = append(assignors, "cooperative-sticky", "cooperative-sticky,range", "range,cooperative-sticky")
	}
	settings += " assignor=" + pick(r.Rand, assignors...)
	if r.has(0, 10, 1) {
		settings += fmt.Sprintf(" max.poll.interval.ms=%d", r.poll)
	}
	versions := r.versions()
	if r.has(2, 3, 0) && versions == "" {
		settings += pick(r.Rand, "", "", static)
	}
	settings += pick(r.Rand, "", " enable.auto.commit=false", " auto.commit.interval.ms=700")
	r.add("group g %s auto.offset.reset=%s", settings, pick(r.Rand, "latest", "earliest"))
	process := pick(r.Rand, "0ms", "1ms", "9ms")
	if r.tight(rate, process) {
		r.converge = false // a batch takes longer than the timeouts: a storm, as in Kafka
	}
	r.add("consumer c1..c%d group=g topics=orders process=%s%s", r.consumers, process, versions)
}

// tight reports whether processing or the way may take as long as a timeout.
func (r *planner) tight(rate int, process string) bool {
	old := !r.has(0, 10, 1)
	return old && process != "0ms" || rate == 300 && process == "9ms" || r.session < 6000 || r.poll < 7000 ||
		process != "0ms" && r.poll <= 7000
}

// versions lets the clients speak older versions of some APIs.
func (r *planner) versions() string {
	text := ""
	for _, api := range []kafka.API{kafka.JoinGroup, kafka.SyncGroup, kafka.Heartbeat, kafka.LeaveGroup, kafka.OffsetCommit, kafka.OffsetFetch} {
		oldest, newest := kafka.APIVersions(r.version, api)
		if api == kafka.OffsetCommit || api == kafka.OffsetFetch {
			oldest = max(oldest, 1)
		}
		if r.IntN(6) == 0 && newest > oldest {
			text += fmt.Sprintf(" %s=v%d", api, int(oldest)+r.IntN(int(newest-oldest)+1))
		}
	}
	return text
}

// disturb makes faults up, and undoes them.
func (r *planner) disturb() {
	at := 1
	for range r.IntN(16) {
		at += 1 + r.IntN(pick(r.Rand, 2, 9, 40))
		r.faults = append(r.faults, fmt.Sprintf("at %ds %s", at, r.fault()))
	}
	r.heal(at + 45)
}

var simErrors = []string{"NOT_ENOUGH_REPLICAS", "NOT_ENOUGH_REPLICAS_AFTER_APPEND", "REQUEST_TIMED_OUT", "NOT_LEADER_OR_FOLLOWER",
	"UNKNOWN_TOPIC_OR_PARTITION", "MESSAGE_TOO_LARGE", "RECORD_LIST_TOO_LARGE", "INVALID_FETCH_SIZE", "UNKNOWN_SERVER_ERROR"}

func (r *planner) fault() string {
	name, id := fmt.Sprintf("c%d", 1+r.IntN(r.consumers)), 1+r.IntN(r.brokers)
	switch r.IntN(12) {
	case 0:
		return "kill " + name
	case 1:
		return "stop " + name
	case 2:
		return "restart " + name
	case 3:
		return fmt.Sprintf("stall %s for %ds", name, 1+r.IntN(40))
	case 4:
		return fmt.Sprintf("cut %s broker %d", name, id)
	case 5:
		return "append fail " + pick(r.Rand, simErrors...) + " for 4s"
	case 6:
		return "append lost for 4s"
	case 7, 8:
		return fmt.Sprintf("%s broker %d", pick(r.Rand, "kill", "stop"), id)
	case 9:
		return fmt.Sprintf("start broker %d", id)
	case 10:
		if strings.Contains(strings.Join(r.setup, "\n"), static) {
			r.converge = false // a static leader that comes back skips the assignment, and with it the new partitions
		}
		r.partitions += 1 + r.IntN(5)
		return fmt.Sprintf("alter topic orders partitions=%d", r.partitions)
	}
	return "start " + name
}

// heal undoes every fault. A command that finds nothing to do is refused.
func (r *planner) heal(at int) {
	line := func(at int, text string) { r.healing = append(r.healing, fmt.Sprintf("at %ds %s", at, text)) }
	for id := 1; id <= r.brokers; id++ {
		line(at, fmt.Sprintf("start broker %d", id))
		for c := 1; c <= r.consumers; c++ {
			line(at, fmt.Sprintf("heal c%d broker %d", c, id))
		}
	}
	for c := 1; c <= r.consumers; c++ {
		line(at+40, fmt.Sprintf("start c%d", c))
	}
	r.calm = at + 40
}
