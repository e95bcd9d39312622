// Package wire writes what the engine has to tell: JSON appended by hand, and
// the one printed form of events. web/src/engine/types.ts is the same contract
// in TypeScript.
package wire

import (
	"strconv"
	"unicode/utf8"

	"rebalancelab/engine/clock"
	"rebalancelab/engine/event"
	"rebalancelab/engine/kafka"
)

// writer appends JSON. It puts commas by itself. Its smallest methods are called
// hundreds of times: they are not inlined, for the size of the WebAssembly module.
type writer struct{ b []byte }

//go:noinline
func (w *writer) comma() {
	if n := len(w.b); n > 0 {
		switch w.b[n-1] {
		case '{', '[', ':':
		default:
			w.b = append(w.b, ',')
		}
	}
}

func (w *writer) key(name string) {
	w.comma()
	w.b = append(w.b, '"')
	w.b = append(w.b, name...)
	w.b = append(w.b, '"', ':')
}

//go:noinline
func (w *writer) open(c byte) {
	w.comma()
	w.b = append(w.b, c)
}

//go:noinline
func (w *writer) close(c byte) { w.b = append(w.b, c) }

//go:noinline
func (w *writer) object(name string) {
	w.key(name)
	w.b = append(w.b, '{')
}

//go:noinline
func (w *writer) array(name string) {
	w.key(name)
	w.b = append(w.b, '[')
}

func (w *writer) int(name string, v int64) {
	w.key(name)
	w.b = strconv.AppendInt(w.b, v, 10)
}

func (w *writer) bool(name string, v bool) {
	w.key(name)
	w.b = strconv.AppendBool(w.b, v)
}

func (w *writer) string(name, v string) {
	w.key(name)
	w.b = AppendString(w.b, v)
}

func (w *writer) time(name string, v clock.Time) {
	if v == clock.Never {
		w.key(name)
		w.b = append(w.b, "null"...)
		return
	}
	w.int(name, int64(v))
}

func (w *writer) strings(name string, values []string) {
	w.array(name)
	for _, v := range values {
		w.comma()
		w.b = AppendString(w.b, v)
	}
	w.close(']')
}

func (w *writer) nodes(name string, values []event.Node) {
	w.array(name)
	for _, v := range values {
		w.comma()
		w.b = strconv.AppendInt(w.b, int64(v), 10)
	}
	w.close(']')
}

// hex writes a 64-bit number that JavaScript's numbers cannot hold.
func (w *writer) hex(name string, v uint64) {
	w.key(name)
	w.b = append(w.b, '"')
	w.b = AppendHex(w.b, v)
	w.b = append(w.b, '"')
}

// AppendHex appends 16 hexadecimal digits.
func AppendHex(b []byte, v uint64) []byte {
	for shift := 60; shift >= 0; shift -= 4 {
		b = append(b, "0123456789abcdef"[v>>shift&15])
	}
	return b
}

// AppendString appends s as a JSON string; invalid UTF-8 becomes U+FFFD.
func AppendString(b []byte, s string) []byte {
	b = append(b, '"')
	for i := 0; i < len(s); {
		c := s[i]
		if c >= utf8.RuneSelf {
			r, size := utf8.DecodeRuneInString(s[i:])
			b = utf8.AppendRune(b, r)
			i += size
			continue
		}
		switch {
		case c == '"' || c == '\\':
			b = append(b, '\\', c)
		case c == '\n':
			b = append(b, '\\', 'n')
		case c < ' ':
			b = append(b, '\\', 'u', '0', '0', "0123456789abcdef"[c>>4], "0123456789abcdef"[c&15])
		default:
			b = append(b, c)
		}
		i++
	}
	return append(b, '"')
}

// PartitionName is "orders-2".
func PartitionName(tp kafka.TopicPartition) string {
	return tp.Topic + "-" + strconv.Itoa(int(tp.Partition))
}

func (w *writer) partitions(name string, tps []kafka.TopicPartition) {
	w.array(name)
	for _, tp := range tps {
		w.comma()
		w.b = AppendString(w.b, PartitionName(tp))
	}
	w.close(']')
}
