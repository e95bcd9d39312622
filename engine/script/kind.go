package script

import "slices"

// Kind says what a line is.
type Kind uint8

// The kinds of lines.
const (
	EmptyLine Kind = iota // blank, or only a comment
	HeaderLine
	KafkaLine
	SeedLine
	BrokersLine
	BrokerLine
	NetworkLine
	LinkLine
	TopicLine
	GroupLine
	ConsumerLine
	CommandLine
	ExpectLine
	NoteLine
	RunLine
)

// keywords has the first word of each kind of line.
var keywords = [...]string{HeaderLine: "rebalance-lab", KafkaLine: "kafka", SeedLine: "seed", BrokersLine: "brokers",
	BrokerLine: "broker", NetworkLine: "network", LinkLine: "link", TopicLine: "topic", GroupLine: "group",
	ConsumerLine: "consumer", CommandLine: "at", ExpectLine: "expect", NoteLine: "note", RunLine: "run"}

// onceOnly has the kinds that a script has at most one line of.
var onceOnly = [...]Kind{HeaderLine, KafkaLine, SeedLine, BrokersLine, NetworkLine, RunLine}

// classify finds each line's kind. A line of no kind becomes empty, so that
// nothing more is said of it.
func (p *parser) classify() {
	var first [RunLine + 1]int32
	before := false
	for i := range p.lines {
		line := &p.lines[i]
		if len(line.words) == 0 {
			continue
		}
		line.Kind = p.kindOf(line)
		w := &line.words[0]
		switch {
		case line.Kind == EmptyLine:
			line.words = nil
		case line.Kind == HeaderLine && before:
			p.reject(line, w, "rebalance-lab stands before all other lines")
		case first[line.Kind] > 0 && slices.Contains(onceOnly[:], line.Kind):
			p.reject(line, w, w.value+" stands in line "+decimal(int64(first[line.Kind]))+" already")
		default:
			first[line.Kind] = line.Number
		}
		before = true
	}
}

func (p *parser) kindOf(line *Line) Kind {
	w := &line.words[0]
	for kind := HeaderLine; kind <= RunLine; kind++ {
		if w.bare(keywords[kind]) {
			return kind
		}
	}
	message := Quote(w.text) + " begins no line"
	if verbNamed(w.value) != noVerb && !w.keyed {
		message += "; a command begins with its time: at 20s " + w.value + " …"
	} else if near := nearest(w.value, keywords[HeaderLine:]); near != "" {
		message += meant(near)
	} else {
		message += "; lines begin with " + listed(keywords[HeaderLine:])
	}
	p.add(int(line.Number), w.column, w.end, message)
	return EmptyLine
}

// reject adds a diagnostic for a word and takes its line out of the reading.
func (p *parser) reject(line *Line, w *word, message string) {
	p.add(int(line.Number), w.column, w.end, message)
	line.Kind, line.words = EmptyLine, nil
}

// withHeader is the lines with those that the printer always writes.
func (p *parser) withHeader() []Line {
	lines, header := p.lines, -1
	kafkaLine := false
	for i := range lines {
		if lines[i].Kind == HeaderLine {
			header = i
		}
		kafkaLine = kafkaLine || lines[i].Kind == KafkaLine
	}
	if header < 0 {
		header = 0
		lines = slices.Insert(lines, 0, addedLine(HeaderLine, "1"))
	}
	if !kafkaLine {
		lines = slices.Insert(lines, header+1, addedLine(KafkaLine, p.scenario.Version.Short()))
	}
	return lines
}

func addedLine(kind Kind, value string) Line {
	return Line{Kind: kind, words: []word{{text: keywords[kind], value: keywords[kind]}, {text: value, value: value}}}
}
