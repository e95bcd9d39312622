package script

import (
	"slices"
	"strings"

	"rebalancelab/engine"
	"rebalancelab/engine/clock"
)

// ParseCommand reads one later command, with or without `at T` before it;
// without it the command is for the time at. Its names are those of f at that
// time. The Command has Line 0 and the text that With adds to the script.
func (f *File) ParseCommand(text string, at clock.Time) (engine.Command, []Diagnostic) {
	p := f.parserAt()
	line := p.lexLine(text, 1)
	p.later = true
	switch {
	case len(p.found) > 0:
	case strings.Contains(text, "\n"):
		p.add(1, 1, 2, "a command is one line")
	case len(line.words) == 0:
		p.add(1, 1, 2, "a command is missing; the commands are "+listed(verbs[:]))
	case line.words[0].keyed || line.words[0].value != "at":
		span := clock.Duration(at).String()
		prefix := []word{{text: "at", value: "at", end: 1}, {text: span, value: span, end: 1}}
		line.words = slices.Concat(prefix, line.words)
	}
	line.Comment = ""
	line.Kind = CommandLine
	p.lines = []Line{line}
	if len(p.found) == 0 {
		p.parseCommand(&p.lines[0])
	}
	if len(p.found) > 0 || len(p.scenario.Commands) == 0 {
		return engine.Command{}, p.found
	}
	c := p.scenario.Commands[0]
	c.Line = 0
	for i := range c.Consumers {
		c.Consumers[i].Line = 0
	}
	return c, nil
}

func (p *parser) parseCommand(line *Line) {
	p.readTimes()
	p.one((*reader).replay, line)
	p.one((*reader).consumers, line)
	p.one((*reader).command, line)
}

// parserAt is a parser that knows f's names and has none of its lines.
func (f *File) parserAt() *parser {
	p := newParser()
	p.scenario = f.scenario
	p.groups = slices.Clone(f.groups)
	for i, g := range p.groups {
		p.groupIndex[g.name] = i
		p.groupNames = append(p.groupNames, g.name)
	}
	for _, t := range f.scenario.Topics {
		p.addTopic(t, 0)
	}
	for i := range f.scenario.Consumers {
		c := &f.scenario.Consumers[i]
		p.addConsumer(c, setUp, c.Line)
	}
	p.scenario.Commands = nil
	p.earlier = f.scenario.Commands
	return p
}

// replay takes in what the file's own commands have changed by the line's time.
// The names of later consumers are taken in too: they cannot be used again.
func (r *reader) replay() {
	for i := range r.earlier {
		c := &r.earlier[i]
		for j := range c.Consumers {
			r.addConsumer(&c.Consumers[j], c.At, c.Line)
		}
		if c.At > r.line.at {
			continue
		}
		switch c.Verb {
		case engine.AlterVerb:
			t := r.topics[c.Subject.Name]
			r.partitions += c.Value - int64(t.partitions)
			t.partitions = int32(c.Value)
		case engine.SetVerb:
			if c.Subject.Kind == engine.ConsumerSubject {
				known := r.names.consumers[c.Subject.Name]
				known.timeouts = known.timeouts.with(c.Config, c.Value)
			}
		}
	}
	if len(r.earlier) >= engine.MaxCommands {
		r.fail(&r.line.words[0], "a script has at most "+decimal(engine.MaxCommands)+" commands")
	}
}

// With is the script of a branch: f's lines without the dropped ones (numbers
// as in Command.Line), then the commands as `at` lines. The diagnostics say
// what does not fit together, a line that needs a dropped one.
func (f *File) With(commands []engine.Command, dropped []int32) (*File, []Diagnostic) {
	var b strings.Builder
	for i := range f.Lines {
		if n := f.Lines[i].Number; n > 0 && slices.Contains(dropped, n) {
			continue
		}
		b.WriteString(f.Lines[i].Text())
		b.WriteByte('\n')
	}
	for i := range commands {
		b.WriteString(commands[i].Text)
		b.WriteByte('\n')
	}
	return Parse(b.String())
}
