package script

import (
	"strings"
	"testing"

	"rebalancelab/engine"
)

// FuzzParse holds parse∘print∘parse = parse and print∘parse∘print = print.
func FuzzParse(f *testing.F) {
	for _, seed := range []string{designExample, "", "\n", "# x", "kafka 0.9\nconsumer c1..c2 group=g topics=t\ntopic t partitions=1",
		"topic \"\\u00e9 #=,\" partitions=1\nconsumer a,b group=\"x y\" topics=\"é #=,\" client.id=\"{n}\\n\" process=0.1ms",
		"at 1s consumer a group=g topics=t\ntopic t partitions=3\nat 1s set a session.timeout.ms=6000\nexpect at 1.05s t-2 lag=00",
		"at 1s kill", "\xff", "run until 1.0000001s", "consumer c99..c100 group=g topics=t", "topic t partitions=1 rate=1/h # ü",
		"at 1s append fail NONE for 1s\nat 0s kill broker 1\nnote at 2s \"\\ud83d\\udc1f\"", "brokers 3\nlink broker 1 broker 2 latency=1s"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		first, diagnostics := Parse(text)
		if (first == nil) != (len(diagnostics) > 0) || len(diagnostics) > MaxDiagnostics {
			t.Fatal("a file or diagnostics:", diagnostics)
		}
		for _, d := range diagnostics {
			if d.Line < 1 || d.Column < 1 || d.EndColumn <= d.Column || d.Message == "" {
				t.Fatalf("%+v", d)
			}
		}
		if first != nil {
			checkRoundTrip(t, first)
		}
	})
}

func checkRoundTrip(t *testing.T, first *File) {
	printed := first.Print()
	second, diagnostics := Parse(printed)
	if second == nil {
		t.Fatalf("printed\n%s\n%v", printed, diagnostics)
	}
	if again := second.Print(); again != printed {
		t.Fatalf("printed\n%s\nthen\n%s", printed, again)
	}
	if a, b := meaning(first), meaning(second); a != b {
		t.Fatalf("read\n%s\nthen\n%s", a, b)
	}
}

// FuzzCommand holds that a branch can say every command that ParseCommand reads,
// unless the original's later commands contradict it.
func FuzzCommand(f *testing.F) {
	file, _ := Parse(small)
	for _, seed := range []string{"kill c1", "at 5s consumer d group=g topics=t", "set c1 client.id=a", "alter topic t partitions=9", "at at"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		c, diagnostics := file.ParseCommand(text, 5*second)
		if len(diagnostics) > 0 {
			return
		}
		branch, diagnostics := file.With([]engine.Command{c}, []int32{6, 7, 8, 9})
		if branch == nil {
			branch, diagnostics = file.With([]engine.Command{c}, nil)
		}
		if branch == nil && !strings.Contains(c.Text, "alter") && !strings.Contains(c.Text, "set") {
			t.Fatal(c.Text, diagnostics)
		}
	})
}

func BenchmarkParse(b *testing.B) {
	text := "topic t partitions=100\nconsumer c1..c2000 group=g topics=t\n" + strings.Repeat("at 1s kill c2000\n", 10_000)
	b.SetBytes(int64(len(text)))
	b.ReportAllocs()
	for b.Loop() {
		Parse(text)
	}
}
