//go:build !js

package server

import (
	"context"
	"math/rand/v2"
	"net"
	"net/http"
	"path"
	"sync"
	"sync/atomic"
	"time"

	"nhooyr.io/websocket"

	"rebalancelab/server/room"
)

// The bounds of a connection. A viewer that reaches one is dropped alone; it may
// come back and ask for the lines that it lacks.
const (
	maxQueueFrames = 2 * room.MaxActs // that wait to be written
	maxQueueBytes  = 4 << 20
	writeTime      = 10 * time.Second // for one frame
	pingEvery      = 15 * time.Second
	pingSpread     = 5 * time.Second // so that not all are pinged at once
	pongTime       = 10 * time.Second
	partTime       = 500 * time.Millisecond // that a viewer has to close after end
	writeBuffer    = 64 << 10               // of the kernel, for one connection
)

// Sockets serves the WebSockets of rooms at /ws/{code}. It must not stand behind
// a handler that wraps the ResponseWriter.
func Sockets(rooms *Memory, origins []string) http.Handler {
	var ids atomic.Int64
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if !Allowed(r.Header.Get("Origin"), r.Host, origins) {
			http.Error(w, "pages of this origin may not use the rooms of this server", http.StatusForbidden)
			return
		}
		if refused := rooms.connect(); refused != "" {
			http.Error(w, refused, http.StatusServiceUnavailable)
			return
		}
		defer rooms.disconnect()
		ws, err := websocket.Accept(w, r, &websocket.AcceptOptions{
			InsecureSkipVerify: true, // Allowed has looked at the origin
			CompressionMode:    websocket.CompressionDisabled,
		})
		if err != nil {
			return // Accept has answered
		}
		defer ws.CloseNow()
		code, _ := room.ParseCode(path.Base(r.URL.Path))
		serve(ws, rooms.find(code), int(ids.Add(1)))
	})
}

// BoundWrites is for http.Server.ConnContext: it bounds what the kernel keeps for
// a peer that does not read.
func BoundWrites(ctx context.Context, c net.Conn) context.Context {
	if tcp, ok := c.(*net.TCPConn); ok {
		_ = tcp.SetWriteBuffer(writeBuffer)
	}
	return ctx
}

// serve is one connection from its first frame to its last.
func serve(ws *websocket.Conn, a *actor, id int) {
	ws.SetReadLimit(room.MaxFrameBytes)
	ctx, cancel := context.WithCancel(context.Background())
	c := &connection{ws: ws, cancel: cancel, wake: make(chan struct{}, 1), gone: make(chan struct{})}
	written := make(chan struct{})
	go func() { c.write(ctx); close(written) }()
	if !a.do(func(r *room.Room) { r.Join(id, c) }) {
		c.Send(room.EndFrame(room.CloseNoSuchRoom, room.ReasonNoRoom))
		c.Close(room.CloseNoSuchRoom, room.ReasonNoRoom)
	}
	c.read(ctx, a, id)
	close(c.gone)
	a.do(func(r *room.Room) { r.Leave(id) })
	c.mu.Lock()
	closing := c.code != 0
	c.mu.Unlock()
	if !closing {
		cancel()
	}
	<-written
	cancel()
}

// connection is a viewer's connection: frames wait in a bounded queue for the
// one goroutine that writes.
type connection struct {
	ws     *websocket.Conn
	cancel context.CancelFunc
	wake   chan struct{} // something is in the queue, or code is set
	gone   chan struct{} // closed when nothing more is read

	mu     sync.Mutex
	queue  [][]byte
	bytes  int
	code   int // of the close frame, 0 while open
	reason string
}

// Send implements room.Conn.
func (c *connection) Send(frame []byte) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.code != 0 {
		return
	}
	if len(c.queue) >= maxQueueFrames || c.bytes > maxQueueBytes {
		c.cancel()
		return
	}
	c.queue = append(c.queue, frame)
	c.bytes += len(frame)
	c.signal()
}

// Close implements room.Conn: the frames before it are written first.
func (c *connection) Close(code int, reason string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.code == 0 {
		c.code, c.reason = code, reason
	}
	c.signal()
}

func (c *connection) signal() {
	select {
	case c.wake <- struct{}{}:
	default:
	}
}

// read hands frames to the room until the connection ends.
func (c *connection) read(ctx context.Context, a *actor, id int) {
	for {
		kind, frame, err := c.ws.Read(ctx)
		if err != nil {
			return
		}
		if kind == websocket.MessageText && string(frame) == "ping" {
			c.Send([]byte("pong"))
			continue
		}
		if kind != websocket.MessageText {
			frame = nil // which the room does not understand
		}
		a.do(func(r *room.Room) { r.Receive(id, frame) })
	}
}

// write writes what is queued, and pings, until ctx ends or the connection is to
// be closed.
func (c *connection) write(ctx context.Context) {
	defer c.ws.CloseNow()
	ping := time.NewTimer(pingEvery + rand.N(pingSpread))
	defer ping.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-ping.C:
			go c.ping(ctx)
			ping.Reset(pingEvery + rand.N(pingSpread))
			continue
		case <-c.wake:
		}
		c.mu.Lock()
		frames, code, reason := c.queue, c.code, c.reason
		c.queue, c.bytes = nil, 0
		c.mu.Unlock()
		for _, frame := range frames {
			if !c.writeFrame(ctx, frame) {
				return
			}
		}
		if code != 0 {
			c.part(ctx, code, reason)
			return
		}
	}
}

// part closes after end. The viewer goes first: the library answers the answer to
// its own close frame with another, which browsers call a broken connection.
func (c *connection) part(ctx context.Context, code int, reason string) {
	wait := time.NewTimer(partTime)
	defer wait.Stop()
	select {
	case <-c.gone:
	case <-ctx.Done():
	case <-wait.C:
		_ = c.ws.Close(websocket.StatusCode(code), reason)
	}
}

func (c *connection) writeFrame(ctx context.Context, frame []byte) bool {
	ctx, cancel := context.WithTimeout(ctx, writeTime)
	defer cancel()
	return c.ws.Write(ctx, websocket.MessageText, frame) == nil
}

// ping finds a peer that is gone or does not read: the library does not close
// such a connection.
func (c *connection) ping(ctx context.Context) {
	ctx, cancel := context.WithTimeout(ctx, pongTime)
	defer cancel()
	if c.ws.Ping(ctx) != nil {
		c.cancel()
	}
}
