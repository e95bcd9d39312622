package session_test

import (
	"math/rand/v2"
	"reflect"
	"testing"

	"rebalancelab/engine/clock"
	"rebalancelab/engine/session"
)

// playTo plays a branch in slices of at most budget steps.
func playTo(t *testing.T, s *session.Session, id int, until clock.Time, budget int) {
	t.Helper()
	for range 1 << 24 {
		if s.PlayTo(id, until, budget) {
			return
		}
	}
	t.Fatalf("branch %d does not reach %s", id, until)
}

// TestPlayTo holds that stops change neither the run nor its picture, wherever
// they are and however small the slices, with pictures and without.
func TestPlayTo(t *testing.T) {
	for _, name := range scenarios(t) {
		whole := open(t, name)
		want := play(whole, 1)
		end := want.Scenario().End
		random := rand.New(rand.NewPCG(7, 7))
		for _, omit := range []bool{false, true} {
			s := open(t, name)
			if omit {
				s.OmitPictures()
			}
			for at := clock.Time(0); at < end; at += 1 + clock.Time(random.Int64N(int64(end)/9)) {
				playTo(t, s, 1, at, 1+random.IntN(500))
				b := s.Branch(1)
				if b.Played() != at {
					t.Fatalf("%s: played to %s, not to %s", name, b.Played(), at)
				}
				if got := b.Head().Digest(); got != whole.World(1, at).Digest() || got != s.Digest(1, at) {
					t.Fatalf("%s: at %s the digest is %x", name, at, got)
				}
			}
			got := play(s, 1)
			if got.Head().Digest() != want.Head().Digest() || !reflect.DeepEqual(got.Failures, want.Failures) {
				t.Errorf("%s: the run that was stopped on its way is another one", name)
			}
			if !omit && !reflect.DeepEqual(got.Picture(), want.Picture()) {
				t.Errorf("%s: the picture of the run that was stopped on its way is another one", name)
			}
		}
	}
}

// TestPlayToAfterCommands plays branches on from the checkpoints that they keep.
func TestPlayToAfterCommands(t *testing.T) {
	const second = clock.Time(clock.Second)
	s, plain := open(t, "../script/scenarios/consumer-dies.txt"), open(t, "../script/scenarios/consumer-dies.txt")
	plain.OmitPictures()
	branch := 1
	for _, c := range []struct {
		at   clock.Time
		line string
	}{{11 * second, "kill c1"}, {30*second + 1, "start c1"}, {35 * second, "kill c3"}, {35 * second, "start c3"}} {
		playTo(t, plain, branch, c.at, 300)
		id, diagnostics := plain.Act(branch, c.at, c.line)
		if again, _ := s.Act(branch, c.at, c.line); id != again || len(diagnostics) > 0 {
			t.Fatalf("%s: branches %d and %d, %v", c.line, id, again, diagnostics)
		}
		branch = id
		playTo(t, plain, branch, c.at+5*second, 300)
		if got := plain.Digest(branch, c.at+5*second); got != s.World(branch, c.at+5*second).Digest() {
			t.Errorf("5 s after %s the digest is %x", c.line, got)
		}
	}
	if play(plain, branch).Head().Digest() != play(s, branch).Head().Digest() {
		t.Error("without pictures the branch is another run")
	}
}
