package assignor

import (
	"cmp"
	"slices"
)

// constrained is ConstrainedAssignmentBuilder, for equal subscriptions: each
// member keeps what it owns up to its quota, the rest goes round.
type constrained struct {
	*sticky
	least, most int // partitions of a member
	more, full  int // members that are to have more than least, and that do
	given       [][]int32
	below       []int32 // members with less than least
	exact       []int32 // members with least, while some may still get one more
	previous    []int32 // by number: who gave it up, nobody otherwise
	receiver    []int32 // by number: who gets it from another member
}

func newConstrained(s *sticky) *constrained {
	n := len(s.members)
	c := &constrained{sticky: s, least: s.total / n, most: (s.total + n - 1) / n, more: s.total % n,
		given: make([][]int32, n), previous: s.all(nobody), receiver: s.all(nobody)}
	return c
}

// assign reports false when Kafka's assignor throws IllegalStateException.
func (c *constrained) assign() bool {
	for _, m := range c.order {
		c.keep(m)
	}
	unassigned := c.unassigned()
	byID := func(a, b int32) int { return cmp.Compare(c.rank[a], c.rank[b]) }
	slices.SortFunc(c.below, byID)
	slices.SortFunc(c.exact, byID)
	if c.racks.byNumber != nil {
		slices.SortStableFunc(unassigned, func(p, q int32) int {
			return cmp.Compare(c.racks.consumers[p], c.racks.consumers[q])
		})
	}
	if c.racks.aware {
		unassigned = c.giveByRack(unassigned)
	}
	return c.giveRound(unassigned) && c.complete()
}

// keep lets a member have what it owns, up to its quota.
func (c *constrained) keep(m int32) {
	kept := make([]int32, 0, c.most)
	for _, p := range c.owned[m] {
		if c.racks.mismatch(m, p) {
			c.previous[p] = m
		} else if !c.doubled[p] {
			kept = append(kept, p)
		}
	}
	slices.SortFunc(kept, func(p, q int32) int {
		return cmp.Or(cmp.Compare(c.partition[p], c.partition[q]), cmp.Compare(p, q))
	})
	switch {
	case len(kept) < c.least:
		c.below = append(c.below, m)
	case len(kept) >= c.most && c.full < c.more:
		kept = c.cut(m, kept, c.most)
		if c.full++; c.full == c.more {
			c.exact = c.exact[:0]
		}
	default:
		kept = c.cut(m, kept, c.least)
		if c.full < c.more {
			c.exact = append(c.exact, m)
		}
	}
	c.given[m] = kept
}

// cut takes away what is over the quota.
func (c *constrained) cut(m int32, kept []int32, quota int) []int32 {
	for _, p := range kept[quota:] {
		c.previous[p] = m
	}
	return kept[:quota]
}

// unassigned lists the partitions that nobody keeps. Kafka walks the partitions
// and the kept ones side by side, so that a kept one that does not exist hides
// all kept ones behind it.
func (c *constrained) unassigned() []int32 {
	kept := make([]bool, len(c.topicOf))
	for m := range c.given {
		for _, p := range c.given[m] {
			kept[p] = true
		}
	}
	list := make([]int32, 0, c.total)
	hidden := false
	for p := range int32(len(kept)) {
		if !c.exists(p) {
			hidden = hidden || kept[p]
		} else if hidden || !kept[p] {
			list = append(list, p)
		}
	}
	return list
}

func (c *constrained) give(m, p int32) {
	c.given[m] = append(c.given[m], p)
	if c.previous[p] != nobody && c.previous[p] != m || c.doubled[p] {
		c.receiver[p] = m
	}
}

// giveByRack gives what it can to members on a rack of the partition, in turn,
// and returns the rest.
func (c *constrained) giveByRack(unassigned []int32) []int32 {
	rest := make([]int32, 0, len(unassigned))
	next := 0
	for _, p := range unassigned {
		if at := c.nextBelow(p, next); at >= 0 {
			next = c.giveBelow(at, p)
		} else if at := slices.IndexFunc(c.exact, func(m int32) bool { return c.racks.matches(m, p) }); at >= 0 {
			c.giveExact(at, p)
		} else {
			rest = append(rest, p)
		}
	}
	return rest
}

// nextBelow is the first place in below, from next round to it, whose member is
// on a rack of the partition; -1 if there is none.
func (c *constrained) nextBelow(p int32, next int) int {
	for i := range c.below {
		at := (next + i) % len(c.below)
		if c.racks.matches(c.below[at], p) {
			return at
		}
	}
	return -1
}

// giveBelow gives a partition to the member at a place in below and returns the
// place to go on from.
func (c *constrained) giveBelow(at int, p int32) int {
	m := c.below[at]
	c.give(m, p)
	if size := len(c.given[m]); size >= c.least {
		c.below = slices.Delete(c.below, at, at+1)
		if size < c.most && c.full < c.more {
			c.exact = append(c.exact, m)
		}
	} else {
		at++
	}
	if len(c.below) == 0 {
		return 0
	}
	return at % len(c.below)
}

func (c *constrained) giveExact(at int, p int32) {
	m := c.exact[at]
	c.give(m, p)
	if len(c.given[m]) < c.most {
		return
	}
	c.exact = slices.Delete(c.exact, at, at+1)
	if c.full++; c.full == c.more {
		c.exact = c.exact[:0]
	}
}

// giveRound gives the partitions to the members below the quota in turn, then
// one each to those that have it exactly.
func (c *constrained) giveRound(unassigned []int32) bool {
	next, staying := 0, 0 // in below: the member whose turn it is, and those of this turn that stay
	for _, p := range unassigned {
		if next == len(c.below) {
			c.below = c.below[:staying]
			next, staying = 0, 0
		}
		if next < len(c.below) {
			m := c.below[next]
			next++
			if c.give(m, p); len(c.given[m]) == c.least {
				c.exact = append(c.exact, m)
			} else {
				c.below[staying] = m
				staying++
			}
			continue
		}
		if len(c.exact) == 0 {
			return false
		}
		m := c.exact[0]
		c.exact = c.exact[1:]
		if c.give(m, p); len(c.given[m]) == c.most {
			c.full++
		}
	}
	c.below = append(c.below[:staying], c.below[next:]...)
	return true
}

// complete reports whether the members still below the quota are none.
func (c *constrained) complete() bool {
	if len(c.below) == 0 {
		return true
	}
	return c.full == c.more && !slices.ContainsFunc(c.below, func(m int32) bool { return len(c.given[m]) != c.least })
}
