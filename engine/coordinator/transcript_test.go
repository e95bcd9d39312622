package coordinator

import (
	"flag"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"rebalancelab/engine/rule"
)

var update = flag.Bool("update", false, "rewrite the transcripts' output")

// TestTranscripts plays testdata/*.txt. A transcript is a list of blocks: comment
// lines, command lines, a line "----" and the output up to an empty line. A block
// without output prints "ok".
func TestTranscripts(t *testing.T) {
	if *update && os.Getenv("CI") != "" {
		t.Fatal("-update is refused where $CI is set: read the differences first")
	}
	files, err := filepath.Glob("testdata/*.txt")
	if err != nil || len(files) == 0 {
		t.Fatal("no transcripts", err)
	}
	for _, file := range files {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".txt"), func(t *testing.T) { playTranscript(t, file) })
	}
}

// ruleNamed finds the rules that a transcript's head names.
var ruleNamed = regexp.MustCompile(`\b[A-Z]+-\d+\b`)

// checkRules holds that a transcript really meets the rules that it names.
func checkRules(t *testing.T, text string, met *rule.Set) {
	head, _, _ := strings.Cut(text, "\n\n")
	_, head, _ = strings.Cut(head, "# Rules:")
	head, _, _ = strings.Cut(head, "Kafka:")
	for _, name := range ruleNamed.FindAllString(head, -1) {
		r := rule.None + 1
		for r < rule.Count && r.String() != name {
			r++
		}
		if r == rule.Count || !met.Has(r) {
			t.Errorf("the transcript names %s and does not meet it", name)
		}
	}
}

func playTranscript(t *testing.T, file string) {
	raw, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	stage := &stage{t: t}
	defer func() { checkRules(t, string(raw), &stage.out.Rules) }()
	var blocks []string
	for _, block := range strings.Split(strings.TrimSpace(string(raw)), "\n\n") {
		input, want, isBlock := strings.Cut(block, "\n----\n")
		if !isBlock {
			input, isBlock = strings.CutSuffix(block, "\n----")
		}
		if !isBlock {
			blocks = append(blocks, block) // only comments
			continue
		}
		got := stage.play(input)
		if got != want && !*update {
			t.Errorf("%s\n--- got\n%s\n--- want\n%s", input, got, want)
		}
		blocks = append(blocks, input+"\n----\n"+got)
	}
	if *update && !t.Failed() {
		if err := os.WriteFile(file, []byte(strings.Join(blocks, "\n\n")+"\n"), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}
