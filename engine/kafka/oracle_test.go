package kafka

import (
	"compress/gzip"
	"encoding/json"
	"os"
	"testing"
)

// TestOracle holds that groups hash to the partitions that Kafka gave them.
func TestOracle(t *testing.T) {
	file, err := os.Open("testdata/oracle/group-coordinator-partition.json.gz")
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	in, err := gzip.NewReader(file)
	if err != nil {
		t.Fatal(err)
	}
	var recorded struct {
		Count int
		Cases []struct {
			Group string `json:"group_id"`
			Hash  int32  `json:"java_hash"`
			Of50  int32  `json:"partition_of_50"`
			Of16  int32  `json:"partition_of_16"`
		}
	}
	if err := json.NewDecoder(in).Decode(&recorded); err != nil {
		t.Fatal(err)
	}
	if len(recorded.Cases) != recorded.Count || recorded.Count == 0 {
		t.Fatalf("%d cases, want %d", len(recorded.Cases), recorded.Count)
	}
	for _, c := range recorded.Cases {
		if hash, of50, of16 := JavaHash(c.Group), OffsetsPartition(c.Group, 50), OffsetsPartition(c.Group, 16); hash != c.Hash || of50 != c.Of50 || of16 != c.Of16 {
			t.Errorf("%q: hash %d, partitions %d and %d; Kafka has %d, %d and %d", c.Group, hash, of50, of16, c.Hash, c.Of50, c.Of16)
		}
	}
}
