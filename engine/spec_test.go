package engine_test

import (
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"rebalancelab/engine/kafka"
	"rebalancelab/engine/rule"
)

var (
	ruleInSpec       = regexp.MustCompile(`(?m)^- \*\*([A-Z]+-\d+)\*\*((?:.*\n  )*.*)$`)
	cited            = regexp.MustCompile("KIP-\\d+|classic-[\\d.]+-|`[\\w.]+`")
	featureRow       = regexp.MustCompile(`(?m)^\t(\w+):\s+\{(?:never|Version)`)
	featureAsked     = regexp.MustCompile(`\bkafka\.(\w+)\b`)
	ruleName         = regexp.MustCompile(`\b[A-Z]+-\d+\b`)
	rulesInStory     = regexp.MustCompile(`(?m)^# Rules:((?:.*\n# )*?.*)$`)
	consumerDefaults = regexp.MustCompile("(?m)^\\| `([a-z.]+)` \\|")
)

// ours are the rules about what is no part of Kafka: the simulation's time,
// network and work.
var ours = map[string]bool{"TIME-1": true, "TIME-2": true, "CLUSTER-4": true, "CLUSTER-5": true, "NET-1": true, "NET-3": true, "NET-4": true, "WORK-1": true, "WORK-4": true, "WORK-5": true}

// TestSpec holds that every rule of SPEC.md says what of Kafka it mirrors and is
// shown by a transcript, that the rules that the coordinator tells stand there, and
// that every transcript names rules that do.
func TestSpec(t *testing.T) {
	spec, err := os.ReadFile("SPEC.md")
	if err != nil {
		t.Fatal(err)
	}
	shown := map[string]bool{}
	for _, m := range ruleInSpec.FindAllStringSubmatch(string(spec), -1) {
		if _, twice := shown[m[1]]; twice {
			t.Errorf("rule %s stands twice in SPEC.md", m[1])
		}
		shown[m[1]] = false
		if !cited.MatchString(m[2]) && !ours[m[1]] {
			t.Errorf("%s cites no method of Kafka, no KIP, no recording", m[1])
		}
	}
	for r := rule.None + 1; r < rule.Count; r++ {
		if _, ok := shown[r.String()]; !ok {
			t.Errorf("SPEC.md lacks %s, which the coordinator tells", r)
		}
	}
	if len(shown) < 40 {
		t.Errorf("SPEC.md has %d rules only", len(shown))
	}
	for _, name := range transcripts(t) {
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		head := rulesInStory.FindStringSubmatch(string(text))
		if head == nil {
			t.Errorf("%s names no rules", name)
			continue
		}
		named, _, _ := strings.Cut(head[1], "Kafka:")
		for _, rule := range ruleName.FindAllString(named, -1) {
			if _, known := shown[rule]; !known {
				t.Errorf("%s names %s, which is not in SPEC.md", name, rule)
			}
			shown[rule] = true
		}
	}
	var unshown []string
	for rule, ok := range shown {
		if !ok {
			unshown = append(unshown, rule)
		}
	}
	slices.Sort(unshown)
	if len(unshown) > 0 {
		t.Errorf("no transcript shows %s", strings.Join(unshown, ", "))
	}
}

// described are features that lie in the course of an event of the coordinator in
// Java; no single place asks for them.
var described = map[string]bool{"LeaveTogether": true, "OffsetDeletionKeepsGroup": true}

// TestFeaturesUsed holds that the table of eras is the code's: the coordinator asks
// for each of its features.
func TestFeaturesUsed(t *testing.T) {
	table, err := os.ReadFile("kafka/feature.go")
	if err != nil {
		t.Fatal(err)
	}
	files, err := filepath.Glob("co*/*.go") // coordinator, consumer
	if err != nil {
		t.Fatal(err)
	}
	used := map[string]bool{}
	for _, name := range files {
		code, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		if strings.HasSuffix(name, "_test.go") {
			continue
		}
		for _, m := range featureAsked.FindAllStringSubmatch(string(code), -1) {
			used[m[1]] = true
		}
	}
	rows := featureRow.FindAllStringSubmatch(string(table), -1)
	if len(rows) != int(kafka.FeatureCount) {
		t.Fatalf("%d rows, %d features", len(rows), kafka.FeatureCount)
	}
	for _, row := range rows {
		if !used[row[1]] && !described[row[1]] {
			t.Errorf("nobody asks for %s", row[1])
		}
	}
}

func transcripts(t *testing.T) []string {
	t.Helper()
	var names []string
	err := filepath.WalkDir(".", func(name string, d fs.DirEntry, err error) error {
		if d != nil && d.IsDir() && d.Name() == "script" {
			return fs.SkipDir // its texts are no stories
		}
		if err == nil && !d.IsDir() && filepath.Base(filepath.Dir(name)) == "testdata" && strings.HasSuffix(name, ".txt") {
			names = append(names, name)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return names
}

// TestDefaultsTable holds that SPEC.md lists every setting with the defaults
// that the engine uses.
func TestDefaultsTable(t *testing.T) {
	spec, err := os.ReadFile("SPEC.md")
	if err != nil {
		t.Fatal(err)
	}
	var listed []string
	for _, m := range consumerDefaults.FindAllStringSubmatch(string(spec), -1) {
		listed = append(listed, m[1])
	}
	for c := kafka.NoConfig + 1; c < kafka.ConfigCount; c++ {
		if !slices.Contains(listed, c.String()) {
			t.Errorf("SPEC.md does not list %s", c)
		}
		row := "| `" + c.String() + "` | " + defaultsOf(c.Def()) + " |"
		if !strings.Contains(string(spec), row) {
			t.Errorf("SPEC.md lacks the row %s", row)
		}
	}
}

// defaultsOf prints a setting's defaults with the versions that they hold from.
func defaultsOf(def *kafka.ConfigDef) string {
	var list []string
	for i, d := range def.Defaults {
		since := d.Since
		if i == 0 {
			since = def.Since
		}
		text := def.Written(d)
		if since != (kafka.Version{}) {
			text = since.String() + "+: " + text
		}
		list = append(list, text)
	}
	if def.Until != (kafka.Version{}) {
		list = append(list, def.Until.String()+"+: –")
	}
	return strings.Join(list, " · ")
}
