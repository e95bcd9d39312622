package clock

import "math/bits"

// Item is one deadline of a Wheel. Owner and Arg belong to the caller; Seq
// breaks ties: of two items due at the same time the smaller Seq comes first.
type Item struct {
	At    Time
	Seq   uint64
	Cause uint64 // number of the event that armed it
	Kind  int32
	Owner int32
	Arg   int64
}

func (i Item) before(j Item) bool {
	return i.At < j.At || i.At == j.At && i.Seq < j.Seq
}

const (
	tickShift  = 10 // a tick is 1,024 µs
	slotBits   = 6
	slotCount  = 1 << slotBits
	levelCount = 9 // 2^(10+6*9) µs: beyond every Horizon
	noNode     = -1
)

type node struct {
	item Item
	next int32
}

// Wheel is a hierarchical timing wheel: a queue of Items in order of (At, Seq)
// with constant cost per item, whatever the number pending. It is flat, so that
// Clone is a few copies. The zero Wheel is not ready; use NewWheel.
//
// An item stands on the level of the highest six bits in which its tick differs
// from the wheel's; when the wheel reaches its slot it moves down, and from
// level 0 into a short sorted list of items that are due.
type Wheel struct {
	tick  int64 // no item outside due has a tick at or below it
	heads [levelCount * slotCount]int32
	tails [levelCount * slotCount]int32
	used  [levelCount]uint64
	nodes []node
	free  int32
	due   []Item // in order, from due[first] on
	first int
	size  int
}

// NewWheel returns an empty wheel at time zero.
func NewWheel() *Wheel {
	w := &Wheel{tick: -1, free: noNode}
	for i := range w.heads {
		w.heads[i], w.tails[i] = noNode, noNode
	}
	return w
}

// Len is the number of items pending.
func (w *Wheel) Len() int { return w.size }

// Clone is an independent copy.
func (w *Wheel) Clone() *Wheel {
	c := *w
	c.nodes = append([]node(nil), w.nodes...)
	c.due, c.first = append([]Item(nil), w.due[w.first:]...), 0
	return &c
}

// Add queues an item. Its time may lie in the past of items already popped: it
// is then the next one.
func (w *Wheel) Add(item Item) {
	w.size++
	if int64(item.At)>>tickShift <= w.tick {
		w.pushDue(item)
		return
	}
	n := w.free
	if n == noNode {
		n = int32(len(w.nodes))
		w.nodes = append(w.nodes, node{})
	} else {
		w.free = w.nodes[n].next
	}
	w.nodes[n] = node{item: item, next: noNode}
	w.place(n)
}

func (w *Wheel) place(n int32) {
	tick := int64(w.nodes[n].item.At) >> tickShift
	level := (63 - bits.LeadingZeros64(uint64(tick^max(w.tick, 0))|1)) / slotBits
	slot := level*slotCount + int(tick>>(level*slotBits))&(slotCount-1)
	if w.heads[slot] == noNode {
		w.heads[slot] = n
		w.used[level] |= 1 << (slot % slotCount)
	} else {
		w.nodes[w.tails[slot]].next = n
	}
	w.tails[slot] = n
}

// Next is the time of the first item, Never if there is none.
func (w *Wheel) Next() Time {
	if !w.settle() {
		return Never
	}
	return w.due[w.first].At
}

// Pop removes and returns the first item due at or before until.
func (w *Wheel) Pop(until Time) (Item, bool) {
	if !w.settle() || w.due[w.first].At > until {
		return Item{}, false
	}
	item := w.due[w.first]
	w.size--
	if w.first++; w.first == len(w.due) {
		w.due, w.first = w.due[:0], 0
	}
	return item, true
}

// settle brings the earliest slot into the due list when the list is empty. The
// wheel's tick may then stand ahead of the caller's clock; Add handles that.
func (w *Wheel) settle() bool {
	for w.first == len(w.due) {
		level := 0
		for level < levelCount && w.used[level] == 0 {
			level++
		}
		if level == levelCount {
			return false
		}
		w.drain(level, bits.TrailingZeros64(w.used[level]))
	}
	return true
}

func (w *Wheel) drain(level, index int) {
	slot := level*slotCount + index
	n := w.heads[slot]
	w.heads[slot], w.tails[slot] = noNode, noNode
	w.used[level] &^= 1 << index
	span := int64(1) << (level * slotBits)
	block := max(w.tick, 0) &^ (span*slotCount - 1)
	w.tick = block + int64(index)*span
	for n != noNode {
		next := w.nodes[n].next
		if int64(w.nodes[n].item.At)>>tickShift <= w.tick {
			w.pushDue(w.nodes[n].item)
			w.nodes[n].next, w.free = w.free, n
		} else {
			w.nodes[n].next = noNode
			w.place(n)
		}
		n = next
	}
}

// pushDue puts an item in its place among those that are due: nearly always the
// last, as items come in order of their numbers.
func (w *Wheel) pushDue(item Item) {
	if w.first > 0 && len(w.due) == cap(w.due) {
		w.due = append(w.due[:0], w.due[w.first:]...)
		w.first = 0
	}
	w.due = append(w.due, item)
	i := len(w.due) - 1
	for ; i > w.first && item.before(w.due[i-1]); i-- {
		w.due[i] = w.due[i-1]
	}
	w.due[i] = item
}
