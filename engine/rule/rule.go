// Package rule numbers the rules of engine/SPEC.md that a coordinator follows, so
// that an event can say which one decided and a test which ones were met.
package rule

import "strings"

// Rule is a rule of SPEC.md, named there as here.
type Rule uint8

// The rules, in the order of SPEC.md. None stands where no rule is told.
const (
	None Rule = iota
	API1
	API2
	API3
	Status1
	Status2
	Status3
	Status4
	Join1
	Join2
	Join3
	Join4
	Join5
	Join6
	Join7
	Join8
	Join9
	Join10
	Join11
	Join12
	Lead1
	Lead2
	Vote1
	Sync1
	Sync2
	Sync3
	Sync4
	Sync5
	Sync6
	Sync7
	HB1
	HB2
	HB3
	HB4
	HB5
	HB6
	Leave1
	Leave2
	Leave3
	Leave4
	Leave5
	Leave6
	Timer1
	Timer2
	Timer3
	Timer4
	Timer5
	Timer6
	Timer7
	Timer8
	Timer9
	Timer10
	Timer11
	Static1
	Static2
	Static3
	Static4
	Static5
	Static6
	Static7
	Static8
	Static9
	Static10
	Static11
	Static12
	Size1
	Size2
	Size3
	Size4
	Commit1
	Commit2
	Commit3
	Commit4
	Commit5
	Commit6
	Commit7
	Fetch1
	Fetch2
	Txn1
	Txn2
	Txn3
	Store1
	Store2
	Store3
	Load1
	Load2
	Load3
	Load4
	Load5
	Load6
	List1
	List2
	Describe1
	Expire1
	Expire2
	Expire3
	Expire4
	Delete1
	Delete2
	Delete3
	Sub1
	Old1
	Old2
	Old3
	Old4
	Old5
	Event1
	Event2
	Event3
	Event4
	Event5
	Event6
	Event7
	Event8
	Event9
	Event10

	Count
)

// families has the name of each family and how many rules it has.
var families = [...]struct {
	name  string
	rules int
}{
	{"API", 3}, {"STATUS", 4}, {"JOIN", 12}, {"LEAD", 2}, {"VOTE", 1}, {"SYNC", 7}, {"HB", 6}, {"LEAVE", 6}, {"TIMER", 11},
	{"STATIC", 12}, {"SIZE", 4}, {"COMMIT", 7}, {"FETCH", 2}, {"TXN", 3}, {"STORE", 3}, {"LOAD", 6}, {"LIST", 2},
	{"DESCRIBE", 1}, {"EXPIRE", 4}, {"DELETE", 3}, {"SUB", 1}, {"OLD", 5}, {"EVENT", 10},
}

// String is the rule's name in SPEC.md, "" of None.
func (r Rule) String() string {
	n := int(r)
	for _, f := range families {
		if 0 < n && n <= f.rules {
			return f.name + "-" + digits(n)
		}
		n -= f.rules
	}
	return ""
}

func digits(n int) string {
	if n < 10 {
		return string(rune('0' + n))
	}
	return digits(n/10) + digits(n%10)
}

// Set is a set of rules.
type Set [(Count + 63) / 64]uint64

// Add puts a rule in.
func (s *Set) Add(r Rule) { s[r/64] |= 1 << (r % 64) }

// Has reports whether a rule is in the set.
func (s *Set) Has(r Rule) bool { return s[r/64]>>(r%64)&1 != 0 }

// AddAll puts all rules of another set in.
func (s *Set) AddAll(o Set) {
	for i := range s {
		s[i] |= o[i]
	}
}

// Missing names the rules that are not in the set.
func (s *Set) Missing() string {
	var names []string
	for r := None + 1; r < Count; r++ {
		if !s.Has(r) {
			names = append(names, r.String())
		}
	}
	return strings.Join(names, " ")
}
