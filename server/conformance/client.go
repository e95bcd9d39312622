// Package conformance holds what every host of rooms must do, as tests against a
// base address: the native server and the Durable Object run the same ones.
package conformance

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"nhooyr.io/websocket"

	"rebalancelab/server/follow"
)

// patience bounds every wait for a frame.
const patience = 30 * time.Second

// maxFrame is the largest frame that a room sends: a scenario in JSON.
const maxFrame = 4 << 20

// Client is one viewer with its own run.
type Client struct {
	follow.Follower
	t     *testing.T
	ws    *websocket.Conn
	Host  bool
	Token string
}

// Create makes a room and returns its code and its host's token.
func Create(t *testing.T, base, text string) (code, token string) {
	t.Helper()
	status, body := Post(t, base, map[string]any{"text": text})
	if status != http.StatusCreated || len(body["room"].(string)) != 6 {
		t.Fatalf("creating a room gives %d %v", status, body)
	}
	return body["room"].(string), body["token"].(string)
}

// Post asks for a room and returns the status and the answer.
func Post(t *testing.T, base string, asked any) (int, map[string]any) {
	t.Helper()
	text, err := json.Marshal(asked)
	if err != nil {
		t.Fatal(err)
	}
	return Ask(t, http.MethodPost, base+"/api/rooms", "", text)
}

// Ask sends a request with an Origin and returns the status and the JSON answer.
func Ask(t *testing.T, method, address, origin string, body []byte) (int, map[string]any) {
	t.Helper()
	r, err := http.NewRequestWithContext(t.Context(), method, address, bytes.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	if origin != "" {
		r.Header.Set("Origin", origin)
	}
	got, err := http.DefaultClient.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	defer got.Body.Close()
	var said map[string]any
	if err := json.NewDecoder(got.Body).Decode(&said); err != nil {
		t.Fatalf("%s %s gives %d and no JSON: %v", method, address, got.StatusCode, err)
	}
	return got.StatusCode, said
}

// Dial opens a connection to a room and sends nothing.
func Dial(t *testing.T, base, code string) *Client {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	defer cancel()
	ws, _, err := websocket.Dial(ctx, strings.Replace(base, "http", "ws", 1)+"/ws/"+code, nil)
	if err != nil {
		t.Fatal(err)
	}
	ws.SetReadLimit(maxFrame)
	t.Cleanup(func() { ws.CloseNow() })
	return &Client{t: t, ws: ws}
}

// Join opens a connection and joins; with a token as host.
func Join(t *testing.T, base, code, token string) *Client {
	t.Helper()
	c := Dial(t, base, code)
	c.Token = token
	c.join()
	return c
}

func (c *Client) join() {
	c.t.Helper()
	c.Send(map[string]any{"type": "join", "protocol": 1, "token": c.Token, "after": c.Last})
	c.Host = c.Until("welcome", nil).Host
}

// Again comes back after a connection was lost, with the run that it has.
func (c *Client) Again(base, code string) {
	c.t.Helper()
	c.ws.CloseNow()
	c.ws = Dial(c.t, base, code).ws
	c.join()
}

// Send sends a frame.
func (c *Client) Send(frame any) {
	c.t.Helper()
	text, err := json.Marshal(frame)
	if err != nil {
		c.t.Fatal(err)
	}
	c.Write(websocket.MessageText, text)
}

// Write sends any message.
func (c *Client) Write(kind websocket.MessageType, message []byte) {
	c.t.Helper()
	ctx, cancel := context.WithTimeout(c.t.Context(), patience)
	defer cancel()
	if err := c.ws.Write(ctx, kind, message); err != nil {
		c.t.Fatal(err)
	}
}

// Until takes in frames until one of a type that fits has come. Every line is
// replayed and every digest compared.
func (c *Client) Until(kind string, fits func(follow.Frame) bool) follow.Frame {
	c.t.Helper()
	ctx, cancel := context.WithTimeout(c.t.Context(), patience)
	defer cancel()
	for {
		_, text, err := c.ws.Read(ctx)
		if err != nil {
			c.t.Fatalf("waiting for %s: %v", kind, err)
		}
		m, err := c.Take(text)
		if err != nil {
			c.t.Fatal(err)
		}
		if m.Type == kind && (fits == nil || fits(m)) {
			return m
		}
	}
}

// Paused waits for the clock line of a pause at or behind a line and reports the
// digest there.
func (c *Client) Paused(n int64) follow.Frame {
	c.t.Helper()
	return c.Until("clock", func(m follow.Frame) bool { return m.Rate == 0 && m.Digest != "" && m.N >= n })
}

// Closed reads until the connection is closed and returns how; the end frame
// before it has the same code.
func (c *Client) Closed() string {
	c.t.Helper()
	ctx, cancel := context.WithTimeout(c.t.Context(), patience)
	defer cancel()
	said := follow.Frame{}
	for {
		_, text, err := c.ws.Read(ctx)
		if err != nil {
			var closed websocket.CloseError
			if errors.As(err, &closed) {
				if said.Type == "end" && said.Code != int(closed.Code) {
					c.t.Errorf("the end frame says %d, the close frame %d", said.Code, closed.Code)
				}
				return fmt.Sprintf("%d %s", closed.Code, said.Reason)
			}
			c.t.Fatalf("the connection ended without a close frame: %v", err)
		}
		if m, _ := c.Take(text); m.Type == "end" {
			said = m
		}
	}
}
