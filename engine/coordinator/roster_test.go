package coordinator

import (
	"strconv"
	"testing"

	"rebalancelab/engine/clock"
)

// TestRoster compares a roster with a map and an ordered list.
func TestRoster(t *testing.T) {
	rng := clock.NewStream(7, "roster")
	var r roster[name, int64]
	model, order := map[name]int64{}, []name(nil)
	for step := range 20_000 {
		k := name(strconv.FormatInt(rng.Below(60), 10))
		_, known := model[k]
		switch rng.Below(4) {
		case 0, 1:
			if !known {
				r.add(k, int64(step))
				model[k], order = int64(step), append(order, k)
			}
		case 2:
			if r.remove(k) != known {
				t.Fatalf("step %d: remove(%s) should be %v", step, k, known)
			}
			if known {
				delete(model, k)
				for i := range order {
					if order[i] == k {
						order = append(order[:i:i], order[i+1:]...)
						break
					}
				}
			}
		case 3:
			to := k + "x"
			if _, taken := model[to]; known && !taken {
				r.rename(k, to)
				model[to] = model[k]
				delete(model, k)
				for i := range order {
					if order[i] == k {
						order[i] = to
					}
				}
			}
		}
		if rng.Below(500) == 0 {
			r = r.clone()
		}
		if got := r.get(k); (got != nil) != (model[k] != 0 || got != nil && *got == 0) || got != nil && *got != model[k] {
			t.Fatalf("step %d: get(%s)", step, k)
		}
		if r.live != len(order) {
			t.Fatalf("step %d: %d live, want %d", step, r.live, len(order))
		}
	}
	i := 0
	for _, e := range r.entries {
		if e.live {
			if e.key != order[i] || e.item != model[e.key] {
				t.Fatalf("place %d: %s, want %s", i, e.key, order[i])
			}
			i++
		}
	}
}
