//go:build js && wasm

// Command room is one room for a Durable Object: exports over a room.Room. Input
// and output are bytes in the module's memory. What the room sends goes out
// through imports; the object keeps it until what has changed is stored
// (room.mjs).
package main

import (
	"encoding/hex"
	"encoding/json"
	"errors"
	"unsafe"

	"rebalancelab/engine/clock"
	"rebalancelab/server/room"
)

var (
	current *room.Room
	input   []byte
	output  []byte
	sent    []byte // the last frame that was sent
)

func main() { select {} }

//go:wasmimport room send
func hostSend(id int32, frame unsafe.Pointer, n int32)

// hostAgain sends the last frame to another connection: it is decoded once for
// all that get it.
//
//go:wasmimport room again
func hostAgain(id int32)

//go:wasmimport room close
func hostClose(id, code int32, reason unsafe.Pointer, n int32)

// conn is a connection that the object knows by its number.
type conn int32

// Send implements room.Conn.
func (c conn) Send(frame []byte) {
	if len(frame) > 0 && unsafe.SliceData(frame) == unsafe.SliceData(sent) && len(frame) == len(sent) {
		hostAgain(int32(c))
		return
	}
	sent = frame
	hostSend(int32(c), unsafe.Pointer(unsafe.SliceData(frame)), int32(len(frame)))
}

// Close implements room.Conn.
func (c conn) Close(code int, reason string) {
	hostClose(int32(c), int32(code), unsafe.Pointer(unsafe.StringData(reason)), int32(len(reason)))
}

// roomIn makes room for n bytes of input and returns where they go.
//
//go:wasmexport room_in
func roomIn(n int32) unsafe.Pointer {
	input = make([]byte, max(n, 1))[:n]
	return unsafe.Pointer(unsafe.SliceData(input))
}

// roomOut is where the last answer stands.
//
//go:wasmexport room_out
func roomOut() unsafe.Pointer { return unsafe.Pointer(unsafe.SliceData(output)) }

// roomCreate makes a room from the input, {"room","token","text","at"}. It
// returns 0, or the length of an answer that says why not.
//
//go:wasmexport room_create
func roomCreate() int32 {
	var asked struct {
		Room, Token, Text string
		At                clock.Time
	}
	err := json.Unmarshal(input, &asked)
	token, _ := hex.DecodeString(asked.Token)
	if err != nil || len(token) != len(room.TokenHash{}) {
		return answer(map[string]any{"error": "the object is asked wrongly"})
	}
	made, err := room.New(asked.Room, room.TokenHash(token), asked.Text, asked.At)
	if err != nil {
		said := map[string]any{"error": err.Error()}
		if refusal := (*room.Refusal)(nil); errors.As(err, &refusal) {
			said["diagnostics"] = room.Diagnostics(refusal.Diagnostics)
		}
		return answer(said)
	}
	current = made
	return 0
}

// roomLoad loads the room that the input is: 0, or the length of an answer that
// says why not.
//
//go:wasmexport room_load
func roomLoad() int32 {
	loaded, err := room.Load(input)
	if err != nil {
		return answer(map[string]any{"error": err.Error()})
	}
	current = loaded
	return 0
}

func answer(said any) int32 {
	output, _ = json.Marshal(said)
	return int32(len(output))
}

// roomSave writes the room and returns the length.
//
//go:wasmexport room_save
func roomSave() int32 {
	output = current.Save()
	return int32(len(output))
}

//go:wasmexport room_join
func roomJoin(id int32) { current.Join(int(id), conn(id)) }

//go:wasmexport room_resume
func roomResume(id int32, host bool) { current.Resume(int(id), conn(id), host) }

//go:wasmexport room_leave
func roomLeave(id int32) { current.Leave(int(id)) }

//go:wasmexport room_receive
func roomReceive(id int32) { current.Receive(int(id), input) }

//go:wasmexport room_step
func roomStep(microseconds int32) { current.Step(clock.Duration(microseconds)) }

// roomRole is 0 for a connection that has not joined, 1 for a viewer, 2 for a
// host.
//
//go:wasmexport room_role
func roomRole(id int32) int32 {
	switch joined, host := current.Role(int(id)); {
	case host:
		return 2
	case joined:
		return 1
	}
	return 0
}

//go:wasmexport room_here
func roomHere() int32 { return int32(current.Here()) }

//go:wasmexport room_active
func roomActive() bool { return current.Active() }

//go:wasmexport room_unsaved
func roomUnsaved() bool { return current.Unsaved() }

//go:wasmexport room_ended
func roomEnded() bool { return current.Ended() != "" }

//go:wasmexport room_max_frame
func roomMaxFrame() int32 { return room.MaxFrameBytes }

// roomEmptyTime is how long an empty room stays, in milliseconds.
//
//go:wasmexport room_empty_time
func roomEmptyTime() int32 { return int32(room.EmptyTime.Milliseconds()) }
