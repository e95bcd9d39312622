package coordinator

import (
	"flag"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
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

func playTranscript(t *testing.T, file string) {
	raw, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	stage := &stage{t: t}
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

var (
	ruleDefined = regexp.MustCompile(`(?m)^- \*\*([A-Z]+-\d+)\*\*`)
	ruleNamed   = regexp.MustCompile(`[A-Z]+-\d+`)
)

// TestRules holds RULES.md and the transcripts together: every rule is shown by
// one, and none names a rule that does not exist.
func TestRules(t *testing.T) {
	text, err := os.ReadFile("RULES.md")
	if err != nil {
		t.Fatal(err)
	}
	shown := map[string]bool{}
	for _, m := range ruleDefined.FindAllStringSubmatch(string(text), -1) {
		if _, twice := shown[m[1]]; twice {
			t.Errorf("rule %s is defined twice", m[1])
		}
		shown[m[1]] = false
	}
	files, _ := filepath.Glob("testdata/*.txt")
	for _, file := range files {
		raw, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		named := rulesOf(string(raw))
		if len(named) == 0 {
			t.Errorf("%s names no rules", file)
		}
		for _, rule := range named {
			if _, ok := shown[rule]; !ok {
				t.Errorf("%s names %s, which RULES.md does not have", file, rule)
			}
			shown[rule] = true
		}
	}
	var missing []string
	for rule, ok := range shown {
		if !ok {
			missing = append(missing, rule)
		}
	}
	slices.Sort(missing)
	if len(missing) > 0 {
		t.Errorf("no transcript shows %s", strings.Join(missing, ", "))
	}
}

// rulesOf lists the rules in the "# Rules:" lines of a transcript.
func rulesOf(text string) (rules []string) {
	for line := range strings.Lines(text) {
		if list, ok := strings.CutPrefix(line, "# Rules:"); ok {
			list, _, _ = strings.Cut(list, "Kafka:")
			rules = append(rules, ruleNamed.FindAllString(list, -1)...)
		}
	}
	return rules
}
