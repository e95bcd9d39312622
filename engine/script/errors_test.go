package script

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

var update = flag.Bool("update", false, "rewrite the expected outputs under testdata")

// TestErrors plays the files testdata/errors-*.txt: a script, then blocks of
// lines that are added to it with what Parse says.
func TestErrors(t *testing.T) {
	if *update && os.Getenv("CI") != "" {
		t.Fatal("-update is refused where $CI is set: read the differences first")
	}
	files, err := filepath.Glob("testdata/errors-*.txt")
	if err != nil || len(files) == 0 {
		t.Fatal("no files", err)
	}
	for _, file := range files {
		t.Run(filepath.Base(file), func(t *testing.T) { checkErrors(t, file) })
	}
}

func checkErrors(t *testing.T, file string) {
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	head, blocks, _ := strings.Cut(string(data), "====\n")
	base := ""
	for line := range strings.Lines(head) {
		if !strings.HasPrefix(line, "#") && line != "\n" {
			base += line
		}
	}
	out := head + "====\n"
	for block := range strings.SplitSeq(strings.Trim(blocks, "\n"), "\n\n") {
		input, want, _ := strings.Cut(block+"\n", "----\n")
		got := described(base + input)
		if want = strings.TrimRight(want, "\n"); got != want && !*update {
			t.Errorf("%s%s\nsays\n%s\nexpected\n%s", base, input, got, want)
		}
		out += "\n" + input + "----\n" + got + "\n"
	}
	if *update {
		if err := os.WriteFile(file, []byte(out), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

func described(text string) string {
	f, diagnostics := Parse(text)
	if f != nil {
		return "ok"
	}
	var lines []string
	for _, d := range diagnostics {
		lines = append(lines, fmt.Sprintf("%d:%d-%d %s", d.Line, d.Column, d.EndColumn, d.Message))
	}
	return strings.Join(lines, "\n")
}
