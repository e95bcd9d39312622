package session_test

import (
	"strings"
	"testing"

	"rebalancelab/engine/clock"
	"rebalancelab/engine/session"
)

// verbs are the commands that FuzzCommands chooses from by a byte.
var verbs = []string{
	"start c1", "stop c1", "kill c1", "stall c1 for 7s", "restart c1", "cut c1 broker 1", "heal c1 broker 1",
	"start c2", "stop c2", "kill c2", "stall c2 for 400s", "restart c2", "cut c2 broker 2", "heal c2 broker 2",
	"kill broker 1", "start broker 1", "stop broker 1", "kill broker 2", "start broker 2", "stop broker 2",
	"append fail NOT_ENOUGH_REPLICAS for 3s", "append fail REQUEST_TIMED_OUT for 3s", "append fail NOT_LEADER_OR_FOLLOWER for 3s",
	"alter topic orders partitions=9", "consumer c4 group=g topics=orders", "consumer c5 group=h topics=orders process=1ms", "set c1 session.timeout.ms=7000", "kill c3", "start c3", "stop c3", "restart c3",
}

var clusters = []string{
	"kafka 3.9\nbrokers 3\ntopic orders partitions=5 rate=20/s\ngroup g assignor=range\nconsumer c1..c3 group=g topics=orders process=5ms\nrun until 2m\n",
	"kafka 3.9\nbrokers 2\nnetwork latency=3ms jitter=9ms loss=0.5%\ntopic orders partitions=5 rate=20/s\ngroup g assignor=cooperative-sticky session.timeout.ms=6000\nconsumer c1..c3 group=g topics=orders process=9ms\nrun until 2m\n",
	"kafka 0.9\nbrokers 2 offsets-topic=absent\ntopic orders partitions=5 rate=20/s\nconsumer c1..c3 group=g topics=orders process=5ms\nrun until 2m\n",
	"kafka 3.9\nbrokers 3\nnetwork latency=0ms append=0ms load=0ms\ntopic orders partitions=5 rate=20/s\ngroup g group.instance.id=pod-{n} max.poll.interval.ms=9000\nconsumer c1..c3 group=g topics=orders process=5ms\nrun until 2m\n",
	"kafka 3.9\nbrokers 3\ntopic orders partitions=5 rate=20/s\nconsumer c1..c3 group=g topics=orders process=5ms\nat 20s kill c1\nat 60s alter topic orders partitions=12\nat 30s set c2 session.timeout.ms=9000\nrun until 2m\n",
}

// edits are what an editor may do to a branch's text: old, new.
var edits = [][2]string{{"rate=20/s", "rate=30/s"}, {"run until 2m", "# longer\nrun until 130s"}, {"kafka", "seed 7\nkafka"}, {"kill c1", "stop c1"}}

// FuzzCommands plays arbitrary sequences of commands and edits: nothing breaks,
// and the same sequence gives the same run, from its own text too.
func FuzzCommands(f *testing.F) {
	f.Add([]byte{0, 2, 20, 0, 30, 14, 40, 15})
	f.Add([]byte{1, 3, 9, 10, 9, 14, 1, 17, 1, 15, 200, 18})
	f.Add([]byte{2, 9, 5, 7, 5, 16, 30, 15})
	f.Add([]byte{3, 10, 3, 4, 3, 11, 100, 20, 0, 2})
	f.Add([]byte{4, 10, 3, 24, 30, 200, 1, 2, 9, 203, 9, 24, 200})
	f.Fuzz(func(t *testing.T, data []byte) {
		if len(data) < 2 || len(data) > 60 {
			return
		}
		s := openText(t, clusters[int(data[0])%len(clusters)])
		branch, at := 1, clock.Time(0)
		for i := 1; i+1 < len(data); i += 2 {
			at += clock.Time(data[i+1]) * clock.Time(clock.Second) / 20
			at = min(at, s.Branch(1).Scenario().End)
			if n := int(data[i]) - 200; n >= 0 && n < len(edits) {
				if id, diagnostics := s.Edit(branch, strings.Replace(s.Text(branch), edits[n][0], edits[n][1], 1)); len(diagnostics) == 0 {
					branch = id
				}
				continue
			}
			if id, diagnostics := s.Act(branch, at, verbs[int(data[i])%len(verbs)]); len(diagnostics) == 0 {
				branch = id
			}
		}
		b := play(s, branch)
		if got := s.World(branch, s.Branch(branch).Scenario().End).Digest(); got != b.Head().Digest() {
			t.Fatalf("seeking to the end gives %x, playing %x\n%s", got, b.Head().Digest(), s.Text(branch))
		}
		again, diagnostics := session.Open(s.Text(branch))
		if again == nil {
			t.Fatalf("%v\n%s", diagnostics, s.Text(branch))
		}
		if got := play(again, 1).Head().Digest(); got != b.Head().Digest() {
			t.Fatalf("played from its text the run ends with %x, not %x\n%s", got, b.Head().Digest(), s.Text(branch))
		}
	})
}
