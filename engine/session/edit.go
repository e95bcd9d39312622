package session

import (
	"rebalancelab/engine/clock"
	"rebalancelab/engine/script"
)

// Edit makes a text of a branch's text. The change is a branch that begins at
// the earliest time of what is different (a set-up line: 0 s); the one before
// is kept. As long as nothing was done on a branch that an edit made, and no
// other branch comes from it, the next edit of it changes that same branch. It
// returns the id of the branch that has the text; on diagnostics nothing has
// changed.
func (s *Session) Edit(id int, text string) (int, []script.Diagnostic) {
	file, diagnostics := script.Parse(text)
	if file == nil {
		return 0, diagnostics
	}
	b := s.Branch(id)
	before := b.whole()
	if script.Same(before, file) {
		return id, nil
	}
	if s.revisable(b) {
		parent := s.Branch(b.Parent)
		b.rewrite(file, script.FirstChange(parent.whole(), file))
		return id, nil
	}
	if full := s.full(); full != nil {
		return 0, full
	}
	made := &Branch{Parent: id, edited: true}
	made.rewrite(file, script.FirstChange(before, file))
	return s.add(made).ID, nil
}

// revisable reports whether nothing depends on the branch's text.
func (s *Session) revisable(b *Branch) bool {
	for _, other := range s.branches {
		if other.Parent == b.ID {
			return false
		}
	}
	return b.edited && len(b.own) == 0
}

// rewrite gives the branch another script; it is played from the start, since
// its world is another one.
func (b *Branch) rewrite(file *script.File, forkAt clock.Time) {
	b.file, b.scenario, b.ForkAt = file, file.Scenario(), forkAt
	b.timeline, b.expects = b.merge(), expectsByTime(file)
	b.checkpoints, b.spacing = nil, checkpointSpacing
	b.replay()
}
