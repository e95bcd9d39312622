package script

import (
	"slices"
	"strings"

	"rebalancelab/engine"
	"rebalancelab/engine/clock"
	"rebalancelab/engine/kafka"
)

var consumerKeys = []string{"group", "topics", "client", "heartbeat", "process", "start", assignorKey}

// consumerKey reports whether a key stands on consumer lines only.
func consumerKey(key string) bool {
	_, api := kafka.APINamed(key)
	return api || key != assignorKey && slices.Contains(consumerKeys, key)
}

// numbered is one name of a consumer line, with the text for {n}.
type numbered struct{ name, number string }

// consumers reads a `consumer` line, or the consumers of an `at T consumer` line.
// Commands are read when all names are known.
func (r *reader) consumers() {
	if r.line.Kind == ConsumerLine {
		r.scenario.Consumers = append(r.scenario.Consumers, r.consumerLine()...)
		return
	}
	r.next = 2
	if w := r.peek(); w == nil || !w.bare(verbs[engine.ConsumerVerb]) {
		return
	}
	r.next++
	r.line.added = r.consumerLine()
	for i := range r.line.added {
		r.line.added[i].Start = r.line.at
	}
}

// consumerLine reads names and key=value and defines the consumers.
func (r *reader) consumerLine() []engine.Consumer {
	list := r.consumerNumbers()
	c := engine.Consumer{Client: r.scenario.Version, Line: r.line.Number}
	for api := range c.APIVersions {
		c.APIVersions[api] = -1
	}
	var own []setting
	var defaults *group
	for w := r.pair(); w != nil; w = r.pair() {
		if w.key == "group" {
			defaults = r.groupKey(w, &c)
		} else if !r.consumerKey(w, &c) {
			if s, ok := r.setting(w, kafka.ConsumerScope, consumerKeys); ok {
				own = append(own, s)
			}
		}
	}
	for _, key := range [...]string{"group", "topics"} {
		if !r.has(key) && !r.line.failed {
			r.failEnd("a consumer needs " + key + "=")
		}
	}
	if r.line.failed {
		r.defineFailed(list)
		return nil
	}
	return r.expand(c, list, defaults.settings, own)
}

// defineFailed keeps the names of a line that has an error, so that other lines
// that use them have none.
func (r *reader) defineFailed(list []numbered) {
	c := engine.Consumer{Client: r.scenario.Version, Settings: kafka.DefaultSettings(r.scenario.Version)}
	for _, n := range list {
		c.Name = n.name
		r.addConsumer(&c, r.from(), r.line.Number)
	}
}

// from is the time from which the line's consumers are there.
func (r *reader) from() clock.Time {
	if r.line.Kind == ConsumerLine {
		return setUp
	}
	return r.line.at
}

// expand makes the consumers of a line from what they have in common.
func (r *reader) expand(c engine.Consumer, list []numbered, defaults, own []setting) []engine.Consumer {
	replaced := func(s setting) bool {
		return slices.ContainsFunc(own, func(o setting) bool { return o.config == s.config })
	}
	all := append(slices.DeleteFunc(slices.Clone(defaults), replaced), own...)
	for _, s := range all {
		if !r.knownTo(s, c.Client, "this client is") {
			r.line.failed = true
		}
	}
	base := kafka.DefaultSettings(c.Client)
	made := make([]engine.Consumer, 0, len(list))
	for _, n := range list {
		c.Name, c.Settings = n.name, base
		for _, s := range all {
			if n.number == "" && strings.Contains(s.text, "{n}") {
				r.line.failed = true
				r.add(int(s.line), s.column, s.end, Quote(n.name)+" has no number for {n}; the names of a range c1..c3 have one")
				return nil
			}
			s.apply(&c.Settings, n.number)
		}
		r.addConsumer(&c, r.from(), r.line.Number)
		made = append(made, c)
	}
	if len(made) > 0 {
		r.checkInstance(&made[0], all)
		r.checkTimeouts(timeoutsOf(&made[0].Settings), c.Client, all)
	}
	return made
}

// instanceSince has the first version of each API that carries an instance id.
var instanceSince = []struct {
	api   kafka.API
	since int16
}{{kafka.JoinGroup, 5}, {kafka.SyncGroup, 3}, {kafka.Heartbeat, 3}, {kafka.OffsetCommit, 7}}

// checkInstance refuses a static member that speaks versions without instance ids,
// as the client does (UnsupportedVersionException).
func (r *reader) checkInstance(c *engine.Consumer, all []setting) {
	if c.Settings.Texts[kafka.GroupInstanceID] == "" {
		return
	}
	for _, carried := range instanceSince {
		version := min(kafka.LatestVersion(c.Client, carried.api), kafka.LatestVersion(r.scenario.Version, carried.api))
		if chosen := c.APIVersions[carried.api]; chosen >= 0 {
			version = min(version, chosen)
		}
		if version >= carried.since {
			continue
		}
		for _, s := range all {
			if s.config == kafka.GroupInstanceID {
				r.line.failed = true
				r.add(int(s.line), s.column, s.end, "group.instance.id needs "+carried.api.String()+" v"+decimal(int64(carried.since))+
					" or newer; this client and Kafka "+r.scenario.Version.Short()+" speak v"+decimal(int64(version)))
				return
			}
		}
	}
}

// checkTimeouts refuses what the client refuses, at the last setting that it
// is about.
func (r *reader) checkTimeouts(t timeouts, client kafka.Version, all []setting) {
	problem := t.refused(client)
	if problem == "" {
		return
	}
	r.line.failed = true
	for _, s := range slices.Backward(all) {
		if t.with(s.config, -1) != t {
			r.add(int(s.line), s.column, s.end, problem)
			return
		}
	}
	r.fail(&r.line.words[0], problem)
}

func (r *reader) groupKey(w *word, c *engine.Consumer) *group {
	name, problem := readName(w.value)
	if problem != "" {
		r.failValue(w, problem)
		return nil
	}
	g, ok := r.groupNamed(name)
	if !ok {
		r.failValue(w, "a script has at most "+decimal(engine.MaxGroups)+" groups")
		return nil
	}
	c.Group, g.used = name, true
	return g
}

// consumerKey reads the keys that are no settings; false if w is none of them.
func (r *reader) consumerKey(w *word, c *engine.Consumer) bool {
	switch w.key {
	case "topics":
		c.Topics = r.topicList(w)
	case "client":
		c.Client = r.client(w)
	case "process":
		c.Process = r.span(w)
	case "heartbeat":
		c.NoHeartbeat = true
		if w.value != "never" {
			r.failValue(w, "heartbeat= is never; how often it beats is heartbeat.interval.ms")
		}
	case "start":
		c.Start = r.startKey(w)
	default:
		api, ok := kafka.APINamed(w.key)
		if ok {
			c.APIVersions[api] = r.apiVersion(w, api)
		}
		return ok
	}
	return true
}

func (r *reader) topicList(w *word) []string {
	var list []string
	for _, it := range splitList(w.value) {
		name, t := r.topic(w, it)
		if t != nil && slices.Contains(list, name) {
			r.failItem(w, it, Quote(name)+" stands twice in the list")
		}
		list = append(list, name)
	}
	return slices.Clip(list)
}

func (r *reader) startKey(w *word) clock.Time {
	if r.line.Kind == CommandLine {
		r.fail(w, "start= does not go with at; the consumer starts at the command's time")
		return 0
	}
	if w.value == "never" {
		return clock.Never
	}
	at := clock.Time(r.span(w))
	if at > r.scenario.End {
		r.failValue(w, r.pastEnd(at))
	}
	return at
}

// client reads client=java-3.9.
func (r *reader) client(w *word) kafka.Version {
	name, number, _ := strings.Cut(w.value, "-")
	version, ok := kafka.ParseVersion(number)
	playable := "java-V with V one of " + kafka.PlayableLines
	switch {
	case name == "franz" || name == "librdkafka" || name == "sarama" || name == "kafkajs":
		r.failValue(w, "the client "+w.value+" is not modelled yet; the clients are "+playable)
	case name != "java":
		r.failValue(w, "there is no client "+w.value+"; the clients are "+playable)
	case !ok:
		r.failValue(w, "there is no client "+w.value+"; the clients are "+playable)
	case r.scenario.Version.Before(0, 10, 0) && !version.Before(0, 10, 2):
		r.failValue(w, "the client "+w.value+" talks to brokers since Kafka 0.10; the brokers are "+r.scenario.Version.Short())
	case !r.scenario.Version.Before(4, 0, 0) && version.Before(2, 1, 0):
		r.failValue(w, "brokers of Kafka 4.0 and later talk to clients since Kafka 2.1 (KIP-896); the client is "+w.value)
	}
	if !ok {
		return r.scenario.Version
	}
	return version
}

// clientAPIs are the requests that a consumer sends.
var clientAPIs = [...]kafka.API{kafka.FindCoordinator, kafka.JoinGroup, kafka.SyncGroup, kafka.Heartbeat,
	kafka.LeaveGroup, kafka.OffsetCommit, kafka.OffsetFetch}

// apiVersion reads JoinGroup=v3.
func (r *reader) apiVersion(w *word, api kafka.API) int16 {
	if !slices.Contains(clientAPIs[:], api) {
		r.fail(w, "a consumer sends no "+api.String())
		return -1
	}
	oldest, newest := kafka.APIVersions(r.scenario.Version, api)
	number, v := strings.CutPrefix(w.value, "v")
	n, problem := parseInteger(number, int64(oldest), int64(newest))
	if !v || problem != "" {
		r.failValue(w, "Kafka "+r.scenario.Version.Short()+" has "+api.String()+" from v"+decimal(int64(oldest))+" to v"+decimal(int64(newest)))
		return -1
	}
	w.rewrite("v" + decimal(n))
	return int16(n)
}
