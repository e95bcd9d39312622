package room

import (
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"

	"rebalancelab/engine/clock"
)

// renumber is how far numbers jump when a room is loaded. Clock lines after the
// save are lost, and viewers have seen their numbers; what is new must not have
// one of those. A save is due long before so many were sent.
const renumber = 1 << 20

// saved is a room at rest.
type saved struct {
	Save  int               `json:"save"` // version of this form
	Room  string            `json:"room"`
	Token string            `json:"token"` // its hash
	Last  int64             `json:"last"`
	Lines []json.RawMessage `json:"lines"` // the scenario, acts and edits as they were sent
	Shown []clock.Time      `json:"shown"`
	Clock entry             `json:"clock"`
}

// Unsaved reports whether the room has changed so much since the last Save that
// it must be saved before anybody is told.
func (r *Room) Unsaved() bool { return r.changed || r.unsaved >= saveEvery }

// Save is the room without its viewers, as JSON of less than 2 MB. If the clock
// is on its way to a time, that is where it stands.
func (r *Room) Save() []byte {
	at, rate := r.clock.at, r.clock.rate
	s := saved{Save: 1, Room: r.code, Token: hex.EncodeToString(r.token[:]), Last: r.last, Shown: r.shown,
		Clock: entry{Type: "clock", Branch: r.clock.branch, At: &at, Rate: &rate}}
	if r.goal != nil {
		at, s.Clock.Branch = r.goal.at, r.goal.branch
	}
	for _, l := range r.lines {
		if !l.clock {
			s.Lines = append(s.Lines, l.frame)
		}
	}
	r.changed, r.unsaved = false, 0
	return encode(s)
}

// Load is a room that was saved, with its acts done again and its clock where it
// was. Its numbers go on behind all that were ever sent.
func Load(save []byte) (loaded *Room, err error) {
	defer func() {
		if failure := recover(); failure != nil {
			loaded, err = nil, errors.New(fault(failure))
		}
	}()
	var s saved
	if err := json.Unmarshal(save, &s); err != nil {
		return nil, fmt.Errorf("the saved room is not understood: %w", err)
	}
	if s.Save != 1 || len(s.Lines) == 0 || s.Clock.At == nil || s.Clock.Rate == nil {
		return nil, errors.New("the saved room has another form than this version writes")
	}
	token, err := hex.DecodeString(s.Token)
	if err != nil || len(token) != len(TokenHash{}) {
		return nil, errors.New("the saved room has no token")
	}
	r := &Room{code: s.Room, token: TokenHash(token), viewers: map[int]*viewer{}}
	for i, raw := range s.Lines {
		if err := r.replay(i, raw); err != nil {
			return nil, fmt.Errorf("line %d of the saved room: %w", i+1, err)
		}
	}
	if err := r.resume(&s); err != nil {
		return nil, err
	}
	return r, nil
}

// replay does one saved line again and keeps its number.
func (r *Room) replay(i int, raw json.RawMessage) error {
	var e entry
	if err := json.Unmarshal(raw, &e); err != nil {
		return err
	}
	var refusal *Refusal
	switch {
	case i == 0 && e.Type == "scenario" && e.Text != nil:
		refusal = r.open(*e.Text, 0)
	case i > 0 && e.Type == "act" && e.At != nil && r.known(e.Branch) == nil:
		at := place{e.Branch, *e.At}
		r.clock.place = at
		for range 1 << 16 { // a step each: far more than a room can have played
			if r.playTo(at) {
				r.shown[at.branch-1] = max(r.shown[at.branch-1], at.at)
				break
			}
		}
		refusal = r.act(at, e.Line)
	case i > 0 && e.Type == "edit" && e.Text != nil && r.known(e.Branch) == nil:
		refusal = r.edit(e.Branch, *e.Text)
	default:
		return fmt.Errorf("it cannot be of type %q here", e.Type)
	}
	if refusal != nil {
		return refusal
	}
	made := &r.lines[len(r.lines)-1]
	if i == 0 {
		made = &r.lines[0]
	}
	if i > 0 && r.goal.branch != e.Became {
		return fmt.Errorf("it made branch %d, and branch %d when it was saved", r.goal.branch, e.Became)
	}
	made.n, made.frame = e.N, append([]byte(nil), raw...)
	return nil
}

// resume puts the clock where it was.
func (r *Room) resume(s *saved) error {
	p := place{s.Clock.Branch, *s.Clock.At}
	if r.known(p.branch) != nil || p.at < 0 || p.at > r.run.Branch(p.branch).Scenario().End {
		return errors.New("the saved room's clock stands nowhere")
	}
	if len(s.Shown) != len(r.run.Branches()) {
		return errors.New("the saved room has other branches")
	}
	r.shown = s.Shown
	r.last = s.Last + renumber
	r.clock.place, r.clock.rate, r.goal = place{branch: p.branch}, *s.Clock.Rate, &p
	r.settle()
	r.changed = true
	return nil
}
