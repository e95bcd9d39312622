package coordinator

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"rebalancelab/engine/kafka"
	"rebalancelab/engine/tape"
)

// text is a string argument with $bound ids filled in; null is "".
func (r *vectorRunner) text(v any) string {
	s, _ := v.(string)
	if strings.HasPrefix(s, "$") {
		return r.bound[s[1:]]
	}
	return s
}

func orDefault(a object, key string, value any) any {
	if v, ok := a[key]; ok {
		return v
	}
	return value
}

// build makes the request of a step.
func (r *vectorRunner) build(op string, a object) *kafka.Request {
	q := &kafka.Request{Group: r.text(orDefault(a, "group", "g")), MemberID: r.text(a["member"]), InstanceID: r.text(a["instance"]),
		Generation: int32(number(orDefault(a, "generation", -1))), ClientID: "client", ClientHost: "/h", RetentionMs: -1}
	switch op {
	case "join":
		r.buildJoin(q, a)
	case "sync":
		q.API, q.ProtocolType, q.ProtocolName = kafka.SyncGroup, r.text(a["type"]), r.text(a["protocol"])
		if assignments, ok := a["assignments"].(object); ok {
			for id, v := range assignments {
				q.Assignments = append(q.Assignments, kafka.MemberAssignment{MemberID: r.text(id), Assignment: v.(string)})
			}
		}
	case "heartbeat":
		q.API = kafka.Heartbeat
	case "leave":
		q.API = kafka.LeaveGroup
		for _, m := range a["members"].([]any) {
			pair := m.([]any)
			q.Members = append(q.Members, kafka.LeavingMember{MemberID: r.text(pair[0]), InstanceID: r.text(pair[1])})
		}
	case "commit":
		r.buildCommit(q, a)
	case "fetch", "delete_offsets":
		q.API, q.Version, q.RequireStable = kafka.OffsetFetch, 7, a["require_stable"] == true
		if op == "delete_offsets" {
			q.API = kafka.OffsetDelete
		}
		list, ok := a["partitions"].([]any)
		q.AllPartitions = !ok
		for _, tp := range list {
			q.Partitions = append(q.Partitions, placeNamed(tp.(string)))
		}
	case "describe":
		q.API, q.Groups = kafka.DescribeGroups, []string{q.Group}
	case "list":
		q.API = kafka.ListGroups
	case "delete_group":
		q.API, q.Groups = kafka.DeleteGroups, []string{q.Group}
	default:
		r.t.Fatalf("unknown request %s", op)
	}
	return q
}

func (r *vectorRunner) buildJoin(q *kafka.Request, a object) {
	q.API, q.Version = kafka.JoinGroup, 3
	if a["require_known"] == true {
		q.Version = 4
	}
	if a["skip_ok"] == true {
		q.Version = 9
	}
	q.ClientID = r.text(orDefault(a, "client", "client"))
	q.SessionTimeoutMs = int32(number(orDefault(a, "session", 500)) * r.scale)
	q.RebalanceTimeoutMs = int32(number(orDefault(a, "rebalance", 500)) * r.scale)
	q.ProtocolType = r.text(orDefault(a, "type", "consumer"))
	for _, p := range orDefault(a, "protocols", []any{"range"}).([]any) {
		if pair, ok := p.([]any); ok {
			q.Protocols = append(q.Protocols, kafka.Protocol{Name: pair[0].(string), Metadata: subscriptionWith(pair[1].(string))})
		} else {
			q.Protocols = append(q.Protocols, kafka.Protocol{Name: p.(string)})
		}
	}
}

// subscriptionWith is a consumer's subscription to nothing with some user data:
// other bytes would make 3.9.1 throw.
func subscriptionWith(data string) string {
	return "\x00\x00\x00\x00\x00\x00\x00\x00\x00" + string(rune(len(data))) + data
}

func (r *vectorRunner) buildCommit(q *kafka.Request, a object) {
	q.API, q.Version, q.ProducerID = kafka.OffsetCommit, 8, 7
	if a["v9"] == true {
		q.Version = 9
	}
	if a["txn"] == true {
		q.API = kafka.TxnOffsetCommit
	}
	if v, ok := a["retention"]; ok {
		q.RetentionMs, q.Version = number(v)*r.scale, 2
	}
	offsets, ok := a["offsets"].(object)
	if !ok {
		offsets = object{"t-0": 0}
	}
	for tp, v := range offsets {
		o := kafka.CommittedOffset{TopicPartition: placeNamed(tp), LeaderEpoch: -1}
		if full, ok := v.(object); ok {
			o.Offset, o.Metadata = number(full["offset"]), r.text(full["metadata"])
		} else {
			o.Offset = number(v)
		}
		q.Offsets = append(q.Offsets, o)
	}
}

func placeNamed(s string) kafka.TopicPartition {
	at := strings.LastIndexByte(s, '-')
	n, _ := strconv.Atoi(s[at+1:])
	return kafka.TopicPartition{Topic: s[:at], Partition: int32(n)}
}

// load lets a new coordinator read a group from a log.
func (r *vectorRunner) load(a object) {
	r.log = tape.Tape[kafka.Record]{}
	v := &kafka.GroupMetadata{Version: 3, ProtocolType: r.text(orDefault(a, "type", "consumer")), Generation: int32(number(a["generation"])),
		Protocol: r.text(orDefault(a, "protocol", "range")), Leader: r.text(a["leader"]), StateTimestamp: r.now.Millis()}
	list, _ := a["members"].([]any)
	for _, m := range list {
		m := m.(object)
		v.Members = append(v.Members, kafka.GroupMember{MemberID: r.text(m["id"]), InstanceID: r.text(m["instance"]), ClientID: "client",
			ClientHost: "/h", SessionTimeoutMs: int32(number(orDefault(m, "session", 500)) * r.scale),
			RebalanceTimeoutMs: int32(number(orDefault(m, "rebalance", 500)) * r.scale), Assignment: r.text(m["assignment"])})
	}
	if len(v.Members) == 0 {
		v.Protocol = ""
	} else if v.Leader == "" {
		v.Leader = v.Members[0].MemberID
	}
	group := r.text(orDefault(a, "group", "g"))
	r.log.Append(kafka.Record{KeyVersion: 2, Group: group, GroupValue: v, ProducerID: -1})
	offsets, _ := a["offsets"].(object)
	for tp, o := range offsets {
		r.log.Append(kafka.Record{KeyVersion: 1, Group: group, Partition: placeNamed(tp), ProducerID: -1,
			OffsetValue: &kafka.OffsetMetadata{Version: 3, Offset: number(o), LeaderEpoch: -1, CommitTimestamp: r.now.Millis(), ExpireTimestamp: -1}})
	}
	r.newCoordinator()
}

// expect checks the answer to a request.
func (r *vectorRunner) expect(op string, corr int64, s object) {
	r.t.Helper()
	want, given := s["expect"]
	if !given {
		return
	}
	got, done := r.answered[corr]
	if want == "pending" {
		if done {
			r.t.Errorf("%v: answered %v, should be pending", s, got.Error)
		}
		return
	}
	if !done {
		r.t.Errorf("%v: not answered", s)
		return
	}
	if b, ok := s["bind"].(string); ok {
		r.bound[b] = got.MemberID
	}
	for key, value := range want.(object) {
		if g, w := r.field(key, &got), r.wanted(value); g != w {
			r.t.Errorf("%v\n  %s: expected %s, got %s", s, key, w, g)
		}
	}
}

// wanted prints an expectation as field prints an answer.
func (r *vectorRunner) wanted(v any) string {
	switch v := v.(type) {
	case object:
		var list []string
		for k, x := range v {
			list = append(list, k+"="+fmt.Sprint(x))
		}
		slices.Sort(list)
		return fmt.Sprint(list)
	case []any:
		return fmt.Sprint(v)
	case string:
		return r.text(v)
	case nil:
		return ""
	}
	return fmt.Sprint(v)
}

func (r *vectorRunner) field(key string, a *kafka.Response) string {
	switch key {
	case "error":
		if len(a.Groups) > 0 && a.API != kafka.ListGroups {
			return a.Groups[0].Error.String()
		}
		return a.Error.String()
	case "generation":
		return fmt.Sprint(a.Generation)
	case "member":
		return a.MemberID
	case "leader":
		return a.Leader
	case "protocol":
		return a.ProtocolName + described(a).Protocol
	case "type":
		return a.ProtocolType + described(a).ProtocolType
	case "state":
		return described(a).State
	case "skip":
		return fmt.Sprint(a.SkipAssignment)
	case "assignment":
		return a.Assignment
	case "members":
		return fmt.Sprint(len(a.Members) + len(described(a).Members))
	}
	return listField(key, a)
}

func described(a *kafka.Response) kafka.DescribedGroup {
	if a.API == kafka.DescribeGroups {
		return a.Groups[0]
	}
	return kafka.DescribedGroup{}
}

func listField(key string, a *kafka.Response) string {
	list := []string{}
	switch key {
	case "groups":
		for _, g := range a.Groups {
			list = append(list, g.Group)
		}
	case "results":
		if a.API == kafka.LeaveGroup && a.Results == nil && a.Error == kafka.None { // before 2.4 there is one member and one error
			list = append(list, a.Error.String())
		}
		for _, m := range a.Results {
			list = append(list, m.Error.String())
		}
	case "errors", "offsets":
		for _, p := range a.Partitions {
			value := p.Error.String()
			if key == "offsets" && p.Error == kafka.None {
				value = fmt.Sprint(p.Offset)
			}
			list = append(list, p.Topic+"-"+fmt.Sprint(p.Partition)+"="+value)
		}
		slices.Sort(list)
	default:
		return "no field " + key
	}
	return fmt.Sprint(list)
}

// check is a step that only looks.
func (r *vectorRunner) check(op string, arg any, s object) {
	r.t.Helper()
	switch op {
	case "done":
		r.expect(op, r.handles[arg.(string)], s)
	case "still_pending":
		for _, h := range arg.([]any) {
			if _, done := r.answered[r.handles[h.(string)]]; done {
				r.t.Errorf("%v is answered", h)
			}
		}
	case "state":
		r.checkState(arg.(object))
	case "records":
		if list, ok := arg.([]any); ok && fmt.Sprint(list) != fmt.Sprint(r.records) {
			r.t.Errorf("records %v, want %v", r.records, list)
		}
		r.records = nil
	case "find":
		a := arg.(object)
		id := a["group"].(string)
		got := object{"hash": kafka.JavaHash(id), "partition": kafka.OffsetsPartition(id, int32(number(orDefault(a, "partitions", 50))))}
		for key, want := range s["expect"].(object) {
			if fmt.Sprint(got[key]) != fmt.Sprint(want) {
				r.t.Errorf("%s of %q: %v, want %v", key, id, got[key], want)
			}
		}
	}
}

func (r *vectorRunner) checkState(want object) {
	r.t.Helper()
	id := r.text(orDefault(want, "group", "g"))
	v, ok := r.c.Group(id)
	got := object{"state": v.State.String(), "generation": v.Generation, "members": len(v.Members), "leader": v.Leader,
		"protocol": v.Protocol, "pending": len(v.Pending)}
	if !ok {
		got["state"] = "absent"
	} else {
		got["awaiting_sync_timer"] = r.c.group(id).unsynced + len(r.c.group(id).strangers)
	}
	for key, value := range want {
		if key != "group" && fmt.Sprint(got[key]) != r.wanted(value) {
			r.t.Errorf("state %v\n  %s: expected %s, got %v", want, key, r.wanted(value), got[key])
		}
	}
}
