package main

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"sync"
	"time"

	"nhooyr.io/websocket"

	"rebalancelab/engine/clock"
	"rebalancelab/server/follow"
)

const (
	perSecond   = 10
	reportEvery = perSecond // lines, of which a viewer reports the digest of one
	patience    = 30 * time.Second
	joinAtOnce  = 50
	maxFrame    = 1 << 20
	move        = 20 * clock.Millisecond // of the clock, each time
)

// class is everybody in the room.
type class struct {
	host     *websocket.Conn
	viewers  []*viewer
	sent     sync.Map // virtual time → when the host asked for it
	finished sync.WaitGroup
}

// viewer is one viewer's socket.
type viewer struct {
	ws      *websocket.Conn
	late    spans
	failure error
}

// join makes the room and lets everybody join.
func join(ctx context.Context, base string, viewers int) (*class, error) {
	code, token, err := create(ctx, base)
	if err != nil {
		return nil, err
	}
	address := strings.Replace(base, "http", "ws", 1) + "/ws/" + code
	c := &class{viewers: make([]*viewer, viewers)}
	if c.host, err = dial(ctx, address, map[string]any{"type": "join", "protocol": 1, "token": token}); err != nil {
		return nil, err
	}
	places, failed := make(chan struct{}, joinAtOnce), make(chan error, viewers)
	for i := range c.viewers {
		places <- struct{}{}
		go func() {
			ws, err := dial(ctx, address, map[string]any{"type": "join", "protocol": 1})
			c.viewers[i] = &viewer{ws: ws}
			<-places
			failed <- err
		}()
	}
	for range c.viewers {
		if err := <-failed; err != nil {
			return nil, fmt.Errorf("a viewer cannot join: %w", err)
		}
	}
	return c, nil
}

// dial joins and waits until the clock line has come.
func dial(ctx context.Context, address string, join any) (*websocket.Conn, error) {
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	ws, _, err := websocket.Dial(ctx, address, nil)
	if err != nil {
		return nil, err
	}
	ws.SetReadLimit(maxFrame)
	if err := write(ctx, ws, join); err != nil {
		return nil, err
	}
	for {
		m, err := read(ctx, ws)
		if err != nil || m.Type == "clock" {
			return ws, err
		}
	}
}

func write(ctx context.Context, ws *websocket.Conn, frame any) error {
	text, err := json.Marshal(frame)
	if err != nil {
		return err
	}
	return ws.Write(ctx, websocket.MessageText, text)
}

func read(ctx context.Context, ws *websocket.Conn) (m follow.Frame, err error) {
	_, text, err := ws.Read(ctx)
	if err != nil {
		return m, err
	}
	return m, json.Unmarshal(text, &m)
}

// play moves the clock as often as asked, waits until all have seen the last
// line, and returns how many there were.
func (c *class) play(parent context.Context, lines int) (int, error) {
	ctx, cancel := context.WithTimeout(parent, patience)
	defer cancel()
	end := clock.Time(lines) * clock.Time(move)
	for i, v := range c.viewers {
		c.finished.Add(1)
		go func() {
			defer c.finished.Done()
			v.failure = c.watch(ctx, v, end, i)
		}()
	}
	go func() { // the host reads too, or it would be a slow viewer
		for {
			if _, err := read(ctx, c.host); err != nil {
				return
			}
		}
	}()
	ticker := time.NewTicker(time.Second / perSecond)
	defer ticker.Stop()
	for at := clock.Time(move); at <= end; at += clock.Time(move) {
		<-ticker.C
		c.sent.Store(at, time.Now())
		if err := write(ctx, c.host, map[string]any{"type": "seek", "branch": 1, "at": at}); err != nil {
			return 0, fmt.Errorf("the host: %w", err)
		}
	}
	c.finished.Wait()
	return lines, nil
}

// watch notes when each line comes, and reports a digest now and then, as a page
// does.
func (c *class) watch(ctx context.Context, v *viewer, end clock.Time, offset int) error {
	for {
		m, err := read(ctx, v.ws)
		now := time.Now()
		if err != nil {
			return err
		}
		if m.Type != "clock" {
			continue
		}
		if sent, ok := c.sent.Load(m.At); ok {
			v.late = append(v.late, now.Sub(sent.(time.Time)))
		}
		if (int(m.N)+offset)%reportEvery == 0 {
			if err := write(ctx, v.ws, map[string]any{"type": "digest", "n": m.N, "digest": m.Digest}); err != nil {
				return err
			}
		}
		if m.At == end {
			return nil
		}
	}
}

// latencies are those of all lines of all viewers, sorted.
func (c *class) latencies() spans {
	var all []spans
	for _, v := range c.viewers {
		all = append(all, v.late)
	}
	return sorted(all)
}

// dropped is the number of viewers who lost their connection.
func (c *class) dropped() int {
	n := 0
	for _, v := range c.viewers {
		if v.failure != nil {
			n++
		}
	}
	return n
}
