package coordinator

import (
	"rebalancelab/engine/clock"
	"rebalancelab/engine/event"
	"rebalancelab/engine/kafka"
	"rebalancelab/engine/rule"
)

// moves has, for each state, the set of states that a group may come from
// (GroupMetadata.scala, validPreviousStates). It is the union over the eras:
// before 0.10.1 there is no Empty, and a group that dies comes from any state.
var moves = [...]uint8{
	kafka.Empty:               bit(kafka.PreparingRebalance),
	kafka.PreparingRebalance:  bit(kafka.Empty) | bit(kafka.CompletingRebalance) | bit(kafka.Stable),
	kafka.CompletingRebalance: bit(kafka.PreparingRebalance),
	kafka.Stable:              bit(kafka.CompletingRebalance),
	kafka.Dead: bit(kafka.Empty) | bit(kafka.PreparingRebalance) | bit(kafka.CompletingRebalance) |
		bit(kafka.Stable) | bit(kafka.Dead),
}

func bit(s kafka.GroupState) uint8 { return 1 << s }

// mayMove reports whether a group may go from one state to another.
func mayMove(from, to kafka.GroupState) bool { return moves[to]&bit(from) != 0 }

// moveTo mirrors GroupMetadata.transitionTo: an illegal move is a broken
// invariant, never a Kafka error. The rule and its guard say why.
func (c *Coordinator) moveTo(g *group, to kafka.GroupState, r rule.Rule, guard string) {
	if !mayMove(g.state, to) {
		panic("coordinator: illegal transition from " + g.state.String() + " to " + to.String())
	}
	from := g.state
	g.state, g.stateSince = to, c.now.Millis()
	c.log(event.Event{Kind: event.GroupState, Group: g.id, State: to, Prev: from,
		Generation: g.generation, Rule: r, Guard: guard})
	c.mark(r)
}

// in reports whether the group is in one of the states.
func (g *group) in(states ...kafka.GroupState) bool {
	for _, s := range states {
		if g.state == s {
			return true
		}
	}
	return false
}

// noTimestamp stands for a state timestamp that the log does not have.
const noTimestamp clock.Millis = -1
