package kafka

// Trim takes away what the request's version of its API does not carry, so that
// the broker sees what stood on the wire.
func (r *Request) Trim() {
	v := r.Version
	switch r.API {
	case JoinGroup:
		if v < 1 {
			r.RebalanceTimeoutMs = -1
		}
		r.trimInstance(5)
		if v < 8 {
			r.Reason = ""
		}
	case SyncGroup:
		r.trimInstance(3)
		if v < 5 {
			r.ProtocolType, r.ProtocolName = "", ""
		}
	case Heartbeat:
		r.trimInstance(3)
	case LeaveGroup:
		r.trimLeave()
	case OffsetCommit:
		r.trimInstance(7)
		if v < 1 {
			r.MemberID, r.Generation = "", NoGeneration
		}
		if v < 2 || v > 4 {
			r.RetentionMs = -1
		}
		if v < 6 {
			r.trimEpochs()
		}
	case TxnOffsetCommit:
		if v < 2 {
			r.trimEpochs()
		}
		if v < 3 {
			r.MemberID, r.InstanceID, r.Generation = "", "", NoGeneration
		}
	case OffsetFetch:
		r.AllPartitions = r.AllPartitions && v >= 2
		r.RequireStable = r.RequireStable && v >= 7
	case ListGroups:
		if v < 4 {
			r.States = nil
		}
		if v < 5 {
			r.Types = nil
		}
	}
}

func (r *Request) trimInstance(since int16) {
	if r.Version < since {
		r.InstanceID = ""
	}
}

// trimLeave keeps one member and no instance id before v3, no reasons before v5.
func (r *Request) trimLeave() {
	if r.Version < 3 && len(r.Members) > 1 {
		r.Members = r.Members[:1]
	}
	for i := range r.Members {
		m := &r.Members[i]
		if r.Version < 3 {
			m.InstanceID = ""
		}
		if r.Version < 5 {
			m.Reason = ""
		}
	}
}

func (r *Request) trimEpochs() {
	for i := range r.Offsets {
		r.Offsets[i].LeaderEpoch = -1
	}
}

// Trim takes away what a version of the response's API does not carry.
func (r *Response) Trim(version int16) {
	switch r.API {
	case JoinGroup:
		if version < 5 {
			r.Members = withoutInstances(r.Members)
		}
		if version < 7 {
			r.ProtocolType = ""
		}
		r.SkipAssignment = r.SkipAssignment && version >= 9
	case SyncGroup:
		if version < 5 {
			r.ProtocolType, r.ProtocolName = "", ""
		}
	case LeaveGroup:
		if version < 3 { // the error of the whole, else that of the one member
			r.Error, r.Results = r.FirstError(), nil
		}
	case OffsetFetch:
		if version < 5 {
			for i := range r.Partitions {
				r.Partitions[i].LeaderEpoch = -1
			}
		}
	case DescribeGroups, ListGroups:
		r.trimGroups(version)
	}
}

func (r *Response) trimGroups(version int16) {
	for i := range r.Groups {
		g := &r.Groups[i]
		if r.API == ListGroups && version < 4 {
			g.State = ""
		}
		if r.API == ListGroups && version < 5 {
			g.Type = ""
		}
		for j := range g.Members {
			if version < 4 {
				g.Members[j].InstanceID = ""
			}
		}
	}
}

func withoutInstances(members []JoinedMember) []JoinedMember {
	plain := make([]JoinedMember, len(members))
	for i, m := range members {
		plain[i] = JoinedMember{MemberID: m.MemberID, Metadata: m.Metadata}
	}
	return plain
}
