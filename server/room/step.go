package room

import (
	"fmt"

	"rebalancelab/engine/clock"
)

const (
	digestEvery = clock.Second
	peopleAfter = 500 * clock.Millisecond // so that most digests of a clock line are counted at once
	saveEvery   = 600                     // clock lines
	slice       = 200                     // steps of the session between two looks at the events
)

// Step lets real time pass, a second of it at most: the clock moves by elapsed
// at its rate, but only as far as the run could be played within one step.
func (r *Room) Step(elapsed clock.Duration) {
	defer r.broken()
	if r.ended != "" {
		return
	}
	elapsed = max(0, min(elapsed, maxStep))
	r.allow(elapsed)
	if r.goal != nil {
		r.settle()
	} else if r.playing() {
		r.advance(elapsed)
	}
	r.countPeople(elapsed)
}

// Active reports whether Step has anything to do; if not, nobody needs to call
// it until the next Join, Leave or Receive.
func (r *Room) Active() bool {
	if r.ended != "" || len(r.viewers) == 0 {
		return false
	}
	if r.goal != nil || r.playing() || r.check.due > 0 {
		return true
	}
	for _, v := range r.viewers {
		if !v.joined || v.credit < maxCredit {
			return true
		}
	}
	return false
}

// playing reports whether the clock runs; it rests while nobody is here.
func (r *Room) playing() bool { return r.clock.rate > 0 && len(r.viewers) > 0 }

// allow gives connections their share of messages and closes those that do not
// join.
func (r *Room) allow(elapsed clock.Duration) {
	for id, v := range r.viewers {
		v.credit = min(maxCredit, v.credit+elapsed)
		if v.credit == maxCredit {
			v.strikes = 0
		}
		if v.joined {
			continue
		}
		if v.waited += elapsed; v.waited > joinTime {
			r.close(id, CloseNoJoin, reasonNoJoin)
		}
	}
}

// settle takes the clock to its goal, if it has been played by now.
func (r *Room) settle() {
	switch {
	case r.goal == nil:
	case r.playTo(*r.goal):
		r.clock.place, r.goal = *r.goal, nil
		r.tell(true)
	case r.full():
		r.goal = nil
		r.stop()
	}
}

// stop pauses a run that has grown too large, and tells the hosts why.
func (r *Room) stop() {
	r.clock.rate = 0
	r.tell(true)
	for _, v := range r.viewers {
		if v.host {
			refuse(v, "play", &Refusal{Reason: reasonEvents})
		}
	}
}

// advance moves the clock on.
func (r *Room) advance(elapsed clock.Duration) {
	end := r.run.Branch(r.clock.branch).Scenario().End
	to := place{r.clock.branch, min(end, r.clock.at.Add(elapsed*clock.Duration(r.clock.rate)/1000))}
	if !r.playTo(to) {
		to.at = max(r.clock.at, r.run.Branch(to.branch).Played()-1)
	}
	r.sinceDigest += elapsed
	moved := to.at > r.clock.at
	r.clock.at = to.at
	if to.at >= end {
		r.clock.rate = 0
	}
	switch {
	case r.full():
		r.stop()
	case moved || r.clock.rate == 0:
		r.tell(r.clock.rate == 0 || r.sinceDigest >= digestEvery)
	}
}

// playTo plays a branch up to a time, as far as one step goes, and reports
// whether it got there.
func (r *Room) playTo(p place) bool {
	b := r.run.Branch(p.branch)
	reached := r.run.PlayTo(p.branch, p.at, 0)
	for budget := int64(stepEvents); budget > 0 && !reached && !r.full(); {
		before := b.Head().Log().Count()
		reached = r.run.PlayTo(p.branch, p.at, slice)
		budget -= slice + int64(b.Head().Log().Count()-before)
	}
	return reached
}

// full reports whether the run has grown too large: nothing more is played.
func (r *Room) full() bool {
	kept, events := 0, uint64(0)
	for _, b := range r.run.Branches() {
		if b.Head() != nil {
			kept += b.Head().Log().Len()
			events += b.Head().Log().Count()
		}
	}
	return kept > maxKept || events > maxEvents
}

// tell sends where the clock stands, with the digest if it is asked for. Where
// the branch has become another one and could not be played that far again, the
// clock goes back to what has been played.
func (r *Room) tell(withDigest bool) {
	if !r.run.PlayTo(r.clock.branch, r.clock.at, 0) {
		r.clock.at = max(0, r.run.Branch(r.clock.branch).Played()-1)
	}
	r.shown[r.clock.branch-1] = max(r.shown[r.clock.branch-1], r.clock.at)
	at, rate := r.clock.at, r.clock.rate
	e := entry{Type: "clock", Branch: r.clock.branch, At: &at, Rate: &rate}
	if withDigest {
		e.Digest = fmt.Sprintf("%016x", r.run.Digest(r.clock.branch, at))
		r.sinceDigest = 0
	}
	r.add(e)
	if withDigest {
		r.check.n, r.check.digest = r.last, e.Digest
	}
}

// check is the clock line whose digest viewers compare.
type check struct {
	n      int64
	digest string
	due    clock.Duration // until people are told; 0: nothing has changed
}

// report notes a viewer's digest of the newest clock line that has one.
func (r *Room) report(v *viewer, n int64, digest string) {
	if n == r.check.n && v.reported != n {
		v.reported, v.agrees = n, digest == r.check.digest
		r.peopleChanged()
	}
}

func (r *Room) peopleChanged() {
	if r.check.due == 0 {
		r.check.due = peopleAfter
	}
}

// countPeople tells everybody how many are here and agree, some time after that
// has changed.
func (r *Room) countPeople(elapsed clock.Duration) {
	if r.check.due == 0 {
		return
	}
	if r.check.due -= elapsed; r.check.due > 0 {
		return
	}
	r.check.due = 0
	told := people{Type: "people", At: r.check.n}
	for _, v := range r.viewers {
		switch {
		case !v.joined:
			continue
		case v.reported == r.check.n && v.agrees:
			told.Agree++
		case v.reported == r.check.n:
			told.Differ++
		}
		told.Here++
	}
	frame := encode(told)
	for _, v := range r.viewers {
		if v.joined {
			v.conn.Send(frame)
		}
	}
}
