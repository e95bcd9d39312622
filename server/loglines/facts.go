package loglines

import (
	"cmp"
	"strconv"
	"strings"

	"rebalancelab/engine"
	"rebalancelab/engine/event"
	"rebalancelab/engine/kafka"
)

// run is what is printed.
type run struct {
	log      *event.Log
	scenario *engine.Scenario
	version  string
}

// facts are what a line can say of an event, by the names in the templates.
type facts map[string]string

// facts of the event i.
func (r *run) facts(i int) facts {
	e := r.log.At(i)
	instance := e.Instance
	if e.Kind == event.LeaderElected && e.About != nil {
		instance = e.About.Instance
	}
	f := facts{
		"node": node(e.Node), "peer": node(e.Peer), "generation": digits(e.Generation), "epoch": digits(e.Generation), "config": "",
		"member": e.Member, "instance": instance, "instanceOption": option(instance), "instanceOrEmpty": instance,
		"members": digits(e.N), "statics": digits(e.Statics), "operation": "",
	}
	if e.Peer.IsConsumer() {
		f["peer"] = digits(e.Peer)
	}
	if e.Config != kafka.NoConfig {
		f["config"] = e.Config.String()
	}
	if e.Kind == event.MemberFenced {
		f["operation"] = e.API.String()
	}
	if e.Group != "" {
		partitions := r.scenario.BrokerSettings.Values[kafka.OffsetsTopicNumPartitions]
		f["group"], f["partition"] = e.Group, digits(kafka.OffsetsPartition(e.Group, int32(partitions)))
	}
	f.about(e.About)
	f.said(e)
	f.ids(r, i)
	r.causes(i, f)
	for _, w := range lines.Words {
		if word, other := w.Values[f[w.Field]]; other && w.holds(r.version) {
			f[w.Field] = word
		}
	}
	return f
}

func digits[N ~int32 | ~int64](n N) string { return strconv.FormatInt(int64(n), 10) }

func node(n event.Node) string {
	if n <= 0 {
		return ""
	}
	return digits(n)
}

// option prints an id as Scala prints an Option.
func option(id string) string {
	if id == "" {
		return "None"
	}
	return "Some(" + id + ")"
}

func (f facts) about(m *event.Membership) {
	if m == nil {
		return
	}
	names := make([]string, len(m.Protocols))
	for i := range m.Protocols {
		names[i] = m.Protocols[i].Name
	}
	f["clientId"], f["clientHost"], f["protocolType"] = m.ClientID, m.ClientHost, "consumer"
	f["sessionTimeoutMs"], f["rebalanceTimeoutMs"] = digits(m.SessionTimeoutMs), digits(m.RebalanceTimeoutMs)
	f["protocols"] = strings.Join(names, ", ")
}

// said is what the text of an event and its state mean, by its kind.
func (f facts) said(e *event.Event) {
	switch e.Kind {
	case event.RebalanceBegan:
		f["state"], f["reason"] = kafka.PreparingRebalance.String(), e.Text // the state after the step
	case event.GroupState:
		f["newState"], f["prev"] = e.State.String(), e.Prev.String()
	case event.MemberAdded:
		f["pending"], f["state"] = e.Text, e.State.String()
	case event.MemberPending:
		f["state"] = e.State.String()
	case event.MemberReplaced, event.MemberFenced:
		f["oldMember"], f["state"] = e.Text, e.State.String()
	case event.LeaderElected:
		f.leader(e.Text, e.Instance)
	case event.DelayExtended:
		f.leader(e.Member, e.Instance)
	case event.LoadBegan, event.LoadEnded:
		f["partition"] = digits(e.N)
	default:
		f["why"] = e.Text
	}
}

// leader is the one that did not rejoin.
func (f facts) leader(id, instance string) {
	f["oldMember"], f["oldInstanceOption"], f["oldInstanceOrNone"] = id, option(instance), cmp.Or(instance, "None")
}

// ids are members that a broker names in one line. It belongs to the first of
// their events.
func (f facts) ids(r *run, i int) {
	e := r.log.At(i)
	var ids []string
	switch {
	case e.Kind == event.AssignmentReceived && e.Text != "":
		ids = strings.Split(e.Text, ", ")
	case e.Kind == event.MemberRemoved:
		ids = r.alike(i)
	}
	set := "Set("
	if e.Text == "did not sync" && len(ids) > 4 {
		set = "HashSet("
	}
	switch {
	case len(ids) == 0:
	case !older(r.version, "4.0.0"):
		f["ids"] = "[" + strings.Join(ids, ", ") + "]"
	default:
		f["ids"] = set + strings.Join(ids, ", ") + ")"
	}
}

// alike are the members removed with the one of the event i, nil if that is not
// the first of them.
func (r *run) alike(i int) []string {
	e := r.log.At(i)
	is := func(o *event.Event) bool {
		return o.Kind == e.Kind && o.Text == e.Text && o.Group == e.Group && o.Cause == e.Cause
	}
	for j := i - 1; j >= 0 && r.log.At(j).At == e.At; j-- {
		if is(r.log.At(j)) {
			return nil
		}
	}
	var ids []string
	for j := i; j < r.log.Len() && r.log.At(j).At == e.At; j++ {
		if o := r.log.At(j); is(o) {
			ids = append(ids, o.Member)
		}
	}
	return ids
}

// causes adds what other events tell of the event i.
func (r *run) causes(i int, f facts) {
	e := r.log.At(i)
	cause := r.log.Find(e.Cause)
	f["clientReason"] = "not provided"
	if cause != nil && cause.Kind == event.Request && cause.API == kafka.LeaveGroup && cause.Text != "" {
		f["clientReason"] = cause.Text
	}
	switch e.Kind {
	case event.MemberReplaced: // only what did not keep the generation makes a rebalance
		f["rebalances"] = ""
		if r.follows(i, event.RebalanceBegan.String()) {
			f["rebalances"] = "*"
		}
	case event.LoadEnded:
		r.times(e, cause, f)
	case event.LeaderMoved:
		f["topic"], f["partition"] = e.Partition.Topic, digits(e.Partition.Partition)
		f["elects"], f["resigns"] = node(e.Node), node(e.Peer)
		if cause != nil && cause.Kind == event.TimerFired && cause.Node == e.Peer {
			f["resigns"] = "" // it is dead
		}
	}
}

// follows reports whether the event i causes one of a kind in the same moment.
func (r *run) follows(i int, kind string) bool {
	e := r.log.At(i)
	for j := i + 1; j < r.log.Len() && r.log.At(j).At == e.At; j++ {
		if o := r.log.At(j); o.Cause == e.Seq && o.Kind.String() == kind {
			return true
		}
	}
	return false
}

// times tells how long a partition took to load, and since it was to be loaded.
func (r *run) times(end, began *event.Event, f facts) {
	at, planned := end.At.Millis(), end.At.Millis()
	if began != nil {
		at, planned = began.At.Millis(), began.At.Millis()
		if moved := r.log.Find(began.Cause); moved != nil {
			planned = moved.At.Millis()
		}
	}
	f["loadMs"], f["totalMs"], f["schedulerMs"] = digits(end.At.Millis()-at), digits(end.At.Millis()-planned), digits(at-planned)
}
