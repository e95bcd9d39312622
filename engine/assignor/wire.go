package assignor

import (
	"cmp"
	"slices"

	"rebalancelab/engine/kafka"
)

// Subscription is a member's metadata in its JoinGroup.
type Subscription struct {
	Version     int16
	Topics      []string
	UserData    string
	HasUserData bool                   // otherwise null
	Owned       []kafka.TopicPartition // version 1+
	Generation  int32                  // version 2+; NoGeneration: none
	RackID      string                 // version 3+; "" is null
}

// The versions from which the fields are there.
const (
	ownedSince      = 1
	generationSince = 2
	rackSince       = 3
)

// EncodeSubscription appends the bytes that the Java client 3.0+ writes: topics
// and owned partitions sorted.
func EncodeSubscription(dst []byte, s *Subscription) []byte {
	dst = appendInt16(dst, s.Version)
	topics := slices.Clone(s.Topics)
	slices.SortFunc(topics, compareText)
	dst = appendInt32(dst, int32(len(topics)))
	for _, t := range topics {
		dst = appendText(dst, t)
	}
	dst = appendBytes(dst, s.UserData, s.HasUserData)
	if s.Version >= ownedSince {
		owned := slices.Clone(s.Owned)
		slices.SortFunc(owned, comparePartitions)
		dst = appendPartitions(dst, owned)
	}
	if s.Version >= generationSince {
		dst = appendInt32(dst, s.Generation)
	}
	if s.Version < rackSince {
		return dst
	}
	if s.RackID == "" {
		return appendInt16(dst, -1)
	}
	return appendText(dst, s.RackID)
}

// DecodeSubscription reads a subscription of any version; the fields that its
// version lacks are empty. False if bytes are missing.
func DecodeSubscription(b string) (Subscription, bool) {
	d := decoder{rest: b}
	s := Subscription{Version: d.int16(), Generation: NoGeneration}
	for range d.count() {
		s.Topics = append(s.Topics, d.text())
	}
	s.UserData, s.HasUserData = d.bytes()
	if s.Version >= ownedSince {
		s.Owned = d.partitions()
	}
	if s.Version >= generationSince {
		s.Generation = max(d.int32(), NoGeneration)
	}
	if s.Version >= rackSince {
		s.RackID = d.text()
	}
	return s, !d.short
}

// EncodeAssignment appends the assignment that a leader sends for one member:
// topics in the order of their first partition, no user data.
func EncodeAssignment(dst []byte, version int16, partitions []kafka.TopicPartition) []byte {
	return encodeAssignment(dst, version, partitions, "", false)
}

func encodeAssignment(dst []byte, version int16, partitions []kafka.TopicPartition, userData string, hasUserData bool) []byte {
	dst = appendInt16(dst, version)
	dst = appendPartitions(dst, partitions)
	return appendBytes(dst, userData, hasUserData)
}

// DecodeAssignment reads an assignment. False if bytes are missing.
func DecodeAssignment(b string) (version int16, partitions []kafka.TopicPartition, ok bool) {
	d := decoder{rest: b}
	version = d.int16()
	partitions = d.partitions()
	d.bytes()
	return version, partitions, !d.short
}

// UserData is what a strategy writes into the subscription: for
// cooperative-sticky the generation of the last assignment. False: null.
func UserData(strategy Strategy, generation int32) (string, bool) {
	if strategy != CooperativeSticky {
		return "", false
	}
	return string(appendInt32(nil, generation)), true
}

// DecodeMember reads an entry of the leader's JoinGroup response as a strategy
// sees it. A subscription that cannot be read is one without topics.
func DecodeMember(strategy Strategy, id, instanceID, metadata string) Member {
	s, _ := DecodeSubscription(metadata)
	m := Member{ID: id, InstanceID: instanceID, RackID: s.RackID, Topics: s.Topics, Owned: s.Owned,
		Generation: s.Generation, Claim: s.Generation}
	if strategy == CooperativeSticky && s.Generation == NoGeneration && s.HasUserData {
		d := decoder{rest: s.UserData}
		if generation := d.int32(); !d.short {
			m.Claim = generation
		}
	}
	return m
}

func comparePartitions(a, b kafka.TopicPartition) int {
	if a.Topic == b.Topic {
		return cmp.Compare(a.Partition, b.Partition)
	}
	return compareText(a.Topic, b.Topic)
}

// appendPartitions groups a list by topic, in the order of each topic's first
// partition.
func appendPartitions(dst []byte, list []kafka.TopicPartition) []byte {
	counts := make([]int32, 0, 8) // by number of the topic
	numbers := make([]int32, len(list))
	topics := make(map[string]int32, 8)
	for i := range list {
		if i > 0 && list[i].Topic == list[i-1].Topic {
			numbers[i] = numbers[i-1]
		} else if n, ok := topics[list[i].Topic]; ok {
			numbers[i] = n
		} else {
			numbers[i] = int32(len(counts))
			topics[list[i].Topic] = numbers[i]
			counts = append(counts, 0)
		}
		counts[numbers[i]]++
	}
	order := make([]int32, len(list))
	for i := range order {
		order[i] = int32(i)
	}
	slices.SortStableFunc(order, func(a, b int32) int { return cmp.Compare(numbers[a], numbers[b]) })
	dst = appendInt32(dst, int32(len(counts)))
	for i, at := range order {
		if i == 0 || numbers[at] != numbers[order[i-1]] {
			dst = appendText(dst, list[at].Topic)
			dst = appendInt32(dst, counts[numbers[at]])
		}
		dst = appendInt32(dst, list[at].Partition)
	}
	return dst
}
