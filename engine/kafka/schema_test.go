package kafka

import (
	"reflect"
	"testing"
)

// carried lists, for each API, the fields of Request that come with a version
// later than 0.
var carried = []struct {
	api    API
	fields map[string][2]int16 // first version, first without it again
}{
	{JoinGroup, map[string][2]int16{"RebalanceTimeoutMs": {1, 99}, "InstanceID": {5, 99}, "Reason": {8, 99}}},
	{SyncGroup, map[string][2]int16{"InstanceID": {3, 99}, "ProtocolType": {5, 99}, "ProtocolName": {5, 99}}},
	{Heartbeat, map[string][2]int16{"InstanceID": {3, 99}}},
	{OffsetCommit, map[string][2]int16{"MemberID": {1, 99}, "Generation": {1, 99}, "RetentionMs": {2, 5}, "InstanceID": {7, 99}}},
	{TxnOffsetCommit, map[string][2]int16{"MemberID": {3, 99}, "InstanceID": {3, 99}, "Generation": {3, 99}}},
	{OffsetFetch, map[string][2]int16{"AllPartitions": {2, 99}, "RequireStable": {7, 99}}},
	{ListGroups, map[string][2]int16{"States": {4, 99}, "Types": {5, 99}}},
}

// TestTrim holds that each version loses what it does not carry and nothing else.
func TestTrim(t *testing.T) {
	for _, a := range carried {
		for version := int16(0); version <= 9; version++ {
			full := Request{API: a.api, Version: version, Group: "g", MemberID: "m", InstanceID: "i", Generation: 7, SessionTimeoutMs: 1,
				RebalanceTimeoutMs: 2, ProtocolType: "consumer", ProtocolName: "range", Reason: "why", RetentionMs: 3,
				Protocols: []Protocol{{Name: "range"}}, Assignments: []MemberAssignment{{MemberID: "m"}},
				Offsets: []CommittedOffset{{Offset: 4, LeaderEpoch: -1}}, Partitions: []TopicPartition{{Topic: "t"}},
				AllPartitions: true, RequireStable: true, Groups: []string{"g"}, States: []string{"Stable"}, Types: []string{"classic"}}
			trimmed := full
			trimmed.Trim()
			before, after := reflect.ValueOf(full), reflect.ValueOf(trimmed)
			for i := range before.NumField() {
				name := before.Type().Field(i).Name
				span, later := a.fields[name]
				want := !later || version >= span[0] && version < span[1]
				if kept := reflect.DeepEqual(before.Field(i).Interface(), after.Field(i).Interface()); kept != want {
					t.Errorf("%s v%d: %s is kept: %v, want %v", a.api, version, name, kept, want)
				}
			}
		}
	}
}

// TestTrimLists holds what versions say about the entries of lists.
func TestTrimLists(t *testing.T) {
	for version := int16(0); version <= 9; version++ {
		leave := Request{API: LeaveGroup, Version: version, Members: []LeavingMember{{MemberID: "a", InstanceID: "i", Reason: "why"}, {MemberID: "b"}}}
		leave.Trim()
		if got, want := len(leave.Members) == 2 && leave.Members[0].InstanceID == "i", version >= 3; got != want {
			t.Errorf("LeaveGroup v%d has a list with instance ids: %v", version, got)
		}
		if got, want := leave.Members[0].Reason == "why", version >= 5; got != want {
			t.Errorf("LeaveGroup v%d has a reason: %v", version, got)
		}
		for api, since := range map[API]int16{OffsetCommit: 6, TxnOffsetCommit: 2} {
			commit := Request{API: api, Version: version, Offsets: []CommittedOffset{{LeaderEpoch: 5}}}
			commit.Trim()
			if got, want := commit.Offsets[0].LeaderEpoch == 5, version >= since; got != want {
				t.Errorf("%s v%d has a leader epoch: %v", api, version, got)
			}
		}
	}
}

// TestTrimResponse holds what each version of a response carries.
func TestTrimResponse(t *testing.T) {
	for version := int16(0); version <= 9; version++ {
		join := Response{API: JoinGroup, ProtocolType: "consumer", SkipAssignment: true, Members: []JoinedMember{{MemberID: "m", InstanceID: "i"}}}
		join.Trim(version)
		sync := Response{API: SyncGroup, ProtocolType: "consumer", ProtocolName: "range"}
		sync.Trim(version)
		leave := Response{API: LeaveGroup, Results: []MemberResult{{Error: UnknownMemberID}}}
		leave.Trim(version)
		fetch := Response{API: OffsetFetch, Partitions: []PartitionResult{{LeaderEpoch: 5}}}
		fetch.Trim(version)
		describe := Response{API: DescribeGroups, Groups: []DescribedGroup{{Members: []DescribedMember{{InstanceID: "i"}}}}}
		describe.Trim(version)
		list := Response{API: ListGroups, Groups: []DescribedGroup{{State: "Stable", Type: "classic"}}}
		list.Trim(version)
		for _, c := range []struct {
			what  string
			there bool
			since int16
		}{
			{"JoinGroup instance ids", join.Members[0].InstanceID != "", 5},
			{"JoinGroup protocol type", join.ProtocolType != "", 7},
			{"JoinGroup skip_assignment", join.SkipAssignment, 9},
			{"SyncGroup protocol", sync.ProtocolType+sync.ProtocolName != "", 5},
			{"LeaveGroup members", len(leave.Results) == 1 && leave.Error == None, 3},
			{"OffsetFetch leader epoch", fetch.Partitions[0].LeaderEpoch == 5, 5},
			{"DescribeGroups instance ids", describe.Groups[0].Members[0].InstanceID != "", 4},
			{"ListGroups state", list.Groups[0].State != "", 4},
			{"ListGroups type", list.Groups[0].Type != "", 5},
		} {
			if want := version >= c.since; c.there != want {
				t.Errorf("v%d: %s: %v, want %v", version, c.what, c.there, want)
			}
		}
		if version < 3 && leave.Error != UnknownMemberID {
			t.Errorf("LeaveGroup v%d hides the error of its member", version)
		}
	}
}
