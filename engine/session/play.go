package session

import (
	"rebalancelab/engine"
	"rebalancelab/engine/clock"
)

// Play goes on with a branch until the scenario's end, at most budget steps. It
// reports whether the end is reached; if not, call it again.
func (s *Session) Play(id, budget int) bool {
	s.PlayTo(id, s.Branch(id).scenario.End, budget)
	return s.Branch(id).done
}

// PlayTo goes on with a branch until everything of a time has happened, at most
// budget steps. It reports whether that is so; if not, call it again. Behind the
// scenario's end nothing is played. Where it stops changes nothing of the run.
func (s *Session) PlayTo(id int, until clock.Time, budget int) bool {
	b := s.Branch(id)
	until = min(until, b.scenario.End)
	if b.head == nil {
		s.begin(b)
	}
	for !b.playedTo(until) && budget > 0 {
		budget = s.playOn(b, until, budget)
	}
	return b.playedTo(until)
}

// playedTo reports whether everything of a time has happened. At the end, what
// belongs after it has been done too.
func (b *Branch) playedTo(t clock.Time) bool {
	if t == b.scenario.End {
		return b.done
	}
	return b.finished >= t || b.head.Now() > t
}

// OmitPictures is for a server, which plays for others and looks back seldom; it
// is called before anything is played. No branch has a picture then, checkpoints
// are fewer, and a branch that was changed is played on from its last checkpoint
// and not from the start.
func (s *Session) OmitPictures() { s.omitPictures, s.checkpoints = true, fewCheckpoints }

// Digest is that of World(id, at); where the branch has just been played to, no
// world is made for it.
func (s *Session) Digest(id int, at clock.Time) uint64 {
	if b := s.Branch(id); b.head != nil && b.head.Now() == at && b.finished == at {
		return b.head.Digest()
	}
	return s.World(id, at).Digest()
}

// begin makes the world that the branch is played in.
func (s *Session) begin(b *Branch) {
	b.finished = -1
	if s.omitPictures {
		b.head, b.next = s.start(b, clock.Never)
		if len(b.checkpoints) > 0 {
			b.finished = b.head.Now()
		}
		return
	}
	b.head = engine.New(b.scenario)
	b.picture = newPicture(b.head)
}

// observe lets the picture, if there is one, take in what has happened.
func (b *Branch) observe() {
	if b.picture != nil {
		b.picture.observe(b.head)
	}
}
