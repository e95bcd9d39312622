package kafka

import (
	"strings"
	"testing"
)

func TestFeatureTable(t *testing.T) {
	for i := range features {
		f := &features[i]
		if !strings.HasSuffix(f.meaning, ".") {
			t.Errorf("feature %d has no sentence", i)
		}
		if f.until != never && !f.since.Older(f.until) {
			t.Errorf("feature %d (%s) ends before it begins", i, f.meaning)
		}
	}
}

func TestFeaturesOf(t *testing.T) {
	old, modern := FeaturesOf(V0_9), FeaturesOf(V3_9)
	for _, c := range []struct {
		feature     Feature
		in09, in3_9 bool
	}{
		{GroupDiesWhenEmpty, true, false},
		{RequestTimeoutRejoins, true, true},
		{CommitRearmsSession, false, true},
		{InitialRebalanceDelay, false, true},
		{HeartbeatDeadlineCompared, true, false},
		{StatesIgnoreCase, false, true},
	} {
		if old.Has(c.feature) != c.in09 || modern.Has(c.feature) != c.in3_9 {
			t.Errorf("%s: 0.9 %v, 3.9 %v", c.feature.Meaning(), old.Has(c.feature), modern.Has(c.feature))
		}
	}
	if newest := FeaturesOf(Version{4, 0, 0, 0}); !newest.Has(WriteOperations) || !newest.Has(StatesIgnoreCase) || modern.Has(WriteOperations) {
		t.Error("4.0 is not what it should be")
	}
	before, from := FeaturesOf(Version{2, 8, 0, 0}), FeaturesOf(Version{2, 8, 1, 0})
	if before.Has(SyncDeadline) || !from.Has(SyncDeadline) {
		t.Error("since is not inclusive")
	}
}
