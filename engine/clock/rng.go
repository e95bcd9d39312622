package clock

// Stream is one entity's own generator of pseudo-random numbers (SplitMix64).
// It is part of the state: a copy continues independently.
type Stream struct{ state uint64 }

// NewStream derives a stream from the scenario's seed and the entity's name, so
// that adding one entity does not disturb the others.
func NewStream(seed uint64, name string) Stream {
	h := NewHash()
	h.Uint64(seed)
	h.String(name)
	return Stream{h.Sum()}
}

// Uint64 draws the next 64 bits.
func (s *Stream) Uint64() uint64 {
	s.state += 0x9e3779b97f4a7c15
	return mix(s.state)
}

// Below draws an integer from 0 to n-1; n must be positive. The bias of at most
// n/2^64 is accepted.
func (s *Stream) Below(n int64) int64 { return int64(s.Uint64() % uint64(n)) }

// State is the stream's whole state, for digests.
func (s *Stream) State() uint64 { return s.state }

func mix(z uint64) uint64 {
	z = (z ^ z>>30) * 0xbf58476d1ce4e5b9
	z = (z ^ z>>27) * 0x94d049bb133111eb
	return z ^ z>>31
}
