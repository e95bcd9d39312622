package assignor

// perform passes over the list, moving partitions, until a pass moves nothing;
// it stops as soon as the group is balanced. It reports whether it moved any.
func (a *general) perform(list []int32) bool {
	any := false
	for moved := true; moved && !a.thrown; {
		moved = false
		for _, p := range list {
			if a.thrown || a.balanced() {
				break
			}
			if to := a.better(p); to != nobody {
				a.reassign(p, to)
				moved, any = true, true
			}
		}
	}
	return any
}

// balanced reports whether no member could take a partition from one that has
// at least two more.
func (a *general) balanced() bool {
	heaviest := len(a.held[a.byLoad[len(a.byLoad)-1]])
	for _, m := range a.byLoad {
		load := len(a.held[m])
		if load+1 >= heaviest {
			return true
		}
		if load == a.most[m] {
			continue
		}
		for _, t := range a.potential[m] {
			for p := a.first[t]; p < a.first[t]+a.topics[t].Partitions; p++ {
				if holder := a.holder[p]; holder != nobody && load+1 < len(a.held[holder]) {
					return false
				}
			}
		}
	}
	return true
}

// better is the member that should have a partition instead of its holder:
// whoever had it in an earlier generation, else the least loaded subscriber.
func (a *general) better(p int32) int32 {
	load := len(a.held[a.holder[p]])
	if to := a.earlier[p]; to != nobody {
		if a.fixed[to] {
			a.thrown = true
			return nobody
		}
		if load > len(a.held[to])+1 {
			return to
		}
	}
	least := a.leastLoaded(p)
	if least == nobody || load <= len(a.held[least])+1 {
		return nobody
	}
	return least
}

// leastLoaded is the first member by load that subscribes the partition's topic.
func (a *general) leastLoaded(p int32) int32 {
	for _, m := range a.byLoad {
		if a.canTake(m, p) {
			return m
		}
	}
	return nobody
}

// reassign moves a partition, or another one of its topic that came the
// opposite way.
func (a *general) reassign(p, to int32) {
	p = a.moves.choose(p, a.holder[p], to)
	from := a.holder[p]
	a.unload(from)
	a.unload(to)
	a.moves.record(p, from, to)
	a.held[from] = without(a.held[from], p)
	a.held[to] = append(a.held[to], p)
	a.holder[p] = to
	a.load(to)
	a.load(from)
}
