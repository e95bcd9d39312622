//go:build worker

package main_test

import (
	"bufio"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"

	"rebalancelab/server/conformance"
	"rebalancelab/server/follow"
)

// workerd runs the worker without the rest of the platform; it keeps rooms in a
// directory.
type workerd struct {
	base    string
	process *os.Process
	exited  chan error
}

// start starts workerd on a free port and waits until it listens.
func start(t *testing.T, disk string) *workerd {
	t.Helper()
	found, _ := filepath.Glob("node_modules/@cloudflare/workerd-*/bin/workerd*")
	if len(found) == 0 {
		t.Fatal("workerd is not installed: run `make test-worker`")
	}
	said, control, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer said.Close()
	command := exec.Command(found[0], "serve", "workerd.capnp", "--experimental",
		"--socket-addr=http=127.0.0.1:0", "--directory-path=disk="+disk, "--control-fd=3")
	command.ExtraFiles = []*os.File{control}
	command.Stdout, command.Stderr = os.Stderr, os.Stderr
	if err := command.Start(); err != nil {
		t.Fatal(err)
	}
	control.Close()
	w := &workerd{process: command.Process, exited: make(chan error, 1)}
	go func() { w.exited <- command.Wait() }()
	t.Cleanup(w.kill)
	for lines := bufio.NewScanner(said); lines.Scan(); {
		var m struct {
			Event string
			Port  int
		}
		if json.Unmarshal(lines.Bytes(), &m); m.Event == "listen" {
			w.base = fmt.Sprintf("http://127.0.0.1:%d", m.Port)
			return w
		}
	}
	t.Fatalf("workerd ended: %v", <-w.exited)
	return nil
}

// kill ends the process at once, as a crash does.
func (w *workerd) kill() {
	if w.process != nil {
		_ = w.process.Kill()
		<-w.exited
		w.process = nil
	}
}

func TestConformance(t *testing.T) {
	t.Parallel()
	conformance.Run(t, start(t, t.TempDir()).base)
}

const scenario = "brokers 2\ntopic orders partitions=4 rate=20/s\n" +
	"consumer c1..c3 group=g topics=orders process=5ms session.timeout.ms=6000\nrun until 5m\n"

// TestCrash kills the process while a room plays: what was accepted is there
// again, and who was there goes on with the run that it has.
func TestCrash(t *testing.T) {
	t.Parallel()
	disk := t.TempDir()
	w := start(t, disk)
	code, token := conformance.Create(t, w.base, scenario)
	host, viewer := conformance.Join(t, w.base, code, token), conformance.Join(t, w.base, code, "")
	host.Send(map[string]any{"type": "seek", "branch": 1, "at": 20e6})
	host.Until("clock", func(m follow.Frame) bool { return m.At == 20e6 })
	host.Send(map[string]any{"type": "act", "branch": 1, "at": 20e6, "line": "kill c1"})
	host.Send(map[string]any{"type": "play", "rate": 10000})
	viewer.Until("clock", func(m follow.Frame) bool { return m.Branch == 2 && m.At > 25e6 })
	w.kill()

	w = start(t, disk)
	host.Again(w.base, code)
	viewer.Again(w.base, code)
	host.Until("clock", func(m follow.Frame) bool { return m.At > 30e6 })
	host.Send(map[string]any{"type": "act", "branch": 2, "at": host.At, "line": "start c1"})
	host.Send(map[string]any{"type": "pause"})
	last := host.Paused(0)
	if viewer.Paused(last.N); viewer.Digest() != host.Digest() || len(viewer.Run.Branches()) != 2 {
		t.Errorf("the viewer has %d branches and the digest %s, the host %s", len(viewer.Run.Branches()), viewer.Digest(), host.Digest())
	}
}

// eviction is how long an object must be left alone until workerd puts it away;
// that takes 10 seconds.
const eviction = 11 * time.Second

// TestHibernation leaves a room alone until its object is put away while its
// sockets stay open, and then goes on. Nothing tells of that but the room's
// numbers, which jump when it is loaded.
func TestHibernation(t *testing.T) {
	t.Parallel()
	w := start(t, t.TempDir())
	code, token := conformance.Create(t, w.base, scenario)
	host, viewer := conformance.Join(t, w.base, code, token), conformance.Join(t, w.base, code, "")
	host.Send(map[string]any{"type": "seek", "branch": 1, "at": 20e6})
	before := viewer.Until("clock", func(m follow.Frame) bool { return m.At == 20e6 })
	host.Until("people", func(m follow.Frame) bool { return m.Here == 2 && int64(m.At) == before.N })
	for range 3 {
		<-time.After(eviction)
		host.Send(map[string]any{"type": "act", "branch": 1, "at": 20e6, "line": "kill c1"})
		acted := viewer.Until("act", nil)
		if now := viewer.Paused(acted.N); now.N != viewer.Last {
			t.Errorf("line %d is not the last, %d", now.N, viewer.Last)
		}
		if acted.N > before.N+1000 {
			return
		}
	}
	t.Error("the object was never put away")
}
