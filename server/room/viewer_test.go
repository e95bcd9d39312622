package room_test

import (
	"fmt"
	"slices"
	"testing"

	"rebalancelab/server/follow"
)

// viewer is a connection in memory: a queue of frames that stays until somebody
// takes them.
type viewer struct {
	name   string
	id     int
	queue  []string
	closed string // code and reason
	follow.Follower
}

func (v *viewer) Send(frame []byte) {
	if v.closed == "" {
		v.queue = append(v.queue, string(frame))
	}
}

func (v *viewer) Close(code int, reason string) {
	if v.closed == "" {
		v.closed = fmt.Sprintf("closed %d %s", code, reason)
		v.queue = append(v.queue, v.closed)
	}
}

// take replays what has come and returns it.
func (v *viewer) take(t *testing.T) []string {
	t.Helper()
	frames := v.queue
	v.queue = nil
	for _, frame := range frames {
		if frame == v.closed {
			continue
		}
		if _, err := v.Take([]byte(frame)); err != nil {
			t.Fatalf("%s: %v", v.name, err)
		}
	}
	return slices.Clip(frames)
}
