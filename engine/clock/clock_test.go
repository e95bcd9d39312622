package clock

import (
	"math/rand/v2"
	"slices"
	"testing"
)

// TestWheelAgainstSorting compares the wheel with a sorted list, over spans from
// microseconds to days, with clones on the way.
func TestWheelAgainstSorting(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for range 60 {
		w := NewWheel()
		var pending []Item
		now, seq := Time(0), uint64(0)
		for range 2000 {
			if r.IntN(3) > 0 {
				seq++
				item := Item{At: now + Time(r.Int64N(int64(1)<<r.IntN(42))), Seq: seq, Arg: int64(seq)}
				w.Add(item)
				pending = append(pending, item)
			}
			slices.SortFunc(pending, func(a, b Item) int {
				if a.before(b) {
					return -1
				}
				return 1
			})
			if r.IntN(50) == 0 {
				w = w.Clone()
			}
			until := now + Time(r.Int64N(1<<r.IntN(40)))
			want := Never
			if len(pending) > 0 {
				want = pending[0].At
			}
			if got := w.Next(); got != want {
				t.Fatalf("the next is due at %d, want %d", got, want)
			}
			for len(pending) > 0 && pending[0].At <= until && r.IntN(4) > 0 {
				item, ok := w.Pop(until)
				if !ok || item != pending[0] {
					t.Fatalf("popped %+v, want %+v", item, pending[0])
				}
				now = item.At
				pending = pending[1:]
			}
			if w.Len() != len(pending) {
				t.Fatalf("%d pending, want %d", w.Len(), len(pending))
			}
		}
	}
}

func TestTimesAndSpans(t *testing.T) {
	for want, at := range map[string]Time{"0.000": 0, "63.007": 63_007_000, "0.000001": 1, "-2.500": -2_500_000} {
		if got := at.String(); got != want {
			t.Errorf("%d is printed %s, want %s", int64(at), got, want)
		}
	}
	for want, d := range map[string]Duration{"0s": 0, "5ms": 5 * Millisecond, "90s": 90 * Second, "2m": 2 * Minute,
		"2.7s": 2700 * Millisecond, "2999ms": 2999 * Millisecond, "0.5ms": 500, "72h": 72 * Hour} {
		if got := d.String(); got != want {
			t.Errorf("%d is printed %s, want %s", int64(d), got, want)
		}
	}
	if Time(1_999_999).Millis() != 1999 {
		t.Error("a clock of milliseconds rounds down")
	}
}

func TestStreamsAreApart(t *testing.T) {
	a, b := NewStream(1, "c1"), NewStream(1, "c2")
	copied := a
	if a.Uint64() == b.Uint64() {
		t.Error("two entities draw the same")
	}
	if c := NewStream(1, "c1"); c.Uint64() != copied.Uint64() {
		t.Error("the same entity draws differently")
	}
}

func BenchmarkWheel(b *testing.B) {
	w := NewWheel()
	for i := range Time(1000) {
		w.Add(Item{At: i * 3000, Seq: uint64(i)})
	}
	seq := uint64(1000)
	for b.Loop() {
		item, _ := w.Pop(Never)
		seq++
		item.At, item.Seq = item.At+3_000_000, seq
		w.Add(item)
	}
}
