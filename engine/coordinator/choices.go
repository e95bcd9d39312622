package coordinator

import "rebalancelab/engine/clock"

// Choices is a source for what Kafka leaves to chance, so that a recording can
// be followed. An empty answer, or one that is not possible, leaves the choice
// to the coordinator.
type Choices interface {
	// MemberID is the next member id to hand out.
	MemberID(group, prefix string) string
	// Leader picks the new leader; Kafka takes the first in the order of a hash
	// map.
	Leader(group string, candidates []string) string
	// Protocol picks among the protocols with the same number of votes.
	Protocol(group string, tied []string) string
}

// Follow sets the source of choices; nil goes back to the coordinator's own:
// ids from its stream, the member that joined first, Scala's order of votes.
func (c *Coordinator) Follow(choices Choices) { c.choices = choices }

// newMemberID mirrors GroupMetadata.generateMemberId: the client's id, or the
// instance id of a static member, and a random UUID.
func (c *Coordinator) newMemberID(g *group, prefix string) string {
	if c.choices != nil {
		if id := c.choices.MemberID(g.id, prefix); id != "" {
			return id
		}
	}
	return prefix + "-" + uuid(&c.ids)
}

// uuid draws a version 4 UUID in its canonical form.
func uuid(s *clock.Stream) string {
	const digits = "0123456789abcdef"
	high, low := s.Uint64(), s.Uint64()
	high = high&^0xf000 | 0x4000
	low = low&^(3<<62) | 2<<62
	b := make([]byte, 0, 36)
	for i := range 32 {
		if i == 8 || i == 12 || i == 16 || i == 20 {
			b = append(b, '-')
		}
		half := high
		if i >= 16 {
			half = low
		}
		b = append(b, digits[half>>(60-4*(i%16))&15])
	}
	return string(b)
}

// chooseLeader is the member that becomes leader when the old one is gone: any
// member, or any that has joined. Kafka takes the first of a hash map; here it
// is the one that joined the group first.
func (c *Coordinator) chooseLeader(g *group, joined bool) string {
	var candidates []string
	for i := range g.members.entries {
		e := &g.members.entries[i]
		if !e.live || joined && !e.item.join.waiting {
			continue
		}
		if c.choices == nil {
			return e.item.id
		}
		candidates = append(candidates, e.item.id)
	}
	if len(candidates) < 2 {
		return first(candidates)
	}
	return oneOf(c.choices.Leader(g.id, candidates), candidates)
}

// oneOf is the choice if it is possible, else the first candidate.
func oneOf(choice string, candidates []string) string {
	for _, c := range candidates {
		if c == choice {
			return c
		}
	}
	return first(candidates)
}

func first(candidates []string) string {
	if len(candidates) == 0 {
		return ""
	}
	return candidates[0]
}
