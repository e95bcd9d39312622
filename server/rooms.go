//go:build !js

package server

import (
	"context"
	"log/slog"
	"net/http"
	"sync"
	"time"

	"rebalancelab/engine/clock"
	"rebalancelab/server/room"
)

// tick is how often a room that has something to do is stepped.
const tick = 100 * time.Millisecond

// Memory holds rooms in this process: a restart ends them.
type Memory struct {
	mu      sync.Mutex
	rooms   map[string]*actor
	stopped bool
	minute  time.Time // in which so many rooms were created
	created int

	open        int // connections
	connections sync.WaitGroup
}

// Handler is everything that the server serves: the page, and its rooms. Pages
// of the origins listed may use the rooms too.
func Handler(page http.Handler, rooms *Memory, origins []string) http.Handler {
	mux := http.NewServeMux()
	mux.Handle("/", page)
	mux.Handle("/api/", API(rooms, origins))
	mux.Handle("/ws/{code}", Sockets(rooms, origins))
	return mux
}

// NewMemory has no rooms.
func NewMemory() *Memory { return &Memory{rooms: map[string]*actor{}} }

// Create implements Rooms.
func (m *Memory) Create(_ context.Context, text string, at clock.Time) (string, string, error) {
	m.mu.Lock()
	full := !m.mayCreate()
	m.mu.Unlock()
	if full {
		return "", "", ErrTooMany
	}
	token := room.NewToken()
	a := &actor{inbox: make(chan func(*room.Room)), stop: make(chan struct{}), ended: make(chan struct{})}
	for range 100 { // codes of rooms that exist are passed over
		r, err := room.New(room.NewCode(), room.HashToken(token), text, at)
		if err != nil {
			return "", "", err
		}
		if m.add(r.Code(), a) {
			go m.run(a, r)
			return r.Code(), token, nil
		}
	}
	return "", "", ErrTooMany
}

// mayCreate reports whether another room may be made, and counts it.
func (m *Memory) mayCreate() bool {
	if now := time.Now(); now.Sub(m.minute) >= time.Minute {
		m.minute, m.created = now, 0
	}
	if m.stopped || len(m.rooms) >= room.MaxRooms || m.created >= room.CreationsPerMinute {
		return false
	}
	m.created++
	return true
}

// add takes in a room unless there is one with its code.
func (m *Memory) add(code string, a *actor) bool {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.stopped || m.rooms[code] != nil {
		return false
	}
	m.rooms[code] = a
	return true
}

// Here implements Rooms.
func (m *Memory) Here(_ context.Context, code string) (int, bool, error) {
	n := 0
	found := m.find(code).do(func(r *room.Room) { n = r.Here() })
	return n, found, nil
}

// find is the actor of a room; one that has ended if there is none.
func (m *Memory) find(code string) *actor {
	m.mu.Lock()
	defer m.mu.Unlock()
	if a := m.rooms[code]; a != nil {
		return a
	}
	return nobody
}

// Stop ends all rooms and waits until everybody has been told, or until ctx ends.
func (m *Memory) Stop(ctx context.Context) {
	m.mu.Lock()
	if !m.stopped {
		for _, a := range m.rooms {
			close(a.stop)
		}
	}
	m.stopped = true
	m.mu.Unlock()
	told := make(chan struct{})
	go func() { m.connections.Wait(); close(told) }()
	select {
	case <-told:
	case <-ctx.Done():
	}
}

// connect counts a connection, which Stop waits for. If there cannot be another,
// it says why.
func (m *Memory) connect() (refused string) {
	m.mu.Lock()
	defer m.mu.Unlock()
	switch {
	case m.stopped:
		return room.ReasonStopping
	case m.open >= room.MaxConnections:
		return room.ReasonTooMany
	}
	m.open++
	m.connections.Add(1)
	return ""
}

func (m *Memory) disconnect() {
	m.mu.Lock()
	m.open--
	m.mu.Unlock()
	m.connections.Done()
}

// actor is the goroutine that alone touches a room.
type actor struct {
	inbox chan func(*room.Room)
	stop  chan struct{}
	ended chan struct{}
}

// nobody is an actor whose room has ended.
var nobody = func() *actor {
	a := &actor{ended: make(chan struct{})}
	close(a.ended)
	return a
}()

// do lets the actor do something with its room and waits for it. It reports
// whether the room was there.
func (a *actor) do(f func(*room.Room)) bool {
	done := make(chan struct{})
	select {
	case a.inbox <- func(r *room.Room) { f(r); close(done) }:
		<-done
		return true
	case <-a.ended:
		return false
	}
}

// run is the actor's goroutine: it steps the room while there is something to
// do, and ends it when it has been empty or idle for too long.
func (m *Memory) run(a *actor, r *room.Room) {
	defer m.forget(a, r)
	ticker := time.NewTicker(tick)
	defer ticker.Stop()
	quiet := time.NewTimer(room.EmptyTime)
	defer quiet.Stop()
	ticking, last := true, time.Now()
	for r.Ended() == "" {
		select {
		case f := <-a.inbox:
			f(r)
			quiet.Reset(patience(r))
		case <-ticker.C:
			now := time.Now()
			r.Step(clock.Duration(now.Sub(last) / time.Microsecond))
			last = now
		case <-quiet.C:
			reason := room.ReasonIdle
			if r.Here() == 0 {
				reason = room.ReasonEmpty
			}
			r.End(room.CloseEnded, reason)
		case <-a.stop:
			r.End(room.CloseStopping, room.ReasonStopping)
		}
		if active := r.Active(); active && !ticking {
			ticker.Reset(tick)
			ticking, last = true, time.Now()
		} else if !active && ticking {
			ticker.Stop()
			ticking = false
		}
	}
}

// patience is how long a room may stay without anybody who does something.
func patience(r *room.Room) time.Duration {
	if r.Here() == 0 {
		return room.EmptyTime
	}
	return room.IdleTime
}

func (m *Memory) forget(a *actor, r *room.Room) {
	m.mu.Lock()
	delete(m.rooms, r.Code())
	m.mu.Unlock()
	close(a.ended)
	slog.Info("a room has ended", "reason", r.Ended())
}
