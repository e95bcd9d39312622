package coordinator

import (
	"fmt"
	"strconv"
	"strings"
	"testing"
	"time"

	"rebalancelab/engine/clock"
	"rebalancelab/engine/event"
	"rebalancelab/engine/kafka"
	"rebalancelab/engine/rule"
	"rebalancelab/engine/tape"
)

// stage plays the commands of a transcript: it is the broker around one
// coordinator with the group "g".
type stage struct {
	t        *testing.T
	version  kafka.Version
	settings kafka.Settings
	c        *Coordinator
	out      Output
	log      tape.Tape[kafka.Record]
	now      clock.Time
	seen     int // events printed
	lines    []string

	corr    int64
	asked   map[int64]string // who sent a request
	handed  map[string]int   // ids handed out, by prefix
	appends kafka.Error      // result of the next append

	versions map[int64]int16 // of the requests that came as a client sends them
	hold     bool
	held     []Append
}

// play carries out the commands of a block and returns what they print.
func (s *stage) play(input string) string {
	s.lines = nil
	for line := range strings.Lines(input) {
		line = strings.TrimSpace(line)
		if line == "" || line[0] == '#' {
			continue
		}
		s.command(strings.Fields(line))
	}
	if len(s.lines) == 0 {
		return "ok"
	}
	return strings.Join(s.lines, "\n")
}

func (s *stage) command(words []string) {
	who, args := "", map[string]string{}
	var order []string
	for _, w := range words[1:] {
		if key, value, ok := strings.Cut(w, "="); ok {
			args[key] = value
			order = append(order, key)
		} else {
			who = w
		}
	}
	switch words[0] {
	case "new":
		s.log = tape.Tape[kafka.Record]{}
		s.now, s.seen, s.settings = 0, 0, kafka.Settings{}
		s.create(args)
		return
	case "restart":
		s.seen = 0
		s.create(args)
	case "advance":
		s.advance(s.duration(who))
		return
	case "show":
		s.show()
		return
	case "append":
		s.appends, _ = kafka.ErrorNamed(who)
	case "hold":
		s.hold = true
	case "release":
		s.release(who)
	case "unload":
		s.c.Unload(s.now, 0, s.cause(), &s.out)
	case "load-begins":
		s.c.BeginLoad(s.now, 0, s.cause())
	case "load":
		s.c.BeginLoad(s.now, 0, s.cause())
		s.c.EndLoad(s.now, 0, &s.log, s.cause(), &s.out)
	case "cleanup":
		s.c.Cleanup(s.now, s.cause(), &s.out)
	case "marker":
		s.marker(who, args)
	case "delete-topic":
		s.c.DeleteTopicPartitions(s.now, []kafka.TopicPartition{placeOf(who)}, s.cause(), &s.out)
	case "stop":
		s.c.Deactivate()
	case "kill-group":
		s.c.begin(s.now, s.cause(), &s.out)
		s.c.moveTo(s.c.group("g"), kafka.Dead, rule.None, "")
		s.c.end()
	default:
		s.request(words[0], who, args, order)
	}
	s.print()
}

// cause is the number of a new event that stands for what the caller did.
func (s *stage) cause() uint64 {
	return s.out.Log.Routine(event.Event{Kind: event.Command})
}

func (s *stage) create(args map[string]string) {
	if s.version = kafka.V3_9; args["kafka"] != "" {
		s.version, _ = kafka.ParseVersion(args["kafka"])
	}
	if s.settings == (kafka.Settings{}) {
		s.settings = kafka.DefaultSettings(s.version)
	}
	for key, value := range args {
		switch key {
		case "initial-delay":
			s.settings.Values[kafka.GroupInitialRebalanceDelayMs] = int64(s.duration(value) / clock.Millisecond)
		case "min-session":
			s.settings.Values[kafka.GroupMinSessionTimeoutMs] = int64(s.duration(value) / clock.Millisecond)
		case "metadata-max":
			s.settings.Values[kafka.OffsetMetadataMaxBytes], _ = strconv.ParseInt(value, 10, 64)
		case "max-size":
			s.settings.Values[kafka.GroupMaxSize], _ = strconv.ParseInt(value, 10, 64)
		case "retention":
			s.settings.Values[kafka.OffsetsRetentionMinutes] = int64(s.duration(value) / clock.Minute)
		}
	}
	s.asked, s.handed, s.versions = map[int64]string{}, map[string]int{}, map[int64]int16{}
	s.out = Output{Log: event.NewLog(), Rules: s.out.Rules}
	s.c = New(1, s.version, &s.settings, clock.NewStream(1, "transcript"), 1)
	s.c.Follow(s)
	s.c.EndLoad(s.now, 0, &s.log, 0, &s.out)
}

func (s *stage) duration(text string) clock.Duration {
	d, err := time.ParseDuration(text)
	if err != nil {
		s.t.Fatalf("no duration: %s", text)
	}
	return clock.Duration(d / time.Microsecond)
}

// MemberID numbers ids by their prefix.
func (s *stage) MemberID(group, prefix string) string {
	s.handed[prefix]++
	return prefix + "-" + strconv.Itoa(s.handed[prefix])
}

// Leader leaves the choice to the coordinator.
func (s *stage) Leader(group string, candidates []string) string { return "" }

// Protocol leaves the choice to the coordinator.
func (s *stage) Protocol(group string, tied []string) string { return "" }

func (s *stage) advance(d clock.Duration) {
	to := s.now.Add(d)
	for s.c.Next() <= to {
		s.now = max(s.now, s.c.Next())
		s.c.Expire(s.now, &s.out)
		s.print()
	}
	s.now = to
}

func (s *stage) release(result string) {
	held := s.held
	s.held, s.hold = nil, false
	err, _ := kafka.ErrorNamed(result)
	for _, a := range held {
		s.finish(a, err)
	}
}

func (s *stage) marker(result string, args map[string]string) {
	producer, _ := strconv.ParseInt(args["producer"], 10, 64)
	s.c.CompleteTransaction(s.now, 0, producer, 0, result == "commit", s.cause(), &s.out)
}

func (s *stage) finish(a Append, err kafka.Error) {
	if err == kafka.None {
		for _, r := range a.Records {
			s.log.Append(r)
		}
	}
	s.c.AppendDone(s.now, a.ID, err, a.Cause, &s.out)
}

// request builds and sends a request.
func (s *stage) request(verb, who string, args map[string]string, order []string) {
	s.corr++
	client, _, isID := strings.Cut(who, "-")
	r := &kafka.Request{Corr: s.corr, ClientID: client, ClientHost: "/10.0.0.1", Group: "g", InstanceID: args["instance"], RetentionMs: -1}
	if isID {
		r.MemberID = who
	}
	gen, _ := strconv.Atoi(args["gen"])
	r.Generation = int32(gen)
	s.asked[s.corr] = who
	switch verb {
	case "join":
		s.buildJoin(r, args)
	case "sync":
		r.API = kafka.SyncGroup
		for _, key := range order {
			switch key {
			case "type":
				r.ProtocolType = args[key]
			case "protocol":
				r.ProtocolName = args[key]
			case "gen", "instance", "v":
			default:
				r.Assignments = append(r.Assignments, kafka.MemberAssignment{MemberID: key, Assignment: args[key]})
			}
		}
	case "heartbeat":
		r.API = kafka.Heartbeat
	case "leave":
		r.API, r.Members = kafka.LeaveGroup, []kafka.LeavingMember{{MemberID: r.MemberID, InstanceID: r.InstanceID}}
		if second := args["and"]; second != "" {
			r.Members = append(r.Members, kafka.LeavingMember{MemberID: second})
		}
	case "commit", "txn-commit":
		s.buildCommit(r, verb, args, order)
	case "fetch":
		r.API, r.Version, r.AllPartitions, r.RequireStable = kafka.OffsetFetch, 7, true, args["stable"] == "true"
		if p := args["partition"]; p != "" {
			r.AllPartitions, r.Partitions = false, []kafka.TopicPartition{placeOf(p)}
		}
	case "describe":
		r.API, r.Groups = kafka.DescribeGroups, []string{"g"}
	case "list":
		r.API = kafka.ListGroups
		for _, state := range strings.FieldsFunc(args["states"], func(c rune) bool { return c == ',' }) {
			r.States = append(r.States, state)
		}
		for _, t := range strings.FieldsFunc(args["types"], func(c rune) bool { return c == ',' }) {
			r.Types = append(r.Types, t)
		}
	case "delete-group":
		r.API, r.Groups = kafka.DeleteGroups, []string{"g"}
	case "delete-offset":
		r.API, r.Partitions = kafka.OffsetDelete, []kafka.TopicPartition{placeOf(who)}
	default:
		s.t.Fatalf("unknown command %s", verb)
	}
	if v, err := strconv.Atoi(args["v"]); err == nil { // as a client of that version sends it
		r.Version, s.versions[r.Corr] = int16(v), int16(v)
		r.Trim()
		s.c.Handle(s.now, event.Consumer(int(who[0])), r, s.cause(), &s.out)
		return
	}
	s.c.Step(s.now, event.Consumer(int(who[0])), r, s.cause(), &s.out)
}

func (s *stage) buildJoin(r *kafka.Request, args map[string]string) {
	r.API, r.Version, r.ProtocolType = kafka.JoinGroup, 9, "consumer"
	r.SessionTimeoutMs, r.RebalanceTimeoutMs = 10_000, 30_000
	if v := args["session"]; v != "" {
		r.SessionTimeoutMs = int32(s.duration(v) / clock.Millisecond)
	}
	if v := args["rebalance"]; v != "" {
		r.RebalanceTimeoutMs = int32(s.duration(v) / clock.Millisecond)
	}
	if v, err := strconv.Atoi(args["version"]); err == nil {
		r.Version = int16(v)
	}
	protocols := args["protocols"]
	if protocols == "" {
		protocols = "range"
	}
	if args["type"] != "" {
		r.ProtocolType = args["type"]
	}
	metadata := subscriptionTo("orders")
	switch topic := args["topic"]; topic {
	case "":
	case "null":
		metadata = "\x00\x00\xff\xff\xff\xff\xff\xff\xff\xff"
	default:
		metadata = subscriptionTo(topic)
	}
	for _, p := range strings.FieldsFunc(protocols, func(r rune) bool { return r == ',' }) {
		r.Protocols = append(r.Protocols, kafka.Protocol{Name: p, Metadata: metadata})
	}
}

// subscriptionTo is a consumer's subscription to one topic.
func subscriptionTo(topic string) string {
	return "\x00\x00\x00\x00\x00\x01\x00" + string(rune(len(topic))) + topic + "\xff\xff\xff\xff"
}

func (s *stage) buildCommit(r *kafka.Request, verb string, args map[string]string, order []string) {
	r.API, r.Version = kafka.OffsetCommit, 8
	if verb == "txn-commit" {
		r.API = kafka.TxnOffsetCommit
		r.ProducerID, _ = strconv.ParseInt(args["producer"], 10, 64)
	}
	if v, err := time.ParseDuration(args["retention"]); err == nil {
		r.RetentionMs, r.Version = v.Milliseconds(), 2
	}
	if args["gen"] == "" {
		r.Generation = -1
	}
	for _, key := range order {
		if strings.Contains(key, ":") {
			at, _ := strconv.ParseInt(args[key], 10, 64)
			r.Offsets = append(r.Offsets, kafka.CommittedOffset{TopicPartition: placeOf(key), Offset: at, LeaderEpoch: -1, Metadata: args["metadata"]})
		}
	}
}

func placeOf(text string) kafka.TopicPartition {
	topic, n, _ := strings.Cut(text, ":")
	p, _ := strconv.Atoi(n)
	return kafka.TopicPartition{Topic: topic, Partition: int32(p)}
}

func (s *stage) line(format string, args ...any) {
	s.lines = append(s.lines, fmt.Sprintf("%8s  ", s.now)+fmt.Sprintf(format, args...))
}
