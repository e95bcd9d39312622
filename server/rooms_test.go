package server

import (
	"context"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"rebalancelab/server/conformance"
	"rebalancelab/server/room"
)

// host is a server on a free port.
func host(t *testing.T, rooms *Memory) string {
	t.Helper()
	s := httptest.NewUnstartedServer(Handler(http.NotFoundHandler(), rooms, []string{conformance.Origin}))
	s.Config.ConnContext = BoundWrites
	s.Start()
	t.Cleanup(func() {
		rooms.Stop(t.Context())
		s.Close()
	})
	return s.URL
}

func TestConformance(t *testing.T) { conformance.Run(t, host(t, NewMemory())) }

// TestStop holds that everybody is told when the server stops.
func TestStop(t *testing.T) {
	rooms := NewMemory()
	base := host(t, rooms)
	code, token := conformance.Create(t, base, "run until 5s")
	ann, bob := conformance.Join(t, base, code, token), conformance.Join(t, base, code, "")
	stopped := make(chan struct{})
	go func() { rooms.Stop(context.Background()); close(stopped) }()
	for _, c := range []*conformance.Client{ann, bob} {
		if got := c.Closed(); got != "4503 "+room.ReasonStopping {
			t.Errorf("closed with %q", got)
		}
	}
	<-stopped
	if status, _ := conformance.Post(t, base, map[string]any{"text": "run until 5s"}); status != http.StatusTooManyRequests {
		t.Errorf("a server that stops makes a room: %d", status)
	}
}

// silent is a connection that nobody reads.
type silent struct{ closed chan string }

func (s silent) Send([]byte) {}

func (s silent) Close(_ int, reason string) { s.closed <- reason }

// TestIdle holds when rooms end, in virtual time.
func TestIdle(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		m := NewMemory()
		code, _, err := m.Create(t.Context(), "run until 5s", 0)
		if err != nil {
			t.Fatal(err)
		}
		a := m.find(code)
		viewer := silent{make(chan string, 1)}
		a.do(func(r *room.Room) {
			r.Join(1, viewer)
			r.Receive(1, []byte(`{"type":"join","protocol":1}`))
		})
		begun := time.Now()
		if reason := <-viewer.closed; reason != room.ReasonIdle || time.Since(begun) != room.IdleTime {
			t.Errorf("after %s: %q", time.Since(begun), reason)
		}
		<-a.ended
		if code, _, err = m.Create(t.Context(), "run until 5s", 0); err != nil {
			t.Fatal(err)
		}
		begun = time.Now()
		<-m.find(code).ended
		if time.Since(begun) != room.EmptyTime {
			t.Errorf("an empty room ends after %s", time.Since(begun))
		}
		if _, found, _ := m.Here(t.Context(), code); found || len(m.rooms) != 0 {
			t.Error("the room is still there")
		}
	})
}

// TestTooManyRooms holds both bounds on rooms, in virtual time.
func TestTooManyRooms(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		m := NewMemory()
		made, minutes := 0, 0
		for ; made < room.MaxRooms && minutes < 10; minutes++ {
			before := made
			for range room.CreationsPerMinute + 1 {
				if _, _, err := m.Create(t.Context(), "run until 5s", 0); err == nil {
					made++
				} else if err != ErrTooMany {
					t.Fatal(err)
				}
			}
			if made-before > room.CreationsPerMinute {
				t.Fatalf("%d rooms in a minute", made-before)
			}
			time.Sleep(time.Minute)
		}
		if made != room.MaxRooms || minutes != 4 {
			t.Errorf("%d rooms in %d minutes", made, minutes)
		}
		if _, _, err := m.Create(t.Context(), "run until 5s", 0); err != ErrTooMany {
			t.Errorf("one room more: %v", err)
		}
		m.Stop(t.Context())
	})
}

// TestTooManyConnections holds that a server bounds its viewers over all rooms.
func TestTooManyConnections(t *testing.T) {
	m := NewMemory()
	for range room.MaxConnections {
		if refused := m.connect(); refused != "" {
			t.Fatal(refused)
		}
	}
	if refused := m.connect(); refused != room.ReasonTooMany {
		t.Errorf("one more: %q", refused)
	}
	m.disconnect()
	if refused := m.connect(); refused != "" {
		t.Errorf("there is a place again: %q", refused)
	}
}

// TestSlowViewer holds that a viewer whose queue is full is dropped, and that
// nobody waits for it.
func TestSlowViewer(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	c := &connection{cancel: cancel, wake: make(chan struct{}, 1)}
	for i := range maxQueueFrames + 1 {
		if ctx.Err() != nil {
			t.Fatalf("dropped after %d frames", i)
		}
		c.Send([]byte("frame"))
	}
	if ctx.Err() == nil {
		t.Errorf("%d frames wait", len(c.queue))
	}
	ctx, cancel = context.WithCancel(t.Context())
	c = &connection{cancel: cancel, wake: make(chan struct{}, 1)}
	for range 5 {
		c.Send(make([]byte, maxQueueBytes/4))
	}
	if c.Send(nil); ctx.Err() == nil {
		t.Errorf("%d bytes wait", c.bytes)
	}
}

func TestAllowed(t *testing.T) {
	others := []string{"https://docs.example.org"}
	for origin, want := range map[string]bool{
		"": true, "http://lab.example:8080": true, "https://LAB.example:8080": true, "https://docs.example.org": true,
		"https://lab.example": false, "https://docs.example.org.evil.example": false, "null": false, "http://lab.example:8080@evil.example": false,
	} {
		if Allowed(origin, "lab.example:8080", others) != want {
			t.Errorf("%q: %v", origin, !want)
		}
	}
	w := httptest.NewRecorder()
	r := httptest.NewRequest(http.MethodOptions, "/api/rooms", nil)
	r.Header.Set("Origin", others[0])
	API(NewMemory(), others).ServeHTTP(w, r)
	if w.Code != http.StatusNoContent || !strings.Contains(w.Header().Get("Access-Control-Allow-Methods"), "POST") {
		t.Errorf("a page of a listed origin may not ask: %d %v", w.Code, w.Header())
	}
}
