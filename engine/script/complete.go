package script

import (
	"slices"
	"strings"

	"rebalancelab/engine"
	"rebalancelab/engine/kafka"
)

// Completion is something that can stand at a place. Text replaces the part of
// the word that stands left of it; Detail says how it goes on, or a setting's
// default and the versions that have it.
type Completion struct{ Text, Detail string }

// MaxCompletions is the largest number of completions that Complete returns.
const MaxCompletions = 200

// usages shows how the lines go on.
var usages = [...]string{HeaderLine: "1", KafkaLine: "V", SeedLine: "N", BrokersLine: "N …", BrokerLine: "K config=…",
	NetworkLine: "latency= jitter= loss= append= load=", LinkLine: "A B latency=", TopicLine: "T partitions= rate=",
	GroupLine: "G assignor= …", ConsumerLine: "NAMES group= topics= …", CommandLine: "T command",
	ExpectLine: "at T S field=value …", NoteLine: `at T "…"`, RunLine: "until T"}

// verbUsages shows how the commands go on.
var verbUsages = [...]string{engine.StartVerb: "C or broker K", engine.StopVerb: "C or broker K",
	engine.KillVerb: "C or broker K", engine.StallVerb: "C for D", engine.RestartVerb: "C", engine.CutVerb: "A B",
	engine.HealVerb: "A B", engine.SetVerb: "S config=value", engine.AlterVerb: "topic T partitions=N",
	engine.AppendFailVerb: "fail ERROR for D, or lost for D", engine.ConsumerVerb: "NAMES group= topics= …"}

// completer collects what can stand behind the words of a line.
type completer struct {
	*parser
	words   []word // whole words left of the place
	partial string // what stands left of the place of its own word
	found   []Completion
}

// Complete lists what can stand at a place of a script, which may have errors.
// Lines and columns count from 1, columns in runes.
func Complete(text string, line, column int) []Completion {
	if len(text) > MaxBytes || line < 1 || column < 1 {
		return nil
	}
	p := newParser()
	p.lex(text)
	lines := strings.Split(strings.TrimPrefix(text, "\ufeff"), "\n")
	if line > len(lines) {
		return nil
	}
	if line <= len(p.lines) {
		p.lines[line-1] = Line{Number: int32(line)}
	}
	p.found = nil
	p.parse()
	left := []rune(lines[line-1])
	left = left[:min(column-1, len(left))]
	c := completer{parser: p, words: newParser().lexLine(string(left), 1).words}
	if n := len(c.words); n > 0 && c.words[n-1].end > len(left) {
		c.partial, c.words = c.words[n-1].text, c.words[:n-1]
	}
	c.line()
	return c.found
}

// offer adds a completion if it begins with what stands there.
func (c *completer) offer(text, detail string) {
	if strings.HasPrefix(text, c.partial) && len(c.found) < MaxCompletions {
		c.found = append(c.found, Completion{Text: text, Detail: detail})
	}
}

func (c *completer) offerNames(prefix string, names []string) {
	for _, name := range names {
		c.offer(prefix+Quote(name), "")
	}
}

func (c *completer) line() {
	if len(c.words) == 0 {
		for kind := HeaderLine; kind <= RunLine; kind++ {
			c.offer(keywords[kind], usages[kind])
		}
		return
	}
	switch c.words[0].value {
	case "kafka":
		c.at(1, kafka.Playable()...)
	case "run":
		c.at(1, "until")
	case "brokers":
		c.keys(2, kafka.BrokerScope, brokersKeys)
	case "broker":
		c.at(1, c.brokerNumbers()...)
		c.keys(2, kafka.BrokerScope, nil)
	case "network":
		c.keys(1, 0, networkKeys)
	case "link":
		c.nodes(1, 2)
		c.keys(3, 0, linkKeys)
	case "topic":
		c.keys(2, 0, topicKeys)
	case "group":
		c.keys(2, kafka.ConsumerScope, []string{assignorKey})
	case "consumer":
		c.keys(2, kafka.ConsumerScope, consumerKeys)
	case "at":
		c.command()
	case "expect":
		c.expect()
	case "note":
		c.at(1, "at")
	}
}

// at offers words that stand at one place of the line.
func (c *completer) at(place int, texts ...string) {
	if len(c.words) == place {
		for _, text := range texts {
			c.offer(text, "")
		}
	}
}

// namesAt offers names that stand at one place of the line.
func (c *completer) namesAt(place int, names []string) {
	if len(c.words) == place {
		c.offerNames("", names)
	}
}

func (c *completer) brokerNumbers() []string {
	var numbers []string
	for id := range int64(c.scenario.Brokers) {
		numbers = append(numbers, decimal(id+1))
	}
	return numbers
}

// nodes offers consumers and brokers for a number of subjects from a place on,
// and reports how many words they take so far, and whether all are there.
func (c *completer) nodes(place, count int) (next int, complete bool) {
	for range count {
		if place < len(c.words) && c.words[place].bare("broker") {
			c.at(place+1, c.brokerNumbers()...)
			place++
		} else if place == len(c.words) {
			c.offerNames("", c.consumerNames)
			c.offer("broker", "K")
		}
		place++
	}
	return place, place <= len(c.words)
}

// keys offers the keys that the line does not have yet, from a place on.
func (c *completer) keys(place int, scope kafka.Scope, keys []string) {
	if len(c.words) < place {
		return
	}
	if key, _, valued := strings.Cut(c.partial, "="); valued {
		c.values(key)
		return
	}
	for _, key := range keys {
		if !c.has(key) {
			c.offer(key+"=", "")
		}
	}
	for config := kafka.NoConfig + 1; config < kafka.ConfigCount; config++ {
		def := config.Def()
		if def.Scope == scope && def.Known(c.scenario.Version) && !c.has(def.Name) {
			c.offer(def.Name+"=", describe(def, c.scenario.Version))
		}
	}
}

func (c *completer) has(key string) bool {
	return slices.ContainsFunc(c.words, func(w word) bool { return w.keyed && w.key == key })
}

// describe is a setting's default in a version and the version it is there since.
func describe(def *kafka.ConfigDef, version kafka.Version) string {
	text := "default " + defaultText(def, def.DefaultIn(version))
	if (def.Since == kafka.Version{}) {
		return text
	}
	return text + ", since " + def.Since.Short()
}

// defaultText is a default as a script writes it.
func defaultText(def *kafka.ConfigDef, value kafka.Default) string {
	switch def.Type {
	case kafka.Number:
		return decimal(value.Value)
	case kafka.Boolean:
		return [...]string{"false", "true"}[value.Value]
	case kafka.Choice:
		return def.Choices[value.Value]
	}
	if value.Text == "" {
		return none
	}
	return value.Text
}

func (c *completer) values(key string) {
	switch key {
	case "group":
		c.offerNames("group=", c.groupNames)
	case "topics":
		c.offerNames(c.partial[:max(strings.LastIndexByte(c.partial, ','), strings.IndexByte(c.partial, '='))+1], c.topicNames)
	case "client":
		c.offerNames("client=java-", kafka.Playable())
	case "heartbeat", "start":
		c.offer(key+"=never", "")
	case "offsets-topic":
		c.offer(key+"=absent", "")
		c.offer(key+"=present", "")
	case assignorKey, kafka.PartitionAssignmentStrategy.String():
		c.offer(key+"=range", "")
		c.offer(key+"=cooperative-sticky", "")
	}
	if config := kafka.ConfigNamed(key); config != kafka.NoConfig {
		choices := config.Def().Choices
		if config.Def().Type == kafka.Boolean {
			choices = []string{"false", "true"}
		}
		for _, choice := range choices {
			c.offer(key+"="+choice, "")
		}
	}
}

func (c *completer) command() {
	if len(c.words) == 2 {
		for verb, text := range verbs {
			c.offer(text, verbUsages[verb])
		}
	}
	if len(c.words) < 3 {
		return
	}
	switch verbNamed(c.words[2].value) {
	case engine.StartVerb, engine.StopVerb, engine.KillVerb:
		c.nodes(3, 1)
	case engine.StallVerb:
		c.namesAt(3, c.consumerNames)
		c.at(4, "for")
	case engine.RestartVerb:
		c.namesAt(3, c.consumerNames)
	case engine.CutVerb, engine.HealVerb:
		c.nodes(3, 2)
	case engine.SetVerb:
		if next, complete := c.nodes(3, 1); complete {
			scope := kafka.ConsumerScope
			if c.words[3].bare("broker") {
				scope = kafka.BrokerScope
			}
			c.keys(next, scope, nil)
		}
	case engine.AlterVerb:
		c.at(3, "topic")
		c.namesAt(4, c.topicNames)
		c.at(5, "partitions=")
	case engine.AppendFailVerb:
		c.at(3, "fail", "lost")
		if len(c.words) > 3 && c.words[3].bare("lost") {
			c.at(4, "for")
			return
		}
		for _, e := range appendErrors {
			c.at(4, e.String())
		}
		c.at(5, "for")
	case engine.ConsumerVerb:
		c.keys(4, kafka.ConsumerScope, consumerKeys)
	}
}

func (c *completer) expect() {
	c.at(1, "at")
	if len(c.words) == 3 {
		c.offer("group", "NAME")
		c.nodes(3, 1)
		for i := range c.scenario.Topics {
			c.offer(Quote(c.scenario.Topics[i].Name+"-0"), "")
		}
	}
	if len(c.words) < 4 {
		return
	}
	place, kind := 4, engine.ConsumerSubject
	switch name := c.words[3].value; {
	case name == "group":
		place, kind = 5, engine.GroupSubject
		c.namesAt(4, c.groupNames)
	case name == "broker":
		place, kind = 5, engine.BrokerSubject
		c.at(4, c.brokerNumbers()...)
	case c.names.consumers[name] == nil && strings.Contains(name, "-"):
		kind = engine.PartitionSubject
	}
	if len(c.words) >= place {
		for _, field := range engine.Fields(kind) {
			if !c.has(field) {
				c.offer(field+"=", "")
			}
		}
	}
}
