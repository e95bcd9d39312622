package session_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"rebalancelab/engine/clock"
	"rebalancelab/engine/event"
	"rebalancelab/engine/session"
)

const budget = 1 << 16

// scenarios lists the gallery and the reports.
func scenarios(t testing.TB) []string {
	t.Helper()
	names, _ := filepath.Glob("../script/scenarios/*.txt")
	more, _ := filepath.Glob("../script/scenarios/*/*.txt")
	names = append(names, more...)
	if len(names) < 14 {
		t.Fatalf("found %d scenarios only", len(names))
	}
	return names
}

func open(t testing.TB, name string) *session.Session {
	t.Helper()
	text, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	return openText(t, string(text))
}

func openText(t testing.TB, text string) *session.Session {
	t.Helper()
	s, diagnostics := session.Open(text)
	if s == nil {
		t.Fatalf("%v", diagnostics)
	}
	return s
}

func play(s *session.Session, branch int) *session.Branch {
	for !s.Play(branch, budget) {
	}
	return s.Branch(branch)
}

// TestScenarios plays every scenario: its expect lines hold, every command is
// carried out, and the causes of every event lead to a command.
func TestScenarios(t *testing.T) {
	for _, name := range scenarios(t) {
		t.Run(filepath.Base(name), func(t *testing.T) {
			b := play(open(t, name), 1)
			for _, f := range b.Failures {
				t.Errorf("line %d: expected %s=%s, got %s", f.Line, f.Field, f.Expected, f.Got)
			}
			for _, a := range b.Applied {
				if a.Err != "" {
					t.Errorf("line %d: %s", a.Line, a.Err)
				}
			}
			checkCauses(t, b)
		})
	}
}

// checkCauses plays the scenario with all details kept, so that every number
// can be found, and follows each event to the command that began it.
func checkCauses(t *testing.T, b *session.Branch) {
	t.Helper()
	log := b.Head().Log()
	last := uint64(0)
	for i := range log.Len() {
		e := log.At(i)
		if e.Seq <= last {
			t.Fatalf("event %d comes after %d", e.Seq, last)
		}
		last = e.Seq
		if e.Cause >= e.Seq {
			t.Fatalf("event %d (%s) is caused by the later %d", e.Seq, e.Kind, e.Cause)
		}
		if e.Cause == 0 && e.Kind != event.Command {
			t.Fatalf("event %d (%s at %s) has no cause", e.Seq, e.Kind, e.At)
		}
	}
}

// TestCausesLeadToCommands follows the causes of every event, counted ones
// included.
func TestCausesLeadToCommands(t *testing.T) {
	for _, name := range scenarios(t) {
		s := open(t, name)
		b := play(s, 1)
		events := s.Detail(1, 0, s.Branch(1).Scenario().End)
		if got, want := uint64(len(events)), b.Head().Log().Count(); got != want {
			t.Fatalf("%s: detail has %d events of %d", name, got, want)
		}
		root := make([]bool, len(events)+1)
		for i := range events {
			e := &events[i]
			if e.Seq != uint64(i+1) {
				t.Fatalf("%s: event %d has number %d", name, i+1, e.Seq)
			}
			root[e.Seq] = e.Kind == event.Command || e.Cause > 0 && e.Cause < e.Seq && root[e.Cause]
			if !root[e.Seq] {
				t.Fatalf("%s: the causes of event %d (%s at %s, cause %d) lead to no command", name, e.Seq, e.Kind, e.At, e.Cause)
			}
		}
	}
}

// TestSeekEqualsPlay holds that a moment seen again is the moment that was
// played, whatever was looked at in between.
func TestSeekEqualsPlay(t *testing.T) {
	for _, name := range scenarios(t) {
		s := open(t, name)
		b := play(s, 1)
		end := s.Branch(1).Scenario().End
		if got := s.World(1, end).Digest(); got != b.Head().Digest() {
			t.Errorf("%s: seeking to the end gives %x, playing %x", name, got, b.Head().Digest())
		}
		fresh := open(t, name)
		for i := range clock.Time(7) {
			at := end * (i*5%7 + 1) / 8
			if s.World(1, at).Digest() != fresh.World(1, at).Digest() {
				t.Errorf("%s: at %s seeking from a checkpoint differs from playing from the start", name, at)
			}
		}
		w := s.World(1, end/3)
		w.Log().Detail = true
		for !w.Advance(end/2, budget) {
		}
		if v := s.World(1, end/2); len(b.Applied) == 0 && v.Digest() != w.Digest() {
			t.Errorf("%s: the level of detail changes the digest", name)
		}
	}
}

// TestAct makes branches and keeps them.
func TestAct(t *testing.T) {
	s := open(t, "../script/scenarios/consumer-dies.txt")
	written := play(s, 1).Head().Digest()
	id, diagnostics := s.Act(1, 10*clock.Time(clock.Second), "kill c1")
	if len(diagnostics) > 0 || id != 2 {
		t.Fatalf("branch %d, %v", id, diagnostics)
	}
	play(s, 2)
	if s.Branch(2).Head().Digest() == written {
		t.Error("the branch is the same run as the scenario")
	}
	if play(s, 1).Head().Digest() != written {
		t.Error("branch 1 has changed")
	}
	if id, _ = s.Act(2, 20*clock.Time(clock.Second), "start c1"); id != 2 {
		t.Errorf("a later command on branch 2 made branch %d", id)
	}
	if id, _ = s.Act(2, 5*clock.Time(clock.Second), "stop c3"); id != 3 {
		t.Errorf("an earlier command on branch 2 is on branch %d", id)
	}
	for id, lines := range map[int]string{2: "at 10s kill c1\nat 20s start c1\n", 3: "at 10s kill c1\nat 20s start c1\nat 5s stop c3\n"} {
		text := s.Text(id)
		if !strings.HasSuffix(text, lines) {
			t.Errorf("branch %d reads\n%s", id, text)
		}
		if again := openText(t, text); play(again, 1).Head().Log().Len() != play(s, id).Head().Log().Len() {
			t.Errorf("branch %d played from its text is another run", id)
		}
	}
	if _, diagnostics = s.Act(1, 0, "kill c9"); len(diagnostics) == 0 {
		t.Error("a command about nobody was accepted")
	}
	if _, diagnostics = s.Act(1, 25*clock.Time(clock.Second), "kill c2"); len(diagnostics) == 0 {
		t.Error("a dead consumer was killed")
	}
}

// TestLongRun bounds the checkpoints of a long run.
func TestLongRun(t *testing.T) {
	s := openText(t, "brokers 3\ntopic orders partitions=6\nconsumer c1..c3 group=g topics=orders\nrun until 24h\n")
	play(s, 1)
	at := clock.Time(13*clock.Hour + 7*clock.Second)
	if got := s.World(1, at).Now(); got != at {
		t.Errorf("the clock stands at %s", got)
	}
}
