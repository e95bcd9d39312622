package link

import (
	"bufio"
	"encoding/json"
	"errors"
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"rebalancelab/engine/script"
)

var update = flag.Bool("update", false, "add the gallery's links to testdata/links.jsonl")

// example is a line of testdata/links.jsonl: a link that was once sent, and what
// it holds.
type example struct {
	Fragment string `json:"fragment"`
	Link     Link   `json:"link"`
}

const corpus = "testdata/links.jsonl"

// TestOldLinks reads every link that was ever made; web/test reads them too.
func TestOldLinks(t *testing.T) {
	if *update {
		addGallery(t)
	}
	examples := readCorpus(t)
	if len(examples) < 10 {
		t.Fatalf("%d links only", len(examples))
	}
	for _, e := range examples {
		got, err := Parse("https://example.org/lab/" + e.Fragment)
		if err != nil || *got != e.Link {
			t.Errorf("%s\n%+v %v", e.Fragment, got, err)
		}
	}
}

func readCorpus(t *testing.T) []example {
	t.Helper()
	file, err := os.Open(corpus)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	var list []example
	lines := bufio.NewScanner(file)
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		var e example
		if err := json.Unmarshal(lines.Bytes(), &e); err != nil {
			t.Fatal(err)
		}
		list = append(list, e)
	}
	return list
}

// addGallery appends links that are not there yet; the file only grows.
func addGallery(t *testing.T) {
	known, _ := os.ReadFile(corpus)
	file, err := os.OpenFile(corpus, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o644)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	for _, l := range gallery(t) {
		line, _ := json.Marshal(example{l.Fragment(), l})
		if !strings.Contains(string(known), string(line)) {
			if _, err := file.Write(append(line, '\n')); err != nil {
				t.Fatal(err)
			}
		}
	}
}

func gallery(t testing.TB) []Link {
	names, _ := filepath.Glob("../../engine/script/scenarios/*.txt")
	links := []Link{{Script: "", At: -1}, {Script: "# 订单 🐟 טסט\n", At: 1, Group: "订单 &=", Event: 12, View: "r=members&x=causal"}}
	for i, name := range names {
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		links = append(links, Link{Script: string(text), At: 1_500_000, Digest: "9f3c41ae"[:8-i%2*8]})
	}
	return links
}

func TestRoundTrip(t *testing.T) {
	links := append(gallery(t), Link{Script: strings.Repeat("# a comment that goes on\n", 10_000), At: 0})
	for _, l := range links {
		got, err := Parse(l.Fragment())
		if err != nil || *got != l {
			t.Errorf("%.80q: %v", l.Script, err)
		}
	}
}

// TestLength holds the promise that a scenario of forty commands fits into 500
// characters.
func TestLength(t *testing.T) {
	text, err := os.ReadFile("testdata/forty-commands.txt")
	if err != nil {
		t.Fatal(err)
	}
	if _, diagnostics := script.Parse(string(text)); len(diagnostics) > 0 || strings.Count(string(text), "\nat ") != 40 {
		t.Fatal(diagnostics)
	}
	l := Link{Script: string(text), At: 41_000_000, Digest: "9f3c41ae", Event: 119}
	if n := len(l.Fragment()); n > 500 {
		t.Errorf("forty commands take %d characters", n)
	}
}

func TestWrongLinks(t *testing.T) {
	good := gallery(t)[2].Fragment()
	for name, c := range map[string]struct {
		link string
		want error
	}{
		"no fragment":   {"https://example.org/", ErrNone},
		"another one":   {"https://example.org/#about", ErrNone},
		"gallery":       {"#s=consumer-dies", ErrNone},
		"version 0":     {"#0=x", ErrNone},
		"newer":         {"#2=whatever", ErrNewer},
		"truncated":     {good[:len(good)/2], ErrDamaged},
		"nothing":       {"#1=", ErrDamaged},
		"no base64":     {"#1=" + "é", ErrDamaged},
		"another order": {"#1=" + good[5:9] + good[3:5] + good[9:], ErrDamaged},
		"too long":      {"#1=" + strings.Repeat("A", MaxLength), ErrTooLong},
		"too much text": {(&Link{Script: strings.Repeat("#\n", script.MaxBytes)}).Fragment(), ErrTooLong},
		"not UTF-8":     {(&Link{Script: "\xff"}).Fragment(), ErrDamaged},
	} {
		if l, err := Parse(c.link); !errors.Is(err, c.want) {
			t.Errorf("%s: %+v %v", name, l, err)
		}
	}
	if _, err := Parse(good[:strings.Index(good, "&")] + "&t=soon"); err == nil || !strings.Contains(err.Error(), "t=soon") {
		t.Errorf("a wrong time: %v", err)
	}
}

// TestSpoiledLinks: what programs and sentences do to a link is undone.
func TestSpoiledLinks(t *testing.T) {
	want := gallery(t)[2]
	good := want.Fragment()
	bare, _, _ := strings.Cut(good, "&")
	for _, spoiled := range []string{good + ".", good + ")", good + ", ", good + "?fbclid=abc_1", strings.ReplaceAll(good, "&", "&amp;"),
		strings.ReplaceAll(strings.Replace(good, "=", "%3D", 1), "&", "%26"), strings.ReplaceAll(good, "&", "%26")} {
		if got, err := Parse(spoiled); err != nil || *got != want {
			t.Errorf("%s: %+v %v", spoiled, got, err)
		}
	}
	for _, spoiled := range []string{bare + ".", bare + "!”"} {
		if got, err := Parse(spoiled); err != nil || got.Script != want.Script {
			t.Errorf("%s: %v", spoiled, err)
		}
	}
}

// TestEveryWrongCharacter: a character that was changed is noticed.
func TestEveryWrongCharacter(t *testing.T) {
	good := gallery(t)[3].Fragment()
	packed := good[:strings.Index(good, "&")]
	want, _ := Parse(packed)
	for i := 3; i < len(packed); i++ {
		for _, c := range []byte("Az0-") {
			wrong := packed[:i] + string(c) + packed[i+1:]
			if l, err := Parse(wrong); err == nil && l.Script != want.Script {
				t.Fatalf("character %d: %q is read as\n%s", i, c, l.Script)
			}
		}
	}
}

func FuzzParse(f *testing.F) {
	for _, l := range gallery(f) {
		f.Add(l.Fragment())
	}
	f.Add("#1=&t=&e=x&x=1&x=2")
	f.Fuzz(func(t *testing.T, text string) {
		l, err := Parse(text)
		if err != nil {
			return
		}
		again, err := Parse(l.Fragment())
		if err != nil || *again != *l {
			t.Fatalf("%q: %+v, then %+v %v", text, l, again, err)
		}
	})
}
