package assignor

import "slices"

// racksMatter is AbstractPartitionAssignor.useRackAwareAssignment: some consumer
// is on the rack of some replica, and not every partition is on all racks.
// consumerRacks and the racks of each partition have no "" and no duplicates.
func racksMatter(consumerRacks []string, partitions [][]string) bool {
	var all []string
	for _, racks := range partitions {
		for _, rack := range racks {
			if !slices.Contains(all, rack) {
				all = append(all, rack)
			}
		}
	}
	shared := slices.ContainsFunc(consumerRacks, func(rack string) bool { return slices.Contains(all, rack) })
	if len(consumerRacks) == 0 || !shared {
		return false
	}
	return slices.ContainsFunc(partitions, func(racks []string) bool { return len(racks) != len(all) })
}

// racksOf lists the racks of each partition of a topic, once each.
func racksOf(t *Topic) [][]string {
	lists := make([][]string, t.Partitions)
	for p := range min(len(t.Racks), len(lists)) {
		for _, rack := range t.Racks[p] {
			if rack != "" && !slices.Contains(lists[p], rack) {
				lists[p] = append(lists[p], rack)
			}
		}
	}
	return lists
}

// consumerRacks lists the racks of members, once each.
func (g *group) consumerRacks(members []int32) []string {
	var racks []string
	for _, m := range members {
		if rack := g.members[m].RackID; rack != "" && !slices.Contains(racks, rack) {
			racks = append(racks, rack)
		}
	}
	return racks
}
