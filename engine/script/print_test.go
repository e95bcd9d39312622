package script

import (
	"testing"

	"rebalancelab/engine/clock"
)

func TestPrint(t *testing.T) {
	for _, c := range []struct{ text, printed string }{
		{"", "rebalance-lab 1\nkafka 3.9\n"},
		{"\ufeff\n\n", "rebalance-lab 1\nkafka 3.9\n\n\n"},
		{"# a\r\n\tkafka   0.9\t# b  \r\n  # c\n\n", "rebalance-lab 1\n# a\nkafka 0.9  # b\n# c\n\n"},
		{"# a\nrebalance-lab 1", "# a\nrebalance-lab 1\nkafka 3.9\n"},
		{"seed 007\nrun until 60000ms", "rebalance-lab 1\nkafka 3.9\nseed 7\nrun until 60s\n"},
		{"kafka 3.9.1\nnetwork loss=1.50% latency=0.001s", "rebalance-lab 1\nkafka 3.9.1\nnetwork loss=1.5% latency=1ms\n"},
		{"topic\u3000t\u00a0partitions=01 rate=060/s", "rebalance-lab 1\nkafka 3.9\ntopic t partitions=1 rate=60/s\n"},
	} {
		if got := mustParse(t, c.text).Print(); got != c.printed {
			t.Errorf("%q prints\n%sexpected\n%s", c.text, got, c.printed)
		}
	}
}

func TestSpans(t *testing.T) {
	for _, c := range []struct {
		text   string
		micros clock.Duration
		normal string
	}{
		{"0ms", 0, "0s"},
		{"5ms", 5000, "5ms"},
		{"0.5ms", 500, "0.5ms"},
		{"0.001ms", 1, "0.001ms"},
		{"100ms", 100_000, "100ms"},
		{"0.5s", 500_000, "500ms"},
		{"1000ms", 1_000_000, "1s"},
		{"2.7s", 2_700_000, "2.7s"},
		{"2.75s", 2_750_000, "2750ms"},
		{"15000.001ms", 15_000_001, "15000.001ms"},
		{"1m", 60_000_000, "60s"},
		{"90s", 90_000_000, "90s"},
		{"120s", 120_000_000, "2m"},
		{"1.5h", 5_400_000_000, "90m"},
		{"60m", 3_600_000_000, "1h"},
		{"720h", clock.Duration(clock.Horizon), "720h"},
	} {
		got, problem := parseSpan(c.text)
		if got != c.micros || problem != "" || got.String() != c.normal {
			t.Errorf("%s is %d µs, %s, printed %s", c.text, got, problem, got.String())
		}
		if again, _ := parseSpan(c.normal); again != got {
			t.Errorf("%s is %d µs", c.normal, again)
		}
	}
	for _, text := range []string{"", "s", ".s", "1.s", ".5s", "1..5s", "1.2.3s", "1e3s", "+1s", "-1s", "1", "1x", "1 s", "720.001h",
		"0.0001ms", "99999999999999999999s", "0.00000000000000001h", "٣s"} {
		if got, problem := parseSpan(text); problem == "" {
			t.Errorf("%q is %d µs", text, got)
		}
	}
}
