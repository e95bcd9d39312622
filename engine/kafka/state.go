package kafka

// GroupState is the state of a classic group.
type GroupState uint8

// The states, in the order in which pictures show them. NoState is the state of
// a group that does not exist.
const (
	NoState GroupState = iota
	Empty
	PreparingRebalance
	CompletingRebalance
	Stable
	Dead
)

var stateNames = [...]string{"", "Empty", "PreparingRebalance", "CompletingRebalance", "Stable", "Dead"}

// String is the state's name since 1.1.0.
func (s GroupState) String() string { return stateNames[s] }

// In is the name that the state had in version v.
func (s GroupState) In(v Version) string {
	if s == CompletingRebalance && v.Before(1, 1, 0) {
		return "AwaitingSync"
	}
	return s.String()
}
