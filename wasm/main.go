//go:build js && wasm

// Command wasm is the engine for a browser's Web Worker: a handful of exports
// over one session. Input and output are bytes in the module's memory; answers
// are JSON as in web/src/engine/types.ts. It decides nothing about groups.
package main

import (
	"unsafe"

	"rebalancelab/engine/clock"
	"rebalancelab/engine/script"
	"rebalancelab/engine/session"
	"rebalancelab/engine/wire"
)

var (
	current *session.Session
	source  string // of current, for the report of a broken invariant
	input   []byte
	output  []byte
)

func main() { select {} }

// engineIn makes room for n bytes of input and returns where they go.
//
//go:wasmexport engine_in
func engineIn(n int32) unsafe.Pointer {
	if n < 0 || n > 2*script.MaxBytes {
		n = 0
	}
	input = make([]byte, max(n, 1))
	return unsafe.Pointer(unsafe.SliceData(input))
}

// engineOut is where the last answer stands.
//
//go:wasmexport engine_out
func engineOut() unsafe.Pointer { return unsafe.Pointer(unsafe.SliceData(output)) }

// engineOpen opens the scenario that the first n bytes of the input are.
//
//go:wasmexport engine_open
func engineOpen(n int32) (length int32) {
	defer recovered(&length)
	text := string(input[:n])
	opened, diagnostics := session.Open(text)
	if opened == nil {
		return answer(wire.AppendDiagnostics(output[:0], diagnostics))
	}
	current, source = opened, text
	return answer(wire.AppendScenario(output[:0], current.Branch(1)))
}

// enginePlay plays a branch on: 1 when its end is reached, 0 when it must be
// called again.
//
//go:wasmexport engine_play
func enginePlay(branch, budget int32) (done int32) {
	defer recovered(&done)
	if !known(branch) {
		return -1
	}
	if current.Play(int(branch), int(budget)) {
		return 1
	}
	return 0
}

// enginePicture writes the picture of a branch that has been played.
//
//go:wasmexport engine_picture
func enginePicture(branch int32) (length int32) {
	defer recovered(&length)
	if !known(branch) {
		return -1
	}
	return answer(wire.AppendPicture(output[:0], current, int(branch)))
}

// engineView writes the state of a branch after everything of a time, with the
// log that the group of index logOf lives in; -1 leaves it out.
//
//go:wasmexport engine_view
func engineView(branch int32, at float64, logOf int32) (length int32) {
	defer recovered(&length)
	if !known(branch) {
		return -1
	}
	world := current.World(int(branch), clock.Time(at))
	return answer(wire.AppendView(output[:0], world, int(branch), int(logOf)))
}

// engineDetail writes every event of a window, counted ones included.
//
//go:wasmexport engine_detail
func engineDetail(branch int32, from, to float64) (length int32) {
	defer recovered(&length)
	if !known(branch) {
		return -1
	}
	events := current.Detail(int(branch), clock.Time(from), clock.Time(to))
	return answer(wire.AppendEvents(output[:0], events, current.Branch(int(branch)).Scenario().Version))
}

// engineAct adds the command that the first n bytes of the input are.
//
//go:wasmexport engine_act
func engineAct(branch int32, at float64, n int32) (length int32) {
	defer recovered(&length)
	if !known(branch) {
		return -1
	}
	id, diagnostics := current.Act(int(branch), clock.Time(at), string(input[:n]))
	if len(diagnostics) > 0 {
		return answer(wire.AppendDiagnostics(output[:0], diagnostics))
	}
	return answer(wire.AppendBranch(output[:0], id))
}

// engineEdit makes the first n bytes of the input the text of a branch; the
// answer is the scenario of the branch that has it.
//
//go:wasmexport engine_edit
func engineEdit(branch, n int32) (length int32) {
	defer recovered(&length)
	if !known(branch) {
		return -1
	}
	id, diagnostics := current.Edit(int(branch), string(input[:n]))
	if len(diagnostics) > 0 {
		return answer(wire.AppendDiagnostics(output[:0], diagnostics))
	}
	return answer(wire.AppendScenario(output[:0], current.Branch(id)))
}

// engineText writes the text of a branch.
//
//go:wasmexport engine_text
func engineText(branch int32) (length int32) {
	defer recovered(&length)
	if !known(branch) {
		return -1
	}
	return answer(append(output[:0], current.Text(int(branch))...))
}

func answer(b []byte) int32 {
	output = b
	return int32(len(b))
}

func known(branch int32) bool {
	if current != nil && current.Branch(int(branch)) != nil {
		return true
	}
	answer(wire.AppendTrouble(output[:0], "there is no such branch", ""))
	return false
}

// recovered turns a broken invariant into an answer with the script that
// reproduces it: a panic must not leave an export.
func recovered(result *int32) {
	r := recover()
	if r == nil {
		return
	}
	message := "the engine stopped: a rule that must always hold does not"
	switch reason := r.(type) {
	case string:
		message = reason
	case error:
		message = reason.Error()
	}
	answer(wire.AppendTrouble(output[:0], message, source))
	*result = -1
}
