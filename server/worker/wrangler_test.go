//go:build worker && unix

package main_test

import (
	"bufio"
	"io"
	"net/http"
	"os"
	"os/exec"
	"regexp"
	"strings"
	"syscall"
	"testing"

	"rebalancelab/server/conformance"
	"rebalancelab/server/follow"
)

// wrangler is a command of wrangler that asks nobody anything and keeps nothing
// outside the test's directory.
func wrangler(t *testing.T, args ...string) *exec.Cmd {
	t.Helper()
	command := exec.Command("node", append([]string{"node_modules/wrangler/bin/wrangler.js"}, args...)...)
	command.Env = append(os.Environ(), "WRANGLER_SEND_METRICS=false", "WRANGLER_SEND_ERROR_REPORTS=false",
		"WRANGLER_HIDE_BANNER=true", "CLOUDFLARE_CF_FETCH_ENABLED=false", "CI=1", "XDG_CONFIG_HOME="+t.TempDir())
	return command
}

var ready = regexp.MustCompile(`Ready on (http://127\.0\.0\.1:\d+)`)

// TestWranglerDev plays a short lesson, and loads the page, with the
// configuration that is deployed.
func TestWranglerDev(t *testing.T) {
	t.Parallel()
	command := wrangler(t, "dev", "--ip", "127.0.0.1", "--port", "0", "--persist-to", t.TempDir())
	command.SysProcAttr = &syscall.SysProcAttr{Setpgid: true} // it starts processes of its own
	out, err := command.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	command.Stderr = os.Stderr
	if err := command.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = syscall.Kill(-command.Process.Pid, syscall.SIGKILL)
		_ = command.Wait()
	})
	base, said := "", ""
	for lines := bufio.NewScanner(out); base == "" && lines.Scan(); {
		said += lines.Text() + "\n"
		if m := ready.FindStringSubmatch(lines.Text()); m != nil {
			base = m[1]
		}
	}
	if base == "" {
		t.Fatalf("wrangler dev says\n%s", said)
	}
	go io.Copy(io.Discard, out)

	page, err := http.Get(base + "/")
	if err != nil || page.StatusCode != http.StatusOK || !strings.Contains(page.Header.Get("Content-Security-Policy"), "'wasm-unsafe-eval'") {
		t.Errorf("the page: %v, %+v", err, page)
	}
	code, token := conformance.Create(t, base, scenario)
	host, viewer := conformance.Join(t, base, code, token), conformance.Join(t, base, code, "")
	host.Send(map[string]any{"type": "play", "rate": 10000})
	viewer.Until("clock", func(m follow.Frame) bool { return m.At > 5e6 && m.Digest != "" })
	limited := 0
	for range 100 {
		if status, _ := conformance.Post(t, base, map[string]any{"text": "run until 5s"}); status == http.StatusTooManyRequests {
			limited++
		}
	}
	if limited < 30 {
		t.Errorf("of 100 rooms in a minute %d are refused", limited)
	}
}

// TestWranglerDeploy packs what would be deployed.
func TestWranglerDeploy(t *testing.T) {
	t.Parallel()
	out, err := wrangler(t, "deploy", "--dry-run", "--outdir", t.TempDir()).CombinedOutput()
	if err != nil || !strings.Contains(string(out), "Total Upload") {
		t.Errorf("%v\n%s", err, out)
	}
	t.Logf("%s", out)
}
