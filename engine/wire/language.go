package wire

import (
	"strconv"

	"rebalancelab/engine/script"
)

func (w *writer) diagnostics(list []script.Diagnostic) {
	w.array("diagnostics")
	for _, d := range list {
		w.open('{')
		w.int("line", int64(d.Line))
		w.int("column", int64(d.Column))
		w.int("endColumn", int64(d.EndColumn))
		w.string("message", d.Message)
		if d.Meant != "" {
			w.string("meant", d.Meant)
			w.string("about", d.About)
		}
		w.close('}')
	}
	w.close(']')
}

// AppendCheck appends {"tokens":[line,column,endColumn,kind,…],"diagnostics":…}:
// four numbers a token, the kind as in script.TokenKind.
func AppendCheck(b []byte, tokens []script.Token, diagnostics []script.Diagnostic) []byte {
	w := writer{b}
	w.open('{')
	w.array("tokens")
	for i := range tokens {
		t := &tokens[i]
		for _, n := range [...]int{t.Line, t.Column, t.EndColumn, int(t.Kind)} {
			w.comma()
			w.b = strconv.AppendInt(w.b, int64(n), 10)
		}
	}
	w.close(']')
	w.diagnostics(diagnostics)
	w.close('}')
	return w.b
}

// AppendCompletions appends [{"text":…,"detail":…},…].
func AppendCompletions(b []byte, list []script.Completion) []byte {
	w := writer{b}
	w.open('[')
	for _, c := range list {
		w.open('{')
		w.string("text", c.Text)
		w.string("detail", c.Detail)
		w.close('}')
	}
	w.close(']')
	return w.b
}

// AppendHint appends what stands at a place, null if nothing.
func AppendHint(b []byte, h *script.Hint) []byte {
	if h == nil {
		return append(b, "null"...)
	}
	w := writer{b}
	w.open('{')
	w.int("column", int64(h.Column))
	w.int("endColumn", int64(h.EndColumn))
	w.string("kind", h.Kind)
	w.string("name", h.Name)
	w.string("usage", h.Usage)
	w.close('}')
	return w.b
}
