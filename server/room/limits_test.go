package room_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"rebalancelab/engine/clock"
	"rebalancelab/server/room"
)

// newRoom makes a room and its host's connection, which has joined.
func newRoom(t *testing.T, text string) (*room.Room, *viewer) {
	t.Helper()
	token := room.NewToken()
	r, err := room.New(code, room.HashToken(token), text, 0)
	if err != nil {
		t.Fatal(err)
	}
	host := &viewer{name: "host", id: 1}
	r.Join(1, host)
	r.Receive(1, fmt.Appendf(nil, `{"type":"join","protocol":1,"token":%q}`, token))
	host.take(t)
	return r, host
}

// do sends a frame after enough time that it is not one too many, and returns
// the reasons of what was refused.
func do(t *testing.T, r *room.Room, v *viewer, frame map[string]any) string {
	t.Helper()
	text, _ := json.Marshal(frame)
	r.Step(clock.Second)
	r.Receive(v.id, text)
	reasons := ""
	for _, got := range v.take(t) {
		var m struct{ Type, Reason string }
		if _ = json.Unmarshal([]byte(got), &m); m.Type == "refused" || m.Type == "end" {
			reasons += m.Reason + ". "
		}
	}
	return reasons
}

func act(line string, branch int) map[string]any {
	return map[string]any{"type": "act", "branch": branch, "at": 0, "line": line}
}

func TestFullRoom(t *testing.T) {
	r, _ := newRoom(t, cluster)
	for id := 2; id <= room.MaxViewers; id++ {
		r.Join(id, &viewer{id: id})
	}
	late := &viewer{id: room.MaxViewers + 1}
	r.Join(late.id, late)
	if !strings.Contains(late.closed, "4429 this room is full") {
		t.Errorf("viewer %d: %q", late.id, late.closed)
	}
	r.Leave(7)
	next := &viewer{id: room.MaxViewers + 2}
	if r.Join(next.id, next); next.closed != "" {
		t.Errorf("there is a place again, but %s", next.closed)
	}
}

func TestTooFast(t *testing.T) {
	r, host := newRoom(t, cluster)
	for range 200 {
		r.Receive(host.id, []byte(`{"type":"pause"}`))
	}
	if !strings.Contains(host.closed, "4400") || !strings.Contains(strings.Join(host.take(t), ""), "at most 20 a second") {
		t.Errorf("after 200 messages at once: %q", host.closed)
	}
	r, host = newRoom(t, cluster)
	for range 200 {
		r.Receive(host.id, []byte(`{"type":"pause"}`))
		r.Step(100 * clock.Millisecond)
	}
	if host.closed != "" {
		t.Errorf("10 messages a second: %s", host.closed)
	}
}

func TestLimitsOfTheLog(t *testing.T) {
	r, host := newRoom(t, cluster)
	if got := do(t, r, host, act(strings.Repeat("k", room.MaxLineBytes+1), 1)); !strings.Contains(got, "too long") {
		t.Errorf("a long line: %q", got)
	}
	if got := do(t, r, host, map[string]any{"type": "open", "text": strings.Repeat("#", room.MaxFrameBytes)}); !strings.Contains(got, "frame is too large") {
		t.Errorf("a long frame: %q", got)
	}
	branch, refusals := 1, ""
	for i := 0; i < room.MaxActs+1 && refusals == ""; i++ {
		refusals = do(t, r, host, act([]string{"kill c1", "start c1"}[i%2], branch))
		branch = host.Branch
	}
	if !strings.Contains(refusals, "had 500 commands and edits") || len(host.Run.Branch(2).Own()) != room.MaxActs {
		t.Errorf("%d commands, then %q", len(host.Run.Branch(2).Own()), refusals)
	}
	if refusals = do(t, r, host, map[string]any{"type": "open", "text": cluster}); refusals != "" {
		t.Errorf("another scenario: %s", refusals)
	}
	comment := strings.Repeat("# \\ \"quoted\"\n", 18_000)
	for i := 0; i < 20 && refusals == ""; i++ {
		refusals = do(t, r, host, map[string]any{"type": "edit", "branch": host.Branch, "text": cluster + comment + fmt.Sprintf("seed %d\n", i+2)})
	}
	if save := r.Save(); !strings.Contains(refusals, "too large for a room") || len(save) < 1_000_000 || len(save) > 2_000_000 {
		t.Errorf("%d bytes saved, %q", len(save), refusals)
	}
}

func TestLimitsOfTheRun(t *testing.T) {
	if _, err := room.New(code, room.TokenHash{}, "topic a partitions=990\nconsumer c1..c20 group=g topics=a\n", 0); err == nil || !strings.Contains(err.Error(), "at most 1000") {
		t.Errorf("a scenario too large: %v", err)
	}
	if _, err := room.New(code, room.TokenHash{}, "topic a partitions=9\nconsumer c1 group=g topics=a\nat 5s alter topic a partitions=1000\n", 0); err == nil {
		t.Error("a scenario that grows too large is taken")
	}
	if _, err := room.New(code, room.TokenHash{}, cluster, clock.Time(3*clock.Minute)); err == nil || !strings.Contains(err.Error(), "120.000 s") {
		t.Errorf("a time behind the end: %v", err)
	}
	r, host := newRoom(t, cluster)
	refusals := ""
	for i := 10; i < 10_000 && refusals == ""; i += 900 {
		refusals = do(t, r, host, act(fmt.Sprintf("alter topic orders partitions=%d", i), 1))
	}
	if !strings.Contains(refusals, "are at most 4000") {
		t.Errorf("branches without end: %q", refusals)
	}
}

// TestEventsWithoutEnd plays a run that keeps events for ever: the clock stops
// and says why, seeking back still works.
func TestEventsWithoutEnd(t *testing.T) {
	r, host := newRoom(t, "network loss=20%\ntopic a partitions=50 rate=100/s\n"+
		"consumer c1..c90 group=g topics=a session.timeout.ms=6000\nrun until 24h\n")
	if got := do(t, r, host, map[string]any{"type": "play", "rate": room.MaxRate}); got != "" {
		t.Fatal(got)
	}
	said := ""
	for range 200 {
		r.Step(clock.Second)
		for _, frame := range host.queue {
			if strings.Contains(frame, "grown too large") {
				said = frame
			}
		}
		host.queue = host.queue[:0] // the follower would take as long as the room
		if said != "" {
			break
		}
	}
	if said == "" {
		t.Fatal("the clock never stops")
	}
	r.Receive(host.id, []byte(`{"type":"play","rate":1000}`))
	r.Receive(host.id, []byte(`{"type":"seek","branch":1,"at":1000000}`))
	got := strings.Join(host.queue, "\n")
	if !strings.Contains(got, `"refused"`) || !strings.Contains(got, `"at":1000000,"rate":0,"digest":`) {
		t.Errorf("after the end: %s", got)
	}
}

// TestSlowClock holds that a room that cannot play as fast as its clock should
// run slows down and skips nothing.
func TestSlowClock(t *testing.T) {
	r, host := newRoom(t, "topic a partitions=300 rate=2000/s\nconsumer c1..c90 group=g topics=a process=1ms\nrun until 1h\n")
	do(t, r, host, map[string]any{"type": "play", "rate": room.MaxRate})
	before := host.At
	for range 5 {
		r.Step(clock.Second)
		host.take(t)
		if host.At < before || host.At >= clock.Time(clock.Hour) {
			t.Fatalf("the clock went from %s to %s", before, host.At)
		}
		before = host.At
	}
	if before == 0 {
		t.Error("the clock stands still")
	}
}

// TestLongReason holds that why a room ends fits into a close frame.
func TestLongReason(t *testing.T) {
	r, host := newRoom(t, cluster)
	r.End(room.CloseBroken, strings.Repeat("é", 100))
	if reason, _ := strings.CutPrefix(host.closed, "closed 4500 "); len(reason) != 122 || strings.Trim(reason, "é") != "" {
		t.Errorf("%d bytes: %q", len(reason), reason)
	}
	r.Receive(host.id, []byte(`{"type":"pause"}`))
	r.Step(clock.Second)
	if r.Active() || r.Here() != 0 || len(host.queue) != 2 {
		t.Errorf("the room goes on: %q", host.queue)
	}
}

// TestRewrittenBranchIsNotPlayedAtOnce: a text that makes far more of the branch
// that the clock stands on is played within the bounds too, and stops there.
func TestRewrittenBranchIsNotPlayedAtOnce(t *testing.T) {
	calm := "topic orders partitions=4\nconsumer c1 group=g topics=orders\nrun until 24h\n"
	storm := "brokers 3\ntopic orders partitions=40 rate=1000/s\nconsumer c1..c40 group=g topics=orders process=5ms max.poll.interval.ms=1\nrun until 24h\n"
	at := int64(4 * clock.Hour)
	r, host := newRoom(t, calm)
	settle := func(branch int) {
		t.Helper()
		for range 2000 {
			r.Step(clock.Second)
			if host.take(t); host.Branch == branch && !r.Active() {
				return
			}
		}
		t.Fatal("the clock does not come to rest")
	}
	do(t, r, host, map[string]any{"type": "seek", "branch": 1, "at": at})
	settle(1)
	do(t, r, host, map[string]any{"type": "edit", "branch": 1, "text": calm + "# x\n"})
	settle(2)
	if host.At != clock.Time(at) {
		t.Fatalf("the clock stands at %s s", host.At)
	}
	do(t, r, host, map[string]any{"type": "edit", "branch": 2, "text": storm})
	if reasons := do(t, r, host, map[string]any{"type": "act", "branch": 2, "at": at / 2, "line": "kill c1"}); !strings.Contains(reasons, "the room has shown branch 2 up to") {
		t.Errorf("an act that nobody has seen the time of: %q", reasons)
	}
	settle(2)
	if host.At >= clock.Time(at) || host.Rate != 0 {
		t.Errorf("a run without end was played to %s s", host.At)
	}
}
