package session_test

import (
	"slices"
	"strings"
	"testing"

	"rebalancelab/engine/clock"
	"rebalancelab/engine/session"
)

const edited = `rebalance-lab 1
kafka 3.9
topic orders partitions=4
consumer c1..c3 group=g topics=orders
at 20s kill c2
expect at 10s group g members=3
run until 2m
`

// TestEdit holds where the branch of an edit begins and that it plays as its
// text does.
func TestEdit(t *testing.T) {
	for _, c := range []struct {
		name, old, new string
		fork           clock.Duration
	}{
		{"set-up", "partitions=4", "partitions=5", 0},
		{"start of a consumer", "topics=orders", "topics=orders start=3s", 0},
		{"time of a command", "at 20s", "at 30s", 20 * clock.Second},
		{"a command before", "at 20s kill c2", "at 5s stop c1\nat 20s kill c2", 5 * clock.Second},
		{"a command less", "at 20s kill c2\n", "", 20 * clock.Second},
		{"a later command", "run until", "at 50s start c2\nrun until", 50 * clock.Second},
		{"an expectation", "members=3", "members=2", 10 * clock.Second},
		{"the end", "2m", "90s", 90 * clock.Second},
		{"a comment", "at 20s kill c2", "at 20s kill c2  # dead", 2 * clock.Minute},
	} {
		s := openText(t, edited)
		before := play(s, 1).Head().Digest()
		text := strings.Replace(edited, c.old, c.new, 1)
		id, diagnostics := s.Edit(1, text)
		if id != 2 || len(diagnostics) > 0 {
			t.Fatalf("%s: branch %d, %v", c.name, id, diagnostics)
		}
		b := play(s, id)
		if b.ForkAt != clock.Time(c.fork) || b.Parent != 1 {
			t.Errorf("%s: begins at %s from branch %d", c.name, b.ForkAt, b.Parent)
		}
		if got := s.Text(id); got != text {
			t.Errorf("%s: the text is\n%s", c.name, got)
		}
		if got, want := b.Head().Digest(), play(openText(t, text), 1).Head().Digest(); got != want {
			t.Errorf("%s: digest %x, the text's is %x", c.name, got, want)
		}
		if s.Text(1) != edited || play(s, 1).Head().Digest() != before {
			t.Errorf("%s: branch 1 has changed", c.name)
		}
	}
}

// TestEditChangesItsOwnBranch: typing on does not make branch after branch, but
// what somebody did or built on stays.
func TestEditChangesItsOwnBranch(t *testing.T) {
	s := openText(t, edited)
	edit := func(id int, old, new string) int {
		t.Helper()
		got, diagnostics := s.Edit(id, strings.Replace(s.Text(id), old, new, 1))
		if len(diagnostics) > 0 {
			t.Fatal(diagnostics)
		}
		play(s, got)
		return got
	}
	act := func(id int, at clock.Duration, line string) int {
		t.Helper()
		got, diagnostics := s.Act(id, clock.Time(at), line)
		if len(diagnostics) > 0 {
			t.Fatal(diagnostics)
		}
		return got
	}
	if got := edit(1, "partitions=4", "partitions=4"); got != 1 {
		t.Errorf("no change made branch %d", got)
	}
	edit(1, "kill c2", "stop c2")
	if got := edit(2, "at 20s", "at 25s"); got != 2 || s.Branch(2).ForkAt != clock.Time(20*clock.Second) {
		t.Errorf("typing on made branch %d, from %s", got, s.Branch(2).ForkAt)
	}
	if got := act(2, 10*clock.Second, "kill c1"); got != 3 {
		t.Errorf("acting before the change extended branch %d", got)
	}
	if got := edit(2, "at 25s", "at 26s"); got != 4 {
		t.Errorf("a branch that another one comes from became branch %d", got)
	}
	if got := act(4, 30*clock.Second, "kill c1"); got != 4 {
		t.Errorf("acting behind the change made branch %d", got)
	}
	if got := edit(4, "at 26s", "at 27s"); got != 5 || !strings.Contains(s.Text(5), "at 30s kill c1") {
		t.Errorf("an edit of a branch with an act made branch %d:\n%s", got, s.Text(5))
	}
	if got := s.Text(1); got != edited {
		t.Errorf("branch 1 is now\n%s", got)
	}
}

func TestEditRefuses(t *testing.T) {
	s := openText(t, edited)
	if id, diagnostics := s.Edit(1, edited+"at 5s kil c1\n"); id != 0 || len(diagnostics) != 1 || diagnostics[0].Line != 8 {
		t.Errorf("branch %d, %v", id, diagnostics)
	}
	if len(s.Branches()) != 1 {
		t.Error("a text with an error made a branch")
	}
	for len(s.Branches()) < session.MaxBranches {
		if _, diagnostics := s.Edit(1, edited+strings.Repeat("# x\n", len(s.Branches()))); len(diagnostics) > 0 {
			t.Fatal(diagnostics)
		}
	}
	if id, diagnostics := s.Edit(1, edited+"# one more\n"); id != 0 || len(diagnostics) != 1 {
		t.Errorf("branch %d, %v", id, diagnostics)
	}
}

// TestExpectsAreForTheText: what was written is checked, not what was done to it.
func TestExpectsAreForTheText(t *testing.T) {
	s := openText(t, strings.Replace(edited, "members=3", "members=7", 1))
	failures := func(id int) int { return len(play(s, id).Failures) }
	id, _ := s.Edit(1, strings.Replace(s.Text(1), "members=7", "members=8", 1))
	if got := []int{failures(1), failures(id)}; !slices.Equal(got, []int{1, 1}) {
		t.Errorf("failures: %v", got)
	}
	if _, diagnostics := s.Act(id, clock.Time(30*clock.Second), "start c2"); len(diagnostics) > 0 || failures(id) != 0 {
		t.Errorf("%v, %d failures", diagnostics, failures(id))
	}
}

// TestTextIsTheBranch: a click and a line are the same run, in whatever order
// they came.
func TestTextIsTheBranch(t *testing.T) {
	s := openText(t, strings.Replace(edited, "at 20s", "at 31s consumer c9 group=g topics=orders\nat 20s", 1))
	branch := 1
	for _, c := range []struct {
		at   clock.Duration
		line string
	}{
		{40 * clock.Second, "kill c1"}, {10 * clock.Second, "consumer c5 group=g topics=orders"}, {20 * clock.Second, "stop c3"},
		{31 * clock.Second, "consumer c4 group=h topics=orders"}, {31 * clock.Second, "kill broker 1"}, {5 * clock.Second, "alter topic orders partitions=6"},
	} {
		id, diagnostics := s.Act(branch, clock.Time(c.at), c.line)
		if len(diagnostics) > 0 {
			t.Fatalf("%s: %v", c.line, diagnostics)
		}
		branch = id
		if got, want := play(openText(t, s.Text(branch)), 1).Head().Digest(), play(s, branch).Head().Digest(); got != want {
			t.Errorf("after %s: the text ends with %x, the branch with %x\n%s", c.line, got, want, s.Text(branch))
		}
	}
	commented, _ := s.Edit(branch, "# a comment\n\n"+s.Text(branch))
	if got, want := play(s, commented).Head().Digest(), play(s, branch).Head().Digest(); got != want {
		t.Errorf("a comment makes %x of %x", got, want)
	}
}

// TestActNeedsAText: what could not be written down is refused.
func TestActNeedsAText(t *testing.T) {
	s := openText(t, strings.Replace(edited, "run until", "at 50s alter topic orders partitions=6\nrun until", 1))
	id, diagnostics := s.Act(1, clock.Time(40*clock.Second), "alter topic orders partitions=9")
	if id != 0 || len(diagnostics) != 1 || !strings.Contains(diagnostics[0].Message, "in line 7: ") {
		t.Errorf("branch %d, %v", id, diagnostics)
	}
	if id, diagnostics := s.Act(1, clock.Time(60*clock.Second), "alter topic orders partitions=9"); id != 2 {
		t.Errorf("branch %d, %v", id, diagnostics)
	}
}
