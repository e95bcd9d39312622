// Package follow replays the lines of a room in an engine of its own, as a
// viewer's page does. Tests and the load generator watch rooms with it.
package follow

import (
	"encoding/json"
	"fmt"

	"rebalancelab/engine/clock"
	"rebalancelab/engine/session"
)

// Frame is any frame of a room to a viewer.
type Frame struct {
	N           int64      `json:"n"`
	Type        string     `json:"type"`
	Text        string     `json:"text"`
	Branch      int        `json:"branch"`
	At          clock.Time `json:"at"`
	Line        string     `json:"line"`
	Became      int        `json:"became"`
	Rate        int64      `json:"rate"`
	Digest      string     `json:"digest"`
	Room        string     `json:"room"`
	Host        bool       `json:"host"`
	Last        int64      `json:"last"`
	Here        int        `json:"here"`
	Agree       int        `json:"agree"`
	Differ      int        `json:"differ"`
	About       string     `json:"about"`
	Code        int        `json:"code"`
	Reason      string     `json:"reason"`
	Diagnostics []struct {
		Line, Column, EndColumn int
		Message                 string
	} `json:"diagnostics"`
}

// Follower is one viewer's run. Its zero value has seen nothing.
type Follower struct {
	Run    *session.Session
	Last   int64 // number of the newest line
	Branch int   // where the newest clock line stands
	At     clock.Time
	Rate   int64
}

// playBudget is how many steps are played at once.
const playBudget = 1 << 20

// Take takes in a frame. The error says how it does not fit to what came before:
// a number that does not grow, another branch, another digest.
func (f *Follower) Take(text []byte) (Frame, error) {
	var m Frame
	if err := json.Unmarshal(text, &m); err != nil {
		return m, fmt.Errorf("%w: %s", err, text)
	}
	if m.Type == "welcome" && m.Last < f.Last {
		f.Last = 0
	}
	if m.N == 0 {
		return m, nil
	}
	if m.N <= f.Last {
		return m, fmt.Errorf("line %d came after line %d", m.N, f.Last)
	}
	f.Last = m.N
	return m, f.line(&m)
}

func (f *Follower) line(m *Frame) error {
	switch m.Type {
	case "scenario":
		run, diagnostics := session.Open(m.Text)
		if run == nil {
			return fmt.Errorf("the scenario of line %d: %v", m.N, diagnostics)
		}
		run.OmitPictures()
		*f = Follower{Run: run, Last: m.N, Branch: 1}
		return nil
	case "act", "edit", "clock":
		if f.Run == nil || f.Run.Branch(m.Branch) == nil {
			return fmt.Errorf("line %d is about branch %d, which is unknown", m.N, m.Branch)
		}
	default:
		return fmt.Errorf("line %d has the unknown type %q", m.N, m.Type)
	}
	if m.Type == "clock" {
		f.Branch, f.At, f.Rate = m.Branch, m.At, m.Rate
		if m.Digest == "" {
			return nil
		}
		if got := f.Digest(); got != m.Digest {
			return fmt.Errorf("line %d: the room's digest of branch %d at %s s is %s, ours %s", m.N, m.Branch, m.At, m.Digest, got)
		}
		return nil
	}
	became, diagnostics := 0, error(nil)
	if m.Type == "act" {
		id, found := f.Run.Act(m.Branch, m.At, m.Line)
		became, diagnostics = id, fmt.Errorf("%v", found)
	} else {
		id, found := f.Run.Edit(m.Branch, m.Text)
		became, diagnostics = id, fmt.Errorf("%v", found)
	}
	if became != m.Became {
		return fmt.Errorf("line %d made branch %d, in the room %d (%w)", m.N, became, m.Became, diagnostics)
	}
	return nil
}

// Digest is that of the run where the clock stands, as it stands in frames.
func (f *Follower) Digest() string {
	for !f.Run.PlayTo(f.Branch, f.At, playBudget) {
	}
	return fmt.Sprintf("%016x", f.Run.Digest(f.Branch, f.At))
}
