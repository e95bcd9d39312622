// Command load watches one room with many viewers, against a server that it
// starts as a process of its own, and prints what that costs. The host moves the
// clock ten times a second; latency is from there to a viewer's socket.
package main

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"net/http"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"time"
)

const scenario = "brokers 3\ntopic orders partitions=12 rate=60/s\n" +
	"consumer c1..c6 group=g topics=orders process=5ms\nat 20s kill c2\nrun until 5m\n"

func main() {
	binary := flag.String("server", "build/rebalance", "the command line, which serves")
	viewers := flag.Int("viewers", 1000, "viewers in the room")
	seconds := flag.Int("seconds", 10, "how long the host moves the clock")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if err := run(ctx, *binary, *viewers, *seconds); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func run(ctx context.Context, binary string, viewers, seconds int) error {
	s, err := startServer(binary)
	if err != nil {
		return err
	}
	defer s.process.Kill()
	class, err := join(ctx, s.base, viewers)
	if err != nil {
		return err
	}
	memory := (s.memory() - s.idle) / viewers
	begun := time.Now()
	lines, err := class.play(ctx, seconds*perSecond)
	if err != nil {
		return err
	}
	took := time.Since(begun)
	late := class.latencies()
	peak := (s.memory() - s.idle) / viewers
	cpu, err := s.stop()
	if err != nil {
		return err
	}
	if len(late) == 0 {
		return errors.New("no viewer got anything")
	}
	missing := lines*viewers - len(late)
	fmt.Printf("%d viewers in one room, %d lines to each in %.1f s\n", viewers, lines, took.Seconds())
	fmt.Printf("latency   p50 %.1f ms   p99 %.1f ms   max %.1f ms\n", late.at(50), late.at(99), late.at(100))
	fmt.Printf("memory    %d KB a connection after joining, %d KB at the end\n", memory, peak)
	fmt.Printf("cpu       %.1f s of one core, joining included\n", cpu.Seconds())
	fmt.Printf("dropped   %d connections, %d of %d lines\n", class.dropped(), missing, lines*viewers)
	if missing > 0 || class.dropped() > 0 {
		return errors.New("not everybody got everything")
	}
	return nil
}

// spans are sorted.
type spans []time.Duration

// at is a percentile in milliseconds.
func (s spans) at(percent int) float64 {
	i := min(len(s)*percent/100, len(s)-1)
	return float64(s[i]) / float64(time.Millisecond)
}

// serverProcess is the server under load.
type serverProcess struct {
	*exec.Cmd
	process *os.Process
	base    string
	idle    int // its memory without viewers, in KB
}

var address = regexp.MustCompile(`http://127\.0\.0\.1:\d+`)

// startServer starts the server with an empty page and waits until it listens.
func startServer(binary string) (*serverProcess, error) {
	page, err := os.MkdirTemp("", "load")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(page)
	if err := os.WriteFile(filepath.Join(page, "index.html"), []byte("<!doctype html>"), 0o644); err != nil {
		return nil, err
	}
	command := exec.Command(binary, "serve", "--listen", "127.0.0.1:0", "--dir", page)
	out, err := command.StdoutPipe()
	if err != nil {
		return nil, err
	}
	if err := command.Start(); err != nil {
		return nil, err
	}
	line, err := bufio.NewReader(out).ReadString('\n')
	s := &serverProcess{Cmd: command, process: command.Process, base: address.FindString(line)}
	if s.base == "" {
		return nil, fmt.Errorf("the server says %q: %w", line, err)
	}
	s.idle = s.memory()
	return s, nil
}

// memory is what the process has in RAM, in KB.
func (s *serverProcess) memory() int {
	out, err := exec.Command("ps", "-o", "rss=", "-p", strconv.Itoa(s.process.Pid)).Output()
	if err != nil {
		return 0
	}
	kb, _ := strconv.Atoi(strings.TrimSpace(string(out)))
	return kb
}

// stop ends the server and returns the processor time that it took.
func (s *serverProcess) stop() (time.Duration, error) {
	if err := s.process.Signal(syscall.SIGTERM); err != nil {
		return 0, err
	}
	if err := s.Wait(); err != nil {
		return 0, err
	}
	return s.ProcessState.UserTime() + s.ProcessState.SystemTime(), nil
}

// create makes the room.
func create(ctx context.Context, base string) (code, token string, err error) {
	asked, err := json.Marshal(map[string]string{"text": scenario})
	if err != nil {
		return "", "", err
	}
	r, err := http.NewRequestWithContext(ctx, http.MethodPost, base+"/api/rooms", bytes.NewReader(asked))
	if err != nil {
		return "", "", err
	}
	answer, err := http.DefaultClient.Do(r)
	if err != nil {
		return "", "", err
	}
	defer answer.Body.Close()
	var said struct{ Room, Token, Error string }
	if err := json.NewDecoder(answer.Body).Decode(&said); err != nil || said.Error != "" {
		return "", "", fmt.Errorf("no room: %s %w", said.Error, err)
	}
	return said.Room, said.Token, nil
}

// sorted puts all spans of all viewers in order.
func sorted(all []spans) spans {
	joined := slices.Concat(all...)
	slices.Sort(joined)
	return joined
}
