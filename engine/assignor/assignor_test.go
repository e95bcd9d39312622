package assignor

import (
	"slices"
	"strconv"
	"strings"
	"testing"

	"rebalancelab/engine/kafka"
)

func plain(id, instance string, topics ...string) Member {
	return Member{ID: id, InstanceID: instance, Topics: topics, Generation: NoGeneration, Claim: NoGeneration}
}

// TestRangeByEra holds that a group of Kafka 0.9 orders members by member id
// where later versions put static members first.
func TestRangeByEra(t *testing.T) {
	members := []Member{plain("a", "", "t"), plain("b", "2", "t"), plain("c", "1", "t")}
	topics := []Topic{{Name: "t", Partitions: 4}}
	for _, c := range []struct {
		version kafka.Version
		want    string
	}{
		{kafka.V0_9, "t-0 t-1 | t-2 | t-3"},
		{kafka.V3_9, "t-3 | t-2 | t-0 t-1"},
	} {
		generation := NoGeneration
		if got := joined(Assign(Range, c.version, members, topics, &generation)); got != c.want {
			t.Errorf("%s: %s, expected %s", c.version, got, c.want)
		}
	}
}

func joined(lists [][]kafka.TopicPartition) string {
	parts := make([]string, len(lists))
	for i := range lists {
		parts[i] = strings.Join(texts(lists[i]), " ")
	}
	return strings.Join(parts, " | ")
}

// TestCooperativeJoin is the handover of the design's text: the newcomer gets
// its partition in the second round.
func TestCooperativeJoin(t *testing.T) {
	members := []Member{plain("c1", "", "t"), plain("c2", "", "t")}
	topics := []Topic{{Name: "t", Partitions: 3}}
	generation := NoGeneration
	own(members[:1], Assign(CooperativeSticky, kafka.V3_9, members[:1], topics, &generation), 1)
	lists := Assign(CooperativeSticky, kafka.V3_9, members, topics, &generation)
	if got := joined(lists); got != "t-0 t-1 | " {
		t.Errorf("round 1: %s", got)
	}
	own(members, lists, 2)
	if got := joined(Assign(CooperativeSticky, kafka.V3_9, members, topics, &generation)); got != "t-0 t-1 | t-2" {
		t.Errorf("round 2: %s", got)
	}
	if generation != 2 {
		t.Errorf("the leader remembers generation %d", generation)
	}
}

// TestCooperativeConverges lets groups of all sizes change and holds that two
// rounds give each partition to one subscriber, nobody more than one ahead where
// all subscribe to the same, and that a third round changes nothing.
func TestCooperativeConverges(t *testing.T) {
	for _, unequal := range []bool{false, true} {
		for count := 1; count < 24; count++ {
			members, topics := crowd(count, 5, 5*7, unequal)
			generation := NoGeneration
			var lists [][]kafka.TopicPartition
			for round := range int32(8) {
				present := members[:max(1, count-int(round/3))] // the last ones leave in rounds 3 and 6
				lists = Assign(CooperativeSticky, kafka.V3_9, present, topics, &generation)
				if round%3 == 2 && !slices.EqualFunc(lists, ownedLists(present), sameSet) {
					t.Fatalf("%d members, unequal %v, round %d: %s after %s", count, unequal, round, joined(lists), joined(ownedLists(present)))
				}
				own(present, lists, round+1)
			}
			checkComplete(t, members[:max(1, count-2)], topics, lists, unequal)
		}
	}
}

func ownedLists(members []Member) [][]kafka.TopicPartition {
	lists := make([][]kafka.TopicPartition, len(members))
	for i := range members {
		lists[i] = members[i].Owned
	}
	return lists
}

func sameSet(a, b []kafka.TopicPartition) bool {
	x, y := texts(a), texts(b)
	slices.Sort(x)
	slices.Sort(y)
	return slices.Equal(x, y)
}

func checkComplete(t *testing.T, members []Member, topics []Topic, lists [][]kafka.TopicPartition, unequal bool) {
	t.Helper()
	seen := map[string]string{}
	least, most := 1<<30, 0
	for i, list := range lists {
		least, most = min(least, len(list)), max(most, len(list))
		for _, tp := range list {
			text := tp.Topic + "-" + strconv.Itoa(int(tp.Partition))
			if seen[text] != "" || !slices.Contains(members[i].Topics, tp.Topic) {
				t.Fatalf("%s is given to %s and %s", text, seen[text], members[i].ID)
			}
			seen[text] = members[i].ID
		}
	}
	if missing := withheld(members, topics, lists); len(missing) > 0 || !unequal && most > least+1 {
		t.Fatalf("missing %v, members have %d to %d", missing, least, most)
	}
}

// TestKafkaThrows holds that an exception of Kafka's assignor is a nil result.
func TestKafkaThrows(t *testing.T) {
	members := []Member{plain("a", "", "t"), plain("b", "", "t")}
	members[0].Owned = []kafka.TopicPartition{{Topic: "t", Partition: 0}, {Topic: "t", Partition: 7}}
	members[1].Owned = []kafka.TopicPartition{{Topic: "t", Partition: 8}, {Topic: "t", Partition: 9}}
	generation := NoGeneration
	if got := Assign(CooperativeSticky, kafka.V3_9, members, []Topic{{Name: "t", Partitions: 3}}, &generation); got != nil {
		t.Errorf("%s", joined(got))
	}
}

func TestNobodyAndNothing(t *testing.T) {
	generation := NoGeneration
	for _, strategy := range []Strategy{Range, CooperativeSticky} {
		if got := Assign(strategy, kafka.V3_9, nil, nil, &generation); got == nil || len(got) != 0 {
			t.Errorf("%s without members: %v", strategy, got)
		}
		got := Assign(strategy, kafka.V3_9, []Member{plain("a", "", "gone"), plain("b", "")}, []Topic{{Name: "t", Partitions: 2}}, &generation)
		if joined(got) != " | " {
			t.Errorf("%s without topics: %v", strategy, got)
		}
	}
}

func TestStrategies(t *testing.T) {
	for s := range strategyCount {
		if got, ok := StrategyNamed(s.String()); got != s || !ok {
			t.Errorf("%s is %v", s, got)
		}
	}
	if _, ok := StrategyNamed("uniform"); ok {
		t.Error("uniform is a strategy of brokers")
	}
	if data, ok := UserData(CooperativeSticky, 7); data != "\x00\x00\x00\x07" || !ok {
		t.Errorf("%q", data)
	}
	if data, ok := UserData(Range, 7); data != "" || ok {
		t.Errorf("%q", data)
	}
}

// TestClaimGeneration holds where the generation of a member's claims stands: in
// the field, before 3.4 in the user data.
func TestClaimGeneration(t *testing.T) {
	for _, c := range []struct {
		version           int16
		field             int32
		userData          string
		claim, generation int32
	}{
		{3, 5, "\x00\x00\x00\x09", 5, 5},
		{3, -1, "\x00\x00\x00\x09", 9, NoGeneration},
		{3, -7, "\x00\x00", NoGeneration, NoGeneration},
		{1, 5, "\x00\x00\x00\x09", 9, NoGeneration},
		{0, 5, "", NoGeneration, NoGeneration},
	} {
		s := Subscription{Version: c.version, Topics: []string{"t"}, Generation: c.field, UserData: c.userData, HasUserData: true}
		m := DecodeMember(CooperativeSticky, "a", "i", string(EncodeSubscription(nil, &s)))
		if m.Claim != c.claim || m.Generation != c.generation || m.ID != "a" || m.InstanceID != "i" || !slices.Equal(m.Topics, s.Topics) {
			t.Errorf("%+v is %+v", c, m)
		}
	}
}

// TestCompareText compares as UTF-16 does, where 🐟 comes before ﬀ.
func TestCompareText(t *testing.T) {
	ordered := []string{"", "a", "a\x00", "aa", "b", "é", "中", "🐟", "🐟a", "🐠", "ﬀ"}
	for i, a := range ordered {
		for j, b := range ordered {
			if got := compareText(a, b); got < 0 != (i < j) || got > 0 != (i > j) {
				t.Errorf("%q with %q: %d", a, b, got)
			}
		}
	}
}

func FuzzDecode(f *testing.F) {
	s := Subscription{Version: 3, Topics: []string{"t", "u"}, UserData: "x", HasUserData: true, Generation: 4, RackID: "r",
		Owned: []kafka.TopicPartition{{Topic: "t", Partition: 1}}}
	f.Add(EncodeSubscription(nil, &s))
	f.Add(EncodeAssignment(nil, 3, s.Owned))
	f.Add([]byte("\x00\x03\x7f\xff\xff\xff"))
	f.Add([]byte("\x00\x00\xff\xff\xff\xff"))
	f.Fuzz(func(t *testing.T, data []byte) {
		if s, ok := DecodeSubscription(string(data)); ok {
			encoded := EncodeSubscription(nil, &s)
			if again, ok := DecodeSubscription(string(encoded)); !ok || string(EncodeSubscription(nil, &again)) != string(encoded) {
				t.Errorf("%+v is written as %x", s, encoded)
			}
		}
		if version, list, ok := DecodeAssignment(string(data)); ok {
			if _, again, ok := DecodeAssignment(string(EncodeAssignment(nil, version, list))); !ok || !sameSet(list, again) {
				t.Errorf("%v is read back as %v", list, again)
			}
		}
		member := DecodeMember(CooperativeSticky, "m", "", string(data))
		generation := NoGeneration
		Assign(CooperativeSticky, kafka.V3_9, []Member{member, plain("n", "", "t")}, []Topic{{Name: "t", Partitions: 3}}, &generation)
	})
}
