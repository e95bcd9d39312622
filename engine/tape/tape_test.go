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
