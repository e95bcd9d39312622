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
