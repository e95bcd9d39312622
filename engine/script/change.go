package script

import (
	"cmp"
	"slices"

	"rebalancelab/engine/clock"
)

// FirstChange is the earliest time at which two scripts say something else: 0 s
// for a set-up line, the end of the run if they differ in comments at most.
func FirstChange(f, g *File) clock.Time {
	if !slices.EqualFunc(f.setup(), g.setup(), sameLine) {
		return 0
	}
	x, y := f.timed(), g.timed()
	for i := range max(len(x), len(y)) {
		switch {
		case i >= len(x):
			return y[i].at
		case i >= len(y):
			return x[i].at
		case !sameLine(x[i], y[i]):
			return min(x[i].at, y[i].at)
		}
	}
	return min(f.scenario.End, g.scenario.End)
}

// Same reports whether two scripts say the same in the same words; spacing does
// not count.
func Same(f, g *File) bool { return f.Print() == g.Print() }

func sameLine(a, b *Line) bool { return a.command() == b.command() }

// setup lists the lines that hold from the start.
func (f *File) setup() []*Line {
	return f.pick(func(k Kind) bool { return k != EmptyLine && k < CommandLine })
}

// timed lists the lines that have a time, by it.
func (f *File) timed() []*Line {
	lines := f.pick(func(k Kind) bool { return k == CommandLine || k == ExpectLine || k == NoteLine })
	slices.SortStableFunc(lines, func(a, b *Line) int { return cmp.Compare(a.at, b.at) })
	return lines
}

func (f *File) pick(wanted func(Kind) bool) []*Line {
	var lines []*Line
	for i := range f.Lines {
		if wanted(f.Lines[i].Kind) {
			lines = append(lines, &f.Lines[i])
		}
	}
	return lines
}
