package session_test

import (
	"strings"
	"testing"

	"rebalancelab/engine"
	"rebalancelab/engine/clock"
	"rebalancelab/engine/session"
)

const hundredMembers = `brokers 3
topic orders partitions=100
group checkout assignor=range enable.auto.commit=false
consumer c1..c100 group=checkout topics=orders process=5ms
run until 1h
`

const hundredAtWork = `brokers 3
topic orders partitions=100 rate=60/s
group checkout assignor=range
consumer c1..c100 group=checkout topics=orders process=5ms
run until 1h
`

const twentyMembers = `brokers 3
topic orders partitions=40 rate=60/s
group checkout assignor=range
consumer c1..c20 group=checkout topics=orders process=5ms
at 2m kill c7
at 4m start c7
at 6m stall c3 for 6m
run until 10m
`

// BenchmarkHour plays one virtual hour of a group of 100 that lives: 120,000
// heartbeats. ≤ 0.2 s.
func BenchmarkHour(b *testing.B) { playThrough(b, hundredMembers) }

// BenchmarkHourOfCommits adds an automatic commit every 5 s of every member.
func BenchmarkHourOfCommits(b *testing.B) {
	playThrough(b, strings.Replace(hundredMembers, " enable.auto.commit=false", "", 1))
}

// BenchmarkHourAtWork is that with 216,000 records, each polled, processed and
// committed.
func BenchmarkHourAtWork(b *testing.B) { playThrough(b, hundredAtWork) }

func playThrough(b *testing.B, text string) {
	s := openText(b, text)
	for b.Loop() {
		w := engine.New(s.Branch(1).Scenario())
		for _, c := range s.Branch(1).Scenario().Timeline() {
			if err := w.Apply(c); err != nil {
				b.Fatal(err)
			}
		}
		for !w.Advance(s.Branch(1).Scenario().End, budget) {
		}
	}
}

// BenchmarkPlay plays ten minutes of twenty members with everything that the
// page needs.
func BenchmarkPlay(b *testing.B) {
	for b.Loop() {
		play(openText(b, twentyMembers), 1)
	}
}

// BenchmarkSeek goes to moments all over those ten minutes.
func BenchmarkSeek(b *testing.B) {
	s := openText(b, twentyMembers)
	play(s, 1)
	at := clock.Time(0)
	for b.Loop() {
		at = (at + 37*clock.Time(clock.Second)) % s.Branch(1).Scenario().End
		s.World(1, at).View()
	}
}

// BenchmarkOpen parses a scenario.
func BenchmarkOpen(b *testing.B) {
	for b.Loop() {
		session.Open(twentyMembers)
	}
}
