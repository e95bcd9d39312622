package coordinator

import (
	"slices"

	"rebalancelab/engine/clock"
	"rebalancelab/engine/kafka"
)

// From 0.10.1 to 2.8.0 a partition that is served already can be loaded once more. The
// groups in memory stay, but the new objects made from the log get timers too,
// under the same keys: phantoms that nobody can reach, that lose their members
// one after the other and write records about it. A real broker loads only what
// it does not serve, so the engine has none of it; the recordings do. Each
// phantom is a coordinator of its own here.

// loadAgain reads the log of a partition that is served.
func (p *oraclePlayer) loadAgain() {
	kept := p.c.GroupIDs(nil)
	ghost := p.newCoordinator(nil)
	ghost.armings = p.c.armings
	ghost.EndLoad(p.now, 0, &p.log, 1, &p.out)
	for _, id := range ghost.GroupIDs(nil) {
		if !slices.Contains(kept, id) {
			ghost.forget(ghost.group(id))
		}
	}
	p.c.armings = ghost.armings
	if len(ghost.GroupIDs(nil)) > 0 {
		p.ghosts = append(p.ghosts, ghost)
	}
}

// loadsAgain reports whether a load now would make phantoms.
func (p *oraclePlayer) loadsAgain() bool {
	return p.c.partitions[0].owned && !p.c.has.Has(kafka.LoadMarkedAtStart) && p.c.has.Has(kafka.EmptyState)
}

// nextDue is the coordinator whose timer fires next, and when: by deadline, then
// by arming.
func (p *oraclePlayer) nextDue() (due *Coordinator, at clock.Time) {
	due, at = p.c, p.c.Next()
	for _, ghost := range p.ghosts {
		switch next := ghost.Next(); {
		case next < at, next == at && next != clock.Never && ghost.firstArmed(at) < due.firstArmed(at):
			due, at = ghost, next
		}
	}
	return due, at
}

// firstArmed is the place in the order of arming of the first timer with a
// deadline.
func (c *Coordinator) firstArmed(at clock.Time) uint64 {
	first := ^uint64(0)
	for i := range c.timers {
		if t := &c.timers[i]; t.armed && t.deadline == at {
			first = min(first, t.seq)
		}
	}
	return first
}

// alignArmings lets the coordinators count their armings together.
func (p *oraclePlayer) alignArmings() {
	for _, ghost := range p.ghosts {
		most := max(ghost.armings, p.c.armings)
		ghost.armings, p.c.armings = most, most
	}
}
