package script

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// shown marks every token of a text: kind, then its words.
func shown(text string) []string {
	lines := strings.Split(text, "\n")
	var out []string
	for _, t := range tokens(text) {
		out = append(out, t.Kind.String()+" "+string([]rune(lines[t.Line-1])[t.Column-1:t.EndColumn-1]))
	}
	return out
}

func TestTokens(t *testing.T) {
	for text, want := range map[string][]string{
		"# α":                            {"comment # α"},
		"kafka 3.9  # β ":                {"keyword kafka", "value 3.9", "comment # β"},
		"topic 订单 partitions=6":          {"keyword topic", "name 订单", "key partitions", "value 6"},
		`consumer "é #" group=g`:         {"keyword consumer", `name "é #"`, "key group", "value g"},
		"at 20s kill c2":                 {"keyword at", "value 20s", "verb kill", "name c2"},
		"at 20s kill broker 2":           {"keyword at", "value 20s", "verb kill", "keyword broker", "value 2"},
		"at 1s stall for for 5s":         {"keyword at", "value 1s", "verb stall", "name for", "keyword for", "value 5s"},
		"at 1s append lost for 5s":       {"keyword at", "value 1s", "verb append", "keyword lost", "keyword for", "value 5s"},
		"at 1s append fail NONE for 5s":  {"keyword at", "value 1s", "verb append", "keyword fail", "name NONE", "keyword for", "value 5s"},
		`note at 65s "c2 # is"`:          {"keyword note", "keyword at", "value 65s", `quoted "c2 # is"`},
		"expect at 1s group g members=3": {"keyword expect", "keyword at", "value 1s", "keyword group", "name g", "key members", "value 3"},
		"run until 75s":                  {"keyword run", "keyword until", "value 75s"},
		"group g x=":                     {"keyword group", "name g", "key x"},
		"\xff":                           nil,
	} {
		if got := shown(text); !slices.Equal(got, want) {
			t.Errorf("%s: %q", text, got)
		}
	}
}

// TestMeantMendsTheLine writes every suggestion of the error files: what was
// said there is no longer said.
func TestMeantMendsTheLine(t *testing.T) {
	files, _ := filepath.Glob("testdata/errors-*.txt")
	mended := 0
	for _, file := range files {
		data, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		head, blocks, _ := strings.Cut(string(data), "====\n")
		for block := range strings.SplitSeq(strings.Trim(blocks, "\n"), "\n\n") {
			input, _, _ := strings.Cut(block+"\n", "----\n")
			_, diagnostics := Parse(head + input)
			for _, d := range diagnostics {
				if d.Meant == "" {
					continue
				}
				mended++
				text := replaced(head+input, d)
				_, after := Parse(text)
				if slices.ContainsFunc(after, func(other Diagnostic) bool { return other.Line == d.Line && other.Message == d.Message }) {
					t.Errorf("%s\nstill says %s", text, d.Message)
				}
			}
		}
	}
	if mended < 15 {
		t.Errorf("only %d suggestions", mended)
	}
}

// replaced is the text with what a diagnostic means.
func replaced(text string, d Diagnostic) string {
	lines := strings.Split(text, "\n")
	line := []rune(lines[d.Line-1])
	lines[d.Line-1] = string(line[:d.Column-1]) + d.Meant + string(line[d.EndColumn-1:])
	return strings.Join(lines, "\n")
}

func TestMeantSetting(t *testing.T) {
	_, diagnostics := Parse("topic t partitions=1\ngroup g assignor=range session.timout.ms=45000\nconsumer c1 group=g topics=t")
	want := Diagnostic{Line: 2, Column: 24, EndColumn: 41, Message: "session.timout.ms is no setting of a consumer; did you mean session.timeout.ms?",
		Meant: "session.timeout.ms", About: "consumer setting, 45000 by default since 3.0"}
	if len(diagnostics) != 1 || diagnostics[0] != want {
		t.Errorf("%+v", diagnostics)
	}
}

func TestHover(t *testing.T) {
	text := "kafka 3.9\ntopic orders partitions=6\ngroup g max.poll.interval.ms=5 wrong\nconsumer c1..c3 group=g topics=orders\nat 5s kill c2\nexpect at 6s group g members=3"
	for _, c := range []struct {
		line, column int
		want         string
	}{
		{1, 2, "line kafka: V"},
		{1, 7, ""},
		{2, 8, "topic orders: 6 partitions"},
		{2, 16, "key partitions: "},
		{3, 12, "setting max.poll.interval.ms: consumer setting since 0.10.1, 300000 by default"},
		{5, 8, "command kill: C or broker K"},
		{5, 12, "consumer c2: group g, topics orders"},
		{6, 24, "field members: "},
		{6, 20, "group g: "},
		{6, 99, ""},
		{99, 1, ""},
	} {
		got := ""
		if h := Hover(text, c.line, c.column); h != nil {
			got = h.Kind + " " + h.Name + ": " + h.Usage
			if c.column < h.Column || c.column >= h.EndColumn {
				t.Errorf("%d:%d: columns %d to %d", c.line, c.column, h.Column, h.EndColumn)
			}
		}
		if got != c.want {
			t.Errorf("%d:%d: %q", c.line, c.column, got)
		}
	}
}
