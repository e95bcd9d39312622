package coordinator

import (
	"encoding/hex"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"rebalancelab/engine/clock"
	"rebalancelab/engine/kafka"
	"rebalancelab/engine/rule"
)

// object is one entry of a recording.
type object = map[string]any

// replyEntry is a reply as the recordings write it.
func (p *oraclePlayer) replyEntry(r *Reply) object {
	e := object{"reply": r.Corr, "at": int64(p.now.Millis()), "error": r.Error.String()}
	if r.FirstError() != kafka.None && (r.Rule == rule.None || r.Guard == "") {
		e["unexplained"] = "an error without the rule that decided"
	}
	switch r.API {
	case kafka.JoinGroup:
		e["member_id"], e["generation"], e["protocol_type"], e["protocol_name"] = r.MemberID, r.Generation, r.ProtocolType, r.ProtocolName
		e["leader"], e["skip_assignment"] = r.Leader, r.SkipAssignment
		var members []any
		for _, m := range r.Members {
			members = append(members, object{"member_id": m.MemberID, "group_instance_id": m.InstanceID, "metadata": hexOf(m.Metadata)})
		}
		e["members"] = members
	case kafka.SyncGroup:
		e["assignment"], e["protocol_type"], e["protocol_name"] = hexOf(r.Assignment), r.ProtocolType, r.ProtocolName
	case kafka.LeaveGroup:
		var members []any
		for _, m := range r.Results {
			members = append(members, object{"member_id": m.MemberID, "group_instance_id": m.InstanceID, "error": m.Error.String()})
		}
		e["members"] = members
	case kafka.OffsetCommit, kafka.TxnOffsetCommit, kafka.OffsetDelete, kafka.OffsetFetch:
		p.partitionsEntry(e, r)
	case kafka.DescribeGroups, kafka.ListGroups, kafka.DeleteGroups:
		p.groupsEntry(e, r)
	}
	return e
}

func (p *oraclePlayer) partitionsEntry(e object, r *Reply) {
	var list []any
	for _, o := range r.Partitions {
		x := object{"topic": o.Topic, "partition": o.Partition, "error": o.Error.String()}
		if r.API == kafka.OffsetFetch {
			x["offset"], x["leader_epoch"], x["metadata"] = o.Offset, o.LeaderEpoch, o.Metadata
		}
		list = append(list, x)
	}
	e["partitions"] = list
	if r.API == kafka.OffsetCommit || r.API == kafka.TxnOffsetCommit || r.API == kafka.OffsetFetch && !p.c.has.Has(kafka.OffsetFetchAll) {
		delete(e, "error")
	}
}

func (p *oraclePlayer) groupsEntry(e object, r *Reply) {
	var list []any
	for _, g := range r.Groups {
		x := object{"group": g.Group, "state": g.State, "protocol_type": g.ProtocolType, "protocol": g.Protocol}
		var members []any
		for _, m := range g.Members {
			members = append(members, object{"member_id": m.MemberID, "group_instance_id": m.InstanceID, "client_id": m.ClientID,
				"client_host": m.ClientHost, "metadata": hexOf(m.Metadata), "assignment": hexOf(m.Assignment)})
		}
		x["members"] = members
		switch {
		case r.API == kafka.DescribeGroups:
			delete(x, "group")
			for k, v := range x {
				e[k] = v
			}
			e["error"] = g.Error.String()
			return
		case r.API == kafka.DeleteGroups:
			x = object{"group": g.Group, "error": g.Error.String()}
			delete(e, "error")
		default:
			x["type"] = g.Type
		}
		list = append(list, x)
	}
	e["groups"] = list
}

// recordEntry is a record as the recordings write it.
func (p *oraclePlayer) recordEntry(r *kafka.Record) object {
	k := object{"version": r.KeyVersion, "group": r.Group}
	record := object{"key": k, "value": nil}
	if r.KeyVersion == 1 {
		k["topic"], k["partition"] = r.Partition.Topic, r.Partition.Partition
	}
	if v := r.OffsetValue; v != nil {
		value := object{"version": v.Version, "offset": v.Offset, "leader_epoch": v.LeaderEpoch, "metadata": v.Metadata,
			"commit_timestamp": int64(v.CommitTimestamp), "expire_timestamp": int64(v.ExpireTimestamp)}
		if v.Version < 3 {
			delete(value, "leader_epoch")
		}
		record["value"] = value
	}
	if v := r.GroupValue; v != nil {
		var members []any
		for _, m := range v.Members {
			x := object{"member_id": m.MemberID, "group_instance_id": m.InstanceID, "client_id": m.ClientID,
				"client_host": m.ClientHost, "session_timeout_ms": m.SessionTimeoutMs,
				"subscription": hexOf(m.Subscription), "assignment": hexOf(m.Assignment)}
			if v.Version >= 1 {
				x["rebalance_timeout_ms"] = m.RebalanceTimeoutMs
			}
			members = append(members, x)
		}
		record["value"] = object{"version": v.Version, "protocol_type": v.ProtocolType, "generation": v.Generation,
			"protocol": v.Protocol, "leader": v.Leader, "state_timestamp": int64(v.StateTimestamp), "members": members}
	}
	e := object{"record": record, "at": int64(p.now.Millis())}
	if r.ProducerID >= 0 {
		record["producer_id"] = r.ProducerID
	}
	return e
}

// groupEntry is a group as the recordings write it.
func (p *oraclePlayer) groupEntry(id string) object {
	v, ok := p.c.Group(id)
	if !ok {
		return object{"group": id, "state": "absent"}
	}
	e := object{"group": id, "state": v.State.In(p.trace.version), "generation": v.Generation, "protocol_type": v.ProtocolType,
		"protocol": v.Protocol, "leader": v.Leader, "join_deadline": p.shownDeadline(id, "", v.JoinDeadline), "sync_deadline": millisOf(v.SyncDeadline)}
	var members, pending []any
	unsynced := slices.Clone(p.c.group(id).strangers)
	for _, m := range v.Members {
		x := object{"member_id": m.ID, "group_instance_id": m.InstanceID, "session": m.SessionTimeoutMs,
			"deadline": p.shownDeadline(id, m.ID, m.Deadline), "joining": m.Joining, "syncing": m.Syncing}
		if !p.c.has.Has(kafka.RebalanceBoundBySession) {
			x["rebalance"] = m.RebalanceTimeoutMs
		}
		if p.c.has.Has(kafka.NewMemberTimeout) {
			x["new"] = m.New
		}
		if m.AwaitingSync {
			unsynced = append(unsynced, m.ID)
		}
		members = append(members, x)
	}
	for _, m := range v.Pending {
		pending = append(pending, object{"member_id": m.ID, "deadline": millisOf(m.Deadline)})
	}
	var late []any
	for _, id := range unsynced {
		late = append(late, id)
	}
	e["members"], e["pending"], e["pending_sync"] = members, pending, late
	return e
}

func millisOf(t clock.Time) any {
	if t == clock.Never {
		return nil
	}
	return int64(t.Millis())
}

func hexOf(s string) string { return hex.EncodeToString([]byte(s)) }

// canonical prints a value with defaults left out and lists sorted.
func canonical(v any) string {
	b, err := json.Marshal(pruned(v, unlessDefault))
	if err != nil {
		panic(err)
	}
	return string(b)
}

// unlessDefault leaves out what is empty, false or -1.
func unlessDefault(v any) any {
	if s := fmt.Sprint(v); s == "" || s == "false" || s == "-1" {
		return nil
	}
	return v
}

// pruned is a value without what is empty and without what leaf makes nil, lists
// sorted.
func pruned(v any, leaf func(any) any) any {
	switch v := v.(type) {
	case object:
		n := object{}
		for k, x := range v {
			if x = pruned(x, leaf); x != nil {
				n[k] = x
			}
		}
		return n
	case []any:
		if len(v) == 0 {
			return nil
		}
		list := make([]any, len(v))
		for i := range v {
			list[i] = pruned(v[i], leaf)
		}
		slices.SortFunc(list, func(a, b any) int {
			x, _ := json.Marshal(a)
			y, _ := json.Marshal(b)
			return strings.Compare(string(x), string(y))
		})
		return list
	case nil:
		return nil
	}
	return leaf(v)
}

// compare is the first difference between what a step should yield and what it
// did.
func (p *oraclePlayer) compare(s *oracleStep) string {
	var want []object
	for _, e := range s.Out {
		if e["exception"] != nil {
			if e["reply"] == nil {
				continue
			}
			delete(e, "exception")
		}
		want = append(want, e)
	}
	if s.Tie {
		p.bucket(want)
		p.bucket(p.got)
	}
	for i := range max(len(want), len(p.got)) {
		w, g := "nothing", "nothing"
		if i < len(want) {
			w = canonical(want[i])
		}
		if i < len(p.got) {
			g = canonical(p.got[i])
		}
		if w != g {
			return fmt.Sprintf("out %d\n  expected %s\n  got      %s", i, w, g)
		}
	}
	return p.compareGroups(s)
}

// bucket sorts entries of the same time, kind and group, which a step marked as
// a tie compares as sets.
func (p *oraclePlayer) bucket(entries []object) {
	bucketOf := func(e object) string {
		if r, ok := e["record"].(object); ok {
			return fmt.Sprintf("%020s record %v", fmt.Sprint(e["at"]), r["key"].(object)["group"])
		}
		var corr int64
		fmt.Sscan(fmt.Sprint(e["reply"]), &corr)
		return fmt.Sprintf("%020s reply %v", fmt.Sprint(e["at"]), p.groups[corr])
	}
	slices.SortStableFunc(entries, func(a, b object) int {
		if n := strings.Compare(bucketOf(a), bucketOf(b)); n != 0 {
			return n
		}
		return strings.Compare(canonical(a), canonical(b))
	})
}

func (p *oraclePlayer) compareGroups(s *oracleStep) string {
	for _, g := range s.Groups {
		p.known[g["group"].(string)] = canonical(g)
	}
	ids := p.c.GroupIDs(nil)
	for id := range p.known {
		if !slices.Contains(ids, id) {
			ids = append(ids, id)
		}
	}
	slices.Sort(ids)
	for _, id := range ids {
		want := p.known[id]
		if want == "" {
			want = canonical(object{"group": id, "state": "absent"})
		}
		if got := canonical(p.groupEntry(id)); got != want {
			return fmt.Sprintf("group %s\n  expected %s\n  got      %s", id, want, got)
		}
	}
	return ""
}
