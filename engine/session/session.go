// Package session plays a scenario with its branches: it keeps checkpoints, so
// that every moment can be seen again, and what a picture of the whole run
// needs. A run is its inputs; nothing here decides anything about groups.
package session

import (
	"slices"

	"rebalancelab/engine"
	"rebalancelab/engine/clock"
	"rebalancelab/engine/event"
	"rebalancelab/engine/script"
)

// The bounds of a session.
const (
	MaxBranches       = 64
	maxCheckpoints    = 128 // of a branch
	fewCheckpoints    = 32  // of a branch without a picture
	checkpointSpacing = 5 * clock.Second
)

// Session is a scenario and the branches that were made of it. Branch 1 is the
// scenario as written and never changes.
type Session struct {
	branches     []*Branch
	omitPictures bool
	checkpoints  int // of a branch, at most
}

// Branch is a script, the commands that were added to it, and the run that they
// give.
type Branch struct {
	ID     int
	Parent int // 0 for branch 1
	ForkAt clock.Time

	file     *script.File
	scenario *engine.Scenario // of file
	edited   bool             // file is no longer the parent's

	own      []engine.Command // that came later, in their order
	timeline []engine.Command // all that is applied, by time
	Applied  []Applied
	Failures []Failure

	checkpoints []checkpoint
	spacing     clock.Duration
	head        *engine.World // played up to head.Now()
	next        int           // of timeline
	expects     []script.Expect
	picture     *picture
	finished    clock.Time // everything up to here has happened; -1: not even that of 0 s
	done        bool
}

// Applied is a command that was carried out, or why it could not be.
type Applied struct {
	engine.Command
	Err string
}

// Failure is an `expect` field that does not hold.
type Failure struct {
	Line     int
	Subject  engine.Subject
	Field    string
	Expected string
	Got      string
}

// checkpoint is the state after everything of its time; nobody changes it.
type checkpoint struct {
	world *engine.World
	next  int // of the timeline
}

// Open parses a scenario and makes its first branch. Nothing is played yet.
func Open(text string) (*Session, []script.Diagnostic) {
	file, diagnostics := script.Parse(text)
	if file == nil {
		return nil, diagnostics
	}
	s := &Session{checkpoints: maxCheckpoints}
	s.add(&Branch{file: file, scenario: file.Scenario(), expects: expectsByTime(file)})
	return s, nil
}

// Branches lists all branches; Branches()[i] has ID i+1.
func (s *Session) Branches() []*Branch { return s.branches }

// Branch is the branch with this id, nil if there is none.
func (s *Session) Branch(id int) *Branch {
	if id < 1 || id > len(s.branches) {
		return nil
	}
	return s.branches[id-1]
}

// add numbers a branch; its file, its own commands and its place are set.
func (s *Session) add(b *Branch) *Branch {
	b.ID, b.spacing = len(s.branches)+1, checkpointSpacing
	b.timeline = b.merge()
	s.branches = append(s.branches, b)
	return b
}

// fork is a branch with other commands of its own; up to the fork it is played
// already.
func (s *Session) fork(parent *Branch, at clock.Time, own []engine.Command) *Branch {
	b := s.add(&Branch{Parent: parent.ID, ForkAt: at, file: parent.file, scenario: parent.scenario, own: own})
	b.inherit(parent)
	return b
}

// expectsByTime lists the expectations of a script that is played as it stands;
// they were not written for what is added to it later.
func expectsByTime(file *script.File) []script.Expect {
	expects := file.Expects()
	slices.SortStableFunc(expects, func(x, y script.Expect) int { return compareTimes(x.At, y.At) })
	return expects
}

// merge is the scenario's commands and a branch's own, by time; at one time the
// scenario's come first.
func (b *Branch) merge() []engine.Command {
	all := slices.Concat(b.scenario.Timeline(), b.own)
	slices.SortStableFunc(all, func(x, y engine.Command) int { return compareTimes(x.At, y.At) })
	return all
}

func compareTimes(x, y clock.Time) int {
	switch {
	case x < y:
		return -1
	case x > y:
		return 1
	}
	return 0
}

// inherit takes over the parent's checkpoints before the fork.
func (b *Branch) inherit(parent *Branch) {
	b.spacing = parent.spacing
	for _, c := range parent.checkpoints {
		if c.world.Now() < b.ForkAt {
			b.checkpoints = append(b.checkpoints, c)
		}
	}
}

// File is the script that the branch adds its own commands to.
func (b *Branch) File() *script.File { return b.file }

// Scenario is what File says.
func (b *Branch) Scenario() *engine.Scenario { return b.scenario }

// Done reports whether the branch has been played to its end.
func (b *Branch) Done() bool { return b.done }

// Edited reports whether the branch began with a change of the text.
func (b *Branch) Edited() bool { return b.edited }

// Own lists the commands that the branch adds to its script.
func (b *Branch) Own() []engine.Command { return b.own }

// Played is the time up to which the branch has been played.
func (b *Branch) Played() clock.Time {
	if b.head == nil {
		return 0
	}
	return b.head.Now()
}

// Head is the world at the time Played; callers only look at it.
func (b *Branch) Head() *engine.World { return b.head }

// playOn plays to the branch's next stop, which is until at the latest: a
// command, an expectation, a checkpoint, the end, or the next thing that happens
// inside.
func (s *Session) playOn(b *Branch, until clock.Time, budget int) int {
	w := b.head
	stop := min(s.nextStop(b), until)
	for budget > 0 {
		at := w.Next()
		if at > stop || at == stop && b.commandAt(stop) {
			break
		}
		w.Advance(at, budget)
		budget--
		b.observe()
	}
	if budget == 0 {
		return 0
	}
	applied := false
	for b.commandAt(stop) {
		c := b.timeline[b.next]
		b.next++
		applied = true
		b.apply(w, c)
	}
	if !applied {
		w.Advance(stop, 1<<30)
	}
	b.observe()
	if w.Next() > stop {
		s.finishTime(b, stop)
	}
	return budget - 1
}

func (b *Branch) commandAt(t clock.Time) bool {
	return b.next < len(b.timeline) && b.timeline[b.next].At == t
}

func (b *Branch) apply(w *engine.World, c engine.Command) {
	done := Applied{Command: c}
	if err := w.Apply(c); err != nil {
		done.Err = err.Error()
	}
	b.Applied = append(b.Applied, done)
}

func (s *Session) nextStop(b *Branch) clock.Time {
	stop := b.scenario.End
	if b.next < len(b.timeline) {
		stop = min(stop, b.timeline[b.next].At)
	}
	if len(b.expects) > 0 {
		stop = min(stop, b.expects[0].At)
	}
	boundary := (b.head.Now()/clock.Time(b.spacing) + 1) * clock.Time(b.spacing)
	return min(stop, boundary)
}

// finishTime does what belongs after everything of a time: expectations and a
// checkpoint.
func (s *Session) finishTime(b *Branch, t clock.Time) {
	b.finished = t
	for len(b.expects) > 0 && b.expects[0].At <= t {
		b.check(b.expects[0])
		b.expects = b.expects[1:]
	}
	if t%clock.Time(b.spacing) == 0 || t == b.scenario.End {
		b.keep(s.checkpoints)
	}
	if t >= b.scenario.End && b.next >= len(b.timeline) {
		b.done = true
		if b.picture != nil {
			b.picture.finish(b.head)
		}
	}
}

func (b *Branch) check(e script.Expect) {
	for _, f := range e.Fields {
		got, ok := b.head.Lookup(e.Subject, f.Name)
		if !ok {
			got = "nothing: there is no such subject"
		}
		if got != f.Value {
			b.Failures = append(b.Failures, Failure{e.Line, e.Subject, f.Name, f.Value, got})
		}
	}
}

// keep makes a checkpoint, if there is none of this time; when there are more
// than most, every second is dropped.
func (b *Branch) keep(most int) {
	if n := len(b.checkpoints); n > 0 && b.checkpoints[n-1].world.Now() >= b.head.Now() {
		return
	}
	b.checkpoints = append(b.checkpoints, checkpoint{b.head.Clone(), b.next})
	if len(b.checkpoints) <= most {
		return
	}
	kept := b.checkpoints[:0]
	for i, c := range b.checkpoints {
		if i%2 == 1 {
			kept = append(kept, c)
		}
	}
	clear(b.checkpoints[len(kept):])
	b.checkpoints = kept
	b.spacing *= 2
}

// World is a branch's state after everything of time at. The caller may do with
// it what it likes.
func (s *Session) World(id int, at clock.Time) *engine.World {
	b := s.Branch(id)
	w, next := s.start(b, at)
	s.forward(b, w, &next, at)
	return w
}

// start is a world at or before the time, and the command that comes next.
func (s *Session) start(b *Branch, at clock.Time) (*engine.World, int) {
	i, found := slices.BinarySearchFunc(b.checkpoints, at, func(c checkpoint, at clock.Time) int {
		return compareTimes(c.world.Now(), at)
	})
	if !found {
		i--
	}
	if i < 0 {
		return engine.New(b.scenario), 0
	}
	return b.checkpoints[i].world.Clone(), b.checkpoints[i].next
}

func (s *Session) forward(b *Branch, w *engine.World, next *int, at clock.Time) {
	for *next < len(b.timeline) && b.timeline[*next].At <= at {
		_ = w.Apply(b.timeline[*next]) // a refused command is noted where the branch is played
		*next++
	}
	for !w.Advance(at, 1<<20) {
	}
}

// Detail is every event from..to, counted ones included: the window is played
// again with all details kept.
func (s *Session) Detail(id int, from, to clock.Time) []event.Event {
	b := s.Branch(id)
	w, next := engine.New(b.scenario), 0
	first := 0
	if from > 0 {
		w, next = s.start(b, from-1)
		s.forward(b, w, &next, from-1)
		first = w.Log().Len()
	}
	w.Log().Detail = true
	s.forward(b, w, &next, to)
	events := make([]event.Event, 0, w.Log().Len()-first)
	for i := first; i < w.Log().Len(); i++ {
		events = append(events, *w.Log().At(i))
	}
	return events
}

// Text is the branch as one script: its file's lines, then its commands.
func (s *Session) Text(id int) string { return s.Branch(id).whole().Print() }

// whole is the branch as one file; Act has seen to it that there is one.
func (b *Branch) whole() *script.File {
	if len(b.own) == 0 {
		return b.file
	}
	file, found := b.file.With(b.own, nil)
	if file == nil {
		panic("session: a branch has no text: " + found[0].Message)
	}
	return file
}

// Picture is what the branch looked like as far as it has been played.
func (b *Branch) Picture() *Picture { return &b.picture.Picture }

// Totals are the branch's partition-time without a reader and its records read
// more than once, over all groups.
func (b *Branch) Totals() (clock.Duration, int64) {
	var stopped clock.Duration
	var duplicates int64
	if b.picture == nil {
		return 0, 0
	}
	for _, g := range b.picture.Groups {
		stopped += g.Stopped
		duplicates += g.Duplicates
	}
	return stopped, duplicates
}

// NodeOf is the node that a command is about, 0 if none.
func (b *Branch) NodeOf(subject engine.Subject) event.Node { return b.head.Node(subject) }
