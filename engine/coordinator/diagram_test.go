package coordinator

import (
	"os"
	"strings"
	"testing"

	"rebalancelab/engine/kafka"
)

// diagram prints the transition table as SPEC.md shows it.
func diagram() string {
	var b strings.Builder
	b.WriteString("```mermaid\nstateDiagram-v2\n    [*] --> Empty\n    [*] --> Stable\n")
	for from := range len(moves) {
		for to := range len(moves) {
			if from, to := kafka.GroupState(from), kafka.GroupState(to); from != to && mayMove(from, to) {
				b.WriteString("    " + from.String() + " --> " + to.String() + "\n")
			}
		}
	}
	b.WriteString("    Dead --> [*]\n```\n")
	return b.String()
}

// TestDiagram holds that the state diagram in SPEC.md is that of the table.
func TestDiagram(t *testing.T) {
	raw, err := os.ReadFile("../SPEC.md")
	if err != nil {
		t.Fatal(err)
	}
	before, rest, found := strings.Cut(string(raw), "```mermaid\n")
	old, after, closed := strings.Cut(rest, "```\n")
	if !found || !closed {
		t.Fatal("SPEC.md has no state diagram")
	}
	switch want := diagram(); {
	case "```mermaid\n"+old+"```\n" == want:
	case *update:
		if err := os.WriteFile("../SPEC.md", []byte(before+want+after), 0o644); err != nil {
			t.Fatal(err)
		}
	default:
		t.Errorf("the diagram in SPEC.md is not that of the transition table, which is\n%s", want)
	}
}
