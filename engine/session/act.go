package session

import (
	"slices"

	"rebalancelab/engine"
	"rebalancelab/engine/clock"
	"rebalancelab/engine/script"
)

// Act adds a command at a time. If the branch is the scenario as written, or
// has commands of its own later than that, a new branch is made of it; the old
// one is kept. It returns the id of the branch that has the command.
func (s *Session) Act(id int, at clock.Time, line string) (int, []script.Diagnostic) {
	b := s.Branch(id)
	file, _ := s.file.With(b.own, nil)
	if file == nil {
		file = s.file
	}
	c, diagnostics := file.ParseCommand(line, at)
	if len(diagnostics) > 0 {
		return 0, diagnostics
	}
	w := s.World(id, c.At)
	if err := w.Check(c); err != nil {
		return 0, []script.Diagnostic{{Line: 1, Column: 1, EndColumn: 1 + len(line), Message: err.Error()}}
	}
	if b.extendable(c.At) {
		s.extend(b, c)
		return id, nil
	}
	if len(s.branches) >= MaxBranches {
		return 0, []script.Diagnostic{{Line: 1, Column: 1, EndColumn: 2, Message: "a session has at most 64 branches"}}
	}
	return s.addBranch(id, c.At, append(slices.Clone(b.own), c)).ID, nil
}

// extendable reports whether a command at the time changes nothing that the
// branch's own commands did.
func (b *Branch) extendable(at clock.Time) bool {
	return b.ID != 1 && b.own[len(b.own)-1].At <= at
}

// extend adds a command to a branch, which is then played anew.
func (s *Session) extend(b *Branch, c engine.Command) {
	b.own = append(slices.Clone(b.own), c)
	b.timeline = s.merge(b.own)
	kept := b.checkpoints[:0:0]
	for _, point := range b.checkpoints {
		if point.world.Now() < c.At {
			kept = append(kept, point)
		}
	}
	b.checkpoints = kept
	b.Applied, b.head, b.next, b.picture, b.done = nil, nil, 0, nil, false
}
