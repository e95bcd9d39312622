package room

import (
	"encoding/json"
	"errors"
	"reflect"
	"unicode/utf8"
)

// Receive takes a frame of a connection; of one that is unknown nothing.
func (r *Room) Receive(id int, frame []byte) {
	defer r.broken()
	v := r.viewers[id]
	if v == nil || r.ended != "" {
		return
	}
	if len(frame) > MaxFrameBytes || !v.host && len(frame) > MaxViewerBytes {
		reason := reasonHostFrame
		if !v.host {
			reason = reasonViewerFrame
		}
		r.strike(id, v, "", reason)
		return
	}
	if v.credit < messageCost {
		r.strike(id, v, "", reasonFast)
		return
	}
	v.credit -= messageCost
	m, nonsense := parse(frame)
	if nonsense != "" {
		r.strike(id, v, m.Type, nonsense)
		return
	}
	r.handle(id, v, m)
}

// parse reads a frame; nonsense says what is wrong with it.
func parse(frame []byte) (m incoming, nonsense string) {
	if !utf8.Valid(frame) {
		return m, "the frame is not UTF-8"
	}
	err := json.Unmarshal(frame, &m)
	var wrong *json.UnmarshalTypeError
	switch {
	case errors.As(err, &wrong) && wrong.Field == "":
		return m, "expected a JSON object, got a JSON " + wrong.Value
	case errors.As(err, &wrong) && wrong.Type.Kind() == reflect.String:
		return m, wrong.Field + ": expected a text, got a JSON " + wrong.Value
	case errors.As(err, &wrong):
		return m, wrong.Field + ": expected a whole number, got a JSON " + wrong.Value
	case err != nil:
		return m, "the frame is not JSON: " + err.Error()
	}
	return m, m.lacks()
}

// lacks says which field a frame lacks, or that its type is unknown.
func (m *incoming) lacks() string {
	lacking := func(field string, is bool) string {
		if is {
			return ""
		}
		return m.Type + ": the field " + field + " is missing"
	}
	first := func(texts ...string) string {
		for _, text := range texts {
			if text != "" {
				return text
			}
		}
		return ""
	}
	switch m.Type {
	case "join":
		return lacking("protocol", m.Protocol != nil)
	case "digest":
		return first(lacking("n", m.N != nil), lacking("digest", m.Digest != nil))
	case "act":
		return first(lacking("branch", m.Branch != nil), lacking("at", m.At != nil), lacking("line", m.Line != nil))
	case "edit":
		return first(lacking("branch", m.Branch != nil), lacking("text", m.Text != nil))
	case "open":
		return lacking("text", m.Text != nil)
	case "play":
		return lacking("rate", m.Rate != nil)
	case "pause":
		return ""
	case "seek":
		return first(lacking("branch", m.Branch != nil), lacking("at", m.At != nil))
	case "":
		return "the field type is missing"
	}
	return "there is no such type of frame: expected join, digest, act, edit, open, play, pause or seek"
}

// handle does what a well-formed frame asks for.
func (r *Room) handle(id int, v *viewer, m incoming) {
	switch {
	case !v.joined && m.Type != "join":
		r.strike(id, v, m.Type, "the first frame must be a join")
	case !v.joined:
		r.join(id, v, m)
	case m.Type == "join":
		r.strike(id, v, m.Type, "this connection has joined already")
	case m.Type == "digest":
		r.report(v, *m.N, *m.Digest)
	case !v.host:
		r.strike(id, v, m.Type, "only the host does that")
	default:
		if refusal := r.command(m); refusal != nil {
			refuse(v, m.Type, refusal)
		}
	}
}
