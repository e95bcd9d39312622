package session

import (
	"slices"
	"strconv"

	"rebalancelab/engine"
	"rebalancelab/engine/clock"
	"rebalancelab/engine/script"
)

// Act adds a command at a time. If the branch is the scenario as written, or
// has commands of its own later than that, a new branch is made of it; the old
// one is kept. It returns the id of the branch that has the command. A command
// with which the branch could not be written as one text is refused.
func (s *Session) Act(id int, at clock.Time, line string) (int, []script.Diagnostic) {
	b := s.Branch(id)
	c, diagnostics := b.whole().ParseCommand(line, at)
	if len(diagnostics) > 0 {
		return 0, diagnostics
	}
	w := s.World(id, c.At)
	if err := w.Check(c); err != nil {
		return 0, refused(line, err.Error())
	}
	own := append(slices.Clone(b.own), c)
	if file, found := b.file.With(own, nil); file == nil {
		return 0, refused(line, "the branch's text would be wrong with it, in line "+strconv.Itoa(found[0].Line)+": "+found[0].Message)
	}
	if b.extendable(c.At) {
		b.extend(own, c.At)
		return id, nil
	}
	if full := s.full(); full != nil {
		return 0, full
	}
	return s.fork(b, c.At, own).ID, nil
}

func refused(line, why string) []script.Diagnostic {
	return []script.Diagnostic{{Line: 1, Column: 1, EndColumn: 1 + len(line), Message: why}}
}

// full says that there cannot be another branch, nil if there can.
func (s *Session) full() []script.Diagnostic {
	if len(s.branches) < MaxBranches {
		return nil
	}
	return refused(" ", "a session has at most 64 branches")
}

// extendable reports whether a command at the time changes nothing that the
// branch's own commands did.
func (b *Branch) extendable(at clock.Time) bool { return b.Extends() <= at }

// Extends is the time from which a command goes on with the branch; before it a
// command makes another one. clock.Never for the scenario as written.
func (b *Branch) Extends() clock.Time {
	switch {
	case len(b.own) > 0:
		return b.own[len(b.own)-1].At
	case b.edited:
		return b.ForkAt
	}
	return clock.Never
}

// extend gives a branch another command, at a time; it is then played anew.
func (b *Branch) extend(own []engine.Command, at clock.Time) {
	b.own = own
	b.timeline = b.merge()
	kept := b.checkpoints[:0:0]
	for _, point := range b.checkpoints {
		if point.world.Now() < at {
			kept = append(kept, point)
		}
	}
	b.checkpoints = kept
	b.expects = nil
	b.replay()
}

// replay forgets how the branch was played; its checkpoints stay.
func (b *Branch) replay() {
	b.Applied, b.Failures, b.head, b.next, b.picture, b.done = nil, nil, nil, 0, nil, false
}
