package conformance

import (
	"bytes"
	"fmt"
	"net/http"
	"strings"
	"testing"

	"nhooyr.io/websocket"

	"rebalancelab/server/follow"
	"rebalancelab/server/room"
)

const scenario = `kafka 3.9
brokers 3
topic orders partitions=6 rate=60/s
group checkout assignor=cooperative-sticky
consumer c1..c3 group=checkout topics=orders process=5ms
at 20s kill c2
run until 5m
`

// Origin is another origin, whose pages may use the rooms of the host.
const Origin = "https://docs.example.org"

// Run holds a host of rooms against all rules; it must allow Origin.
func Run(t *testing.T, base string) {
	t.Run("Class", func(t *testing.T) { testClass(t, base) })
	t.Run("Edit", func(t *testing.T) { testEdit(t, base) })
	t.Run("Nonsense", func(t *testing.T) { testNonsense(t, base) })
	t.Run("Closed", func(t *testing.T) { testClosed(t, base) })
	t.Run("Full", func(t *testing.T) { testFull(t, base) })
	t.Run("Origin", func(t *testing.T) { testOrigin(t, base) })
	t.Run("HTTP", func(t *testing.T) { testHTTP(t, base) })
	t.Run("Ping", func(t *testing.T) { testPing(t, base) })
}

// testClass is a lesson: a host, ten viewers, of whom one does not read, one
// talks rubbish, one loses its connection, and one comes late.
func testClass(t *testing.T, base string) {
	code, token := Create(t, base, scenario)
	host := Join(t, base, code, token)
	var viewers []*Client
	for range 9 {
		viewers = append(viewers, Join(t, base, code, ""))
	}
	rude, lost := viewers[1], viewers[2] // viewers[0] does not read until the end
	host.Send(map[string]any{"type": "play", "rate": 10000})
	host.Until("clock", func(m follow.Frame) bool { return m.At > 3e6 })
	for range 3 {
		rude.Write(websocket.MessageText, []byte("kill c1"))
	}
	lost.Until("clock", func(m follow.Frame) bool { return m.At > 1e6 })
	lost.ws.CloseNow()
	host.Send(map[string]any{"type": "act", "branch": 1, "at": host.At, "line": "kill c1"})
	host.Until("act", func(m follow.Frame) bool { return m.Became == 2 })
	host.Until("clock", func(m follow.Frame) bool { return m.Branch == 2 && m.At > host.Run.Branch(2).ForkAt })
	host.Send(map[string]any{"type": "act", "branch": 2, "at": host.At, "line": "start c1"})
	host.Send(map[string]any{"type": "act", "branch": 2, "at": host.At, "line": "kill c9"})
	if said := host.Until("refused", nil); said.About != "act" || len(said.Diagnostics) != 1 {
		t.Errorf("a command about nobody: %+v", said)
	}
	lost.Again(base, code)
	viewers = append(viewers, Join(t, base, code, ""))
	host.Until("clock", func(m follow.Frame) bool { return m.Digest != "" && m.Rate > 0 })
	host.Send(map[string]any{"type": "seek", "branch": 2, "at": 100e6})
	host.Until("clock", func(m follow.Frame) bool { return m.At >= 100e6 })
	host.Send(map[string]any{"type": "pause"})
	last := host.Paused(0)
	for i, v := range viewers {
		v.Paused(last.N)
		if v.Digest() != last.Digest {
			t.Errorf("viewer %d has the digest %s, the room %s", i, v.Digest(), last.Digest)
		}
		v.Send(map[string]any{"type": "digest", "n": v.Last, "digest": v.Digest()})
	}
	host.Until("people", func(m follow.Frame) bool {
		return int64(m.At) == last.N && m.Here == 11 && m.Agree == 10 && m.Differ == 0
	})
}

// testEdit changes the text, and opens another one, from the host's second
// device; a viewer has the same run after each.
func testEdit(t *testing.T, base string) {
	code, token := Create(t, base, scenario)
	host, viewer := Join(t, base, code, token), Join(t, base, code, "")
	second := Join(t, base, code, token)
	if !host.Host || !second.Host || viewer.Host {
		t.Errorf("hosts are %v and %v, the viewer %v", host.Host, second.Host, viewer.Host)
	}
	host.Send(map[string]any{"type": "seek", "branch": 1, "at": 30e6})
	viewer.Until("clock", func(m follow.Frame) bool { return m.At == 30e6 })
	second.Send(map[string]any{"type": "edit", "branch": 1, "text": strings.Replace(scenario, "kill c2", "stop c2", 1)})
	edited := viewer.Until("edit", nil)
	if now := viewer.Paused(edited.N); now.Branch != 2 || now.At != 30e6 {
		t.Errorf("after the edit the clock stands at %s of branch %d", now.At, now.Branch)
	}
	second.Send(map[string]any{"type": "open", "text": "topic orders partitions=2\nconsumer c1 group=g topics=orders\nrun until 40s\n"})
	opened := host.Until("scenario", func(m follow.Frame) bool { return m.N > edited.N })
	for _, c := range []*Client{host, viewer} {
		if now := c.Paused(opened.N); now.Branch != 1 || now.At != 0 || c.Run.Branch(1).Scenario().End != 40e6 {
			t.Errorf("after another scenario the clock stands at %s of branch %d", now.At, now.Branch)
		}
	}
}

// testNonsense sends what no page sends: each is told why, the room goes on.
func testNonsense(t *testing.T, base string) {
	code, token := Create(t, base, scenario)
	host, rude := Join(t, base, code, token), Join(t, base, code, "")
	for _, c := range []struct {
		kind    websocket.MessageType
		message string
		reason  string
	}{
		{websocket.MessageText, "kill c1", "not JSON"},
		{websocket.MessageText, "[1]", "expected a JSON object"},
		{websocket.MessageText, `{"type":"shout"}`, "no such type"},
		{websocket.MessageText, `{"type":"pause"}`, "only the host"},
		{websocket.MessageText, `{"type":"digest","n":"2"}`, "whole number"},
		{websocket.MessageText, `{"type":"` + strings.Repeat("x", room.MaxViewerBytes) + `"}`, "too large"},
		{websocket.MessageBinary, `{"type":"digest","n":2,"digest":"0"}`, "not JSON"},
	} {
		rude.Write(c.kind, []byte(c.message))
		if said := rude.Until("refused", nil); !strings.Contains(said.Reason, c.reason) {
			t.Errorf("%.40s: %q", c.message, said.Reason)
		}
	}
	for _, line := range []string{"kil c1", "kill c9", "", "\x00", "kill c1\nkill c2", strings.Repeat("k", room.MaxLineBytes+1)} {
		host.Send(map[string]any{"type": "act", "branch": 1, "at": 0, "line": line})
		if said := host.Until("refused", nil); said.About != "act" || said.Reason == "" {
			t.Errorf("%.40q: %+v", line, said)
		}
	}
	host.Send(map[string]any{"type": "seek", "branch": 1, "at": 1e6})
	if now := rude.Paused(3); now.N != 3 || now.At != 1e6 {
		t.Errorf("the room has changed: line %d at %s", now.N, now.At)
	}
}

// testClosed holds who is closed, and with which code.
func testClosed(t *testing.T, base string) {
	code, token := Create(t, base, scenario)
	host := Join(t, base, code, token)
	join := func(token string) *Client {
		c := Dial(t, base, code)
		c.Send(map[string]any{"type": "join", "protocol": 1, "token": token})
		return c
	}
	if got := join(token + "x").Closed(); !strings.HasPrefix(got, "4401 ") {
		t.Errorf("a wrong token: %q", got)
	}
	old := Dial(t, base, code)
	old.Send(map[string]any{"type": "join", "protocol": 2})
	if got := old.Closed(); !strings.HasPrefix(got, "4406 ") {
		t.Errorf("another protocol: %q", got)
	}
	for _, unknown := range []string{"222222", "nonsense"} {
		if got := Dial(t, base, unknown).Closed(); got != "4404 "+room.ReasonNoRoom {
			t.Errorf("the room %s: %q", unknown, got)
		}
	}
	rude := Join(t, base, code, "")
	for range 20 {
		rude.Write(websocket.MessageText, []byte("{"))
	}
	if got := rude.Closed(); !strings.HasPrefix(got, "4400 ") {
		t.Errorf("nonsense without end: %q", got)
	}
	large := Join(t, base, code, token)
	large.Write(websocket.MessageText, bytes.Repeat([]byte(" "), room.MaxFrameBytes+1))
	if got := large.Closed(); !strings.HasPrefix(got, "1009 ") {
		t.Errorf("a frame too large: %q", got)
	}
	bad := Join(t, base, code, "")
	bad.Write(websocket.MessageText, []byte("{\"type\":\"\xff\xfe\"}"))
	host.Send(map[string]any{"type": "seek", "branch": 1, "at": 2e6})
	if now := host.Until("clock", func(m follow.Frame) bool { return m.At == 2e6 }); now.Digest == "" {
		t.Error("the room has suffered")
	}
}

// testFull fills a room: one more is sent away, and has a place when somebody
// has gone.
func testFull(t *testing.T, base string) {
	code, _ := Create(t, base, scenario)
	last := Join(t, base, code, "")
	for range room.MaxViewers - 1 {
		Dial(t, base, code).Send(map[string]any{"type": "join", "protocol": 1})
	}
	here := func(n int) { // asks until so many are
		for range 10_000 {
			if _, said := Ask(t, http.MethodGet, base+"/api/rooms/"+code, "", nil); said["here"] == float64(n) {
				return
			}
		}
		t.Fatalf("there are never %d viewers", n)
	}
	here(room.MaxViewers)
	if got := Dial(t, base, code).Closed(); !strings.HasPrefix(got, "4429 ") {
		t.Errorf("viewer %d: %q", room.MaxViewers+1, got)
	}
	last.ws.Close(websocket.StatusNormalClosure, "")
	here(room.MaxViewers - 1)
	Join(t, base, code, "")
}

// testOrigin holds that pages from elsewhere use no room.
func testOrigin(t *testing.T, base string) {
	code, _ := Create(t, base, scenario)
	address := base + "/api/rooms/" + code
	for origin, want := range map[string]int{"": 200, base: 200, Origin: 200, "https://elsewhere.example": 403, "null": 403, base + ".elsewhere.example": 403} {
		if status, said := Ask(t, http.MethodGet, address, origin, nil); status != want {
			t.Errorf("the origin %q gets %d %v", origin, status, said)
		}
		want := map[int]int{200: http.StatusSwitchingProtocols, 403: http.StatusForbidden}[want]
		_, answer, _ := websocket.Dial(t.Context(), strings.Replace(base, "http", "ws", 1)+"/ws/"+code,
			&websocket.DialOptions{HTTPHeader: http.Header{"Origin": []string{origin}}})
		if answer == nil || answer.StatusCode != want {
			t.Errorf("a WebSocket from the origin %q gets %v", origin, answer)
		}
	}
}

// testHTTP holds what is said about rooms over HTTP.
func testHTTP(t *testing.T, base string) {
	for _, c := range []struct {
		body   string
		status int
		reason string
	}{
		{"", 400, "expected {"}, {"[]", 400, "expected {"}, {`{"at":1}`, 400, "expected {"}, {`{"text":7}`, 400, "expected {"}, {`{"text":"# x"} and more`, 400, "expected {"},
		{`{"text":"toppic a"}`, 422, "did you mean topic"}, {`{"text":"run until 5s","at":6000000}`, 422, "the run's end"},
		{`{"text":"topic a partitions=5000"}`, 422, "too large"},
		{`{"text":"` + strings.Repeat("#", room.MaxFrameBytes) + `"}`, 413, "bytes"},
	} {
		status, said := Ask(t, http.MethodPost, base+"/api/rooms", "", []byte(c.body))
		if reason := fmt.Sprint(said["error"]); status != c.status || !strings.Contains(reason, c.reason) {
			t.Errorf("%.40s gives %d %q", c.body, status, reason)
		}
	}
	code, _ := Create(t, base, scenario)
	Join(t, base, code, "")
	for path, want := range map[string]int{code: 200, strings.ToLower(code[:3]) + "%20" + code[3:]: 200, "222222": 404, "x": 404} {
		status, said := Ask(t, http.MethodGet, base+"/api/rooms/"+path, "", nil)
		if status != want || want == 200 && said["here"] != 1.0 || want == 404 && said["error"] == nil {
			t.Errorf("the room %s gives %d %v", path, status, said)
		}
	}
	if status, _ := Ask(t, http.MethodDelete, base+"/api/nothing", "", nil); status != 404 {
		t.Errorf("an unknown address gives %d", status)
	}
}

// testPing holds that a page finds out whether the connection lives.
func testPing(t *testing.T, base string) {
	code, _ := Create(t, base, scenario)
	c := Join(t, base, code, "")
	c.Paused(0)
	c.Write(websocket.MessageText, []byte("ping"))
	if _, text, err := c.ws.Read(t.Context()); err != nil || string(text) != "pong" {
		t.Errorf("ping gives %q, %v", text, err)
	}
}
