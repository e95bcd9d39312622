package rule

import "testing"

func TestNames(t *testing.T) {
	rules := 0
	for _, f := range families {
		rules += f.rules
	}
	if rules != int(Count)-1 {
		t.Errorf("the families have %d rules, the list %d", rules, Count-1)
	}
	for r, want := range map[Rule]string{None: "", API1: "API-1", Status1: "STATUS-1", Join12: "JOIN-12", HB6: "HB-6",
		Timer11: "TIMER-11", Describe1: "DESCRIBE-1", Old5: "OLD-5", Event10: "EVENT-10", Count: ""} {
		if r.String() != want {
			t.Errorf("rule %d is %q, want %q", r, r, want)
		}
	}
}

func TestSet(t *testing.T) {
	var s, more Set
	for r := None + 1; r < Count; r += 2 {
		s.Add(r)
		more.Add(r + 1)
	}
	if s.Has(Count-1) == more.Has(Count-1) {
		t.Error("a rule is in both sets or in none")
	}
	if s.AddAll(more); s.Missing() != "" {
		t.Errorf("missing: %s", s.Missing())
	}
}
