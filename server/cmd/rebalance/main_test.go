package main

import (
	"bytes"
	"context"
	"encoding/json"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

const gallery = "../../../engine/script/scenarios/"

func run(t *testing.T, stdin string, args ...string) (int, string, string) {
	t.Helper()
	var stdout, stderr bytes.Buffer
	code := execute(args, strings.NewReader(stdin), &stdout, &stderr)
	return code, stdout.String(), stderr.String()
}

func TestRunPrintsTheTranscript(t *testing.T) {
	code, out, problems := run(t, "", "run", gallery+"consumer-dies.txt")
	if code != 0 || problems != "" {
		t.Fatalf("exit %d: %s", code, problems)
	}
	for _, line := range []string{
		"   20.000  command at 20s kill c2\n",
		"group checkout timer config=session.timeout.ms member=c2-",
		"   63.010  group checkout CompletingRebalance -> Stable generation=2  [SYNC-1: the leader's assignment is stored]\n",
	} {
		if !strings.Contains(out, line) {
			t.Errorf("the transcript lacks %q", line)
		}
	}
}

func TestRunJSON(t *testing.T) {
	code, out, _ := run(t, "", "run", "--json", gallery+"first-join.txt")
	if code != 0 {
		t.Fatalf("exit %d", code)
	}
	for line := range strings.Lines(out) {
		var event struct {
			N    int    `json:"n"`
			Kind string `json:"kind"`
		}
		if err := json.Unmarshal([]byte(line), &event); err != nil || event.N == 0 || event.Kind == "" {
			t.Fatalf("%v: %s", err, line)
		}
	}
}

func TestRunAt(t *testing.T) {
	code, out, _ := run(t, "", "run", "--at", "41s", gallery+"consumer-dies.txt")
	for _, line := range []string{"group checkout PreparingRebalance generation=1", "waits for c2: 22.007 s more, until 63.007 s, because of session.timeout.ms\n"} {
		if code != 0 || !strings.Contains(out, line) {
			t.Errorf("exit %d, the state lacks %q:\n%s", code, line, out)
		}
	}
	code, out, _ = run(t, "", "run", "--json", "--at", "41s", gallery+"consumer-dies.txt")
	var view struct {
		At     int
		Groups []struct {
			State string
			Wait  struct {
				Config string
				Due    int
			}
		}
	}
	if err := json.Unmarshal([]byte(out), &view); err != nil || code != 0 {
		t.Fatalf("exit %d, %v", code, err)
	}
	if view.At != 41e6 || view.Groups[0].State != "PreparingRebalance" || view.Groups[0].Wait.Config != "session.timeout.ms" {
		t.Errorf("%+v", view)
	}
	if code, _, problems := run(t, "", "run", "--at", "41", gallery+"consumer-dies.txt"); code != exitUsage || !strings.Contains(problems, "needs a unit") {
		t.Errorf("exit %d: %s", code, problems)
	}
}

func TestRunExitCodes(t *testing.T) {
	good := "topic orders partitions=2\nconsumer c1 group=g topics=orders\n"
	for name, c := range map[string]struct {
		script, problem string
		code            int
	}{
		"expectation": {good + "expect at 10s group g members=7\n", "stdin:3: expected members=7, got 1", exitExpectation},
		"syntax":      {good + "at 5s kil c1\n", "stdin:3:7: ", exitUsage},
		"refused":     {good + "at 5s start c1\n", "stdin:3: at 5.000 s: c1 is running already", exitUsage},
		"config":      {good + "at 5s set c1 session.timout.ms=4\n", "session.timeout.ms", exitUsage},
	} {
		code, _, problems := run(t, c.script, "run", "--quiet", "-")
		if code != c.code || !strings.Contains(problems, c.problem) {
			t.Errorf("%s: exit %d: %s", name, code, problems)
		}
	}
	if code, _, _ := run(t, "", "run", "no-such-file.txt"); code != exitUsage {
		t.Errorf("a missing file gives exit %d", code)
	}
	if code, _, _ := run(t, "", "rnu"); code != exitUsage {
		t.Errorf("a wrong command gives exit %d", code)
	}
}

// TestRunAtTells: what was not carried out until then is told, what comes later
// is not.
func TestRunAtTells(t *testing.T) {
	script := "topic orders partitions=2\nconsumer c1 group=g topics=orders\nat 5s start c1\nexpect at 9s group g members=7\nat 20s start c1\n"
	for at, problems := range map[string][]string{"4s": nil, "6s": {"stdin:3: at 5.000 s: c1 is running already"}, "10s": {"stdin:3: ", "stdin:4: expected members=7, got 1"}} {
		code, out, told := run(t, script, "run", "--at", at, "-")
		if !strings.HasPrefix(out, "at "+strings.TrimSuffix(at, "s")+".000 s\n") || (code != 0) != (problems != nil) || strings.Count(told, "stdin:") != len(problems) {
			t.Errorf("--at %s: exit %d: %s", at, code, told)
		}
		for _, problem := range problems {
			if !strings.Contains(told, problem) {
				t.Errorf("--at %s lacks %q: %s", at, problem, told)
			}
		}
	}
}

func TestDigest(t *testing.T) {
	_, once, _ := run(t, "", "digest", gallery+"first-join.txt", gallery+"kafka-0.9.txt")
	_, twice, _ := run(t, "", "digest", gallery+"first-join.txt", gallery+"kafka-0.9.txt")
	if once != twice || strings.Count(once, "\n") != 2 {
		t.Errorf("%s%s", once, twice)
	}
}

func TestServe(t *testing.T) {
	directory := t.TempDir()
	if err := os.WriteFile(filepath.Join(directory, "index.html"), []byte("<!doctype html>"), 0o644); err != nil {
		t.Fatal(err)
	}
	if code, _, problems := run(t, "", "serve", "--dir", t.TempDir()); code != exitUsage || !strings.Contains(problems, "make build") {
		t.Errorf("exit %d: %s", code, problems)
	}
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	ctx, stop := context.WithCancel(t.Context())
	ended := make(chan error)
	go func() { ended <- serve(ctx, listener, http.FileServer(http.Dir(directory)), nil) }()
	answer, err := http.Get("http://" + listener.Addr().String() + "/")
	if err != nil || answer.StatusCode != http.StatusOK {
		t.Errorf("%v %v", answer, err)
	}
	stop()
	if err := <-ended; err != nil {
		t.Error(err)
	}
}

func TestLink(t *testing.T) {
	code, out, problems := run(t, "", "link", "--at", "41s", "--page", "https://example.org/lab/", gallery+"consumer-dies.txt")
	if code != 0 || !strings.HasPrefix(out, "https://example.org/lab/#1=") || !strings.Contains(out, "&t=41&d=") {
		t.Fatalf("exit %d: %s%s", code, out, problems)
	}
	made := strings.TrimSpace(out)
	_, want, _ := run(t, "", "run", gallery+"consumer-dies.txt")
	code, out, problems = run(t, "", "run", made)
	if code != 0 || !strings.HasPrefix(out, want) || !strings.Contains(out, "\nat 41.000 s\n") || !strings.Contains(out, "waits for c2: 22.007 s more") {
		t.Errorf("exit %d: %s%s", code, problems, out[len(want):])
	}
	if code, again, _ := run(t, "", "link", made); code != 0 || "https://example.org/lab/"+strings.TrimSpace(again) != made {
		t.Errorf("exit %d: the link of a link is %s", code, again)
	}
	code, _, problems = run(t, "", "run", "--quiet", made[:len(made)-1]+"x")
	if code != exitExpectation || !strings.Contains(problems, "another version of the engine") {
		t.Errorf("exit %d: %s", code, problems)
	}
	for arg, problem := range map[string]string{"#1=AAAA": "damaged", "#9=AAAA": "newer", "#s=first-join": "no link"} {
		if code, _, problems := run(t, "", "run", arg); code != exitUsage || !strings.Contains(problems, problem) {
			t.Errorf("%s: exit %d: %s", arg, code, problems)
		}
	}
	if code, _, problems := run(t, "", "link", "--at", "9h", gallery+"first-join.txt"); code != exitUsage || !strings.Contains(problems, "the run ends at") {
		t.Errorf("exit %d: %s", code, problems)
	}
}

func TestVersions(t *testing.T) {
	code, out, problems := run(t, "", "versions", "2.1", "2.3")
	for _, line := range []string{"From 2.1.1 to 2.3.1\n", "  + group.instance.id (KIP-345).\n", "  + JoinGroup v4 hands out a member id with MEMBER_ID_REQUIRED (KIP-394).\n",
		"  - The end of a join phase drops every member that did not rejoin.\n", "  ~ group.max.session.timeout.ms: 300000 → 1800000\n", "  ~ JoinGroup: v0–v3 → v0–v5\n"} {
		if code != 0 || !strings.Contains(out, line) {
			t.Errorf("exit %d %s, the changes lack %q:\n%s", code, problems, line, out)
		}
	}
	if code, _, problems := run(t, "", "versions", "2.1", "5.0"); code != exitUsage || !strings.Contains(problems, "5.0 is no version of Kafka") {
		t.Errorf("exit %d: %s", code, problems)
	}
	if code, _, problems := run(t, "", "versions", "2.1"); code != exitUsage || !strings.Contains(problems, "no release or two") {
		t.Errorf("exit %d: %s", code, problems)
	}
	var table eras
	if code, out, _ := run(t, "", "versions", "--json"); code != 0 || json.Unmarshal([]byte(out), &table) != nil || len(table.Features) < 60 {
		t.Errorf("exit %d: %d features", code, len(table.Features))
	}
}

func TestRunLog(t *testing.T) {
	code, out, problems := run(t, "", "run", "--log", gallery+"consumer-dies.txt")
	if code != 0 || problems != "" {
		t.Fatalf("exit %d: %s", code, problems)
	}
	for line := range strings.Lines(out) {
		if !strings.HasPrefix(line, "[2024-01-01 00:0") || !strings.Contains(line, " (kafka.coordinator.group.") {
			t.Errorf("no line of a broker: %s", line)
		}
	}
	if !strings.Contains(out, "[2024-01-01 00:01:03,007] INFO [GroupCoordinator 1]: Stabilized group checkout generation 2 (__consumer_offsets-18) with 3 members (kafka.coordinator.group.GroupCoordinator)\n") {
		t.Errorf("the log lacks the second generation:\n%s", out)
	}
	if code, _, _ := run(t, "", "run", "--log", "--json", gallery+"consumer-dies.txt"); code != 2 {
		t.Errorf("a log as JSON: exit %d", code)
	}
}
