//go:build js && wasm

package main

import (
	"rebalancelab/engine/script"
	"rebalancelab/engine/wire"
)

// These exports need no session: they say what the first n bytes of the input
// are as a scenario. Lines and columns count from 1, columns in runes.

// engineCheck writes the kind of every piece, and what is wrong.
//
//go:wasmexport engine_check
func engineCheck(n int32) (length int32) {
	defer recovered(&length)
	tokens, diagnostics := script.Check(string(input[:n]))
	return answer(wire.AppendCheck(output[:0], tokens, diagnostics))
}

// engineComplete writes what can stand at a place.
//
//go:wasmexport engine_complete
func engineComplete(n, line, column int32) (length int32) {
	defer recovered(&length)
	return answer(wire.AppendCompletions(output[:0], script.Complete(string(input[:n]), int(line), int(column))))
}

// engineHover writes what stands at a place.
//
//go:wasmexport engine_hover
func engineHover(n, line, column int32) (length int32) {
	defer recovered(&length)
	return answer(wire.AppendHint(output[:0], script.Hover(string(input[:n]), int(line), int(column))))
}

// engineFormat writes the text as the printer does, or what is wrong with it.
//
//go:wasmexport engine_format
func engineFormat(n int32) (length int32) {
	defer recovered(&length)
	file, diagnostics := script.Parse(string(input[:n]))
	if file == nil {
		answer(wire.AppendDiagnostics(output[:0], diagnostics))
		return -1
	}
	return answer(append(output[:0], file.Print()...))
}
