package script

import (
	"slices"
	"strconv"
	"strings"

	"rebalancelab/engine"
	"rebalancelab/engine/kafka"
)

// none is the value of a field that has nothing.
const none = "none"

// expect reads `expect at T S field=value …`.
func (r *reader) expect() {
	r.next = 3
	subject, ok := r.subject()
	if !ok {
		return
	}
	e := Expect{At: r.line.at, Line: int(r.line.Number), Subject: subject}
	fields := engine.Fields(subject.Kind)
	for w := r.pair(); w != nil; w = r.pair() {
		if !slices.Contains(fields, w.key) {
			r.failKey(w, unknownField(w.key, subject.Kind))
			continue
		}
		value, problem := r.fieldValue(w)
		if problem != "" {
			r.failValue(w, problem)
		}
		e.Fields = append(e.Fields, Field{Name: w.key, Value: value})
	}
	if len(e.Fields) == 0 && !r.line.failed {
		r.failEnd("field=value is missing; the fields are " + listed(fields))
	}
	r.expects = append(r.expects, e)
}

// subject takes `group NAME`, `broker K`, a consumer's name or a partition.
func (r *reader) subject() (engine.Subject, bool) {
	w := r.take("what is expected of whom")
	switch {
	case w == nil:
		return engine.Subject{}, false
	case w.bare("broker"):
		return r.broker()
	case w.bare("group"):
		name, w := r.name("the name of a group")
		if w != nil && !r.isGroup(name) {
			r.fail(w, r.noSuch("group", name, r.groupNames))
			w = nil
		}
		return engine.Subject{Kind: engine.GroupSubject, Name: name}, w != nil
	case w.bare("consumer") && r.names.consumers["consumer"] == nil:
		r.fail(w, "a consumer is written by its name alone")
		return engine.Subject{}, false
	case w.bare("partition") && r.names.consumers["partition"] == nil:
		r.fail(w, "a partition is written by its name alone: orders-0")
		return engine.Subject{}, false
	case w.bare("topic"):
		r.fail(w, "nothing can be expected of a whole topic; a partition is written orders-0")
		return engine.Subject{}, false
	}
	return r.consumerOrPartition(w)
}

func (r *reader) consumerOrPartition(w *word) (engine.Subject, bool) {
	name, problem := readName(w.value)
	if problem != "" {
		r.fail(w, problem)
		return engine.Subject{}, false
	}
	if r.names.consumers[name] == nil {
		if dash := strings.LastIndexByte(name, '-'); dash > 0 {
			if t := r.topics[name[:dash]]; t != nil {
				return r.partition(w, name[:dash], name[dash+1:], t)
			}
		}
		if r.isGroup(name) {
			r.fail(w, Quote(name)+" is a group; it is written group "+Quote(name))
			return engine.Subject{}, false
		}
		if r.topics[name] != nil {
			r.fail(w, "nothing can be expected of a whole topic; a partition is written "+Quote(name+"-0"))
			return engine.Subject{}, false
		}
	}
	name, c := r.consumer(w)
	return engine.Subject{Kind: engine.ConsumerSubject, Name: name}, c != nil
}

func (r *reader) partition(w *word, topic, number string, t *topicName) (engine.Subject, bool) {
	n, err := strconv.ParseUint(number, 10, 31)
	if err != nil || n >= uint64(t.partitions) || number != decimal(int64(n)) {
		r.fail(w, "topic "+Quote(topic)+" has no partition "+number+"; it has "+decimal(int64(t.partitions))+", from 0")
		return engine.Subject{}, false
	}
	return engine.Subject{Kind: engine.PartitionSubject, Name: topic, ID: int32(n)}, true
}

func unknownField(key string, kind engine.SubjectKind) string {
	whose := [...]string{engine.ConsumerSubject: "consumer", engine.BrokerSubject: "broker",
		engine.GroupSubject: "group", engine.PartitionSubject: "partition"}[kind]
	fields := engine.Fields(kind)
	return "a " + whose + " has no field " + key + "; its fields are " + listed(fields) + suggestion(key, fields)
}

// fieldValue reads the value of a field, and writes numbers and times back in
// normal form.
func (r *reader) fieldValue(w *word) (string, string) {
	if w.value == none {
		return none, ""
	}
	switch w.key {
	case "generation", "members", "partition", "lag", "committed":
		n, problem := parseInteger(w.value, 0, 1<<62)
		if problem != "" {
			return "", w.key + " is a whole number or none"
		}
		w.rewrite(decimal(n))
		return decimal(n), ""
	case "due":
		d, problem := parseSpan(w.value)
		if problem != "" {
			return "", problem
		}
		w.rewrite(d.String())
		return d.String(), ""
	}
	var values []string
	for _, it := range splitList(w.value) {
		value, problem := unquoteAny(it.raw)
		if problem != "" {
			return "", problem
		}
		values = append(values, value)
	}
	value := strings.Join(values, ",")
	if w.key == "state" && r.line.words[3].bare("group") {
		return value, r.groupState(value)
	}
	return value, ""
}

// groupState says what is wrong with the name of a group's state.
func (r *reader) groupState(name string) string {
	var known []string
	for s := kafka.Empty; s <= kafka.Dead; s++ {
		if s != kafka.Empty || !r.scenario.Version.Before(0, 10, 1) {
			known = append(known, s.In(r.scenario.Version))
		}
	}
	if slices.Contains(known, name) {
		return ""
	}
	message := "no group is in a state " + name
	if near := nearest(name, known); near != "" {
		return message + meant(near)
	}
	return message + "; the states are " + listed(append(known, none))
}

// note reads `note at T "…"`.
func (r *reader) note() {
	r.next = 3
	w := r.take("a text in double quotes")
	if w == nil {
		return
	}
	text, problem := unquote(w.value)
	if problem != "" {
		r.fail(w, problem)
		return
	}
	r.finish()
	r.notes = append(r.notes, Note{At: r.line.at, Line: int(r.line.Number), Text: text})
}
