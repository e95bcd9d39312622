package script

import (
	"slices"
	"strings"
	"testing"

	"rebalancelab/engine"
	"rebalancelab/engine/clock"
)

const small = `rebalance-lab 1
kafka 3.9
topic t partitions=4
group g session.timeout.ms=30000
consumer c1..c2 group=g topics=t
at 10s kill c1  # first
at 20s consumer c3 group=g topics=t
at 20s alter topic t partitions=6
at 40s set c2 heartbeat.interval.ms=8000
run until 60s
`

func TestParseCommand(t *testing.T) {
	f := mustParse(t, small)
	for _, c := range []struct {
		text string
		at   clock.Duration
		want string // the command's text, or the message
	}{
		{"  kill   c2 # now", 5 * clock.Second, "at 5s kill c2"},
		{"at 12.50s stall c2 for 120s", 0, "at 12.5s stall c2 for 2m"},
		{"kill c3", 20 * clock.Second, "at 20s kill c3"},
		{"kill c3", 19 * clock.Second, "consumer c3 is added only at 20s, in line 7"},
		{"consumer c3 group=g topics=t", 5 * clock.Second, "consumer c3 stands in line 7 already"},
		{"consumer c4..c5 group=g topics=t client.id=x{n}", 5 * clock.Second, "at 5s consumer c4..c5 group=g topics=t client.id=x{n}"},
		{"alter topic t partitions=5", 15 * clock.Second, "at 15s alter topic t partitions=5"},
		{"alter topic t partitions=5", 25 * clock.Second, "partitions are only added: t has 6 by then"},
		{"set c2 session.timeout.ms=7000", 39 * clock.Second, "at 39s set c2 session.timeout.ms=7000"},
		{"set c2 session.timeout.ms=7000", 40 * clock.Second, "heartbeat.interval.ms (8000) must be less than session.timeout.ms (7000): the client refuses to start"},
		{"kill c2", 61 * clock.Second, "61s is after the end of the run, 60s (run until says it)"},
		{"", 0, "a command is missing; the commands are start, stop, kill, stall, restart, cut, heal, set, alter, append and consumer"},
		{"kill c2\nkill c1", 0, "a command is one line"},
		{"expect at 5s c2 lag=0", 0, "there is no command expect; the commands are start, stop, kill, stall, restart, cut, heal, set, alter, append and consumer"},
		{"topic u partitions=1", 0, "there is no command \"topic\"; the commands are start, stop, kill, stall, restart, cut, heal, set, alter, append and consumer"},
		{"at", 0, "a time is missing behind at"},
		{"kill \xff", 0, "this line is not UTF-8 text"},
		{`kill "c2`, 0, "a text in double quotes does not end on this line"},
	} {
		command, diagnostics := f.ParseCommand(c.text, clock.Time(c.at))
		got := command.Text
		if len(diagnostics) > 0 {
			got = diagnostics[0].Message
		}
		if got != c.want || command.Line != 0 || len(diagnostics) > 0 && diagnostics[0].Line != 1 {
			t.Errorf("%q says %q %+v, expected %q", c.text, got, diagnostics, c.want)
		}
	}
	if _, diagnostics := f.ParseCommand("kill c9", 0); len(diagnostics) != 1 || diagnostics[0].Column != 6 || diagnostics[0].EndColumn != 8 {
		t.Error("columns count in the text that was given:", diagnostics)
	}
}

func TestWith(t *testing.T) {
	f := mustParse(t, small)
	added, _ := f.ParseCommand("consumer c4 group=g topics=t", 5*second)
	branch, diagnostics := f.With([]engine.Command{added}, []int32{6, 8})
	if branch == nil {
		t.Fatal(diagnostics)
	}
	killed, diagnostics := branch.ParseCommand("kill c4", 30*second)
	if len(diagnostics) > 0 {
		t.Fatal(diagnostics)
	}
	branch, _ = f.With([]engine.Command{added, killed}, []int32{6, 8})
	if got, want := branch.Print(), `rebalance-lab 1
kafka 3.9
topic t partitions=4
group g session.timeout.ms=30000
consumer c1..c2 group=g topics=t
at 20s consumer c3 group=g topics=t
at 40s set c2 heartbeat.interval.ms=8000
run until 60s
at 5s consumer c4 group=g topics=t
at 30s kill c4
`; got != want {
		t.Errorf("the branch is\n%s", got)
	}
	if got := branch.Scenario().Commands[0].Consumers[0].Settings.Millis(27); got != 30000 {
		t.Error("a later consumer has its group's defaults:", got)
	}
	if _, diagnostics := f.With([]engine.Command{{Text: "at 30s kill c3"}}, []int32{7}); len(diagnostics) != 1 {
		t.Error("a command that needs a dropped line:", diagnostics)
	}
	if mustParse(t, small).Print() != f.Print() {
		t.Error("a branch changed its file")
	}
}

// TestScenarioIsFresh writes into a scenario and asks again.
func TestScenarioIsFresh(t *testing.T) {
	f := mustParse(t, small+"link c1 broker 1 latency=1s\nbroker 1 group.max.size=3\n")
	before := meaning(f)
	s := f.Scenario()
	s.Topics[0].Partitions, s.Consumers[0].Name, s.Links[0].Latency = 9, "z", 9
	s.Commands[1].Consumers[0].Name, s.BrokerExceptions[0].Value = "z", 9
	s.Consumers[0].Topics = append(s.Consumers[0].Topics, "z")
	if meaning(f) != before {
		t.Error("the file changed with its scenario")
	}
}

func TestLimits(t *testing.T) {
	base := "topic t partitions=1\n"
	for _, c := range []struct{ text, message string }{
		{strings.Repeat("#", MaxBytes+1), "the script has 262145 bytes; at most 262144 are read"},
		{base + "consumer c1..c2001 group=g topics=t", "a script has at most 2000 consumers"},
		{base + "consumer c1..c2000 group=g topics=t\nat 5s consumer d group=g topics=t", "a script has at most 2000 consumers"},
		{repeated(1001, "topic a", " partitions=1\n"), "a script has at most 1000 topics"},
		{repeated(1001, "group a", "\n"), "a script has at most 1000 groups"},
		{base + repeated(1001, "consumer a", " group=\"\" topics=t\n"), "a name is missing"},
		{base + "consumer a group=g topics=t\n" + strings.Repeat("at 1s kill a\n", 10_001), "a script has at most 10000 commands"},
		{"topic " + strings.Repeat("t", 250) + " partitions=1", "a name has at most 249 characters"},
		{strings.Repeat("x\n", 1000), "x begins no line; lines begin with " + listed(keywords[HeaderLine:])},
	} {
		f, diagnostics := Parse(c.text)
		if f != nil || len(diagnostics) == 0 || diagnostics[0].Message != c.message || len(diagnostics) > MaxDiagnostics {
			t.Errorf("%.40q says %.200v, expected %q", c.text, diagnostics, c.message)
		}
	}
	mustParse(t, base+"consumer c1..c2000 group=g topics=t\n"+strings.Repeat("at 1s kill c2000\n", 10_000))
}

func repeated(n int64, prefix, suffix string) string {
	var b strings.Builder
	for i := range n {
		b.WriteString(prefix + decimal(i) + suffix)
	}
	return b.String()
}

func TestQuote(t *testing.T) {
	for name, want := range map[string]string{"c1": "c1", "订单": "订单", "a b": `"a b"`, "": `""`, "broker": `"broker"`,
		"a\"\\\n\t\x01": `"a\"\\\n\t\u0001"`, "🐟": `"🐟"`} {
		got := Quote(name)
		if back, problem := unquoteAny(got); got != want || back != name || problem != "" {
			t.Errorf("Quote(%q) = %s, read as %q %s", name, got, back, problem)
		}
	}
}

func TestComplete(t *testing.T) {
	text := small + "at 20s kill broken\n"
	for _, c := range []struct {
		line, column int
		with         string // the line's text
		want         []string
	}{
		{11, 1, "", []string{"rebalance-lab", "kafka", "seed", "brokers", "broker", "network", "link", "topic", "group", "consumer", "at", "expect", "note", "run"}},
		{11, 3, "co", []string{"consumer"}},
		{11, 9, "at 5s ki", []string{"kill"}},
		{11, 12, "at 5s kill ", []string{"c1", "c2", "c3", "broker"}},
		{11, 19, "at 5s kill broker ", []string{"1"}},
		{11, 27, "consumer d group=g topics=", []string{"topics=t"}},
		{11, 31, "consumer d topics=t assignor=", []string{"assignor=range", "assignor=cooperative-sticky"}},
		{11, 24, "at 5s set c1 session.tim", []string{"session.timeout.ms="}},
		{11, 29, "at 5s set broker 1 group.max.s", []string{"group.max.session.timeout.ms=", "group.max.size="}},
		{11, 24, "expect at 5s group g st", []string{"state="}},
		{11, 16, "expect at 5s t-", []string{"t-0"}},
		{11, 22, "at 5s stall c1 for 5s", nil},
		{99, 1, "", nil},
	} {
		var got []string
		for _, completion := range Complete(text+c.with, c.line+1, c.column) {
			got = append(got, completion.Text)
		}
		if !slices.Equal(got, c.want) {
			t.Errorf("%q offers %q, expected %q", c.with, got, c.want)
		}
	}
	detail := Complete("group g group.inst", 1, 19)
	if len(detail) != 1 || detail[0] != (Completion{"group.instance.id=", "default none, since 2.3"}) {
		t.Errorf("%+v", detail)
	}
}
