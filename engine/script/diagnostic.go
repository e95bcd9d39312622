package script

import "slices"

// MaxDiagnostics is the largest number of diagnostics that Parse returns; it
// stops reading when it has them.
const MaxDiagnostics = 50

// Diagnostic is one thing that is wrong in a script. Lines and columns count
// from 1, columns in runes; EndColumn is the first column behind it.
type Diagnostic struct {
	Line, Column, EndColumn int
	Message                 string
	Meant                   string // what to write from Column to EndColumn instead, "" unknown
	About                   string // what the meant setting is, "" if none is meant
}

// diagnostics collects what is wrong, by place.
type diagnostics struct{ found []Diagnostic }

func (d *diagnostics) add(line, column, end int, message string) {
	diagnostic := Diagnostic{Line: line, Column: column, EndColumn: max(end, column+1), Message: message, Meant: meantIn(message)}
	if d.full() || slices.Contains(d.found, diagnostic) {
		return
	}
	at := len(d.found)
	for at > 0 && diagnostic.before(&d.found[at-1]) {
		at--
	}
	d.found = slices.Insert(d.found, at, diagnostic)
}

func (d *Diagnostic) before(other *Diagnostic) bool {
	return d.Line < other.Line || d.Line == other.Line && d.Column < other.Column
}

// full reports whether it is pointless to look for more.
func (d *diagnostics) full() bool { return len(d.found) >= MaxDiagnostics }
