package script

import (
	"strings"

	"rebalancelab/engine"
	"rebalancelab/engine/clock"
	"rebalancelab/engine/kafka"
)

// verbs has the word of each verb.
var verbs = [...]string{engine.StartVerb: "start", engine.StopVerb: "stop", engine.KillVerb: "kill",
	engine.StallVerb: "stall", engine.RestartVerb: "restart", engine.CutVerb: "cut", engine.HealVerb: "heal",
	engine.SetVerb: "set", engine.AlterVerb: "alter", engine.AppendFailVerb: "append", engine.ConsumerVerb: "consumer"}

const noVerb engine.Verb = 255

func verbNamed(name string) engine.Verb {
	for v, text := range verbs {
		if text == name {
			return engine.Verb(v)
		}
	}
	return noVerb
}

// command reads an `at` line behind its time. The consumers of `at T consumer`
// have been read already.
func (r *reader) command() {
	r.next = 2
	w := r.take("a command")
	if w == nil {
		return
	}
	c := engine.Command{At: r.line.at, Line: r.line.Number, Verb: verbNamed(w.value)}
	switch c.Verb {
	case engine.ConsumerVerb:
		c.Consumers, r.next = r.line.added, len(r.line.words)
	case noVerb:
		r.fail(w, r.unknownVerb(w.value))
		return
	case engine.StartVerb, engine.StopVerb, engine.KillVerb:
		c.Subject, _ = r.node()
	case engine.StallVerb:
		r.stall(&c, w)
	case engine.RestartVerb:
		c.Subject = r.onlyConsumer(w)
	case engine.CutVerb, engine.HealVerb:
		if a, ok := r.node(); ok {
			c.Subject = a
			c.Other, _ = r.otherNode(a)
		}
	case engine.SetVerb:
		r.set(&c)
	case engine.AlterVerb:
		r.alter(&c)
	case engine.AppendFailVerb:
		r.appendFail(&c)
	}
	if !r.line.failed {
		r.finish()
	}
	c.Text = r.line.command()
	if len(r.scenario.Commands) >= engine.MaxCommands {
		r.fail(w, "a script has at most "+decimal(engine.MaxCommands)+" commands")
	}
	if !r.line.failed {
		r.scenario.Commands = append(r.scenario.Commands, c)
	}
}

func (r *reader) unknownVerb(name string) string {
	message := "there is no command " + Quote(name)
	if near := nearest(name, verbs[:]); near != "" {
		return message + meant(near)
	}
	return message + "; the commands are " + listed(verbs[:])
}

// onlyConsumer takes a consumer where a broker cannot stand.
func (r *reader) onlyConsumer(verb *word) engine.Subject {
	w := r.take("a consumer")
	if w == nil {
		return engine.Subject{}
	}
	if w.bare("broker") {
		r.fail(w, verb.value+" is for consumers; brokers know start, stop and kill")
		return engine.Subject{}
	}
	name, _ := r.consumer(w)
	return engine.Subject{Kind: engine.ConsumerSubject, Name: name}
}

func (r *reader) stall(c *engine.Command, verb *word) {
	c.Subject = r.onlyConsumer(verb)
	if !r.line.failed && r.keyword("for") {
		c.For = r.duration()
	}
}

// duration takes a time that is not zero.
func (r *reader) duration() clock.Duration {
	w := r.take("a time")
	if w == nil {
		return 0
	}
	d := r.span(w)
	if d == 0 && !r.line.failed {
		r.fail(w, "this time must be more than 0s")
	}
	return d
}

// set reads `set S config=value`.
func (r *reader) set(c *engine.Command) {
	subject, ok := r.node()
	if !ok {
		return
	}
	c.Subject = subject
	w := r.pair()
	if w == nil {
		if !r.line.failed {
			r.failEnd("config=value is missing behind " + r.line.words[len(r.line.words)-1].text)
		}
		return
	}
	scope, version, who := kafka.BrokerScope, r.scenario.Version, "the brokers are"
	if subject.Kind == engine.ConsumerSubject {
		scope, version, who = kafka.ConsumerScope, r.names.consumers[subject.Name].client, "this client is"
		if consumerKey(w.key) {
			r.fail(w, w.key+"= cannot be set later; set is for settings")
			return
		}
	}
	s, ok := r.setting(w, scope, nil)
	if !ok {
		return
	}
	if !r.knownTo(s, version, who) {
		r.line.failed = true
		return
	}
	c.Config, c.Value, c.ValueText = s.config, s.value, s.text
	if subject.Kind == engine.ConsumerSubject {
		_, number := trailingNumber(subject.Name)
		if number == "" && strings.Contains(s.text, "{n}") {
			r.failValue(w, Quote(subject.Name)+" has no number for {n}")
			return
		}
		c.ValueText = strings.ReplaceAll(s.text, "{n}", number)
		r.setTimeouts(r.names.consumers[subject.Name], s, w)
	}
}

// setTimeouts follows what commands set, so that a consumer is never left with
// settings that its client refuses.
func (r *reader) setTimeouts(c *consumerName, s setting, w *word) {
	t := c.timeouts.with(s.config, s.value)
	if problem := t.refused(c.client); problem != "" && t != c.timeouts {
		r.fail(w, problem)
		return
	}
	c.timeouts = t
}

// alter reads `alter topic T partitions=N`.
func (r *reader) alter(c *engine.Command) {
	if !r.keyword("topic") {
		return
	}
	w := r.take("the name of a topic")
	if w == nil {
		return
	}
	name, topic := r.topic(w, item{raw: w.value})
	if topic == nil {
		return
	}
	c.Subject = engine.Subject{Kind: engine.TopicSubject, Name: name}
	pair := r.pair()
	if pair == nil || pair.key != "partitions" {
		if !r.line.failed {
			r.failEnd("alter topic changes partitions= only")
		}
		return
	}
	c.Value = r.integer(pair, "the number of partitions", 1, engine.MaxPartitions)
	switch more := int32(c.Value) - topic.partitions; {
	case r.line.failed:
	case more <= 0:
		r.failValue(pair, "partitions are only added: "+Quote(name)+" has "+decimal(int64(topic.partitions))+" by then")
	case r.partitions+int64(more) > engine.MaxTotalPartitions:
		r.failValue(pair, "all topics together have at most "+decimal(engine.MaxTotalPartitions)+" partitions")
	default:
		topic.partitions += more
		r.partitions += int64(more)
	}
}

// appendErrors are the errors that an append to __consumer_offsets can give.
var appendErrors = [...]kafka.Error{kafka.NotEnoughReplicas, kafka.NotEnoughReplicasAfterAppend, kafka.RequestTimedOut,
	kafka.NotLeaderOrFollower, kafka.UnknownTopicOrPartition, kafka.MessageTooLarge, kafka.RecordListTooLarge,
	kafka.InvalidFetchSize, kafka.KafkaStorageError, kafka.UnknownServerError, kafka.None}

// appendFail reads `append fail ERROR [for D]` and `append lost [for D]`; the error
// NONE ends an earlier one.
func (r *reader) appendFail(c *engine.Command) {
	if w := r.peek(); w != nil && w.bare("lost") {
		r.next++
		c.Lost = true
	} else {
		if !r.keyword("fail") {
			return
		}
		w := r.take("an error")
		if w == nil {
			return
		}
		var ok bool
		if c.Error, ok = r.appendError(w); !ok {
			return
		}
	}
	if r.peek() != nil && r.keyword("for") {
		c.For = r.duration()
	}
}

func (r *reader) appendError(w *word) (kafka.Error, bool) {
	known := make([]string, len(appendErrors))
	for i, e := range appendErrors {
		known[i] = e.String()
		if w.value == e.String() || w.value == e.In(r.scenario.Version) {
			return e, true
		}
	}
	message := w.value + " is no error that an append gives"
	if near := nearest(w.value, known); near != "" {
		message += meant(near)
	} else {
		message += "; these are " + listed(known)
	}
	r.fail(w, message)
	return 0, false
}
