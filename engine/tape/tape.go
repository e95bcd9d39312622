// Package tape holds the append-only list that logs and events are kept in:
// checkpoints share its chunks and copy only the last one.
package tape

const chunkSize = 256

// Tape is an append-only list. The zero Tape is empty and ready.
type Tape[T any] struct {
	chunks []*[chunkSize]T
	size   int
}

// Len is the number of elements.
func (t *Tape[T]) Len() int { return t.size }

// Append adds an element at the end.
func (t *Tape[T]) Append(v T) {
	if t.size%chunkSize == 0 {
		t.chunks = append(t.chunks, new([chunkSize]T))
	}
	t.chunks[t.size/chunkSize][t.size%chunkSize] = v
	t.size++
}

// At returns the element i, which nobody may change: other tapes share it.
func (t *Tape[T]) At(i int) *T {
	if i < 0 || i >= t.size {
		panic("tape: index out of range")
	}
	return &t.chunks[i/chunkSize][i%chunkSize]
}

// Clone is a tape with the same elements. Both may be appended to; full chunks
// stay shared and the last one is copied.
func (t *Tape[T]) Clone() Tape[T] {
	c := Tape[T]{chunks: append([]*[chunkSize]T(nil), t.chunks...), size: t.size}
	if t.size%chunkSize != 0 {
		last := *t.chunks[len(t.chunks)-1]
		c.chunks[len(c.chunks)-1] = &last
	}
	return c
}
