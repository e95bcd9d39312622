package coordinator

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

var oracleDir = flag.String("oracle", "", "replay the recordings in this directory instead of testdata/oracle")

// oracleTraces is how many traces each recording has. All of them pass, those
// too in which the release itself throws an exception; none is skipped.
var oracleTraces = map[string]int{
	"classic-0.9.0.1.jsonl":  163,
	"classic-0.10.2.2.jsonl": 164,
	"classic-0.11.0.3.jsonl": 167,
	"classic-2.1.1.jsonl":    168,
	"classic-2.2.2.jsonl":    173,
	"classic-2.3.1.jsonl":    198,
	"classic-2.8.2.jsonl":    200,
	"classic-3.2.3.jsonl":    200,
	"classic-3.9.1.jsonl":    539,
	"classic-4.4.0.jsonl":    429,
}

// TestOracle replays recordings of released coordinators and compares every
// reply, record, group, deadline and time with them.
func TestOracle(t *testing.T) {
	dir, own := *oracleDir, false
	if dir == "" {
		dir, own = "testdata/oracle", true
	}
	var files []string
	for _, pattern := range []string{"classic-*.jsonl", "classic-*.jsonl.gz"} {
		found, err := filepath.Glob(filepath.Join(dir, pattern))
		if err != nil {
			t.Fatal(err)
		}
		files = append(files, found...)
	}
	if len(files) == 0 || own && len(files) != len(oracleTraces) {
		t.Fatalf("%d recordings in %s", len(files), dir)
	}
	for _, file := range files {
		replayFile(t, file, own)
	}
}

func replayFile(t *testing.T, file string, own bool) {
	base := strings.TrimSuffix(filepath.Base(file), ".gz")
	passed, failed := 0, 0
	for _, line := range readLines(t, file) {
		trace, err := parseTrace(line)
		if err != nil {
			t.Fatalf("%s: %v", file, err)
		}
		if !trace.playable {
			t.Fatalf("%s: %s is of Kafka %s, which the engine cannot play", file, trace.ID, trace.Kafka)
		}
		replay := replayTrace
		if trace.events() {
			replay = replayEvents
		}
		if diff := replay(trace); diff != "" {
			failed++
			fmt.Printf("%s: %s\n", trace.ID, diff)
			continue
		}
		passed++
	}
	fmt.Printf("%s: %d passed, %d failed\n", base, passed, failed)
	if own && passed != oracleTraces[base] {
		t.Errorf("%s: %d traces passed, want %d", base, passed, oracleTraces[base])
	}
	if failed > 0 {
		t.Errorf("%s: %d traces failed", base, failed)
	}
}

func readLines(t *testing.T, file string) [][]byte {
	raw, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	var in io.Reader = bytes.NewReader(raw)
	if strings.HasSuffix(file, ".gz") {
		if in, err = gzip.NewReader(in); err != nil {
			t.Fatal(err)
		}
	}
	var lines [][]byte
	s := bufio.NewScanner(in)
	s.Buffer(nil, 64<<20)
	for s.Scan() {
		if len(bytes.TrimSpace(s.Bytes())) > 0 {
			lines = append(lines, bytes.Clone(s.Bytes()))
		}
	}
	if s.Err() != nil {
		t.Fatal(s.Err())
	}
	return lines
}

// decode reads JSON and keeps numbers exact.
func decode(line []byte, into any) error {
	d := json.NewDecoder(bytes.NewReader(line))
	d.UseNumber()
	return d.Decode(into)
}
