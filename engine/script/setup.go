package script

import (
	"strings"

	"rebalancelab/engine"
	"rebalancelab/engine/clock"
	"rebalancelab/engine/kafka"
)

// The keys of set-up lines, in the order of their description.
var (
	brokersKeys = []string{"offsets-topic"}
	networkKeys = []string{"latency", "jitter", "loss", "append", "load"}
	linkKeys    = []string{"latency"}
	topicKeys   = []string{"partitions", "rate"}
)

func (r *reader) header() {
	w := r.take("the version of the language, 1,")
	if w == nil {
		return
	}
	if w.value != "1" {
		r.fail(w, "version "+w.value+" of the language is not known; this is version 1")
		return
	}
	r.finish()
}

func (r *reader) kafka() {
	w := r.take("a version of Kafka")
	if w == nil {
		return
	}
	version, ok := kafka.ParseVersion(w.value)
	if !ok {
		r.fail(w, kafka.UnknownVersion(w.value))
		return
	}
	r.scenario.Version = version
	r.finish()
}

// cluster reads the lines that say how many brokers there are and how chance falls.
func (r *reader) cluster() {
	if r.line.Kind == SeedLine {
		if w := r.take("a number"); w != nil {
			r.scenario.Seed = uint64(r.integer(w, "a seed", 0, 1<<63-1))
			r.finish()
		}
		return
	}
	w := r.take("the number of brokers")
	if w == nil {
		return
	}
	r.scenario.Brokers = int32(r.integer(w, "the number of brokers", 1, engine.MaxBrokers))
	for w := r.pair(); w != nil; w = r.pair() {
		if w.key == "offsets-topic" {
			if w.value != "absent" && w.value != "present" {
				r.failValue(w, "offsets-topic is absent or present, not "+w.value)
			}
			r.scenario.OffsetsTopicAbsent = w.value == "absent"
			continue
		}
		s, ok := r.setting(w, kafka.BrokerScope, brokersKeys)
		if ok && r.knownTo(s, r.scenario.Version, "the brokers are") {
			s.apply(&r.scenario.BrokerSettings, "")
		}
	}
}

func (r *reader) setup() {
	switch r.line.Kind {
	case BrokerLine:
		r.oneBroker()
	case NetworkLine:
		r.network()
	case TopicLine:
		r.topicLine()
	case GroupLine:
		r.groupLine()
	}
}

func (r *reader) oneBroker() {
	subject, ok := r.broker()
	if !ok {
		return
	}
	if r.peek() == nil {
		r.failEnd("a setting is missing behind " + r.line.command())
	}
	for w := r.pair(); w != nil; w = r.pair() {
		s, ok := r.setting(w, kafka.BrokerScope, nil)
		if !ok || !r.knownTo(s, r.scenario.Version, "the brokers are") {
			continue
		}
		for _, e := range r.scenario.BrokerExceptions {
			if e.Broker == subject.ID && e.Config == s.config {
				r.fail(w, w.key+" of broker "+decimal(int64(e.Broker))+" stands on an earlier line already")
			}
		}
		r.scenario.BrokerExceptions = append(r.scenario.BrokerExceptions,
			engine.BrokerException{Broker: subject.ID, Config: s.config, Value: s.value})
	}
}

func (r *reader) network() {
	n := &r.scenario.Network
	for w := r.pair(); w != nil; w = r.pair() {
		switch w.key {
		case "latency":
			n.Latency = r.span(w)
		case "jitter":
			n.Jitter = r.span(w)
		case "append":
			n.Append = r.span(w)
		case "load":
			n.Load = r.span(w)
		case "loss":
			n.LossPPM = r.percent(w)
		default:
			r.failKey(w, unknownKey(w.key, 0, networkKeys))
		}
	}
}

// percent is a word's value as parts in a million, written in normal form.
func (r *reader) percent(w *word) int32 {
	ppm, problem := parsePercent(w.value)
	if problem != "" {
		r.failValue(w, problem)
		return 0
	}
	w.rewrite(clock.Decimal(int64(ppm), 4) + "%")
	return ppm
}

func (r *reader) link() {
	a, ok := r.node()
	if !ok {
		return
	}
	b, ok := r.otherNode(a)
	if !ok {
		return
	}
	latency := clock.Duration(0)
	for w := r.pair(); w != nil; w = r.pair() {
		if w.key != "latency" {
			r.failKey(w, unknownKey(w.key, 0, linkKeys))
			continue
		}
		latency = r.span(w)
	}
	if !r.has("latency") && !r.line.failed {
		r.failEnd("a link needs latency=")
	}
	if r.links[[2]engine.Subject{a, b}] || r.links[[2]engine.Subject{b, a}] {
		r.fail(&r.line.words[0], "this link stands on an earlier line already")
	}
	r.links[[2]engine.Subject{a, b}] = true
	r.scenario.Links = append(r.scenario.Links, engine.Link{A: a, B: b, Latency: latency})
}

// otherNode takes the second end of a connection.
func (r *reader) otherNode(a engine.Subject) (engine.Subject, bool) {
	first := r.peek()
	b, ok := r.node()
	if !ok {
		return b, false
	}
	if a == b {
		r.fail(first, "both ends are the same")
		return b, false
	}
	if a.Kind == engine.ConsumerSubject && b.Kind == engine.ConsumerSubject {
		r.fail(first, "no message passes between two consumers; one end is a broker")
		return b, false
	}
	return b, true
}

func (r *reader) topicLine() {
	name, w := r.name("the name of a topic")
	if w == nil {
		return
	}
	topic := engine.Topic{Name: name, Rate: engine.Rate{Per: clock.Second}}
	switch {
	case name == kafka.OffsetsTopic:
		r.fail(w, kafka.OffsetsTopic+" is Kafka's own topic")
	case r.topics[name] != nil:
		r.fail(w, "topic "+Quote(name)+" stands in line "+decimal(int64(r.topics[name].line))+" already")
	case len(r.topicNames) >= engine.MaxTopics:
		r.fail(w, "a script has at most "+decimal(engine.MaxTopics)+" topics")
	}
	for w := r.pair(); w != nil; w = r.pair() {
		switch w.key {
		case "partitions":
			topic.Partitions = int32(r.integer(w, "the number of partitions", 1, engine.MaxPartitions))
		case "rate":
			topic.Rate = r.rate(w)
		default:
			r.failKey(w, unknownKey(w.key, 0, topicKeys))
		}
	}
	if !r.has("partitions") && !r.line.failed {
		r.failEnd("a topic needs partitions=")
	}
	if r.partitions+int64(topic.Partitions) > engine.MaxTotalPartitions {
		r.fail(w, "all topics together have at most "+decimal(engine.MaxTotalPartitions)+" partitions")
		return
	}
	if r.topics[name] == nil {
		r.scenario.Topics = append(r.scenario.Topics, topic)
		r.addTopic(topic, r.line.Number)
	}
}

// rate is a word's value as a rate, written in normal form.
func (r *reader) rate(w *word) engine.Rate {
	rate, problem := parseRate(w.value)
	if problem != "" {
		r.failValue(w, problem)
		return rate
	}
	_, unit, _ := strings.Cut(w.value, "/")
	w.rewrite(decimal(rate.Records) + "/" + unit)
	return rate
}

func (r *reader) groupLine() {
	name, w := r.name("the name of a group")
	if w == nil {
		return
	}
	g, ok := r.groupNamed(name)
	if !ok {
		r.fail(w, "a script has at most "+decimal(engine.MaxGroups)+" groups")
		return
	}
	if g.line > 0 {
		r.fail(w, "group "+Quote(name)+" stands in line "+decimal(int64(g.line))+" already")
		return
	}
	g.line = r.line.Number
	for w := r.pair(); w != nil; w = r.pair() {
		if consumerKey(w.key) {
			r.fail(w, w.key+"= stands on a consumer line; a group line has settings only")
			continue
		}
		if s, ok := r.setting(w, kafka.ConsumerScope, []string{assignorKey}); ok {
			g.settings = append(g.settings, s)
		}
	}
}

// checkUnusedGroups checks the settings of groups without consumers as those of
// a client of the brokers' version. Where a consumer's group has nearly the same
// name and no line of its own, one of the two is mistyped.
func (p *parser) checkUnusedGroups() {
	var undeclared []string
	for _, g := range p.groups {
		if g.used && g.line == 0 {
			undeclared = append(undeclared, g.name)
		}
	}
	for _, g := range p.groups {
		if g.used {
			continue
		}
		for _, s := range g.settings {
			p.knownTo(s, p.scenario.Version, "the client is")
		}
		if near := suggestion(g.name, undeclared); near != "" && g.line > 0 {
			p.mistypedGroup(g, near)
		}
	}
}

func (p *parser) mistypedGroup(g group, near string) {
	for i := range p.lines {
		if p.lines[i].Number == g.line && len(p.lines[i].words) > 1 {
			r := &reader{parser: p, line: &p.lines[i]}
			r.fail(&p.lines[i].words[1], "no consumer is in group "+Quote(g.name)+near)
		}
	}
}
