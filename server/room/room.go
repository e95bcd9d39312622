package room

import (
	"strings"

	"rebalancelab/engine/clock"
	"rebalancelab/engine/script"
	"rebalancelab/engine/session"
)

// Room is one shared run and who watches it. It is not safe for concurrent use.
type Room struct {
	code  string
	token TokenHash

	run    *session.Session
	shown  []clock.Time // the furthest time of each branch that the clock has reached
	acts   int
	growth int64 // what acts and edits can have added to the size of the scenario

	lines    []line // the scenario, its acts and edits, and the newest clock line
	last     int64  // number of the newest line
	logBytes int    // of lines without the clock's
	changed  bool   // more than the clock, since the last Save
	unsaved  int    // clock lines since the last Save

	clock       position
	goal        *place // where the clock is to go as soon as that has been played
	sinceDigest clock.Duration
	check       check

	viewers map[int]*viewer
	ended   string
	fault   bool // that is why it has ended
}

// place is a time of a branch.
type place struct {
	branch int
	at     clock.Time
}

// position is where the clock stands and how fast it runs.
type position struct {
	place
	rate int64 // thousandths of real time; 0: paused
}

// line is one numbered line as it is sent.
type line struct {
	n     int64
	frame []byte
	clock bool
}

// viewer is one connection.
type viewer struct {
	conn     Conn
	joined   bool
	host     bool
	waited   clock.Duration // for its join
	credit   clock.Duration // for messages; each costs messageCost
	strikes  int
	reported int64 // the clock line of its last digest
	agrees   bool
}

const (
	messageCost = clock.Second / messagesPerSecond
	maxCredit   = messagesAtOnce * messageCost
)

// New is a room that shows a scenario at a time, paused. The error is a *Refusal.
func New(code string, token TokenHash, text string, at clock.Time) (*Room, error) {
	r := &Room{code: code, token: token, viewers: map[int]*viewer{}}
	if refusal := r.open(text, at); refusal != nil {
		return nil, refusal
	}
	return r, nil
}

// Code is the join code.
func (r *Room) Code() string { return r.code }

// Here is the number of viewers that have joined.
func (r *Room) Here() int {
	n := 0
	for _, v := range r.viewers {
		if v.joined {
			n++
		}
	}
	return n
}

// Join takes in a connection under a number that no other has. Its first frame
// must be a join; if the room is full it is closed.
func (r *Room) Join(id int, conn Conn) {
	if len(r.viewers) >= MaxViewers {
		dismiss(conn, CloseFull, reasonFull)
		return
	}
	r.viewers[id] = &viewer{conn: conn, credit: maxCredit}
}

// Resume takes in a connection that had joined before the room was loaded anew
// and that has every line up to then.
func (r *Room) Resume(id int, conn Conn, host bool) {
	r.viewers[id] = &viewer{conn: conn, credit: maxCredit, joined: true, host: host}
}

// Role says what a connection is: whether it is known and has joined, and
// whether it is a host's.
func (r *Room) Role(id int) (joined, host bool) {
	v := r.viewers[id]
	return v != nil && v.joined, v != nil && v.host
}

// Leave forgets a connection that is gone; unknown ones are passed over.
func (r *Room) Leave(id int) {
	v := r.viewers[id]
	delete(r.viewers, id)
	if v != nil && v.joined {
		r.peopleChanged()
	}
}

// join answers a first frame with the lines that the viewer lacks.
func (r *Room) join(id int, v *viewer, m incoming) {
	switch {
	case *m.Protocol != Protocol:
		r.close(id, CloseOtherProtocol, "this server speaks another version of the room protocol; load the page again")
		return
	case m.Token != "" && !r.token.fits(m.Token):
		r.close(id, CloseWrongToken, "this host link does not belong to this room")
		return
	}
	v.joined, v.host = true, m.Token != ""
	v.conn.Send(encode(welcome{"welcome", Protocol, r.code, v.host, r.last}))
	after := m.After
	if after > r.last {
		after = 0
	}
	for _, l := range r.lines {
		if l.n > after {
			v.conn.Send(l.frame)
		}
	}
	r.peopleChanged()
}

// strike refuses a frame that a well-behaved page does not send. Who does not
// stop is closed.
func (r *Room) strike(id int, v *viewer, about, reason string) {
	v.strikes++
	if v.strikes > maxStrikes {
		r.close(id, CloseNonsense, reasonStrikes)
		return
	}
	refuse(v, about, &Refusal{Reason: reason})
}

func refuse(v *viewer, about string, why *Refusal) {
	v.conn.Send(encode(refused{"refused", about, why.Reason, Diagnostics(why.Diagnostics)}))
}

// close says why and closes a connection, which is then unknown.
func (r *Room) close(id, code int, reason string) {
	dismiss(r.viewers[id].conn, code, reason)
	r.Leave(id)
}

// maxCloseReason is what a close frame holds, in bytes.
const maxCloseReason = 123

func dismiss(conn Conn, code int, reason string) {
	conn.Send(EndFrame(code, reason))
	if len(reason) > maxCloseReason {
		reason = strings.ToValidUTF8(reason[:maxCloseReason], "")
	}
	conn.Close(code, reason)
}

// End closes all connections. After it the room does nothing more.
func (r *Room) End(code int, reason string) {
	r.ended = reason
	for id, v := range r.viewers {
		dismiss(v.conn, code, reason)
		delete(r.viewers, id)
	}
}

// Ended is why the room has ended, "" if it has not.
func (r *Room) Ended() string { return r.ended }

// Broken reports whether the room has ended because the engine has a fault.
func (r *Room) Broken() bool { return r.fault }

// broken ends a room in which a rule of the engine that must always hold does
// not; other rooms go on. It is deferred by what plays.
func (r *Room) broken() {
	if failure := recover(); failure != nil {
		r.fault = true
		r.End(CloseBroken, fault(failure))
	}
}

// fault is what people are told when the engine has broken off.
func fault(failure any) string {
	reason := "the engine stopped: a rule that must always hold does not"
	switch said := failure.(type) {
	case string:
		reason += ": " + said
	case error:
		reason += ": " + said.Error()
	}
	return reason
}

// add appends a numbered line and sends it to everybody.
func (r *Room) add(e entry) {
	r.last++
	e.N = r.last
	added := line{n: e.N, frame: encode(e), clock: e.Type == "clock"}
	if added.clock {
		for i := range r.lines {
			if r.lines[i].clock {
				r.lines = append(r.lines[:i], r.lines[i+1:]...)
				break
			}
		}
		r.unsaved++
	} else {
		r.logBytes += len(added.frame)
	}
	r.lines = append(r.lines, added)
	for _, v := range r.viewers {
		if v.joined {
			v.conn.Send(added.frame)
		}
	}
}

// inspect reads a script and says why it cannot be played in a room.
func inspect(text string) (*script.File, *Refusal) {
	file, diagnostics := script.Parse(text)
	if file == nil {
		return nil, misread("the scenario is not understood", diagnostics)
	}
	return file, checkScenario(file)
}
