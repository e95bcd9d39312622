package room_test

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"rebalancelab/engine/clock"
	"rebalancelab/engine/script"
	"rebalancelab/server/room"
)

// update rewrites the transcripts: go test ./server/room -update. Read the
// difference, and commit only what you can explain.
var update = flag.Bool("update", false, "rewrite the transcripts under testdata")

// transcript is one story of testdata: viewers that send frames, and what each
// gets. Lines are `room FILE`, `@name FRAME` (the first mention connects),
// `leave @name`, `step DURATION [times N]`, `restart` (save, load, everybody is
// gone) and `show` (whether there is something to do). TOKEN in a frame is the
// host's token. Digests are left out of what is printed; the Follower of each
// viewer has compared them.
type transcript struct {
	t       *testing.T
	room    *room.Room
	viewers []*viewer
	token   string
	out     strings.Builder
}

const code = "4K72MX"

func TestTranscripts(t *testing.T) {
	if *update && os.Getenv("CI") != "" {
		t.Fatal("-update is refused where $CI is set: read the differences first")
	}
	files, _ := filepath.Glob("testdata/*.txt")
	if len(files) < 6 {
		t.Fatalf("found %d transcripts only", len(files))
	}
	for _, name := range files {
		t.Run(strings.TrimSuffix(filepath.Base(name), ".txt"), func(t *testing.T) {
			text, err := os.ReadFile(name)
			if err != nil {
				t.Fatal(err)
			}
			got := play(t, string(text))
			if *update {
				if err := os.WriteFile(name, []byte(got), 0o644); err != nil {
					t.Fatal(err)
				}
			} else if got != string(text) {
				t.Errorf("%s: expected\n%s\ngot\n%s", name, text, got)
			}
		})
	}
}

// play carries out the blocks of a transcript and returns it with its output.
func play(t *testing.T, text string) string {
	p := &transcript{t: t, token: room.NewToken()}
	var all strings.Builder
	for block := range strings.SplitSeq(strings.TrimRight(text, "\n"), "\n\n") {
		input, _, _ := strings.Cut(block, "\n----")
		all.WriteString(input)
		all.WriteByte('\n')
		commands := 0
		for line := range strings.Lines(input) {
			if line = strings.TrimSpace(line); line != "" && line[0] != '#' {
				p.do(line)
				commands++
			}
		}
		if commands > 0 {
			all.WriteString("----\n")
			all.WriteString(p.output())
		}
		all.WriteByte('\n')
	}
	return strings.TrimRight(all.String(), "\n") + "\n"
}

func (p *transcript) do(line string) {
	verb, rest, _ := strings.Cut(line, " ")
	switch {
	case verb == "room":
		text, err := os.ReadFile(rest)
		if err != nil {
			p.t.Fatal(err)
		}
		if p.room, err = room.New(code, room.HashToken(p.token), string(text), 0); err != nil {
			p.t.Fatal(err)
		}
	case verb == "step":
		p.step(rest)
	case verb == "leave":
		p.room.Leave(p.viewer(rest).id)
		p.viewer(rest).closed = "left"
	case verb == "restart":
		loaded, err := room.Load(p.room.Save())
		if err != nil {
			p.t.Fatal(err)
		}
		p.room = loaded
		for _, v := range p.viewers {
			v.closed = "gone"
		}
	case verb == "show":
		fmt.Fprintf(&p.out, "here %d, active %v\n", p.room.Here(), p.room.Active())
	case verb[0] == '@':
		p.room.Receive(p.viewer(verb).id, []byte(p.expand(rest)))
	default:
		p.t.Fatalf("the transcript says %q", line)
	}
}

// expand puts in what cannot stand in a transcript.
func (p *transcript) expand(frame string) string {
	frame = strings.ReplaceAll(frame, "TOKEN", p.token)
	return strings.ReplaceAll(frame, "LONG", strings.Repeat("x", room.MaxViewerBytes+1))
}

func (p *transcript) step(rest string) {
	words := strings.Fields(rest)
	elapsed, problem := script.ParseTime(words[0])
	if problem != "" {
		p.t.Fatal(problem)
	}
	times := 1
	if len(words) == 3 {
		fmt.Sscan(words[2], &times)
	}
	for range times {
		p.room.Step(clock.Duration(elapsed))
	}
}

// viewer finds a viewer by name; one that is new connects, one that was closed
// connects again and keeps its run.
func (p *transcript) viewer(name string) *viewer {
	v := &viewer{name: name, id: len(p.viewers) + 1}
	for _, known := range p.viewers {
		if known.name == name && known.closed == "" {
			return known
		}
		if known.name == name {
			v.Follower = known.Follower
		}
	}
	p.viewers = append(p.viewers, v)
	p.room.Join(v.id, v)
	return v
}

var (
	digest = regexp.MustCompile(`"digest":"[0-9a-f]{16}"`)
	text   = regexp.MustCompile(`"text":"(\\.|[^"\\])*"`)
)

// output is what all have got, frames that several have got once.
func (p *transcript) output() string {
	var frames []string
	who := map[string][]string{}
	for _, v := range p.viewers {
		for _, frame := range v.take(p.t) {
			shown := digest.ReplaceAllString(text.ReplaceAllString(frame, `"text":"…"`), `"digest":"…"`)
			if names := who[shown]; names == nil || names[len(names)-1] == v.name {
				frames = append(frames, shown)
			}
			who[shown] = append(who[shown], v.name)
		}
	}
	for _, frame := range frames {
		fmt.Fprintf(&p.out, "%s %s\n", strings.Join(slices.Compact(who[frame]), " "), frame)
	}
	out := p.out.String()
	p.out.Reset()
	if out == "" {
		return "nothing\n"
	}
	return out
}
