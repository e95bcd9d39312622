package assignor

import "slices"

// rackInfo is AbstractStickyAssignor.RackInfo.
type rackInfo struct {
	aware     bool       // racks decide
	members   []string   // rack of each member, "" unless aware
	byNumber  [][]string // racks of each partition, by number; nil if no member has a rack
	consumers []int32    // by number: members on one of the partition's racks
}

func newRackInfo(s *sticky) *rackInfo {
	info := &rackInfo{members: make([]string, len(s.members))}
	racks := s.consumerRacks(s.order)
	if len(racks) == 0 {
		return info
	}
	counts := make([]int32, len(racks))
	for m := range s.members {
		if at := slices.Index(racks, s.members[m].RackID); at >= 0 {
			counts[at]++
		}
	}
	info.byNumber = make([][]string, len(s.topicOf))
	info.consumers = make([]int32, len(s.topicOf))
	var existing [][]string
	for t := range s.topics {
		lists := racksOf(&s.topics[t])
		copy(info.byNumber[s.first[t]:], lists)
		existing = append(existing, lists...)
	}
	for p, list := range info.byNumber {
		for _, rack := range list {
			if at := slices.Index(racks, rack); at >= 0 {
				info.consumers[p] += counts[at]
			}
		}
	}
	info.aware = racksMatter(racks, existing)
	if info.aware {
		for m := range s.members {
			info.members[m] = s.members[m].RackID
		}
	}
	return info
}

// mismatch reports whether racks decide, the member is on one and the partition
// has no replica there.
func (r *rackInfo) mismatch(m, p int32) bool {
	return r.members[m] != "" && !slices.Contains(r.byNumber[p], r.members[m])
}

// matches reports whether the member is on a rack that the partition is on.
func (r *rackInfo) matches(m, p int32) bool {
	return r.members[m] != "" && slices.Contains(r.byNumber[p], r.members[m])
}
