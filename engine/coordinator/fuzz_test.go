package coordinator

import "testing"

// fuzzed are dice whose throws are the bytes of the fuzzer; when they are used up
// every throw is 0.
type fuzzed struct{ bytes []byte }

func (f *fuzzed) Below(n int64) int64 {
	value := int64(0)
	for sides := int64(1); sides < n && len(f.bytes) > 0; sides <<= 8 {
		value = value<<8 | int64(f.bytes[0])
		f.bytes = f.bytes[1:]
	}
	return value % n
}

// FuzzRequests plays sequences of requests, times, append results and changes of
// leadership, at any release, with fields at the bounds of what the wire carries:
// the invariants hold, every request is answered once, and every error is
// explained.
func FuzzRequests(f *testing.F) {
	for seed := range 8 {
		bytes := make([]byte, 300)
		for i := range bytes {
			bytes[i] = byte(i*(2*seed+1) + i/7*seed)
		}
		f.Add(bytes)
	}
	f.Fuzz(func(t *testing.T, bytes []byte) {
		throws := &fuzzed{bytes}
		releases := simulated()
		s := newSimulation(t, releases[throws.Below(int64(len(releases)))], throws)
		for step := 0; step < 400 && len(throws.bytes) > 0; step++ {
			s.step()
		}
	})
}
