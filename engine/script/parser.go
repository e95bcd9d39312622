package script

import (
	"cmp"
	"slices"

	"rebalancelab/engine"
	"rebalancelab/engine/clock"
	"rebalancelab/engine/kafka"
)

// parser is the state of reading one script, or one later command.
type parser struct {
	diagnostics
	names
	lines    []Line
	scenario engine.Scenario
	groups   []group
	expects  []Expect
	notes    []Note

	later   bool             // reading a command that is not in the text
	earlier []engine.Command // the text's, when later
}

func newParser() *parser {
	return &parser{names: newNames(), scenario: engine.Scenario{
		Version: kafka.V3_9,
		Seed:    engine.DefaultSeed,
		Brokers: engine.DefaultBrokers,
		Network: engine.Network{Latency: engine.DefaultLatency, Append: engine.DefaultAppend, Load: engine.DefaultLoad},
		End:     engine.DefaultEnd,
	}}
}

// parse reads the lines in the order in which they depend on one another; the
// commands in the order of their times.
func (p *parser) parse() {
	p.classify()
	p.readTimes()
	p.each((*reader).header, HeaderLine)
	p.each((*reader).kafka, KafkaLine)
	p.scenario.BrokerSettings = kafka.DefaultSettings(p.scenario.Version)
	p.each((*reader).cluster, SeedLine, BrokersLine)
	p.each((*reader).setup, BrokerLine, NetworkLine, TopicLine, GroupLine)
	p.each((*reader).consumers, ConsumerLine, CommandLine)
	p.checkUnusedGroups()
	p.each((*reader).link, LinkLine)
	for _, i := range p.commandsByTime() {
		p.one((*reader).command, &p.lines[i])
	}
	p.each((*reader).expect, ExpectLine)
	p.each((*reader).note, NoteLine)
}

// each reads all lines of some kinds.
func (p *parser) each(read func(*reader), kinds ...Kind) {
	for i := range p.lines {
		if slices.Contains(kinds, p.lines[i].Kind) {
			p.one(read, &p.lines[i])
		}
	}
}

func (p *parser) one(read func(*reader), line *Line) {
	if !p.full() && !line.failed {
		read(&reader{parser: p, line: line, next: 1})
	}
}

func (p *parser) commandsByTime() []int {
	var order []int
	for i := range p.lines {
		if p.lines[i].Kind == CommandLine {
			order = append(order, i)
		}
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(p.lines[a].at, p.lines[b].at) })
	return order
}

// readTimes reads `at T`, `expect at T`, `note at T` and `run until T`, and
// checks that nothing comes after the end.
func (p *parser) readTimes() {
	for i := range p.lines {
		line := &p.lines[i]
		r := reader{parser: p, line: line, next: 1}
		switch line.Kind {
		case CommandLine:
			line.at = r.time()
		case ExpectLine, NoteLine:
			if r.keyword("at") {
				line.at = r.time()
			}
		case RunLine:
			if r.keyword("until") {
				line.at = r.time()
				if r.finish(); !line.failed { // else lines are held to the default
					p.scenario.End = line.at
				}
			}
		}
	}
	for i := range p.lines {
		p.checkEnd(&p.lines[i], p.lines[i].at)
	}
}

func (p *parser) checkEnd(line *Line, at clock.Time) {
	if at <= p.scenario.End || line.failed {
		return
	}
	line.failed = true
	w := &line.words[1]
	if line.Kind != CommandLine {
		w = &line.words[2]
	}
	p.add(int(line.Number), w.column, w.end, p.pastEnd(at))
}

func (p *parser) pastEnd(at clock.Time) string {
	return clock.Duration(at).String() + " is after the end of the run, " +
		clock.Duration(p.scenario.End).String() + " (run until says it)"
}
