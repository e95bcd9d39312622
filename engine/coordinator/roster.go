package coordinator

import "rebalancelab/engine/kafka"

// key is what a roster can be searched by.
type key interface {
	comparable
	hash() uint32
}

// name is a group id, member id or instance id as a key.
type name string

// hash takes eight bytes at a time: member ids are long, and every heartbeat
// looks one up.
func (n name) hash() uint32 {
	h := uint64(len(n)) + 0x9e3779b97f4a7c15
	for ; len(n) >= 8; n = n[8:] {
		h ^= uint64(n[0]) | uint64(n[1])<<8 | uint64(n[2])<<16 | uint64(n[3])<<24 |
			uint64(n[4])<<32 | uint64(n[5])<<40 | uint64(n[6])<<48 | uint64(n[7])<<56
		h *= 0xbf58476d1ce4e5b9
		h ^= h >> 29
	}
	for i := range len(n) {
		h = (h ^ uint64(n[i])) * 0x100000001b3
	}
	return uint32(h ^ h>>32)
}

// place is a topic partition as a key.
type place kafka.TopicPartition

func (p place) hash() uint32 { return name(p.Topic).hash()*31 + uint32(p.Partition)*0x9e3779b1 }

// entry is one place of a roster. A removed entry stays as a hole until the
// roster closes up.
type entry[K key, T any] struct {
	key  K
	live bool
	item T
}

// roster is a list in the order of insertion with a hash index over it. It is
// flat, so that a clone is two copies. Positions are valid until the next add.
type roster[K key, T any] struct {
	entries []entry[K, T]
	slots   []int32 // open addressing; position+1, 0 is free; a power of two
	live    int
}

// find is the position of k, -1 if it is not there.
func (r *roster[K, T]) find(k K) int32 {
	if len(r.slots) == 0 {
		return -1
	}
	mask := uint32(len(r.slots) - 1)
	for i := k.hash() & mask; r.slots[i] != 0; i = (i + 1) & mask {
		if at := r.slots[i] - 1; r.entries[at].key == k {
			return at
		}
	}
	return -1
}

// has reports whether k is there.
func (r *roster[K, T]) has(k K) bool { return r.find(k) >= 0 }

// get is the item of k, nil if it is not there.
func (r *roster[K, T]) get(k K) *T {
	if at := r.find(k); at >= 0 {
		return &r.entries[at].item
	}
	return nil
}

// add appends an item under a key that must not be there yet.
func (r *roster[K, T]) add(k K, item T) *T {
	if len(r.entries)-r.live > r.live+8 {
		r.closeUp()
	}
	r.entries = append(r.entries, entry[K, T]{k, true, item})
	r.live++
	if 2*r.live > len(r.slots) {
		r.rehash(max(8, 2*len(r.slots)))
	} else {
		r.insert(k, int32(len(r.entries)-1))
	}
	return &r.entries[len(r.entries)-1].item
}

// remove takes k out and reports whether it was there.
func (r *roster[K, T]) remove(k K) bool {
	at := r.find(k)
	if at < 0 {
		return false
	}
	r.unlink(k, at)
	r.entries[at] = entry[K, T]{}
	r.live--
	return true
}

// rename puts the item of one key under another, which must be free; it keeps
// its place in the order.
func (r *roster[K, T]) rename(from, to K) *T {
	at := r.find(from)
	if at < 0 || r.has(to) {
		panic("coordinator: rename of a key that is absent or to one that is taken")
	}
	r.unlink(from, at)
	r.entries[at].key = to
	r.insert(to, at)
	return &r.entries[at].item
}

// clear removes everything and keeps the memory.
func (r *roster[K, T]) clear() {
	clear(r.entries)
	clear(r.slots)
	r.entries, r.live = r.entries[:0], 0
}

func (r *roster[K, T]) clone() roster[K, T] {
	return roster[K, T]{
		entries: append([]entry[K, T](nil), r.entries...),
		slots:   append([]int32(nil), r.slots...),
		live:    r.live,
	}
}

func (r *roster[K, T]) insert(k K, at int32) {
	mask := uint32(len(r.slots) - 1)
	i := k.hash() & mask
	for r.slots[i] != 0 {
		i = (i + 1) & mask
	}
	r.slots[i] = at + 1
}

// unlink frees the slot of k and moves back those behind it, so that no search
// meets a gap.
func (r *roster[K, T]) unlink(k K, at int32) {
	mask := uint32(len(r.slots) - 1)
	gap := k.hash() & mask
	for r.slots[gap] != at+1 {
		gap = (gap + 1) & mask
	}
	for i := (gap + 1) & mask; r.slots[i] != 0; i = (i + 1) & mask {
		home := r.entries[r.slots[i]-1].key.hash() & mask
		if (i-home)&mask >= (i-gap)&mask {
			r.slots[gap] = r.slots[i]
			gap = i
		}
	}
	r.slots[gap] = 0
}

func (r *roster[K, T]) closeUp() {
	kept := r.entries[:0]
	for i := range r.entries {
		if r.entries[i].live {
			kept = append(kept, r.entries[i])
		}
	}
	clear(r.entries[len(kept):])
	r.entries = kept
	r.rehash(len(r.slots))
}

func (r *roster[K, T]) rehash(size int) {
	if size == len(r.slots) {
		clear(r.slots)
	} else {
		r.slots = make([]int32, size)
	}
	for i := range r.entries {
		if r.entries[i].live {
			r.insert(r.entries[i].key, int32(i))
		}
	}
}
