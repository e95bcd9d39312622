package coordinator

import (
	"slices"

	"rebalancelab/engine/kafka"
)

// consumerProtocolType is ConsumerProtocol.PROTOCOL_TYPE.
const consumerProtocolType = "consumer"

// subscribe mirrors GroupMetadata.computeSubscribedTopics: which topics the
// members of a consumer group want. It fails where Kafka throws.
func (c *Coordinator) subscribe(g *group) bool {
	g.subscribed, g.subscribedKnown = nil, false
	if !c.has.Has(kafka.ExpiryBySubscription) || g.protocolType != consumerProtocolType {
		return true
	}
	if g.size() == 0 {
		g.subscribedKnown = true
		return true
	}
	var topics []string
	last := "\x00"
	for i := range g.members.entries {
		e := &g.members.entries[i]
		if !e.live {
			continue
		}
		metadata, _ := e.item.metadata(g.protocol)
		if metadata == last {
			continue
		}
		last = metadata
		var result parsed
		if topics, result = appendTopics(topics, metadata); result != parsedWell {
			return result == parsedShort || !c.has.Has(kafka.InvalidSubscriptionThrows)
		}
	}
	slices.Sort(topics)
	g.subscribed, g.subscribedKnown = slices.Compact(topics), true
	return true
}

// subscribes mirrors GroupMetadata.isSubscribedToTopic: if the subscription is
// unknown, every topic counts.
func (g *group) subscribes(topic string) bool {
	if !g.subscribedKnown {
		return true
	}
	_, found := slices.BinarySearch(g.subscribed, topic)
	return found
}

// parsed is the outcome of reading a subscription.
type parsed uint8

const (
	parsedWell  parsed = iota
	parsedShort        // a SchemaException: the buffer ends too early
	parsedBadly        // a RuntimeException, which nobody catches
)

// appendTopics reads the topics of a consumer's subscription as version 0 of
// ConsumerProtocolSubscription, which every later version begins with.
func appendTopics(topics []string, metadata string) ([]string, parsed) {
	b := reader{metadata, true}
	b.number(2) // version
	count := b.number(4)
	switch {
	case !b.ok:
		return topics, parsedShort
	case count < 0 || count > int64(len(b.rest)):
		return topics, parsedBadly
	}
	for range count {
		size := b.number(2)
		switch {
		case !b.ok:
			return topics, parsedShort
		case size < 0 || size > int64(len(b.rest)):
			return topics, parsedBadly
		}
		topics = append(topics, b.rest[:size])
		b.rest = b.rest[size:]
	}
	size := b.number(4) // user data
	switch {
	case !b.ok:
		return topics, parsedShort
	case size > int64(len(b.rest)):
		return topics, parsedBadly
	}
	return topics, parsedWell
}

// reader takes big-endian signed numbers off a text of bytes.
type reader struct {
	rest string
	ok   bool
}

func (r *reader) number(size int) int64 {
	if !r.ok || len(r.rest) < size {
		r.ok = false
		return 0
	}
	n := int64(int8(r.rest[0]))
	for i := 1; i < size; i++ {
		n = n<<8 | int64(r.rest[i])
	}
	r.rest = r.rest[size:]
	return n
}
