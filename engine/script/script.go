// Package script is the scenario language: a line a command, config keys as
// Kafka writes them. It turns text into an engine.Scenario, prints it back with
// its comments, explains what is wrong and what was meant, and says what can
// stand at a place.
//
// A text is read in three passes: into words with their columns (lex.go), into
// the names that it defines (names.go), and line by line into the scenario
// (setup.go, consumer.go, command.go, expect.go). The printer joins the words of
// each line again; whoever reads a value also writes its normal form back, so
// that printing is stable.
package script

import (
	"slices"
	"strings"

	"rebalancelab/engine"
	"rebalancelab/engine/clock"
)

// MaxBytes is the longest script.
const MaxBytes = 256 << 10

// MaxNameLength is the longest name of a consumer, group or topic, in runes.
const MaxNameLength = 249

// File is a script without errors. It never changes.
type File struct {
	Lines []Line

	scenario engine.Scenario
	groups   []group
	expects  []Expect
	notes    []Note
}

// Expect is one `expect` line: what must hold at a time.
type Expect struct {
	At      clock.Time
	Line    int
	Subject engine.Subject
	Fields  []Field
}

// Field is one field=value of an Expect. The value is in normal form: without
// quotes, a span as the printer writes it, the items of a list joined by commas.
type Field struct{ Name, Value string }

// Note is one `note` line: words for a moment.
type Note struct {
	At   clock.Time
	Line int
	Text string
}

// Parse reads a script. The File is nil if there is any diagnostic; there are at
// most MaxDiagnostics, in the order of their places.
func Parse(text string) (*File, []Diagnostic) {
	if len(text) > MaxBytes {
		return nil, []Diagnostic{{Line: 1, Column: 1, EndColumn: 2, Message: "the script has " +
			decimal(int64(len(text))) + " bytes; at most " + decimal(MaxBytes) + " are read"}}
	}
	p := newParser()
	p.lex(text)
	p.parse()
	if len(p.found) > 0 {
		return nil, p.explained()
	}
	return &File{Lines: p.withHeader(), scenario: p.scenario, groups: p.groups, expects: p.expects, notes: p.notes}, nil
}

// Print writes the script: every line in its place, with single blanks, units
// in normal form, and always with the lines `rebalance-lab` and `kafka`.
func (f *File) Print() string {
	var b strings.Builder
	for i := range f.Lines {
		b.WriteString(f.Lines[i].Text())
		b.WriteByte('\n')
	}
	return b.String()
}

// Scenario is what the script says, with its commands by time. Every call gives
// a fresh value; only the lists of topic names in it are shared, nobody may
// change their elements.
func (f *File) Scenario() *engine.Scenario {
	s := f.scenario
	s.BrokerExceptions = slices.Clone(s.BrokerExceptions)
	s.Links = slices.Clone(s.Links)
	s.Topics = slices.Clone(s.Topics)
	s.Consumers = slices.Clone(s.Consumers)
	s.Commands = slices.Clone(s.Commands)
	for i := range s.Commands {
		s.Commands[i].Consumers = slices.Clone(s.Commands[i].Consumers)
	}
	return &s
}

// Expects lists the `expect` lines in the order of the text.
func (f *File) Expects() []Expect { return slices.Clone(f.expects) }

// Notes lists the `note` lines in the order of the text.
func (f *File) Notes() []Note { return slices.Clone(f.notes) }
