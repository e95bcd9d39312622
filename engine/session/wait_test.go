package session_test

import (
	"testing"

	"rebalancelab/engine"
	"rebalancelab/engine/clock"
)

// TestWaitsAreTheViews holds that the waits of a picture are those of the views
// in between, for every scenario.
func TestWaitsAreTheViews(t *testing.T) {
	for _, name := range scenarios(t) {
		s := open(t, name)
		b := play(s, 1)
		for _, g := range b.Picture().Groups {
			for _, span := range g.Waits {
				if span.To.Sub(span.From) < clock.Second || span.Kind == engine.NoCoordinator {
					continue
				}
				at := span.From + (span.To-span.From)/2
				w := s.World(1, at).Group(g.ID).Wait
				if w.Kind != span.Kind || w.For != span.For || w.Config != span.Config {
					t.Errorf("%s: at %s the picture has %s for %d by %s, the view %s for %d by %s", name, at,
						span.Kind, span.For, span.Config, w.Kind, w.For, w.Config)
				}
			}
		}
	}
}

// TestLaneOfADeadHeir holds that partitions which a generation gives to a member
// that is dead wait for that one, not for the one that had them before.
func TestLaneOfADeadHeir(t *testing.T) {
	s := open(t, "../script/scenarios/consumer-dies.txt")
	id, diagnostics := s.Act(1, 41*clock.Time(clock.Second), "kill c3")
	if len(diagnostics) > 0 {
		t.Fatal(diagnostics)
	}
	b := play(s, id)
	for _, l := range b.Picture().Lanes {
		last := l.Spans[len(l.Spans)-1]
		if l.Partition == 2 || l.Partition == 3 {
			if last.State.String() != "stuck" || last.Reader != last.Owner || b.Head().Name(last.Owner) != "c3" {
				t.Errorf("orders-%d ends %s: read by %s, on record for %s", l.Partition, last.State, b.Head().Name(last.Reader), b.Head().Name(last.Owner))
			}
		}
	}
}
