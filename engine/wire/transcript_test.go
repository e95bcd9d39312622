package wire_test

import (
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"rebalancelab/engine/session"
	"rebalancelab/engine/wire"
)

// Rewrite the transcripts with `go test ./engine/wire -update`, read the
// difference, and commit only what you can explain.
var update = flag.Bool("update", false, "rewrite the transcripts")

const divider = "----\n"

// TestTranscripts plays the scenario above each divider and compares the events
// with what stands below it.
func TestTranscripts(t *testing.T) {
	if *update && os.Getenv("CI") != "" {
		t.Fatal("transcripts are not rewritten in CI")
	}
	names, _ := filepath.Glob("testdata/*.txt")
	if len(names) == 0 {
		t.Fatal("there are no transcripts")
	}
	for _, name := range names {
		t.Run(strings.TrimSuffix(filepath.Base(name), ".txt"), func(t *testing.T) {
			text, err := os.ReadFile(name)
			if err != nil {
				t.Fatal(err)
			}
			scenario, want, _ := strings.Cut(string(text), divider)
			got := transcript(t, scenario)
			if again := transcript(t, scenario); again != got {
				t.Fatal("two runs differ")
			}
			if *update {
				if err := os.WriteFile(name, []byte(scenario+divider+got), 0o644); err != nil {
					t.Fatal(err)
				}
				return
			}
			if got != want {
				t.Errorf("%s", firstDifference(want, got))
			}
		})
	}
}

func transcript(t *testing.T, scenario string) string {
	t.Helper()
	s, diagnostics := session.Open(scenario)
	if s == nil {
		t.Fatalf("%v", diagnostics)
	}
	for !s.Play(1, 1<<20) {
	}
	b := s.Branch(1)
	for _, f := range b.Failures {
		t.Errorf("line %d: expected %s=%s, got %s", f.Line, f.Field, f.Expected, f.Got)
	}
	var out []byte
	log := b.Head().Log()
	for i := range log.Len() {
		out = wire.AppendText(out, log.At(i), b.Head())
	}
	return string(out)
}

func firstDifference(want, got string) string {
	w, g := strings.Split(want, "\n"), strings.Split(got, "\n")
	for i := range max(len(w), len(g)) {
		line := func(lines []string) string {
			if i < len(lines) {
				return lines[i]
			}
			return "(nothing)"
		}
		if line(w) != line(g) {
			return "event " + line(w) + "\n  is now " + line(g)
		}
	}
	return "equal"
}
