// Package loglines prints what the brokers of a run would have logged: the
// lines of that release, with its loggers and levels. The texts are data; the
// page reads the same file.
package loglines

import (
	_ "embed"
	"encoding/json"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"rebalancelab/engine"
	"rebalancelab/engine/clock"
)

//go:embed lines.json
var data []byte

// era is since when (inclusive) until when (exclusive, "" for ever) something
// holds.
type era struct{ Since, Until string }

// template is one text of one or more releases. Names in it stand as <name>.
type template struct {
	era
	ID, Event, Source, Level, Text string
	Broker                         string // the fact that names who prints it, if not node
	After                          string // the kind of event that it causes and whose lines come first
	When                           map[string]values
}

// values is what a fact must be: one of them; "*" is anything, "" nothing.
type values []string

func (v *values) UnmarshalJSON(b []byte) error {
	var one string
	if json.Unmarshal(b, &one) == nil {
		*v = values{one}
		return nil
	}
	return json.Unmarshal(b, (*[]string)(v))
}

// source is who prints: how its lines begin, and the logger's name.
type source struct {
	era
	Java           bool
	Prefix, Logger string
}

// book is the file lines.json.
type book struct {
	Sources map[string][]source
	Words   []struct {
		era
		Field  string
		Values map[string]string
	}
	Lines []template
}

var lines = func() (b book) {
	if err := json.Unmarshal(data, &b); err != nil {
		panic("loglines: " + err.Error())
	}
	return b
}()

// beginning is when a run begins: a log has dates, a run has none.
var beginning = time.Date(2024, 1, 1, 0, 0, 0, 0, time.UTC)

// Append appends every line of a run, in the order of its events.
func Append(b []byte, world *engine.World) []byte {
	r := &run{log: world.Log(), scenario: world.Scenario(), version: world.Scenario().Version.String()}
	held := map[uint64]string{} // lines that come after those of an event that theirs causes
	byKind := map[string][]template{}
	for _, t := range lines.Lines {
		if t.Event != "" && lines.printedBy(&t, r.version) {
			byKind[t.Event] = append(byKind[t.Event], t)
		}
	}
	for i := range r.log.Len() {
		e := r.log.At(i)
		templates := byKind[e.Kind.String()]
		if len(templates) == 0 {
			continue
		}
		facts := r.facts(i)
		for j := range templates {
			line := line(e.At, &templates[j], facts, r.version)
			if after := templates[j].After; after != "" && r.follows(i, after) {
				held[e.Seq] += line
			} else {
				b = append(b, line...)
			}
		}
		b = append(b, held[e.Cause]...)
		delete(held, e.Cause)
	}
	return b
}

// line is what a template makes of the facts, "" if it does not apply.
func line(at clock.Time, t *template, f facts, version string) string {
	broker := "node"
	if t.Broker != "" {
		broker = t.Broker
	}
	if f[broker] == "" || !t.matches(f) {
		return ""
	}
	f["broker"] = f[broker]
	from := lines.source(t, version)
	prefix, known := fill(from.Prefix, f)
	message, complete := fill(t.Text, f)
	if !known || !complete {
		return ""
	}
	date := beginning.Add(time.Duration(at.Millis()) * time.Millisecond).Format("2006-01-02 15:04:05,000")
	return "[" + date + "] " + t.Level + " " + prefix + message + " (" + from.Logger + ")\n"
}

func (t *template) matches(f facts) bool {
	for name, want := range t.When {
		if want[0] == "*" && f[name] == "" || want[0] != "*" && !slices.Contains(want, f[name]) {
			return false
		}
	}
	return true
}

var field = regexp.MustCompile(`<\w+>`)

// fill puts the facts into a text and reports whether all of them are known.
func fill(text string, f facts) (string, bool) {
	complete := true
	full := field.ReplaceAllStringFunc(text, func(name string) string {
		value, known := f[name[1:len(name)-1]]
		complete = complete && known
		return value
	})
	return full, complete
}

// printedBy reports whether a broker of that release prints the line. Since 4.0
// it is the coordinator in Java.
func (b *book) printedBy(t *template, version string) bool {
	return t.holds(version) && b.Sources[t.Source][0].Java == !older(version, "4.0.0")
}

func (b *book) source(t *template, version string) *source {
	all := b.Sources[t.Source]
	return &all[max(0, slices.IndexFunc(all, func(s source) bool { return s.holds(version) }))]
}

func (e era) holds(version string) bool {
	return !older(version, e.Since) && (e.Until == "" || older(version, e.Until))
}

// older compares releases by their numbers.
func older(a, b string) bool { return slices.Compare(numbers(a), numbers(b)) < 0 }

func numbers(version string) []int {
	all := make([]int, 4)
	for i, s := range strings.Split(version, ".") {
		all[i], _ = strconv.Atoi(s)
	}
	return all
}
