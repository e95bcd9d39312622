package engine

import (
	"rebalancelab/engine/clock"
	"rebalancelab/engine/event"
	"rebalancelab/engine/kafka"
)

// topic is a topic's records as a function of time: record k of the topic
// arrives at (k+1)/rate and goes to partition k mod partitions. An alteration
// begins a new segment.
type topic struct {
	Topic
	segments []segment
	leaders  []event.Node // by partition; 0: none
}

// segment is a span with one partition count.
type segment struct {
	from       clock.Time
	partitions int32
	arrived    int64   // records of the topic before the segment
	base       []int64 // end offset of each partition at its start
}

func newTopic(t Topic) *topic {
	return &topic{Topic: t, segments: []segment{{partitions: t.Partitions, base: make([]int64, t.Partitions)}}}
}

func (t *topic) clone() *topic {
	c := *t
	c.segments = append([]segment(nil), t.segments...)
	c.leaders = append([]event.Node(nil), t.leaders...)
	return &c
}

func (t *topic) last() *segment { return &t.segments[len(t.segments)-1] }

// arrivedBy is the number of the topic's records at time at.
func (t *topic) arrivedBy(at clock.Time) int64 {
	if t.Rate.Records == 0 || at <= 0 {
		return 0
	}
	per := int64(t.Rate.Per)
	return int64(at)/per*t.Rate.Records + int64(at)%per*t.Rate.Records/per
}

// end is the end offset of a partition at time at.
func (t *topic) end(partition int32, at clock.Time) int64 {
	for i := len(t.segments) - 1; i >= 0; i-- {
		s := &t.segments[i]
		if at < s.from && i > 0 {
			continue
		}
		if partition >= s.partitions {
			return 0
		}
		n := t.arrivedBy(at) - s.arrived
		count, turn := n/int64(s.partitions), n%int64(s.partitions)
		if int64(partition) < turn {
			count++
		}
		return s.base[partition] + count
	}
	return 0
}

// recordAt is when the record at offset of a partition arrives, in the segment
// that is in force; Never if nothing arrives.
func (t *topic) recordAt(partition int32, offset int64) clock.Time {
	s := t.last()
	if t.Rate.Records == 0 || partition >= s.partitions {
		return clock.Never
	}
	nth := offset - s.base[partition] // of this partition within the segment
	if nth < 0 {
		return s.from
	}
	number := s.arrived + nth*int64(s.partitions) + int64(partition) // of the topic, from 0
	per := int64(t.Rate.Per)
	whole, rest := (number+1)/t.Rate.Records, (number+1)%t.Rate.Records
	return clock.Time(whole*per + (rest*per+t.Rate.Records-1)/t.Rate.Records)
}

// alter raises the partition count from time at on.
func (t *topic) alter(partitions int32, at clock.Time) {
	s := segment{from: at, partitions: partitions, arrived: t.arrivedBy(at), base: make([]int64, partitions)}
	for p := range t.last().partitions {
		s.base[p] = t.end(p, at)
	}
	t.segments = append(t.segments, s)
}

func (t *topic) hash(h *clock.Hash) {
	h.String(t.Name)
	h.Int(int64(t.last().partitions))
	h.Int(int64(t.last().from))
	for _, leader := range t.leaders {
		h.Int(int64(leader))
	}
}

// offsetsTopicPartition names a partition of __consumer_offsets.
func offsetsTopicPartition(partition int32) kafka.TopicPartition {
	return kafka.TopicPartition{Topic: kafka.OffsetsTopic, Partition: partition}
}
