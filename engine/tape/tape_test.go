package tape

import "testing"

// TestClonesGoTheirOwnWay appends to a tape and to its clones at every length
// around the size of a chunk.
func TestClonesGoTheirOwnWay(t *testing.T) {
	for n := range 3 * chunkSize {
		var a Tape[int]
		for i := range n {
			a.Append(i)
		}
		b := a.Clone()
		a.Append(-1)
		b.Append(-2)
		if a.Len() != n+1 || b.Len() != n+1 || *a.At(n) != -1 || *b.At(n) != -2 {
			t.Fatalf("at length %d the tapes share their end", n)
		}
		if n > 0 && (*a.At(n - 1) != n-1 || *b.At(0) != 0) {
			t.Fatalf("at length %d the tapes have lost something", n)
		}
	}
}

// TestQueueAgainstASlice pushes and removes at random places.
func TestQueueAgainstASlice(t *testing.T) {
	var q Queue[int]
	var want []int
	for i := range 5000 {
		if i%3 != 2 || len(want) == 0 {
			q.Push(i)
			want = append(want, i)
		}
		if i%7 > 2 && len(want) > 0 {
			at := i * 31 % len(want)
			if i%2 == 0 {
				at = 0
			}
			q.Remove(at)
			want = append(want[:at:at], want[at+1:]...)
		}
		copied := q.Clone()
		copied.Push(-1)
		if got := q.All(); len(got) != len(want) || len(want) > 0 && (got[0] != want[0] || got[len(got)-1] != want[len(want)-1]) {
			t.Fatalf("after %d steps the queue has %v, want %v", i, got, want)
		}
	}
}
