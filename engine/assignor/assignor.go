// Package assignor holds the assignors of the Java client: what the leader of a
// classic group runs between JoinGroup and SyncGroup. The lists are those of
// Kafka to their order, also where that depends on the order of Java's hash
// maps (hashmap.go); the oracle test compares them with recordings of Kafka.
//
// range.go is RangeAssignor. The sticky family begins in sticky.go, which
// decides who owns what; constrained.go assigns when all subscriptions are
// equal, general.go otherwise. wire.go has the bytes of subscriptions and
// assignments.
package assignor

import "rebalancelab/engine/kafka"

// Strategy is an assignor.
type Strategy uint8

// The strategies.
const (
	Range Strategy = iota
	CooperativeSticky
	strategyCount
)

var strategyNames = [strategyCount]string{"range", "cooperative-sticky"}

// String is the name that the strategy has as a protocol of a group.
func (s Strategy) String() string { return strategyNames[s] }

// StrategyNamed finds a strategy by the name of its protocol.
func StrategyNamed(name string) (Strategy, bool) {
	for i, n := range strategyNames {
		if n == name {
			return Strategy(i), true
		}
	}
	return 0, false
}

// NoGeneration stands for a generation that a member does not say.
const NoGeneration = kafka.NoGeneration

// Member is a member of the group as the leader's JoinGroup response shows it.
type Member struct {
	ID         string
	InstanceID string // "": a dynamic member
	RackID     string // "": no rack
	Topics     []string
	Owned      []kafka.TopicPartition // what it claims to own, in its order
	// Claim is the generation that the member's claims are of, and Generation
	// the one of the subscription's field. They differ only for members whose
	// generation stands in the user data.
	Claim, Generation int32
}

// Topic is the metadata of a topic.
type Topic struct {
	Name       string
	Partitions int32
	// Racks are the racks of each partition's replicas, "" of a replica without
	// one. Nil: nothing is known of racks.
	Racks [][]string
}

// Assign computes the assignment of a version of Kafka. The result has the
// ordered list of each member, by index in members, which come in the order of
// the JoinGroup response. maxGeneration is what the leader's assignor object
// remembers, NoGeneration at first; only the sticky family reads and raises it.
// The result is nil when Kafka's assignor throws an exception, which the
// leader's poll then does.
func Assign(strategy Strategy, version kafka.Version, members []Member, topics []Topic, maxGeneration *int32) [][]kafka.TopicPartition {
	if len(members) == 0 {
		return [][]kafka.TopicPartition{}
	}
	g := newGroup(members, topics)
	if strategy == Range {
		return assignRange(g, version)
	}
	return assignCooperative(g, maxGeneration)
}

// SyncOrder is the order in which the leader lists members in its SyncGroup: that
// of a hash map from member ids. The result has indices of members.
func SyncOrder(members []Member) []int {
	hashes := make([]int32, len(members))
	for i := range members {
		hashes[i] = kafka.JavaHash(members[i].ID)
	}
	order := make([]int, 0, len(members))
	for _, i := range hashOrder(hashes, defaultCapacity) {
		order = append(order, int(i))
	}
	return order
}
