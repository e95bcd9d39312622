package assignor

import (
	"bytes"
	"compress/gzip"
	"encoding/base64"
	"encoding/binary"
	"encoding/hex"
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"rebalancelab/engine/kafka"
)

var oracleDir = flag.String("oracle", "", "a directory with the oracle's JSON files; testdata/oracle if empty")

// TestOracle compares with what Kafka's own classes answered: recorded cases
// of Apache Kafka 3.9. A file may not get worse than the number that stands here.
func TestOracle(t *testing.T) {
	for _, file := range []struct {
		name   string
		passes int
		check  func(*testing.T, json.RawMessage) (name, problem string)
	}{
		{"range.json", 186, checkAssignment(Range)},
		{"cooperative-sticky.json", 260, checkAssignment(CooperativeSticky)},
		{"java-hashmap-order.json", 120, checkHashOrder},
		{"consumer-protocol-wire.json", 82, checkWire},
	} {
		t.Run(file.name, func(t *testing.T) {
			passed, failed := 0, 0
			for i, raw := range oracleCases(t, file.name) {
				name, problem := file.check(t, raw)
				if problem == "" {
					passed++
					continue
				}
				failed++
				t.Logf("%s case %d %s: %s", file.name, i, name, problem)
			}
			fmt.Printf("%s: %d passed, %d failed\n", file.name, passed, failed)
			if passed < file.passes {
				t.Errorf("%s: at least %d cases have to pass", file.name, file.passes)
			}
		})
	}
}

func oracleCases(t *testing.T, name string) []json.RawMessage {
	t.Helper()
	data, err := readOracle(name)
	if err != nil {
		t.Fatal(err)
	}
	var file struct{ Cases []json.RawMessage }
	if err := json.Unmarshal(data, &file); err != nil {
		t.Fatal(err)
	}
	return file.Cases
}

func readOracle(name string) ([]byte, error) {
	if *oracleDir != "" {
		return os.ReadFile(filepath.Join(*oracleDir, name))
	}
	data, err := os.ReadFile(filepath.Join("testdata", "oracle", name+".gz"))
	if err != nil {
		return nil, err
	}
	unzip, err := gzip.NewReader(bytes.NewReader(data))
	if err != nil {
		return nil, err
	}
	return io.ReadAll(unzip)
}

type oracleCase struct {
	ID     string
	Tags   []string
	Topics []struct {
		Name         string
		Partitions   int32
		ReplicaRacks [][]*string `json:"replica_racks"`
	}
	Members []struct {
		ID              string   `json:"member_id"`
		InstanceID      *string  `json:"group_instance_id"`
		RackID          *string  `json:"rack_id"`
		Topics          []string `json:"subscribed_topics"`
		Owned           []string `json:"owned_partitions"`
		Generation      int32    `json:"generation_id"`
		SubscriptionHex string   `json:"subscription_hex"`
	}
	MaxGenerationBefore *int32 `json:"leader_max_generation_before"`
	Expected            struct {
		Assignment    map[string][]string
		AssignmentHex map[string]string `json:"assignment_hex"`
		SyncOrder     []string          `json:"sync_group_member_order"`
		Withheld      []string
		Error         json.RawMessage
	}
}

func (c *oracleCase) topics() []Topic {
	topics := make([]Topic, len(c.Topics))
	for i, t := range c.Topics {
		topics[i] = Topic{Name: t.Name, Partitions: t.Partitions}
		for _, racks := range t.ReplicaRacks {
			var list []string
			for _, rack := range racks {
				if rack == nil {
					list = append(list, "")
				} else {
					list = append(list, *rack)
				}
			}
			topics[i].Racks = append(topics[i].Racks, list)
		}
	}
	return topics
}

func (c *oracleCase) members(strategy Strategy) []Member {
	members := make([]Member, len(c.Members))
	for i, m := range c.Members {
		instance := ""
		if m.InstanceID != nil {
			instance = *m.InstanceID
		}
		bytes, _ := hex.DecodeString(m.SubscriptionHex)
		members[i] = DecodeMember(strategy, m.ID, instance, string(bytes))
	}
	return members
}

func checkAssignment(strategy Strategy) func(*testing.T, json.RawMessage) (string, string) {
	return func(t *testing.T, raw json.RawMessage) (string, string) {
		var c oracleCase
		if err := json.Unmarshal(raw, &c); err != nil {
			t.Fatal(err)
		}
		maxGeneration := NoGeneration
		if c.MaxGenerationBefore != nil {
			maxGeneration = *c.MaxGenerationBefore
		}
		members, topics := c.members(strategy), c.topics()
		lists := Assign(strategy, kafka.V3_9, members, topics, &maxGeneration)
		return c.ID, c.differs(members, topics, lists)
	}
}

func (c *oracleCase) differs(members []Member, topics []Topic, lists [][]kafka.TopicPartition) string {
	if c.Expected.Error != nil {
		if lists != nil {
			return "no error, expected " + string(c.Expected.Error)
		}
		return ""
	}
	if lists == nil {
		return "an error"
	}
	for i, m := range members {
		if got, want := texts(lists[i]), c.Expected.Assignment[m.ID]; !slices.Equal(got, want) {
			return m.ID + " has " + strings.Join(got, " ") + ", expected " + strings.Join(want, " ")
		}
		if got, want := hex.EncodeToString(EncodeAssignment(nil, 3, lists[i])), c.Expected.AssignmentHex[m.ID]; got != want {
			return m.ID + " gets bytes " + got + ", expected " + want
		}
	}
	var order []string
	for _, i := range SyncOrder(members) {
		order = append(order, members[i].ID)
	}
	if !slices.Equal(order, c.Expected.SyncOrder) {
		return "SyncGroup order " + strings.Join(order, " ") + ", expected " + strings.Join(c.Expected.SyncOrder, " ")
	}
	if got := withheld(members, topics, lists); c.Expected.Withheld != nil && !slices.Equal(got, slices.Sorted(slices.Values(c.Expected.Withheld))) {
		return "withheld " + strings.Join(got, " ") + ", expected " + strings.Join(c.Expected.Withheld, " ")
	}
	return ""
}

// withheld lists the partitions of subscribed topics that nobody gets, sorted as texts.
func withheld(members []Member, topics []Topic, lists [][]kafka.TopicPartition) []string {
	given := map[string]bool{}
	for _, list := range lists {
		for _, text := range texts(list) {
			given[text] = true
		}
	}
	var missing []string
	for _, topic := range topics {
		if !slices.ContainsFunc(members, func(m Member) bool { return slices.Contains(m.Topics, topic.Name) }) {
			continue
		}
		for p := range topic.Partitions {
			if text := topic.Name + "-" + strconv.Itoa(int(p)); !given[text] {
				missing = append(missing, text)
			}
		}
	}
	slices.Sort(missing)
	return missing
}

func texts(list []kafka.TopicPartition) []string {
	texts := []string{}
	for _, tp := range list {
		texts = append(texts, tp.Topic+"-"+strconv.Itoa(int(tp.Partition)))
	}
	return texts
}

func partitionNamed(text string) kafka.TopicPartition {
	at := strings.LastIndexByte(text, '-')
	n, _ := strconv.Atoi(text[at+1:])
	return kafka.TopicPartition{Topic: text[:at], Partition: int32(n)}
}

func checkHashOrder(t *testing.T, raw json.RawMessage) (string, string) {
	var c struct {
		KeyType        string          `json:"key_type"`
		Capacity       *int            `json:"initial_capacity"`
		InsertOrder    json.RawMessage `json:"insert_order"`
		HashCodes      []int32         `json:"hash_codes"`
		IterationOrder json.RawMessage `json:"iteration_order"`
	}
	if err := json.Unmarshal(raw, &c); err != nil {
		t.Fatal(err)
	}
	keys, want := keyTexts(t, c.InsertOrder), keyTexts(t, c.IterationOrder)
	hashes := make([]int32, len(keys))
	for i, key := range keys {
		hashes[i] = hashCode(c.KeyType, key)
	}
	if !slices.Equal(hashes, c.HashCodes) {
		return c.KeyType, "hash codes differ"
	}
	capacity := defaultCapacity
	if c.Capacity != nil {
		capacity = capacityFor(*c.Capacity)
	}
	var got []string
	for _, i := range hashOrder(hashes, capacity) {
		got = append(got, keys[i])
	}
	if !slices.Equal(got, want) {
		return c.KeyType, "order " + strings.Join(got, " ") + ", expected " + strings.Join(want, " ")
	}
	return c.KeyType, ""
}

// keyTexts reads an array of strings or integers.
func keyTexts(t *testing.T, raw json.RawMessage) []string {
	var values []any
	if err := json.Unmarshal(raw, &values); err != nil {
		t.Fatal(err)
	}
	var texts []string
	for _, v := range values {
		if n, ok := v.(float64); ok {
			v = strconv.Itoa(int(n))
		}
		texts = append(texts, v.(string))
	}
	return texts
}

func hashCode(keyType, key string) int32 {
	switch keyType {
	case "int":
		n, _ := strconv.Atoi(key)
		return int32(n)
	case "topic_partition":
		tp := partitionNamed(key)
		return partitionHash(kafka.JavaHash(tp.Topic), tp.Partition)
	case "uuid":
		b, _ := base64.RawURLEncoding.DecodeString(key)
		x := binary.BigEndian.Uint64(b) ^ binary.BigEndian.Uint64(b[8:])
		return int32(uint32(x>>32) ^ uint32(x))
	}
	return kafka.JavaHash(key)
}

func checkWire(t *testing.T, raw json.RawMessage) (string, string) {
	var c struct {
		Kind       string
		Version    int16
		Topics     []string
		Owned      []string `json:"owned_partitions"`
		Partitions []string
		UserData   *string `json:"user_data_hex"`
		Generation int32   `json:"generation_id"`
		RackID     *string `json:"rack_id"`
		Hex        string
	}
	if err := json.Unmarshal(raw, &c); err != nil {
		t.Fatal(err)
	}
	data := ""
	if c.UserData != nil {
		b, _ := hex.DecodeString(*c.UserData)
		data = string(b)
	}
	if c.Kind == "assignment" {
		var list []kafka.TopicPartition
		for _, text := range c.Partitions {
			list = append(list, partitionNamed(text))
		}
		if got := hex.EncodeToString(encodeAssignment(nil, c.Version, list, data, c.UserData != nil)); got != c.Hex {
			return c.Kind, got + ", expected " + c.Hex
		}
		return c.Kind, ""
	}
	s := Subscription{Version: c.Version, Topics: c.Topics, UserData: data, HasUserData: c.UserData != nil, Generation: c.Generation}
	for _, text := range c.Owned {
		s.Owned = append(s.Owned, partitionNamed(text))
	}
	if c.RackID != nil {
		s.RackID = *c.RackID
	}
	encoded := EncodeSubscription(nil, &s)
	if got := hex.EncodeToString(encoded); got != c.Hex {
		return c.Kind, got + ", expected " + c.Hex
	}
	decoded, ok := DecodeSubscription(string(encoded))
	if !ok || !bytes.Equal(EncodeSubscription(nil, &decoded), encoded) {
		return c.Kind, "decoded differently"
	}
	return c.Kind, ""
}
