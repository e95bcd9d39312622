package event

import (
	"rebalancelab/engine/clock"
	"rebalancelab/engine/tape"
)

// Log numbers events and keeps those that change something. Routine events
// (heartbeats answered NONE, polls, commits of an interval) are numbered and
// counted; they are kept only while Detail is on, so the level of detail
// changes neither numbers nor the digest.
type Log struct {
	Detail bool

	tape tape.Tape[Event]
	next uint64
	hash clock.Hash
}

// NewLog returns an empty log; the first event gets number 1.
func NewLog() *Log { return &Log{next: 1, hash: clock.NewHash()} }

// Add numbers an event, keeps it, and returns its number.
func (l *Log) Add(e Event) uint64 {
	e.Seq = l.next
	l.next++
	e.hash(&l.hash)
	l.tape.Append(e)
	return e.Seq
}

// Routine numbers an event that changes nothing worth reading.
func (l *Log) Routine(e Event) uint64 {
	e.Seq = l.next
	l.next++
	if l.Detail {
		l.tape.Append(e)
	}
	return e.Seq
}

// Len is the number of events kept.
func (l *Log) Len() int { return l.tape.Len() }

// At is the event i of those kept. Nobody may change it.
func (l *Log) At(i int) *Event { return l.tape.At(i) }

// Count is the number of events so far, counted ones included.
func (l *Log) Count() uint64 { return l.next - 1 }

// Find returns the kept event with this number, nil if it was only counted.
func (l *Log) Find(seq uint64) *Event {
	low, high := 0, l.tape.Len()
	for low < high {
		mid := (low + high) / 2
		if l.tape.At(mid).Seq < seq {
			low = mid + 1
		} else {
			high = mid
		}
	}
	if low < l.tape.Len() && l.tape.At(low).Seq == seq {
		return l.tape.At(low)
	}
	return nil
}

// Clone is a log with the same events; both may go on.
func (l *Log) Clone() *Log {
	c := *l
	c.tape = l.tape.Clone()
	return &c
}

// Hash takes the log's running digest into h: every kept event and the count.
func (l *Log) Hash(h *clock.Hash) {
	h.Uint64(l.hash.Sum())
	h.Uint64(l.next)
}

// hash leaves out the line that a command stands in: a click and a line are the
// same run, and so is a script with another comment.
func (e *Event) hash(h *clock.Hash) {
	n := e.N
	if e.Kind == Command {
		n = 0
	}
	h.Uint64(e.Seq)
	h.Uint64(e.Cause)
	h.Int(int64(e.At))
	h.Uint64(uint64(e.Kind)<<40 | uint64(e.API)<<32 | uint64(uint16(e.Error))<<16 | uint64(e.State)<<8 | uint64(e.Prev))
	h.Uint64(uint64(uint32(e.Node))<<32 | uint64(uint32(e.Peer)))
	h.Uint64(uint64(e.Config)<<32 | uint64(uint32(e.Generation)))
	h.Int(n)
	h.Int(e.Offset)
	h.String(e.Group)
	h.String(e.Member)
	h.String(e.Text)
	h.Int(int64(len(e.Partitions)))
}
