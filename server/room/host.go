package room

import (
	"fmt"

	"rebalancelab/engine"
	"rebalancelab/engine/clock"
	"rebalancelab/engine/script"
	"rebalancelab/engine/session"
)

// command does what a host asks for, or says why not.
func (r *Room) command(m incoming) *Refusal {
	var refusal *Refusal
	switch m.Type {
	case "act":
		refusal = r.act(place{*m.Branch, *m.At}, *m.Line)
	case "edit":
		refusal = r.edit(*m.Branch, *m.Text)
	case "open":
		refusal = r.open(*m.Text, 0)
	case "play":
		refusal = r.play(*m.Rate)
	case "pause":
		refusal = r.play(0)
	case "seek":
		refusal = r.seek(place{*m.Branch, *m.At})
	}
	if refusal == nil {
		r.changed = true
		r.settle()
	}
	return refusal
}

// known says why a branch cannot be meant, nil if it can.
func (r *Room) known(branch int) *Refusal {
	if r.run.Branch(branch) == nil {
		return &Refusal{Reason: fmt.Sprintf("branch: there is no branch %d; the last one is %d", branch, len(r.run.Branches()))}
	}
	return nil
}

// open begins with another scenario: everything before is void. The clock is
// paused at a time of it.
func (r *Room) open(text string, at clock.Time) *Refusal {
	file, refusal := inspect(text)
	if refusal != nil {
		return refusal
	}
	if end := file.Scenario().End; at < 0 || at > end {
		return &Refusal{Reason: fmt.Sprintf("at: expected a time from 0 to the run's end, %s s, in microseconds", end)}
	}
	e := entry{Type: "scenario", Text: &text}
	if len(encode(e)) > MaxLogBytes {
		return &Refusal{Reason: reasonLog}
	}
	run, diagnostics := session.Open(text)
	if run == nil {
		return misread("the scenario is not understood", diagnostics)
	}
	run.OmitPictures()
	r.run, r.shown, r.acts, r.growth = run, []clock.Time{0}, 0, 0
	r.lines, r.logBytes = nil, 0
	r.add(e)
	r.clock = position{place: place{branch: 1}}
	r.goal, r.check.n = &place{1, at}, 0
	r.changed = true
	r.settle()
	return nil
}

// act adds a command to the run at a time that has been shown.
func (r *Room) act(p place, text string) *Refusal {
	if refusal := r.known(p.branch); refusal != nil {
		return refusal
	}
	limit := r.shown[p.branch-1]
	if p.branch == r.clock.branch {
		limit = min(limit, r.clock.at)
	}
	switch {
	case p.at < 0 || p.at > limit:
		return &Refusal{Reason: fmt.Sprintf("at: the room has shown branch %d up to %s s, %s s is not within that", p.branch, limit, p.at)}
	case len(text) > MaxLineBytes:
		return &Refusal{Reason: reasonLine}
	}
	c, refusal := r.understand(p, text)
	if refusal != nil {
		return refusal
	}
	e := entry{Type: "act", Branch: p.branch, At: &p.at, Line: text}
	added := growth(&c)
	if refusal := r.holds(e, added); refusal != nil {
		return refusal
	}
	became, diagnostics := r.run.Act(p.branch, p.at, text)
	if len(diagnostics) > 0 {
		return misread("the command is not carried out", diagnostics)
	}
	r.growth += added
	e.Became = became
	r.become(e, p.at)
	return nil
}

// understand reads a command for a time of a branch.
func (r *Room) understand(p place, text string) (engine.Command, *Refusal) {
	file, diagnostics := script.Parse(r.run.Text(p.branch))
	if file == nil {
		return engine.Command{}, misread("the branch cannot have another command", diagnostics)
	}
	c, diagnostics := file.ParseCommand(text, p.at)
	switch {
	case len(diagnostics) > 0:
		return c, misread("the command is not understood", diagnostics)
	case c.At != p.at:
		return c, &Refusal{Reason: "line: expected a command without its time, which stands in the field at"}
	}
	return c, nil
}

// edit makes a text of a branch's text; the clock stays at its time, on the
// branch that has the text.
func (r *Room) edit(branch int, text string) *Refusal {
	if refusal := r.known(branch); refusal != nil {
		return refusal
	}
	file, refusal := inspect(text)
	if refusal != nil {
		return refusal
	}
	e := entry{Type: "edit", Branch: branch, Text: &text}
	added := max(0, size(file.Scenario())-size(r.run.Branch(1).Scenario())-r.growth)
	if refusal := r.holds(e, added); refusal != nil {
		return refusal
	}
	became, diagnostics := r.run.Edit(branch, text)
	if len(diagnostics) > 0 {
		return misread("the text is not understood", diagnostics)
	}
	r.growth += added
	e.Became = became
	at := r.clock.at
	if r.goal != nil {
		at = r.goal.at // it is on its way there
	}
	r.become(e, min(at, file.Scenario().End))
	return nil
}

// holds says why the room cannot take in another act or edit, nil if it can.
func (r *Room) holds(e entry, added int64) *Refusal {
	const numbers = 2 * len("9007199254740991") // that the entry will have
	total := size(r.run.Branch(1).Scenario()) + r.growth + added
	switch {
	case r.acts >= MaxActs:
		return &Refusal{Reason: reasonActs}
	case r.logBytes+len(encode(e))+numbers > MaxLogBytes:
		return &Refusal{Reason: reasonLog}
	case total*int64(len(r.run.Branches())) > MaxSize:
		return &Refusal{Reason: reasonSize}
	}
	return nil
}

// become notes an act or edit and takes the clock to the branch that it made.
func (r *Room) become(e entry, at clock.Time) {
	r.acts++
	r.add(e)
	for len(r.shown) < len(r.run.Branches()) {
		r.shown = append(r.shown, 0)
	}
	r.shown[e.Became-1] = 0
	if e.Type == "act" {
		r.shown[e.Became-1] = at
	}
	r.goal = &place{e.Became, at}
}

// play sets the clock's rate; 0 pauses it.
func (r *Room) play(rate int64) *Refusal {
	end := r.run.Branch(r.clock.branch).Scenario().End
	switch {
	case rate == 0:
	case rate < MinRate || rate > MaxRate:
		return &Refusal{Reason: reasonRate}
	case r.full():
		return &Refusal{Reason: reasonEvents}
	case r.goal == nil && r.clock.at >= end:
		return &Refusal{Reason: fmt.Sprintf("the run ends at %s s; go back to play it", end)}
	}
	r.clock.rate = rate
	if r.goal == nil {
		r.tell(rate == 0)
	}
	return nil
}

// seek takes the clock to a time, as soon as that has been played.
func (r *Room) seek(p place) *Refusal {
	if refusal := r.known(p.branch); refusal != nil {
		return refusal
	}
	if end := r.run.Branch(p.branch).Scenario().End; p.at < 0 || p.at > end {
		return &Refusal{Reason: fmt.Sprintf("at: expected a time from 0 to the run's end, %s s, in microseconds", end)}
	}
	r.goal = &p
	return nil
}
