package script

import (
	"slices"
	"strconv"
	"strings"

	"rebalancelab/engine"
)

// consumerNumbers takes the names of a consumer line: words and comma lists of
// names and ranges like c1..c3.
func (r *reader) consumerNumbers() []numbered {
	var list []numbered
	for w := r.peek(); w != nil && !w.keyed && !r.full(); w = r.peek() {
		r.next++
		for _, it := range splitList(w.value) {
			for _, n := range r.nameRange(w, it, engine.MaxConsumers-len(r.consumerNames)-len(list)) {
				if !r.newConsumer(w, it, n.name, list) {
					break
				}
				list = append(list, n)
			}
		}
	}
	if len(list) == 0 && !r.line.failed {
		r.fail(&r.line.words[r.next-1], "the name of a consumer is missing behind "+r.line.words[r.next-1].text)
	}
	return list
}

// newConsumer checks that a name is not used yet.
func (r *reader) newConsumer(w *word, it item, name string, list []numbered) bool {
	if c := r.names.consumers[name]; c != nil {
		r.failItem(w, it, "consumer "+Quote(name)+" stands in line "+decimal(int64(c.line))+" already")
		return false
	}
	if slices.ContainsFunc(list, func(n numbered) bool { return n.name == name }) {
		r.failItem(w, it, "consumer "+Quote(name)+" stands twice on this line")
		return false
	}
	return true
}

// nameRange reads one name, or a range of at most room names.
func (r *reader) nameRange(w *word, it item, room int) []numbered {
	first, last, isRange := strings.Cut(it.raw, "..")
	if strings.HasPrefix(it.raw, `"`) || !isRange {
		name, problem := readName(it.raw)
		if problem == "" && (it.raw == "broker" || it.raw == "group" || it.raw == "topic") {
			problem = "the name " + it.raw + " needs double quotes, it is a word of the language"
		}
		if problem == "" && room < 1 {
			problem = "a script has at most " + decimal(engine.MaxConsumers) + " consumers"
		}
		if problem != "" {
			r.failItem(w, it, problem)
			return nil
		}
		_, number := trailingNumber(name)
		return []numbered{{name, number}}
	}
	names, problem := expandRange(first, last, room)
	if problem != "" {
		r.failItem(w, it, problem)
	}
	return names
}

func expandRange(first, last string, room int) ([]numbered, string) {
	prefix, from := trailingNumber(first)
	lastPrefix, to := trailingNumber(last)
	if prefix != lastPrefix || from == "" || to == "" {
		return nil, "a range is written c1..c3: the same name with two numbers"
	}
	if _, problem := readName(first); problem != "" {
		return nil, problem
	}
	if len(last) > MaxNameLength || len(to) > 9 {
		return nil, "the numbers of a range have at most 9 digits"
	}
	low, _ := strconv.ParseUint(from, 10, 32)
	high, _ := strconv.ParseUint(to, 10, 32)
	switch {
	case high < low:
		return nil, "a range goes up: " + last + ".." + first
	case len(to) != len(from) && (to[0] == '0' || from[0] == '0'):
		return nil, "numbers that begin with 0 have the same number of digits at both ends of a range"
	case high-low >= uint64(max(room, 0)):
		return nil, "a script has at most " + decimal(engine.MaxConsumers) + " consumers"
	}
	var list []numbered
	for n := low; n <= high; n++ {
		number := decimal(int64(n))
		for len(number) < len(from) {
			number = "0" + number
		}
		list = append(list, numbered{prefix + number, number})
	}
	return list, ""
}

// trailingNumber splits a name before its last digits.
func trailingNumber(name string) (prefix, number string) {
	prefix = strings.TrimRight(name, "0123456789")
	return prefix, name[len(prefix):]
}
