package assignor

// Several results depend on the order in which java.util.HashMap and HashSet
// list their keys. It follows from the hash codes, the order of insertion and
// the capacity alone.

const (
	// defaultCapacity is the number of buckets of `new HashMap()`.
	defaultCapacity = 16
	// A chain longer than this doubles a table of less than leastTreeCapacity.
	// In a larger table it becomes a tree, whose order is taken to be the chain's.
	longestChain      = 8
	leastTreeCapacity = 64
)

// spread is HashMap.hash: the bucket of a key is spread(hash) & (capacity-1).
func spread(hash int32) uint32 { return uint32(hash) ^ uint32(hash)>>16 }

// table is the size of a hash map while distinct keys are put into it.
type table struct {
	capacity int
	size     int
	chains   [leastTreeCapacity]uint8 // of a small table, by bucket
}

// capacityFor is the first capacity of `new HashMap(n)`.
func capacityFor(n int) int {
	c := 1
	for c < n {
		c *= 2
	}
	return c
}

// put counts a new key. others are the hash codes of the keys that are already
// there; they are read only when a small table doubles.
func (t *table) put(hash int32, others []int32) {
	t.size++
	if t.capacity < leastTreeCapacity {
		bucket := spread(hash) & uint32(t.capacity-1)
		t.chains[bucket]++
		if t.chains[bucket] > longestChain {
			t.double(hash, others)
		}
	}
	if t.size > t.capacity*3/4 {
		t.double(hash, others)
	}
}

func (t *table) double(hash int32, others []int32) {
	t.capacity *= 2
	if t.capacity >= leastTreeCapacity {
		return
	}
	t.chains = [leastTreeCapacity]uint8{}
	t.chains[spread(hash)&uint32(t.capacity-1)]++
	for _, h := range others {
		t.chains[spread(h)&uint32(t.capacity-1)]++
	}
}

// hashOrder lists the indices of keys, put in their order into a map with that
// many buckets, in the order in which the map lists them. The keys differ.
func hashOrder(hashes []int32, capacity int) []int32 {
	t := table{capacity: capacity}
	for i, h := range hashes {
		t.put(h, hashes[:i])
	}
	starts := make([]int32, t.capacity+1)
	for _, h := range hashes {
		starts[spread(h)&uint32(t.capacity-1)+1]++
	}
	for b := range t.capacity {
		starts[b+1] += starts[b]
	}
	order := make([]int32, len(hashes))
	for i, h := range hashes {
		b := spread(h) & uint32(t.capacity-1)
		order[starts[b]] = int32(i)
		starts[b]++
	}
	return order
}

// partitionHash is TopicPartition.hashCode for a topic's hash code.
func partitionHash(topic, partition int32) int32 { return 31*(31+partition) + topic }
