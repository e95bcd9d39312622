package script

import (
	"slices"
	"strings"

	"rebalancelab/engine/kafka"
)

// setting is one config=value of a line.
type setting struct {
	config      kafka.Config
	value       int64
	text        string // of a text setting, with {n} as it is written
	line        int32
	column, end int
}

// assignorKey is short for partition.assignment.strategy.
const assignorKey = "assignor"

func configNamed(key string) kafka.Config {
	if key == assignorKey {
		return kafka.PartitionAssignmentStrategy
	}
	return kafka.ConfigNamed(key)
}

// setting reads a key=value as a setting of a broker or consumer. keys are the
// other keys of the line, for suggestions.
func (r *reader) setting(w *word, scope kafka.Scope, keys []string) (setting, bool) {
	s := setting{config: configNamed(w.key), line: r.line.Number, column: w.column, end: w.end}
	if s.config == kafka.NoConfig {
		r.failKey(w, unknownKey(w.key, scope, keys))
		return s, false
	}
	def := s.config.Def()
	if def.Scope != scope {
		r.fail(w, def.Name+otherScope(def.Scope))
		return s, false
	}
	if s.config == kafka.PartitionAssignmentStrategy && (r.has(assignorKey) && r.has(def.Name)) {
		r.fail(w, "assignor is short for partition.assignment.strategy; the line has both")
		return s, false
	}
	var problem string
	switch {
	case s.config == kafka.PartitionAssignmentStrategy:
		var ok bool
		s.text, ok = r.strategies(w)
		return s, ok
	case def.Type == kafka.Text:
		s.text, problem = r.textValue(w, s.config)
	case def.Type == kafka.Number:
		s.value, problem = numberValue(w, def)
	default:
		s.value, problem = choiceValue(w, def)
	}
	if problem != "" {
		r.failValue(w, problem)
	}
	return s, problem == ""
}

func otherScope(scope kafka.Scope) string {
	if scope == kafka.BrokerScope {
		return " is a setting of brokers; it stands on a brokers or broker line"
	}
	return " is a setting of consumers; it stands on a group or consumer line"
}

func numberValue(w *word, def *kafka.ConfigDef) (int64, string) {
	value, problem := parseInteger(w.value, def.Min, def.Max)
	if problem == "" {
		w.rewrite(decimal(value))
		return value, ""
	}
	if span, bad := parseSpan(w.value); bad == "" && strings.HasSuffix(def.Name, ".ms") {
		return 0, def.Name + " is a number of milliseconds" + meant(decimal(int64(span/1000)))
	}
	return 0, def.Name + " " + problem
}

func choiceValue(w *word, def *kafka.ConfigDef) (int64, string) {
	choices := def.Choices
	if def.Type == kafka.Boolean {
		choices = []string{"false", "true"}
	}
	i := slices.Index(choices, w.value)
	if i < 0 {
		return 0, def.Name + " is " + strings.Join(choices, " or ") + ", not " + w.value + suggestion(w.value, choices)
	}
	return int64(i), ""
}

// textValue reads a text setting; {n} stays in it.
func (r *reader) textValue(w *word, config kafka.Config) (string, string) {
	text, problem := unquoteAny(w.value)
	switch {
	case problem != "":
		return "", problem
	case len([]rune(text)) > MaxNameLength:
		return "", config.String() + " has at most " + decimal(MaxNameLength) + " characters"
	case config == kafka.GroupInstanceID && !legalInstanceID(strings.ReplaceAll(text, "{n}", "0")):
		return "", "a group.instance.id has letters a-z and A-Z, digits, . _ - only, and is not . or .."
	}
	return text, ""
}

// legalInstanceID mirrors JoinGroupRequest.validateGroupInstanceId, which makes
// the client refuse to start.
func legalInstanceID(id string) bool {
	return id != "" && id != "." && id != ".." && strings.Trim(id,
		"abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._-") == ""
}

// strategies reads a list of assignors.
func (r *reader) strategies(w *word) (string, bool) {
	var list []string
	for _, it := range splitList(w.value) {
		name, problem := unquoteAny(it.raw)
		switch {
		case problem != "":
		case name == "roundrobin" || name == "sticky":
			problem = "the assignor " + name + " is not modelled yet; range and cooperative-sticky are"
		case name != "range" && name != "cooperative-sticky":
			problem = "there is no assignor " + name + "; range and cooperative-sticky are modelled" +
				suggestion(name, []string{"range", "cooperative-sticky"})
		case slices.Contains(list, name):
			problem = "the assignor " + name + " stands twice in the list"
		}
		if problem != "" {
			r.failItem(w, it, problem)
			return "", false
		}
		list = append(list, name)
	}
	return strings.Join(list, ","), true
}

// knownTo complains when a version has no such setting, or the strategies in it
// no such name. who names the version's owner: "the brokers", "this client".
func (p *parser) knownTo(s setting, version kafka.Version, who string) bool {
	def := s.config.Def()
	message := ""
	switch {
	case version.Older(def.Since):
		message = def.Name + " exists since Kafka " + def.Since.Short()
	case !def.Known(version):
		message = def.Name + " exists before Kafka " + def.Until.Short() + " only"
	case s.config == kafka.PartitionAssignmentStrategy && version.Before(2, 4, 0) && strings.Contains(s.text, "cooperative"):
		message = "the assignor cooperative-sticky exists since Kafka 2.4"
	default:
		return true
	}
	p.add(int(s.line), s.column, s.end, message+"; "+who+" "+version.Short())
	return false
}

// apply writes a setting; number replaces {n} in texts.
func (s *setting) apply(to *kafka.Settings, number string) {
	to.Values[s.config] = s.value
	to.Texts[s.config] = strings.ReplaceAll(s.text, "{n}", number)
}

// timeouts are the settings that a Java client compares before it starts.
type timeouts struct{ heartbeat, session, request int64 }

func timeoutsOf(s *kafka.Settings) timeouts {
	return timeouts{s.Values[kafka.HeartbeatIntervalMs], s.Values[kafka.SessionTimeoutMs], s.Values[kafka.RequestTimeoutMs]}
}

// with is the timeouts after one setting.
func (t timeouts) with(config kafka.Config, value int64) timeouts {
	switch config {
	case kafka.HeartbeatIntervalMs:
		t.heartbeat = value
	case kafka.SessionTimeoutMs:
		t.session = value
	case kafka.RequestTimeoutMs:
		t.request = value
	}
	return t
}

// refused says why a client with these timeouts does not start, "" if it does.
func (t timeouts) refused(client kafka.Version) string {
	if t.heartbeat >= t.session {
		return "heartbeat.interval.ms (" + decimal(t.heartbeat) + ") must be less than session.timeout.ms (" +
			decimal(t.session) + "): the client refuses to start"
	}
	if client.Before(2, 0, 0) && t.request <= t.session {
		return "request.timeout.ms (" + decimal(t.request) + ") must be more than session.timeout.ms (" +
			decimal(t.session) + "): this client refuses to start"
	}
	return ""
}
