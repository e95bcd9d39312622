package coordinator

import (
	"fmt"
	"slices"
	"strings"

	"rebalancelab/engine/clock"
	"rebalancelab/engine/event"
	"rebalancelab/engine/kafka"
	"rebalancelab/engine/rule"
)

// print prints what happened since the last time: events, then replies and
// records; appends are answered.
func (s *stage) print() {
	for {
		for ; s.seen < s.out.Log.Len(); s.seen++ {
			s.printEvent(s.out.Log.At(s.seen))
		}
		replies, appends := slices.Clone(s.out.Replies), slices.Clone(s.out.Appends)
		s.out.Reset()
		if len(replies) == 0 && len(appends) == 0 {
			return
		}
		for i := range replies {
			s.printAppends(appends, i)
			s.printReply(&replies[i])
		}
		s.printAppends(appends, len(replies))
	}
}

// printAppends prints the batches that came after so many replies, and tells the
// coordinator how they went.
func (s *stage) printAppends(appends []Append, after int) {
	for _, a := range appends {
		if a.After != after {
			continue
		}
		err := s.appends
		s.appends = kafka.None
		for i := range a.Records {
			s.printRecord(&a.Records[i], err)
		}
		if s.hold {
			s.held = append(s.held, a)
		} else {
			s.finish(a, err)
		}
	}
}

func (s *stage) printEvent(e *event.Event) {
	switch e.Kind {
	case event.GroupState:
		s.line("group %s -> %s%s", e.Prev.In(s.version), e.State.In(s.version), why(e.Rule, e.Guard))
	case event.MemberPending:
		s.line("member %s is pending until %s", e.Member, e.Due)
	case event.MemberAdded:
		s.line("member %s added%s", e.Member, with(" instance=", e.Instance))
	case event.MemberRemoved:
		s.line("member %s removed: %s", e.Member, e.Text)
	case event.MemberReplaced:
		s.line("member %s replaced by %s", e.Text, e.Member)
	case event.LeaderElected:
		s.line("leader is %s", e.Member)
	case event.DelayExtended:
		s.line("delay extended until %s", e.Due)
	case event.RebalanceBegan:
		s.line("rebalance began, until %s at most (%s)%s", e.Due, e.Config, with(": ", e.Text))
	case event.JoinCompleted:
		s.line("join phase completed: generation %d, %s", e.Generation, e.Text)
	case event.AssignmentStored:
		s.line("assignment stored")
	case event.TimerFired:
		s.line("timer fired: %s%s", e.Config, with(" of ", e.Member))
	case event.GroupLoaded:
		s.line("group loaded: %s, generation %d, %d members", e.State, e.Generation, e.N)
	case event.GroupUnloaded:
		s.line("group unloaded")
	case event.GroupRemoved:
		s.line("group removed")
	}
}

func with(prefix, text string) string {
	if text == "" {
		return ""
	}
	return prefix + text
}

func (s *stage) printReply(r *Reply) {
	if v, ok := s.versions[r.Corr]; ok {
		r.Trim(v)
	}
	text := r.API.String()
	if r.Error != kafka.None {
		text += " " + r.Error.In(s.version)
	}
	switch r.API {
	case kafka.JoinGroup:
		text += with(" id=", r.MemberID)
		if _, ok := s.versions[r.Corr]; ok {
			text += with(" type=", r.ProtocolType)
		}
		if r.Error == kafka.None {
			text += fmt.Sprintf(" gen=%d leader=%s", r.Generation, r.Leader)
		}
		var ids []string
		for _, m := range r.Members {
			ids = append(ids, m.MemberID)
		}
		text += with(" members=", strings.Join(ids, ","))
		if r.SkipAssignment {
			text += " skip-assignment"
		}
	case kafka.SyncGroup:
		text += with(" assignment=", r.Assignment)
	case kafka.LeaveGroup:
		for _, m := range r.Results {
			text += " " + m.Error.String()
		}
	case kafka.DescribeGroups, kafka.ListGroups, kafka.DeleteGroups:
		for _, g := range r.Groups {
			text += " " + g.Group + with("=", g.State) + with(" type=", g.Type)
			if g.Error != kafka.None || r.API == kafka.DeleteGroups {
				text += " " + g.Error.String()
			}
		}
	}
	for _, p := range r.Partitions {
		text += fmt.Sprintf(" %s:%d=", p.Topic, p.Partition)
		if r.API == kafka.OffsetFetch && p.Error == kafka.None {
			text += fmt.Sprint(p.Offset)
		} else {
			text += p.Error.In(s.version)
		}
	}
	if r.API == kafka.Heartbeat && r.Error == kafka.None {
		text += " NONE"
	}
	s.line("reply %s %s%s", s.asked[r.Corr], text, why(r.Rule, r.Guard))
}

// why prints the rule that decided and its guard.
func why(r rule.Rule, guard string) string {
	if r == rule.None {
		return ""
	}
	return "  [" + r.String() + ": " + guard + "]"
}

func (s *stage) printRecord(r *kafka.Record, err kafka.Error) {
	text := ""
	switch v := r.GroupValue; {
	case r.KeyVersion == 1 && r.Tombstone():
		text = fmt.Sprintf("tombstone of %s:%d", r.Partition.Topic, r.Partition.Partition)
	case r.KeyVersion == 1:
		text = fmt.Sprintf("offset %s:%d=%d", r.Partition.Topic, r.Partition.Partition, r.OffsetValue.Offset)
	case v == nil:
		text = "tombstone of the group"
	default:
		var ids []string
		for _, m := range v.Members {
			ids = append(ids, m.MemberID)
		}
		text = fmt.Sprintf("group v%d gen=%d%s members=[%s]", v.Version, v.Generation, with(" leader=", v.Leader), strings.Join(ids, " "))
	}
	if s.hold {
		text += " (no answer yet)"
	}
	if err != kafka.None {
		text += " fails: " + err.String()
	}
	s.line("record %s", text)
}

// show prints the group with its pending deadlines.
func (s *stage) show() {
	v, ok := s.c.Group("g")
	if !ok {
		s.lines = append(s.lines, "no group")
		return
	}
	s.lines = append(s.lines, fmt.Sprintf("%s gen=%d%s%s", v.State.In(s.version), v.Generation, with(" leader=", v.Leader), with(" protocol=", v.Protocol)))
	for _, m := range v.Members {
		text := "  " + m.ID + with(" instance=", m.InstanceID) + with(" assignment=", m.Assignment)
		for _, flag := range []struct {
			name string
			on   bool
		}{{" joining", m.Joining}, {" syncing", m.Syncing}, {" new", m.New}, {" unsynced", m.AwaitingSync}} {
			if flag.on {
				text += flag.name
			}
		}
		s.lines = append(s.lines, text)
	}
	deadline := func(name string, at clock.Time, config kafka.Config) {
		if at != clock.Never {
			s.lines = append(s.lines, fmt.Sprintf("  timer %s at %s (%s)", name, at, config))
		}
	}
	for _, m := range v.Members {
		deadline("session/"+m.ID, m.Deadline, m.DeadlineConfig)
	}
	for _, p := range v.Pending {
		deadline("pending/"+p.ID, p.Deadline, kafka.SessionTimeoutMs)
	}
	deadline("join", v.JoinDeadline, v.JoinConfig)
	deadline("sync", v.SyncDeadline, v.SyncConfig)
}
