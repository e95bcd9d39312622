package clock

// Hash is a running 64-bit digest, the same on every platform.
type Hash struct{ state uint64 }

// NewHash returns the digest of nothing.
func NewHash() Hash { return Hash{0xcbf29ce484222325} }

// Uint64 takes in one number.
func (h *Hash) Uint64(v uint64) { h.state = mix(h.state ^ v*0x9e3779b97f4a7c15) }

// Int takes in one number.
func (h *Hash) Int(v int64) { h.Uint64(uint64(v)) }

// Bool takes in one bit.
func (h *Hash) Bool(v bool) {
	if v {
		h.Uint64(1)
	} else {
		h.Uint64(0)
	}
}

// String takes in a text and its length.
func (h *Hash) String(s string) {
	h.Uint64(uint64(len(s)))
	for ; len(s) >= 8; s = s[8:] {
		h.Uint64(uint64(s[0]) | uint64(s[1])<<8 | uint64(s[2])<<16 | uint64(s[3])<<24 |
			uint64(s[4])<<32 | uint64(s[5])<<40 | uint64(s[6])<<48 | uint64(s[7])<<56)
	}
	var last uint64
	for i := range len(s) {
		last |= uint64(s[i]) << (8 * i)
	}
	if len(s) > 0 {
		h.Uint64(last)
	}
}

// Sum is the digest so far.
func (h *Hash) Sum() uint64 { return h.state }
