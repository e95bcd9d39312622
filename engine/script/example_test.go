package script

import (
	"slices"
	"strings"
	"testing"

	"rebalancelab/engine"
	"rebalancelab/engine/clock"
	"rebalancelab/engine/kafka"
)

// designExample is the scenario of the design.
const designExample = `rebalance-lab 1                 # version of the language; the printer always writes it
# Rolling restart of three pods, dynamic members
kafka 3.9
brokers 3 group.initial.rebalance.delay.ms=3000
network latency=1ms append=1ms
topic orders partitions=6 rate=60/s
group checkout assignor=cooperative-sticky session.timeout.ms=45000
consumer c1..c3 group=checkout topics=orders process=5ms     # static: … group.instance.id=pod-{n}
at 20s  stop c1                 # clean shutdown: LeaveGroup
at 23s  start c1
at 60s  kill c2                 # no LeaveGroup: the session must expire
at 120s stall c3 for 6m         # one slow record: max.poll.interval.ms
at 8m   kill broker 2
expect at 15s group checkout state=Stable generation=1 members=3
note at 65s "c2 is dead, and nobody knows yet."
run until 10m
`

const designPrinted = `rebalance-lab 1  # version of the language; the printer always writes it
# Rolling restart of three pods, dynamic members
kafka 3.9
brokers 3 group.initial.rebalance.delay.ms=3000
network latency=1ms append=1ms
topic orders partitions=6 rate=60/s
group checkout assignor=cooperative-sticky session.timeout.ms=45000
consumer c1..c3 group=checkout topics=orders process=5ms  # static: … group.instance.id=pod-{n}
at 20s stop c1  # clean shutdown: LeaveGroup
at 23s start c1
at 60s kill c2  # no LeaveGroup: the session must expire
at 2m stall c3 for 6m  # one slow record: max.poll.interval.ms
at 8m kill broker 2
expect at 15s group checkout state=Stable generation=1 members=3
note at 65s "c2 is dead, and nobody knows yet."
run until 10m
`

const second = clock.Time(clock.Second)

func consumerNamed(name string) engine.Subject {
	return engine.Subject{Kind: engine.ConsumerSubject, Name: name}
}

func mustParse(t *testing.T, text string) *File {
	t.Helper()
	f, diagnostics := Parse(text)
	if f == nil {
		t.Fatalf("%s\n%v", text, diagnostics)
	}
	return f
}

func TestDesignExample(t *testing.T) {
	f := mustParse(t, designExample)
	if got := f.Print(); got != designPrinted {
		t.Errorf("printed\n%s", got)
	}
	s := f.Scenario()
	if s.Version != kafka.V3_9 || s.Brokers != 3 || s.Seed != 1 || s.End != 600*second {
		t.Errorf("%+v", s)
	}
	want := []engine.Command{
		{At: 20 * second, Line: 9, Text: "at 20s stop c1", Verb: engine.StopVerb, Subject: consumerNamed("c1")},
		{At: 23 * second, Line: 10, Text: "at 23s start c1", Verb: engine.StartVerb, Subject: consumerNamed("c1")},
		{At: 60 * second, Line: 11, Text: "at 60s kill c2", Verb: engine.KillVerb, Subject: consumerNamed("c2")},
		{At: 120 * second, Line: 12, Text: "at 2m stall c3 for 6m", Verb: engine.StallVerb, Subject: consumerNamed("c3"),
			For: 6 * clock.Minute},
		{At: 480 * second, Line: 13, Text: "at 8m kill broker 2", Verb: engine.KillVerb,
			Subject: engine.Subject{Kind: engine.BrokerSubject, ID: 2}},
	}
	if !slices.EqualFunc(s.Commands, want, sameCommand) {
		t.Errorf("commands\n%+v\nexpected\n%+v", s.Commands, want)
	}
	if len(s.Consumers) != 3 || s.Consumers[2].Name != "c3" || s.Consumers[2].Process != 5*clock.Millisecond ||
		s.Consumers[2].Line != 8 || !slices.Equal(s.Consumers[2].Topics, []string{"orders"}) {
		t.Errorf("%+v", s.Consumers)
	}
	e := f.Expects()[0]
	if e.At != 15*second || e.Line != 14 || e.Subject != (engine.Subject{Kind: engine.GroupSubject, Name: "checkout"}) ||
		!slices.Equal(e.Fields, []Field{{"state", "Stable"}, {"generation", "1"}, {"members", "3"}}) {
		t.Errorf("%+v", e)
	}
	if n := f.Notes()[0]; n != (Note{At: 65 * second, Line: 15, Text: "c2 is dead, and nobody knows yet."}) {
		t.Errorf("%+v", n)
	}
}

// sameCommand compares commands without their consumers.
func sameCommand(a, b engine.Command) bool {
	return a.At == b.At && a.Line == b.Line && a.Text == b.Text && a.Verb == b.Verb && a.Subject == b.Subject &&
		a.Other == b.Other && a.For == b.For && a.Config == b.Config && a.Value == b.Value &&
		a.ValueText == b.ValueText && a.Error == b.Error && len(a.Consumers) == len(b.Consumers)
}

// TestDefaults holds what a script does not say to the table of defaults.
func TestDefaults(t *testing.T) {
	f := mustParse(t, "topic t partitions=1\nconsumer a group=g topics=t")
	if got, want := f.Print(), "rebalance-lab 1\nkafka 3.9\ntopic t partitions=1\nconsumer a group=g topics=t\n"; got != want {
		t.Errorf("printed\n%s", got)
	}
	s := f.Scenario()
	if s.Version != kafka.V3_9 || s.Seed != 1 || s.Brokers != 1 || s.OffsetsTopicAbsent || s.End != 600*second {
		t.Errorf("%+v", s)
	}
	if s.Network != (engine.Network{Latency: 1000, Append: 1000, Load: 1000}) {
		t.Errorf("%+v", s.Network)
	}
	c := s.Consumers[0]
	if c.Client != kafka.V3_9 || c.Start != 0 || c.Process != 0 || c.NoHeartbeat || c.Settings != kafka.DefaultSettings(kafka.V3_9) {
		t.Errorf("%+v", c)
	}
	for api, version := range c.APIVersions {
		if version != -1 {
			t.Errorf("%s v%d", kafka.API(api), version)
		}
	}
	old := mustParse(t, "kafka 0.9\ntopic t partitions=1\nconsumer a group=g topics=t").Scenario()
	if old.Consumers[0].Client != kafka.V0_9 || old.Consumers[0].Settings.Millis(kafka.SessionTimeoutMs) != 30000 {
		t.Errorf("%+v", old.Consumers[0])
	}
}

// TestEveryLine reads a script with everything that the language has.
func TestEveryLine(t *testing.T) {
	f := mustParse(t, `
kafka 3.9.1
seed 42
brokers 3 offsets-topic=absent group.max.size=5
broker 2 group.max.size=7 offset.metadata.max.bytes=10
network latency=2ms jitter=0.5ms loss=0.5% append=3ms load=4ms
link broker 1 c01 latency=50ms
topic a partitions=2
topic b partitions=3 rate=1200/m
group g partition.assignment.strategy=range,cooperative-sticky client.id=app-{n} session.timeout.ms=20000
consumer c01..c02,d7 e9 group=g topics=b,a client=java-0.9 JoinGroup=v0 heartbeat=never process=1s start=3s assignor=range
consumer s1..s2 group=h topics=a group.instance.id="pod-{n}" start=never session.timeout.ms=30000
at 9s append fail NOT_ENOUGH_REPLICAS for 2s
at 8s append fail NONE
at 8s set s1 client.id=x-{n}
at 8s set broker 3 group.max.size=9
at 8s set s2 auto.offset.reset=earliest
at 7s alter topic b partitions=5
at 7s cut c01 broker 3
at 7.5s heal broker 3 broker 2
at 7s consumer x1..x2 group=late topics=b
at 7s restart x1
at 6s stop broker 1
expect at 7s b-4 owner=none reader=s1 lag=007
expect at 7s x1 assigned=b-0,"b-1"
expect at 7s broker 1 state=down
expect at 7s group late due=90000ms waiting_for=x1,x2
run until 20s`)
	s := f.Scenario()
	if s.Seed != 42 || !s.OffsetsTopicAbsent || s.BrokerSettings.Values[kafka.GroupMaxSize] != 5 || s.End != 20*second {
		t.Errorf("%+v", s)
	}
	if want := []engine.BrokerException{{Broker: 2, Config: kafka.GroupMaxSize, Value: 7},
		{Broker: 2, Config: kafka.OffsetMetadataMaxBytes, Value: 10}}; !slices.Equal(s.BrokerExceptions, want) {
		t.Errorf("%+v", s.BrokerExceptions)
	}
	if s.Network != (engine.Network{Latency: 2000, Jitter: 500, LossPPM: 5000, Append: 3000, Load: 4000}) {
		t.Errorf("%+v", s.Network)
	}
	if want := []engine.Link{{A: engine.Subject{Kind: engine.BrokerSubject, ID: 1}, B: consumerNamed("c01"), Latency: 50_000}}; !slices.Equal(s.Links, want) {
		t.Errorf("%+v", s.Links)
	}
	if want := []engine.Topic{{Name: "a", Partitions: 2, Rate: engine.Rate{Per: clock.Second}},
		{Name: "b", Partitions: 3, Rate: engine.Rate{Records: 1200, Per: clock.Minute}}}; !slices.Equal(s.Topics, want) {
		t.Errorf("%+v", s.Topics)
	}
	checkConsumers(t, s.Consumers)
	var texts []string
	for _, c := range s.Commands {
		texts = append(texts, c.Text)
	}
	if got, want := strings.Join(texts, "\n"), `at 6s stop broker 1
at 7s alter topic b partitions=5
at 7s cut c01 broker 3
at 7s consumer x1..x2 group=late topics=b
at 7s restart x1
at 7.5s heal broker 3 broker 2
at 8s append fail NONE
at 8s set s1 client.id=x-{n}
at 8s set broker 3 group.max.size=9
at 8s set s2 auto.offset.reset=earliest
at 9s append fail NOT_ENOUGH_REPLICAS for 2s`; got != want {
		t.Errorf("commands\n%s", got)
	}
	if c := s.Commands[3]; len(c.Consumers) != 2 || c.Consumers[1].Name != "x2" || c.Consumers[1].Start != 7*second {
		t.Errorf("%+v", c)
	}
	if c := s.Commands[7]; c.Config != kafka.ClientID || c.ValueText != "x-1" {
		t.Errorf("%+v", c)
	}
	var fields []Field
	for _, e := range f.Expects() {
		fields = append(fields, e.Fields...)
	}
	if want := []Field{{"owner", "none"}, {"reader", "s1"}, {"lag", "7"}, {"assigned", "b-0,b-1"}, {"state", "down"},
		{"due", "90s"}, {"waiting_for", "x1,x2"}}; !slices.Equal(fields, want) {
		t.Errorf("%+v", fields)
	}
}

func checkConsumers(t *testing.T, consumers []engine.Consumer) {
	t.Helper()
	var names []string
	for _, c := range consumers {
		names = append(names, c.Name+"/"+c.Settings.Texts[kafka.ClientID]+"/"+c.Settings.Texts[kafka.GroupInstanceID]+
			"/"+c.Settings.Texts[kafka.PartitionAssignmentStrategy]+"/"+c.Client.Short())
	}
	want := []string{"c01/app-01//range/0.9", "c02/app-02//range/0.9", "d7/app-7//range/0.9", "e9/app-9//range/0.9",
		"s1//pod-1/range,cooperative-sticky/3.9", "s2//pod-2/range,cooperative-sticky/3.9"}
	if !slices.Equal(names, want) {
		t.Errorf("consumers\n%q\nexpected\n%q", names, want)
	}
	c := consumers[0]
	if c.APIVersions[kafka.JoinGroup] != 0 || c.APIVersions[kafka.SyncGroup] != -1 || !c.NoHeartbeat ||
		c.Process != clock.Second || c.Start != 3*second || c.Settings.Millis(kafka.SessionTimeoutMs) != 20000 ||
		!slices.Equal(c.Topics, []string{"b", "a"}) {
		t.Errorf("%+v", c)
	}
	if consumers[4].Start != clock.Never {
		t.Errorf("%+v", consumers[4])
	}
}

// A group's setting that a client does not know is no error where the consumer's
// line replaces it.
func TestOwnSettingReplacesTheGroups(t *testing.T) {
	text := "topic t partitions=1\ngroup g assignor=cooperative-sticky\nconsumer a group=g topics=t client=java-0.9"
	mustParse(t, text+" assignor=range")
	_, diagnostics := Parse(text)
	if len(diagnostics) != 1 || diagnostics[0].Line != 2 {
		t.Error(diagnostics)
	}
}

func TestNamesOfAllScripts(t *testing.T) {
	text := `rebalance-lab 1
kafka 3.9
topic טופס partitions=2
topic 订单 partitions=2
topic "🐟 pond" partitions=1
topic हिन्दी partitions=1
consumer مستهلك-1..مستهلك-2 group=组 topics=订单,טופס
consumer "🐟" group="a\"b\\ \u4e2d=c#d, e" topics="🐟 pond",हिन्दी
at 5s kill "🐟"
at 5s kill مستهلك-2
expect at 5s "🐟 pond-0" owner="🐟"
expect at 5s 订单-1 owner=مستهلك-1
expect at 5s group "a\"b\\ \u4e2d=c#d, e" members=1
note at 5s "\ud83d\udc1f\n"
`
	f := mustParse(t, text)
	if f.Print() != text {
		t.Errorf("printed\n%s", f.Print())
	}
	s := f.Scenario()
	if got := s.Consumers[1].Name; got != "مستهلك-2" {
		t.Error(got)
	}
	if got := s.Consumers[2].Group; got != `a"b\ 中=c#d, e` {
		t.Error(got)
	}
	if got := f.Notes()[0].Text; got != "🐟\n" {
		t.Error(got)
	}
	if got := f.Expects()[0].Subject; got != (engine.Subject{Kind: engine.PartitionSubject, Name: "🐟 pond", ID: 0}) {
		t.Error(got)
	}
	_, diagnostics := Parse(text + "at 5s kill \"🐟\" مستهلك-2")
	if len(diagnostics) != 1 || diagnostics[0].Column != 16 || diagnostics[0].EndColumn != 24 {
		t.Error("columns count runes:", diagnostics)
	}
}
