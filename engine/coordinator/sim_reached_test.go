package coordinator

import (
	"slices"
	"testing"

	"rebalancelab/engine/event"
	"rebalancelab/engine/kafka"
	"rebalancelab/engine/rule"
)

// reached is what simulations have met.
type reached struct {
	rules                 rule.Set
	states                [kafka.Dead + 1]bool
	errors                map[kafka.Error]bool
	answered, late, fired int
}

func (r *reached) add(s *simulation) {
	r.rules.AddAll(s.out.Rules)
	for i := range s.out.Log.Len() {
		if e := s.out.Log.At(i); e.Kind == event.GroupState {
			r.states[e.State] = true
		}
	}
	for err := range s.errors {
		r.errors[err] = true
	}
	r.answered, r.late, r.fired = r.answered+s.answered, r.late+s.late, r.fired+s.fired
}

// never are the rules that no schedule brings about: a group that is Dead but
// still in memory is seen only between two threads of a broker.
var never = []rule.Rule{rule.Status3}

// answerable are the errors that a coordinator answers.
var answerable = []kafka.Error{kafka.UnknownServerError, kafka.RequestTimedOut, kafka.OffsetMetadataTooLarge,
	kafka.NetworkException, kafka.CoordinatorLoadInProgress, kafka.CoordinatorNotAvailable, kafka.NotCoordinator, kafka.IllegalGeneration,
	kafka.InconsistentGroupProtocol, kafka.InvalidGroupID, kafka.UnknownMemberID, kafka.InvalidSessionTimeout, kafka.RebalanceInProgress,
	kafka.InvalidCommitOffsetSize, kafka.UnsupportedVersion, kafka.NonEmptyGroup, kafka.GroupIDNotFound, kafka.MemberIDRequired,
	kafka.GroupMaxSizeReached, kafka.FencedInstanceID, kafka.GroupSubscribedToTopic, kafka.UnstableOffsetCommit}

func (r *reached) check(t *testing.T) {
	for n := rule.None + 1; n < rule.Count; n++ {
		if !r.rules.Has(n) && !slices.Contains(never, n) {
			t.Errorf("%s was never met", n)
		}
	}
	for s := kafka.Empty; s <= kafka.Dead; s++ {
		if !r.states[s] {
			t.Errorf("no group was ever %s", s)
		}
	}
	for _, err := range answerable {
		if !r.errors[err] {
			t.Errorf("nobody was ever answered %s", err)
		}
	}
	if schedules := len(simulated()); r.answered < 5000*schedules || r.late < 200*schedules || r.fired < 250*schedules {
		t.Errorf("the simulation is lame: %d answers, %d of them late, %d timers", r.answered, r.late, r.fired)
	}
}
