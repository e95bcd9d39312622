// Package room is a run that a class watches together: a host plays and acts,
// everybody sees the same. A Room is a plain object without goroutine, clock or
// socket; two hosts drive it, the native server and a Durable Object.
//
// # What is shared
//
// A run is its inputs, so a room sends no pictures: it sends a numbered log of
// the scenario, the commands in their order and where its clock stands. Each
// viewer replays that in its own engine. A viewer never plays past the last
// clock line. The room plays the run itself; its digest stands in clock lines,
// and viewers compare.
//
// # The protocol
//
// Frames are JSON objects in WebSocket text frames. Times ("at") are virtual
// microseconds, rates are thousandths of real time (1000: one second a second,
// 0: paused), digests are 16 hexadecimal digits.
//
// Numbered lines, server to viewer. Numbers grow; there are gaps, since a clock
// line supersedes the one before it.
//
//	{"n":1,"type":"scenario","text":"…"}                                  everything before is void
//	{"n":2,"type":"act","branch":1,"at":41000000,"line":"kill c2","became":2}
//	{"n":7,"type":"edit","branch":2,"text":"…","became":3}
//	{"n":9,"type":"clock","branch":3,"at":41500000,"rate":1000,"digest":"9f3c…"}
//
// An act is session.Act(branch, at, line), an edit session.Edit(branch, text);
// became is the branch that they return, here as there. After an act or an edit
// the clock moves to that branch: to the command's time, or to where it stood; its
// clock line comes when the room has played that far. A clock line has a digest
// when the clock is paused or was moved, and about once a second while it runs; it
// is that of session.World(branch, at).
//
// Other frames, server to viewer:
//
//	{"type":"welcome","protocol":1,"room":"4K72MX","host":true,"last":9}  the answer to join; lines follow
//	{"type":"people","here":27,"agree":26,"differ":1,"at":9}              hosts included; of the digest in clock line 9
//	{"type":"refused","about":"act","reason":"…","diagnostics":[{"line":1,"column":1,"endColumn":5,"message":"…"}]}
//	{"type":"end","code":4410,"reason":"…"}                               the last frame
//
// After end the viewer closes the connection; if it does not, the room does, with
// that code.
//
// refused goes to the sender alone; nothing has changed. about is the type of
// the refused frame, "" if it has none; diagnostics stand there for an act, an
// edit or a scenario that is not understood.
//
// Viewer to server. The first frame is
//
//	{"type":"join","protocol":1,"token":"…","after":9}
//
// token makes a host and is left out by everybody else. after is the last number
// that the viewer has, 0 if none; it gets the lines behind that. If its number is
// larger than welcome's last, or lines begin with a scenario, the room starts over
// with what follows. Then, from everybody,
//
//	{"type":"digest","n":9,"digest":"…"}     its own digest at clock line 9
//
// and from hosts only
//
//	{"type":"act","branch":1,"at":41000000,"line":"kill c2"}  at the clock's time or before; without `at`
//	{"type":"edit","branch":2,"text":"…"}                     the branch's text, changed
//	{"type":"open","text":"…"}                                another scenario
//	{"type":"play","rate":1000}                               100 (0.1×) to 1000000 (1000×)
//	{"type":"pause"}
//	{"type":"seek","branch":1,"at":20000000}
//
// Unknown fields are passed over. The bare text `ping` is answered by `pong`; that
// does not wake the room.
package room

import (
	"bytes"
	"encoding/json"

	"rebalancelab/engine/clock"
	"rebalancelab/engine/script"
)

// Protocol is the version of the protocol.
const Protocol = 1

// The close codes of a room, beside those that WebSocket has: 1009 for a frame
// that is too large, 1006 for a viewer that was too slow to be told anything.
// After all but NoSuchRoom, WrongToken, OtherProtocol and Ended a viewer may come
// back and ask for what it lacks; if the room has gone, it is told NoSuchRoom.
const (
	CloseNonsense      = 4400 // too many frames that were not understood, or too fast
	CloseWrongToken    = 4401
	CloseNoSuchRoom    = 4404
	CloseOtherProtocol = 4406
	CloseNoJoin        = 4408 // the first frame did not come
	CloseEnded         = 4410 // the room was idle for too long
	CloseFull          = 4429
	CloseBroken        = 4500 // a rule of the engine that must always hold does not
	CloseStopping      = 4503 // the server stops
)

// Conn is a viewer's connection. Send never blocks and keeps the frame as it is;
// nobody changes a frame. After Close nothing is sent.
type Conn interface {
	Send(frame []byte)
	Close(code int, reason string)
}

// Refusal is why something was not done. Nothing has changed.
type Refusal struct {
	Reason      string
	Diagnostics []script.Diagnostic
}

// Error is the reason.
func (r *Refusal) Error() string { return r.Reason }

// misread is the refusal of a text that has diagnostics.
func misread(what string, diagnostics []script.Diagnostic) *Refusal {
	return &Refusal{Reason: what + ": " + diagnostics[0].Message, Diagnostics: diagnostics}
}

// Diagnostic is a script.Diagnostic in JSON.
type Diagnostic struct {
	Line      int    `json:"line"`
	Column    int    `json:"column"`
	EndColumn int    `json:"endColumn"`
	Message   string `json:"message"`
}

// Diagnostics is the form of diagnostics in JSON.
func Diagnostics(found []script.Diagnostic) []Diagnostic {
	list := make([]Diagnostic, 0, len(found))
	for _, d := range found {
		list = append(list, Diagnostic{d.Line, d.Column, d.EndColumn, d.Message})
	}
	return list
}

// incoming is any frame of a viewer; which fields it has depends on its type.
type incoming struct {
	Type     string      `json:"type"`
	Protocol *int        `json:"protocol"`
	Token    string      `json:"token"`
	After    int64       `json:"after"`
	N        *int64      `json:"n"`
	Digest   *string     `json:"digest"`
	Branch   *int        `json:"branch"`
	At       *clock.Time `json:"at"`
	Line     *string     `json:"line"`
	Text     *string     `json:"text"`
	Rate     *int64      `json:"rate"`
}

// entry is any numbered line; which fields it has depends on its type.
type entry struct {
	N      int64       `json:"n"`
	Type   string      `json:"type"`
	Branch int         `json:"branch,omitempty"`
	At     *clock.Time `json:"at,omitempty"`
	Line   string      `json:"line,omitempty"`
	Text   *string     `json:"text,omitempty"`
	Became int         `json:"became,omitempty"`
	Rate   *int64      `json:"rate,omitempty"`
	Digest string      `json:"digest,omitempty"`
}

type welcome struct {
	Type     string `json:"type"`
	Protocol int    `json:"protocol"`
	Room     string `json:"room"`
	Host     bool   `json:"host"`
	Last     int64  `json:"last"`
}

type people struct {
	Type   string `json:"type"`
	Here   int    `json:"here"`
	Agree  int    `json:"agree"`
	Differ int    `json:"differ"`
	At     int64  `json:"at"`
}

type refused struct {
	Type        string       `json:"type"`
	About       string       `json:"about"`
	Reason      string       `json:"reason"`
	Diagnostics []Diagnostic `json:"diagnostics,omitempty"`
}

type end struct {
	Type   string `json:"type"`
	Code   int    `json:"code"`
	Reason string `json:"reason"`
}

// EndFrame is the frame that says why a connection is about to be closed, and
// with which code.
func EndFrame(code int, reason string) []byte { return encode(end{"end", code, reason}) }

// encode is a frame. None of the types above can fail.
func encode(v any) []byte {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(v); err != nil {
		panic("room: " + err.Error())
	}
	return bytes.TrimRight(b.Bytes(), "\n")
}
