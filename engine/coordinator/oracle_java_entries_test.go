package coordinator

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"rebalancelab/engine/kafka"
	"rebalancelab/engine/rule"
)

// object entries of the Java recordings leave out what is the schema's default.

// unless leaves a number out that is its field's default.
func (e fields) unless(key string, value, standard int64) {
	if value != standard {
		e[key] = value
	}
}

// fields is one entry on its way.
type fields map[string]any

func (e fields) text(key, value string) {
	if value != "" {
		e[key] = value
	}
}

func (e fields) flag(key string, value bool) {
	if value {
		e[key] = true
	}
}

func (e fields) err(err kafka.Error) {
	if err != kafka.None {
		e["error"] = err.String()
	}
}

// replyEntry is a reply as the recordings write it.
func (p *eventPlayer) replyEntry(r *Reply) object {
	e := fields{"reply": r.Corr, "at": int64(p.now.Millis())}
	e.err(r.Error)
	if r.FirstError() != kafka.None && (r.Rule == rule.None || r.Guard == "") {
		e["unexplained"] = "an error without the rule that decided"
	}
	switch r.API {
	case kafka.JoinGroup:
		e.text("member_id", r.MemberID)
		e.unless("generation", int64(r.Generation), -1)
		e.text("protocol_type", r.ProtocolType)
		e.text("protocol_name", r.ProtocolName)
		e.text("leader", r.Leader)
		e.flag("skip_assignment", r.SkipAssignment)
		var members []any
		for _, m := range r.Members {
			x := fields{"member_id": m.MemberID, "metadata": hexOf(m.Metadata)}
			x.text("group_instance_id", m.InstanceID)
			members = append(members, x)
		}
		e["members"] = members
	case kafka.SyncGroup:
		e.text("assignment", hexOf(r.Assignment))
		e.text("protocol_type", r.ProtocolType)
		e.text("protocol_name", r.ProtocolName)
	case kafka.LeaveGroup:
		var members []any
		for _, m := range r.Results {
			x := fields{"member_id": m.MemberID}
			x.text("group_instance_id", m.InstanceID)
			x.err(m.Error)
			members = append(members, x)
		}
		e["members"] = members
	case kafka.OffsetCommit, kafka.TxnOffsetCommit, kafka.OffsetDelete, kafka.OffsetFetch:
		p.partitionEntries(e, r)
	case kafka.DescribeGroups, kafka.ListGroups, kafka.DeleteGroups:
		p.groupEntries(e, r)
	}
	return object(e)
}

func (p *eventPlayer) partitionEntries(e fields, r *Reply) {
	var list []any
	for _, o := range r.Partitions {
		x := fields{"topic": o.Topic, "partition": o.Partition}
		x.err(o.Error)
		if r.API == kafka.OffsetFetch {
			x.unless("offset", o.Offset, 0)
			x.unless("leader_epoch", int64(o.LeaderEpoch), -1)
			x.text("metadata", o.Metadata)
		}
		list = append(list, x)
	}
	e["partitions"] = list
	if s := &p.trace.Steps[p.step]; r.API == kafka.OffsetFetch && (r.Error == kafka.None || s.Stable) {
		e["group"] = p.groups[r.Corr]
	}
}

func (p *eventPlayer) groupEntries(e fields, r *Reply) {
	var list []any
	for _, g := range r.Groups {
		x := fields{"group": g.Group}
		x.err(g.Error)
		x.text("group_state", g.State)
		x.text("protocol_type", g.ProtocolType)
		x.text("protocol_data", g.Protocol)
		if r.API == kafka.ListGroups {
			x["group_type"] = "classic"
		}
		var members []any
		for _, m := range g.Members {
			y := fields{"member_id": m.MemberID, "client_id": m.ClientID, "client_host": m.ClientHost}
			y.text("group_instance_id", m.InstanceID)
			y.text("member_metadata", hexOf(m.Metadata))
			y.text("member_assignment", hexOf(m.Assignment))
			members = append(members, y)
		}
		x["members"] = members
		list = append(list, x)
	}
	if r.API == kafka.ListGroups {
		e["groups"] = list
	} else {
		e["results"] = list
	}
}

// recordEntry is a record as the recordings write it.
func (p *eventPlayer) recordEntry(r *kafka.Record) object {
	if r.Marker != kafka.NoMarker {
		return object{"marker": map[kafka.Marker]string{kafka.CommitMarker: "COMMIT", kafka.AbortMarker: "ABORT"}[r.Marker], "producer_id": r.ProducerID}
	}
	k := fields{"group": r.Group}
	record := fields{"key": k, "value": nil, "type": "GroupMetadata"}
	if r.KeyVersion == 1 {
		record["type"], k["topic"] = "OffsetCommit", r.Partition.Topic
		k.unless("partition", int64(r.Partition.Partition), 0)
	}
	if v := r.OffsetValue; v != nil {
		x := fields{"commit_timestamp": int64(v.CommitTimestamp)}
		x.unless("offset", v.Offset, 0)
		if v.Version != 1 {
			x.unless("leader_epoch", int64(v.LeaderEpoch), -1)
		}
		x.text("metadata", v.Metadata)
		x.unless("expire_timestamp", int64(v.ExpireTimestamp), -1)
		record["value"] = x
	}
	if v := r.GroupValue; v != nil {
		record["value"] = groupValueEntry(v)
	}
	e := object{"record": record, "at": int64(p.now.Millis())}
	if r.ProducerID >= 0 {
		e["producer_id"] = r.ProducerID
	}
	return e
}

func groupValueEntry(v *kafka.GroupMetadata) fields {
	x := fields{"state_timestamp": int64(v.StateTimestamp)}
	x.text("protocol_type", v.ProtocolType)
	x.text("protocol", v.Protocol)
	x.text("leader", v.Leader)
	x.unless("generation", int64(v.Generation), 0)
	var members []any
	for _, m := range v.Members {
		y := fields{"member_id": m.MemberID, "client_id": m.ClientID, "client_host": m.ClientHost,
			"session_timeout": m.SessionTimeoutMs, "rebalance_timeout": m.RebalanceTimeoutMs}
		y.text("group_instance_id", m.InstanceID)
		y.text("subscription", hexOf(m.Subscription))
		y.text("assignment", hexOf(m.Assignment))
		members = append(members, y)
	}
	x["members"] = members
	return x
}

// groupEntry is a group as the recordings write it.
func (p *eventPlayer) groupEntry(id string) object {
	v, ok := p.c.Group(id)
	if !ok {
		return object{"group": id, "state": "absent"}
	}
	e := fields{"group": id, "type": "classic", "state": v.State.String(), "generation": v.Generation}
	e.text("protocol_type", v.ProtocolType)
	e.text("protocol", v.Protocol)
	e.text("leader", v.Leader)
	e.unless("pending_count", int64(len(v.Pending)), 0)
	var members, late []any
	for _, id := range p.c.group(id).strangers {
		late = append(late, id)
	}
	for _, m := range v.Members {
		x := fields{"member_id": m.ID, "session": m.SessionTimeoutMs, "rebalance": m.RebalanceTimeoutMs}
		x.text("group_instance_id", m.InstanceID)
		x.text("assignment", hexOf(m.Assignment))
		x.flag("joining", m.Joining)
		x.flag("syncing", m.Syncing)
		members = append(members, x)
		if m.AwaitingSync {
			late = append(late, m.ID)
		}
	}
	e["members"], e["pending_sync"] = members, late
	return object(e)
}

func (p *eventPlayer) compareGroups(s *oracleStep) string {
	for _, g := range s.Groups {
		p.known[g["group"].(string)] = p.written(g)
	}
	ids := p.c.GroupIDs(nil)
	for id := range p.known {
		ids = append(ids, id)
	}
	slices.Sort(ids)
	for _, id := range slices.Compact(ids) {
		want := p.known[id]
		if want == "" {
			want = p.written(object{"group": id, "state": "absent"})
		}
		if got := p.written(p.groupEntry(id)); got != want {
			return fmt.Sprintf("group %s\n  expected %s\n  got      %s", id, want, got)
		}
	}
	return ""
}

// bucket sorts entries of the same time, kind and group, which a step marked as
// a tie compares as sets.
func (p *eventPlayer) bucket(entries []object) {
	bucketOf := func(e object) string {
		if r, ok := e["record"]; ok {
			var record struct{ Key struct{ Group string } }
			b, _ := json.Marshal(r)
			_ = json.Unmarshal(b, &record)
			return fmt.Sprintf("%020s record %v", fmt.Sprint(e["at"]), record.Key.Group)
		}
		var corr int64
		fmt.Sscan(fmt.Sprint(e["reply"]), &corr)
		return fmt.Sprintf("%020s reply %v", fmt.Sprint(e["at"]), p.groups[corr])
	}
	slices.SortStableFunc(entries, func(a, b object) int {
		if n := strings.Compare(bucketOf(a), bucketOf(b)); n != 0 {
			return n
		}
		return strings.Compare(p.written(a), p.written(b))
	})
}

// written prints a value with what is empty left out and lists sorted; numbers
// stay.
func (p *eventPlayer) written(v any) string {
	b, err := json.Marshal(v)
	if err != nil {
		panic(err)
	}
	var plain any
	if err := decode(b, &plain); err != nil {
		panic(err)
	}
	if b, err = json.Marshal(pruned(plain, p.named)); err != nil {
		panic(err)
	}
	return string(b)
}

// named leaves out what is empty and gives ids that were made up their names.
func (p *eventPlayer) named(v any) any {
	if id, ok := v.(string); ok && id != "" {
		return p.name(id)
	} else if ok {
		return nil
	}
	return v
}
