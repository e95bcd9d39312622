package coordinator

import (
	"strconv"
	"strings"
	"testing"

	"rebalancelab/engine/event"
	"rebalancelab/engine/kafka"
)

// noAnswer says that the request waits.
const noAnswer kafka.Error = -2

// bounds are requests at the edges of what the wire carries, sent by a member of a
// Stable group, and what 0.9, 2.1, 3.9 and 4.4
// answer. A first join waits for the timer of the initial delay, except in 0.9.
var bounds = []struct {
	name string
	api  kafka.API
	edit func(*kafka.Request)
	want [4]kafka.Error
}{
	{"no group id", kafka.JoinGroup, func(r *kafka.Request) { r.Group = "" }, same(kafka.InvalidGroupID)},
	{"no group id", kafka.Heartbeat, func(r *kafka.Request) { r.Group = "" },
		[4]kafka.Error{kafka.UnknownMemberID, kafka.InvalidGroupID, kafka.InvalidGroupID, kafka.InvalidGroupID}},
	{"a group id of 64 KiB", kafka.JoinGroup, func(r *kafka.Request) { r.Group, r.MemberID = long, "" },
		[4]kafka.Error{kafka.None, noAnswer, noAnswer, noAnswer}},
	{"a member id of 64 KiB", kafka.JoinGroup, func(r *kafka.Request) { r.MemberID = long }, same(kafka.UnknownMemberID)},
	{"a session timeout below 0", kafka.JoinGroup, func(r *kafka.Request) { r.SessionTimeoutMs = -1 }, same(kafka.InvalidSessionTimeout)},
	{"the longest session timeout", kafka.JoinGroup, func(r *kafka.Request) { r.SessionTimeoutMs = 1<<31 - 1 }, same(kafka.InvalidSessionTimeout)},
	{"a rebalance timeout below 0", kafka.JoinGroup, func(r *kafka.Request) { r.RebalanceTimeoutMs = -1 << 31 }, same(kafka.None)},
	{"no protocols", kafka.JoinGroup, func(r *kafka.Request) { r.Protocols = nil }, same(kafka.InconsistentGroupProtocol)},
	{"no protocol type", kafka.JoinGroup, func(r *kafka.Request) { r.ProtocolType = "" }, same(kafka.InconsistentGroupProtocol)},
	{"1,000 protocols", kafka.JoinGroup, func(r *kafka.Request) {
		for i := range 1000 {
			r.Protocols = append(r.Protocols, kafka.Protocol{Name: strconv.Itoa(i)})
		}
	}, same(kafka.None)},
	{"a protocol twice", kafka.JoinGroup, func(r *kafka.Request) { r.Protocols = append(r.Protocols, r.Protocols...) },
		[4]kafka.Error{kafka.None, kafka.UnknownServerError, kafka.UnknownServerError, kafka.UnknownServerError}},
	{"no assignments", kafka.SyncGroup, func(r *kafka.Request) { r.Assignments = nil }, same(kafka.None)},
	{"a generation below 0", kafka.Heartbeat, func(r *kafka.Request) { r.Generation = -1 << 31 }, same(kafka.IllegalGeneration)},
	{"the last generation", kafka.Heartbeat, func(r *kafka.Request) { r.Generation = 1<<31 - 1 }, same(kafka.IllegalGeneration)},
	{"no partitions", kafka.OffsetCommit, func(r *kafka.Request) { r.Offsets = nil }, same(kafka.None)},
	{"metadata of 4096", kafka.OffsetCommit, func(r *kafka.Request) { r.Offsets[0].Metadata = long[:4096] }, same(kafka.None)},
	{"metadata of 4097", kafka.OffsetCommit, func(r *kafka.Request) { r.Offsets[0].Metadata = long[:4097] }, same(kafka.OffsetMetadataTooLarge)},
	{"an offset below 0", kafka.OffsetCommit, func(r *kafka.Request) { r.Offsets[0].Offset = -1 << 63 }, same(kafka.None)},
	{"no partitions", kafka.OffsetFetch, func(r *kafka.Request) { r.Partitions = nil }, same(kafka.None)},
	{"no groups", kafka.DescribeGroups, func(r *kafka.Request) { r.Groups = nil }, same(kafka.None)},
}

var long = strings.Repeat("x", 1<<16)

func same(err kafka.Error) [4]kafka.Error { return [4]kafka.Error{err, err, err, err} }

// TestBounds sends each of the requests.
func TestBounds(t *testing.T) {
	for i, v := range []kafka.Version{kafka.V0_9, {Major: 2, Minor: 1, Patch: 1}, kafka.V3_9, kafka.V4_4} {
		for _, b := range bounds {
			f, ids := newFixture(v, 1, func(s *kafka.Settings) { s.Values[kafka.GroupMaxSessionTimeoutMs] = 60_000 })
			r := joinRequest("c0", ids[0])
			r.API, r.Corr, r.Generation, r.RetentionMs = b.api, -9, f.c.group("g").generation, -1
			oldest, newest := kafka.APIVersions(v, b.api)
			r.Version = max(oldest, min(newest, 3)) // below that of MEMBER_ID_REQUIRED
			r.SessionTimeoutMs, r.RebalanceTimeoutMs = 10_000, 60_000
			tp := kafka.TopicPartition{Topic: "t"}
			r.Offsets, r.Partitions = []kafka.CommittedOffset{{TopicPartition: tp}}, []kafka.TopicPartition{tp}
			r.Groups, r.Assignments = []string{"g"}, []kafka.MemberAssignment{{MemberID: ids[0], Assignment: "x"}}
			b.edit(r)
			f.out.Reset()
			f.c.Handle(f.now, event.Consumer(0), r, 1, &f.out)
			f.settle()
			if got := f.answerTo(-9); got != b.want[i] {
				t.Errorf("%s: %s with %s is answered %s, want %s", v, b.api, b.name, got, b.want[i])
			}
			if broken := f.c.Check(); broken != "" {
				t.Errorf("%s: %s with %s: invariant: %s", v, b.api, b.name, broken)
			}
		}
	}
}

func (f *fixture) answerTo(corr int64) kafka.Error {
	for i := range f.out.Replies {
		if f.out.Replies[i].Corr == corr {
			return f.out.Replies[i].FirstError()
		}
	}
	return noAnswer
}
