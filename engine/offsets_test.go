package engine

import "rebalancelab/engine/kafka"

// OffsetsKept holds, after a partition of __consumer_offsets was loaded, that its
// coordinator serves for every group what the log says last: an offset whose
// commit was acknowledged is there whatever brokers died.
func (w *World) OffsetsKept(partition int32) string {
	p := w.offsets[partition]
	if p.leader == 0 || !w.broker(p.leader).up || w.broker(p.leader).loading(partition) {
		return ""
	}
	if w.appendFailure() != kafka.None {
		return "" // a commit of this very moment can be in the log and yet have failed
	}
	type key struct {
		group string
		place kafka.TopicPartition
	}
	last := map[key]*kafka.OffsetMetadata{}
	for i := range p.log.Len() {
		if r := p.log.At(i); r.KeyVersion == 1 {
			last[key{r.Group, r.Partition}] = r.OffsetValue
		}
	}
	for k, v := range last {
		offset, there := w.broker(p.leader).coordinator.Committed(k.group, k.place)
		switch {
		case v == nil && there:
			return "an offset that was deleted is there: " + k.group + " " + k.place.Topic + "-" + itoa(int64(k.place.Partition))
		case v != nil && (!there || offset != v.Offset):
			return "an acknowledged offset is lost: " + k.group + " " + k.place.Topic + "-" + itoa(int64(k.place.Partition)) + ": " + itoa(v.Offset) + ", there is " + itoa(offset)
		}
	}
	return ""
}
