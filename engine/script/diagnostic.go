package script

import (
	"cmp"
	"slices"
)

// MaxDiagnostics is the largest number of diagnostics that Parse returns; it
// stops reading when it has them.
const MaxDiagnostics = 50

// Diagnostic is one thing that is wrong in a script. Lines and columns count
// from 1, columns in runes; EndColumn is the first column behind it.
type Diagnostic struct {
	Line, Column, EndColumn int
	Message                 string
}

// diagnostics collects what is wrong.
type diagnostics struct{ found []Diagnostic }

func (d *diagnostics) add(line, column, end int, message string) {
	diagnostic := Diagnostic{Line: line, Column: column, EndColumn: max(end, column+1), Message: message}
	if !d.full() && !slices.Contains(d.found, diagnostic) {
		d.found = append(d.found, diagnostic)
	}
}

// full reports whether it is pointless to look for more.
func (d *diagnostics) full() bool { return len(d.found) >= MaxDiagnostics }

// sorted is all that was found, by place.
func (d *diagnostics) sorted() []Diagnostic {
	slices.SortStableFunc(d.found, func(a, b Diagnostic) int {
		return cmp.Or(cmp.Compare(a.Line, b.Line), cmp.Compare(a.Column, b.Column))
	})
	return d.found
}
