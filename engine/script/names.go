package script

import (
	"rebalancelab/engine"
	"rebalancelab/engine/clock"
	"rebalancelab/engine/kafka"
)

// names is everything that a script defines, with what commands have changed up
// to the place that is being read.
type names struct {
	consumers     map[string]*consumerName
	consumerNames []string // in the order of definition
	topics        map[string]*topicName
	topicNames    []string
	groupIndex    map[string]int // into parser.groups
	groupNames    []string
	partitions    int64 // of all topics
	links         map[[2]engine.Subject]bool
}

// consumerName is what later lines need of a consumer.
type consumerName struct {
	from     clock.Time // of its `at T consumer`, else setUp
	line     int32
	client   kafka.Version
	timeouts timeouts
}

type topicName struct {
	line       int32
	partitions int32 // after the commands read so far
}

// group is a name that consumers give with group=, and the defaults of its line.
type group struct {
	name     string
	line     int32 // of its `group` line, 0 without one
	settings []setting
	used     bool
}

func newNames() names {
	return names{consumers: map[string]*consumerName{}, topics: map[string]*topicName{}, groupIndex: map[string]int{},
		links: map[[2]engine.Subject]bool{}}
}

// setUp is the time from which the consumers of `consumer` lines are there.
const setUp clock.Time = -1

func (p *parser) addConsumer(c *engine.Consumer, from clock.Time, line int32) {
	p.consumerNames = append(p.consumerNames, c.Name)
	p.names.consumers[c.Name] = &consumerName{from: from, line: line, client: c.Client, timeouts: timeoutsOf(&c.Settings)}
}

func (p *parser) addTopic(t engine.Topic, line int32) {
	p.topicNames = append(p.topicNames, t.Name)
	p.topics[t.Name] = &topicName{line: line, partitions: t.Partitions}
	p.partitions += int64(t.Partitions)
}

// groupNamed is a group by name, defined here if it is new. The second result
// is false when there are too many.
func (p *parser) groupNamed(name string) (*group, bool) {
	if i, ok := p.groupIndex[name]; ok {
		return &p.groups[i], true
	}
	if len(p.groups) >= engine.MaxGroups {
		return nil, false
	}
	p.groupIndex[name] = len(p.groups)
	p.groupNames = append(p.groupNames, name)
	p.groups = append(p.groups, group{name: name})
	return &p.groups[len(p.groups)-1], true
}

// noSuch says that nothing of a kind has a name, what has it, or what was meant.
func (p *parser) noSuch(kind, name string, candidates []string) string {
	message := "there is no " + kind + " " + Quote(name)
	switch {
	case kind != "consumer" && p.names.consumers[name] != nil:
		return message + "; " + Quote(name) + " is a consumer"
	case kind != "topic" && p.topics[name] != nil:
		return message + "; " + Quote(name) + " is a topic"
	case kind != "group" && p.isGroup(name):
		return message + "; " + Quote(name) + " is a group"
	case len(candidates) == 0:
		return message + "; the script has no " + kind
	}
	if near := nearest(name, candidates); near != "" {
		return message + meant(Quote(near))
	}
	return message
}

func (p *parser) isGroup(name string) bool {
	_, ok := p.groupIndex[name]
	return ok
}

// topic reads a name as a known topic.
func (r *reader) topic(w *word, it item) (string, *topicName) {
	name, problem := readName(it.raw)
	if problem != "" {
		r.failItem(w, it, problem)
		return "", nil
	}
	t := r.topics[name]
	if t == nil {
		r.failItem(w, it, r.noSuch("topic", name, r.topicNames))
	}
	return name, t
}

// consumer reads a word as a consumer that exists at the line's time.
func (r *reader) consumer(w *word) (string, *consumerName) {
	name, problem := readName(w.value)
	if problem != "" {
		r.fail(w, problem)
		return "", nil
	}
	c := r.names.consumers[name]
	if c == nil {
		r.fail(w, r.noSuch("consumer", name, r.consumerNames))
		return "", nil
	}
	if r.line.Kind == LinkLine {
		return name, c
	}
	behind := r.later || r.line.Kind == ExpectLine // all commands of its time
	if c.from > r.line.at || c.from == r.line.at && c.line > r.line.Number && !behind {
		r.fail(w, "consumer "+Quote(name)+" is added only at "+clock.Duration(c.from).String()+", in line "+decimal(int64(c.line)))
		return "", nil
	}
	return name, c
}

// broker takes the number of a broker.
func (r *reader) broker() (engine.Subject, bool) {
	w := r.take("the number of a broker")
	if w == nil {
		return engine.Subject{}, false
	}
	id, problem := parseInteger(w.value, 1, int64(r.scenario.Brokers))
	if problem != "" {
		r.fail(w, "there is no broker "+w.value+"; the brokers are "+r.brokerRange())
		return engine.Subject{}, false
	}
	w.rewrite(decimal(id))
	return engine.Subject{Kind: engine.BrokerSubject, ID: int32(id)}, true
}

func (r *reader) brokerRange() string {
	if r.scenario.Brokers == 1 {
		return "1 alone"
	}
	return "1 to " + decimal(int64(r.scenario.Brokers))
}

// node takes a consumer or `broker K`.
func (r *reader) node() (engine.Subject, bool) {
	w := r.take("a consumer or broker K")
	if w == nil {
		return engine.Subject{}, false
	}
	if w.bare("broker") {
		return r.broker()
	}
	name, c := r.consumer(w)
	return engine.Subject{Kind: engine.ConsumerSubject, Name: name}, c != nil
}
