package room_test

import (
	"strings"
	"testing"

	"rebalancelab/engine/clock"
	"rebalancelab/server/room"
)

// FuzzReceive sends arbitrary frames, a line each, from a viewer and from the
// host in turn: nothing breaks, everybody can follow, and the room can be saved
// and loaded.
func FuzzReceive(f *testing.F) {
	f.Add(`{"type":"join","protocol":1}` + "\n" + `{"type":"act","branch":1,"at":0,"line":"kill c1"}`)
	f.Add(`{"type":"digest","n":2,"digest":"0"}` + "\n" + `{"type":"play","rate":1000000}`)
	f.Add(`{"type":"join","protocol":1,"after":-5}` + "\n" + `{"type":"seek","branch":1,"at":120000000}`)
	f.Add("\n" + `{"type":"edit","branch":1,"text":"topic a partitions=1\nconsumer c1 group=g topics=a\nrun until 5s"}` + "\n\n" + `{"type":"act","branch":2,"at":1,"line":"stop c1"}`)
	f.Add("\n" + `{"type":"open","text":"consumer"}` + "\n\xff\n" + `{"type":"pause"}`)
	f.Fuzz(func(t *testing.T, frames string) {
		if len(frames) > 4000 {
			return
		}
		r, host := newRoom(t, cluster)
		other := &viewer{name: "other", id: 2}
		r.Join(2, other)
		from := other
		for frame := range strings.SplitSeq(frames, "\n") {
			r.Receive(from.id, []byte(frame))
			r.Step(100 * clock.Millisecond)
			host.take(t)
			other.take(t)
			from = map[*viewer]*viewer{host: other, other: host}[from]
		}
		if r.Ended() != "" {
			t.Fatalf("the room ended: %s", r.Ended())
		}
		loaded, err := room.Load(r.Save())
		if err != nil {
			t.Fatal(err)
		}
		again := &viewer{name: "again", id: 1}
		loaded.Resume(1, host, true)
		loaded.Join(2, again)
		loaded.Receive(2, []byte(`{"type":"join","protocol":1}`))
		loaded.Step(clock.Second)
		again.take(t)
		if again.Run == nil {
			t.Fatal("who joins the loaded room gets no scenario")
		}
	})
}

// FuzzLoad reads arbitrary saves: an error or a room, never a panic.
func FuzzLoad(f *testing.F) {
	r, err := room.New(code, room.HashToken("t"), cluster, 0)
	if err != nil {
		f.Fatal(err)
	}
	f.Add(r.Save())
	f.Add([]byte(`{"save":1,"lines":[{"type":"act"}],"clock":{"at":0,"rate":0}}`))
	f.Fuzz(func(t *testing.T, save []byte) {
		if loaded, err := room.Load(save); (loaded == nil) == (err == nil) {
			t.Fatalf("room %v, error %v", loaded, err)
		}
	})
}
