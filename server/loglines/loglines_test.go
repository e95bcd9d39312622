package loglines

import (
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"rebalancelab/engine/session"
)

var update = flag.Bool("update", false, "rewrite the logs under testdata")

// log plays a scenario and prints its log.
func log(t *testing.T, text string) string {
	t.Helper()
	s, problems := session.Open(text)
	if s == nil {
		t.Fatalf("%v", problems)
	}
	for !s.Play(1, 1<<20) {
	}
	return string(Append(nil, s.Branch(1).Head()))
}

// TestLogs compares what is printed with the logs under testdata: a scenario,
// a line of dashes, its log.
func TestLogs(t *testing.T) {
	files, _ := filepath.Glob("testdata/*.txt")
	if len(files) < 8 {
		t.Fatalf("%d logs only", len(files))
	}
	for _, file := range files {
		raw, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		scenario, want, _ := strings.Cut(string(raw), "\n----\n")
		got := log(t, scenario)
		if got == want {
			continue
		}
		if *update {
			if err := os.WriteFile(file, []byte(strings.TrimRight(scenario, "\n")+"\n----\n"+got), 0o644); err != nil {
				t.Fatal(err)
			}
			continue
		}
		t.Errorf("%s: the log is another one (-update rewrites it):\n%s", file, got)
	}
}

// TestReleases holds that the lines that matter most are there, in the words of
// each release.
func TestReleases(t *testing.T) {
	raw, err := os.ReadFile("../../engine/script/scenarios/consumer-dies.txt")
	if err != nil {
		t.Fatal(err)
	}
	body := strings.Replace(string(raw), "session.timeout.ms=45000", "session.timeout.ms=20000", 1) // clients of old wait 40 s for an answer
	for _, c := range []struct {
		version string
		lines   []string
	}{
		{"0.9", []string{"INFO [GroupCoordinator 1]: Preparing to restabilize group checkout with old generation 0 (kafka.coordinator.GroupCoordinator)",
			"Stabilized group checkout generation 1 (kafka", "Assignment received from leader for group checkout for generation 2 (", "TRACE [GroupCoordinator 1]: Member c2-"}},
		{"0.11", []string{"Preparing to rebalance group checkout with old generation 0 (__consumer_offsets-18) (kafka.coordinator.group.GroupCoordinator)",
			"Stabilized group checkout generation 1 (__consumer_offsets-18) (", "has failed, removing it from the group ("}},
		{"2.1", []string{"in state PreparingRebalance with old generation 0 (__consumer_offsets-18) (reason: Adding new member c1-"}},
		{"2.3", []string{"with group instance", "Stabilized group checkout generation 1 (__consumer_offsets-18) (", "Assignment received from leader for group checkout for generation 1 ("}},
		{"2.8", []string{"DEBUG [GroupCoordinator 1]: Dynamic member with unknown member id joins group checkout in Empty state.", "DEBUG [GroupCoordinator 1]: Dynamic Member with specific member id c1-",
			"(__consumer_offsets-18) with ", "The group has 3 members, 0 of which are static. ("}},
		{"3.2", []string{"INFO [GroupCoordinator 1]: Dynamic member with unknown member id joins group checkout in Empty state.", "; client reason: need to re-join with the given member-id: c1-", "Assignment received from leader c1-"}},
		{"3.9", []string{"has failed, removing it from the group (kafka.coordinator.group.GroupCoordinator)"}},
		{"4.4", []string{"INFO [GroupCoordinator id=1 topic=__consumer_offsets partition=18] Preparing to rebalance group checkout in state PreparingRebalance with old generation 0 (reason: ",
			"Stabilized group checkout generation 1 with ", "has failed, removing it from the group. (org.apache.kafka.coordinator.group.GroupMetadataManager)"}},
	} {
		got := log(t, strings.Replace(body, "kafka 3.9\n", "kafka "+c.version+"\n", 1))
		for _, line := range c.lines {
			if !strings.Contains(got, line) {
				t.Errorf("Kafka %s does not print %q:\n%s", c.version, line, got)
			}
		}
		if strings.Contains(got, "<") {
			t.Errorf("Kafka %s: a field is not filled in:\n%s", c.version, got)
		}
	}
}
