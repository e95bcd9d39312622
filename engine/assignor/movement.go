package assignor

import (
	"slices"

	"rebalancelab/engine/kafka"
)

// movements is AbstractStickyAssignor.PartitionMovements: what moved so far, so
// that two members do not swap partitions of one topic.
type movements struct {
	topicOf []int32
	hashes  []int32         // of partitions, by number
	from    []int32         // by number: the first holder of a partition that moved
	to      []int32         // by number: its holder
	sets    map[way]*hashed // partitions that moved, by way
}

// way is a topic and the members between which a partition of it moved.
type way struct{ topic, from, to int32 }

// hashed is a hash set of partitions: its order depends on its size, which
// never falls.
type hashed struct {
	table
	keys   []int32
	hashes []int32
}

func newMovements(s *sticky) movements {
	v := movements{topicOf: s.topicOf, hashes: make([]int32, len(s.topicOf)), from: s.all(nobody), to: s.all(nobody),
		sets: map[way]*hashed{}}
	for t := range s.topics {
		topic := kafka.JavaHash(s.topics[t].Name)
		for p := s.first[t]; p < s.first[t+1]; p++ {
			v.hashes[p] = partitionHash(topic, s.partition[p])
		}
	}
	return v
}

// choose is the partition to move instead of p: one that moved from `to` to
// where p comes from.
func (v *movements) choose(p, holder, to int32) int32 {
	if v.from[p] != nobody {
		holder = v.from[p]
	}
	if set := v.sets[way{v.topicOf[p], to, holder}]; set != nil {
		return set.first()
	}
	return p
}

// record notes a move. One that leads back to the first holder is forgotten.
func (v *movements) record(p, from, to int32) {
	if first := v.from[p]; first != nobody {
		v.forget(p)
		if first == to {
			return
		}
		from = first
	}
	v.from[p], v.to[p] = from, to
	w := way{v.topicOf[p], from, to}
	set := v.sets[w]
	if set == nil {
		set = &hashed{table: table{capacity: defaultCapacity}}
		v.sets[w] = set
	}
	set.put(v.hashes[p], set.hashes)
	set.keys, set.hashes = append(set.keys, p), append(set.hashes, v.hashes[p])
}

func (v *movements) forget(p int32) {
	w := way{v.topicOf[p], v.from[p], v.to[p]}
	set := v.sets[w]
	set.remove(p)
	if len(set.keys) == 0 {
		delete(v.sets, w)
	}
	v.from[p], v.to[p] = nobody, nobody
}

// first is the key that the set lists first.
func (h *hashed) first() int32 {
	best := 0
	for i := range h.hashes {
		if h.bucket(i) < h.bucket(best) {
			best = i
		}
	}
	return h.keys[best]
}

func (h *hashed) bucket(i int) uint32 { return spread(h.hashes[i]) & uint32(h.capacity-1) }

func (h *hashed) remove(p int32) {
	at := slices.Index(h.keys, p)
	h.size--
	if h.capacity < leastTreeCapacity {
		h.chains[h.bucket(at)]--
	}
	h.keys, h.hashes = slices.Delete(h.keys, at, at+1), slices.Delete(h.hashes, at, at+1)
}
