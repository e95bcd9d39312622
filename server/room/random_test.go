package room_test

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"rebalancelab/engine/clock"
	"rebalancelab/server/room"
)

const cluster = `brokers 2
topic orders partitions=4 rate=20/s
group g assignor=cooperative-sticky session.timeout.ms=6000
consumer c1..c3 group=g topics=orders process=5ms
run until 2m
`

var commands = []string{
	"kill c1", "start c1", "stop c2", "start c2", "stall c3 for 9s", "kill broker 1", "start broker 1", "cut c3 broker 2",
	"heal c3 broker 2", "append fail NOT_ENOUGH_REPLICAS for 3s", "alter topic orders partitions=6", "kil c1", "kill c9",
}

var rubbish = []string{"", "{", "[]", "null", `{"type":"act"}`, `{"type":"join","protocol":1}`, "\xff\xfe", `{"type":"pause"}`,
	`{"type":"digest","n":-1,"digest":"x"}`, `{"type":"welcome"}`, `{"type":"act","branch":1,"at":9e99,"line":"kill c1"}`}

// faults is a room with people who come, go, are slow and talk rubbish.
type faults struct {
	t       *testing.T
	random  *rand.Rand
	room    *room.Room
	token   string
	viewers []*viewer // the first is the host
	ids     int
	seen    map[string]int // types of frames that somebody got
}

// TestFaults holds, for made-up sequences of commands and faults, that numbers
// grow for everybody and that all have the room's digest, after every fault. A
// viewer checks both with each frame that it takes.
func TestFaults(t *testing.T) {
	seen := map[string]int{}
	for seed := range uint64(40) {
		f := &faults{t: t, random: rand.New(rand.NewPCG(seed, 4)), token: room.NewToken(), seen: seen}
		var err error
		if f.room, err = room.New(code, room.HashToken(f.token), cluster, 0); err != nil {
			t.Fatal(err)
		}
		for i := range 6 {
			f.viewers = append(f.viewers, &viewer{name: fmt.Sprintf("seed %d viewer %d", seed, i), closed: "new"})
		}
		for range 120 {
			f.fault()
		}
		f.settle()
	}
	for _, kind := range []string{"scenario", "act", "edit", "clock", "people", "refused", "reconnected", "loaded", "lost"} {
		if seen[kind] < 20 {
			t.Errorf("%q happened %d times only", kind, seen[kind])
		}
	}
}

// fault is one thing that happens.
func (f *faults) fault() {
	v := f.viewers[f.random.IntN(len(f.viewers))]
	host := f.viewers[0]
	switch f.random.IntN(10) {
	case 0, 1:
		f.room.Step(clock.Duration(f.random.Int64N(int64(300 * clock.Millisecond))))
	case 2:
		f.connect(v)
	case 3:
		f.drop(v)
	case 4, 5:
		f.take(v)
	case 6:
		f.room.Receive(v.id, []byte(rubbish[f.random.IntN(len(rubbish))]))
	case 7:
		if v.closed == "" && v.Run != nil {
			f.send(v, map[string]any{"type": "digest", "n": v.Last, "digest": v.Digest()})
		}
	case 8:
		if f.random.IntN(8) == 0 {
			f.reload()
		}
	default:
		f.connect(host)
		f.take(host)
		f.command(host)
	}
}

// command is something that the host does, most often a thing that is possible.
func (f *faults) command(host *viewer) {
	if host.Run == nil {
		return
	}
	branch := 1 + f.random.IntN(len(host.Run.Branches()))
	at := clock.Time(f.random.Int64N(int64(2 * clock.Minute)))
	if f.random.IntN(3) > 0 {
		branch, at = host.Branch, host.At
	}
	switch f.random.IntN(8) {
	case 0:
		f.send(host, map[string]any{"type": "play", "rate": []int{100, 1000, 10000, 1000000, 7}[f.random.IntN(5)]})
	case 1:
		f.send(host, map[string]any{"type": "pause"})
	case 2:
		f.send(host, map[string]any{"type": "seek", "branch": branch, "at": f.random.Int64N(int64(130 * clock.Second))})
	case 3:
		text := strings.Replace(host.Run.Text(branch), "rate=20", fmt.Sprintf("rate=%d", 10+f.random.IntN(9)), 1)
		f.send(host, map[string]any{"type": "edit", "branch": branch, "text": text})
	case 4:
		if f.random.IntN(4) == 0 {
			f.send(host, map[string]any{"type": "open", "text": cluster + "# again\n"})
		}
	default:
		line := commands[f.random.IntN(len(commands))]
		f.send(host, map[string]any{"type": "act", "branch": branch, "at": at, "line": line})
	}
}

func (f *faults) send(v *viewer, frame map[string]any) {
	text, err := json.Marshal(frame)
	if err != nil {
		f.t.Fatal(err)
	}
	f.room.Receive(v.id, text)
}

// connect connects a viewer that is not connected, with the number that it has.
func (f *faults) connect(v *viewer) {
	if v.closed == "" {
		return
	}
	if v.Run != nil {
		f.seen["reconnected"]++
	}
	f.ids++
	v.id, v.closed, v.queue = f.ids, "", nil
	f.room.Join(v.id, v)
	join := map[string]any{"type": "join", "protocol": 1, "after": v.Last}
	if v == f.viewers[0] {
		join["token"] = f.token
	}
	f.send(v, join)
}

// drop loses a connection and what was on its way to the viewer, from some
// frame on.
func (f *faults) drop(v *viewer) {
	if v.closed != "" {
		return
	}
	f.room.Leave(v.id)
	if n := f.random.IntN(len(v.queue) + 1); n < len(v.queue) {
		v.queue = v.queue[:n]
		f.seen["lost"]++
	}
	f.take(v)
	v.closed = "lost"
}

func (f *faults) take(v *viewer) {
	for _, frame := range v.take(f.t) {
		var m struct{ Type string }
		_ = json.Unmarshal([]byte(frame), &m)
		f.seen[m.Type]++
	}
}

// reload ends the process and starts another from what was saved when the room
// last asked for it.
func (f *faults) reload() {
	f.seen["loaded"]++
	save := f.room.Save()
	if len(save) > 2_000_000 {
		f.t.Fatalf("the save has %d bytes", len(save))
	}
	loaded, err := room.Load(save)
	if err != nil {
		f.t.Fatalf("%v\n%s", err, save)
	}
	f.room = loaded
	for _, v := range f.viewers {
		if v.closed == "" {
			v.queue = v.queue[:f.random.IntN(len(v.queue)+1)]
			f.take(v)
			v.closed = "restarted"
		}
	}
}

// settle ends all faults: everybody is there and has everything.
func (f *faults) settle() {
	for _, v := range f.viewers {
		f.connect(v)
	}
	f.room.Step(clock.Second)
	f.send(f.viewers[0], map[string]any{"type": "pause"})
	for range 1000 {
		f.room.Step(clock.Second)
		if !f.room.Active() {
			break
		}
	}
	host := f.viewers[0]
	for _, v := range f.viewers {
		f.take(v)
		if v.closed != "" || v.Last != host.Last || v.Digest() != host.Digest() {
			f.t.Fatalf("%s (%s) is at line %d of %d, at %s s", v.name, v.closed, v.Last, host.Last, v.At)
		}
	}
}
