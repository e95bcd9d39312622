package script

import (
	"slices"
	"unicode/utf8"

	"rebalancelab/engine/clock"
)

// reader walks the words of one line. The first error of a part makes the line
// failed; the reader goes on where that makes sense.
type reader struct {
	*parser
	line *Line
	next int // the word to read
	seen []string
}

// fail marks a word.
func (r *reader) fail(w *word, message string) {
	r.line.failed = true
	r.add(int(r.line.Number), w.column, w.end, message)
}

// failKey marks what stands before the word's =.
func (r *reader) failKey(w *word, message string) {
	r.line.failed = true
	r.add(int(r.line.Number), w.column, w.column+utf8.RuneCountInString(w.key), message)
}

// failValue marks what stands behind the word's =.
func (r *reader) failValue(w *word, message string) {
	r.line.failed = true
	r.add(int(r.line.Number), w.valueColumn, w.end, message)
}

// failItem marks one element of a comma list.
func (r *reader) failItem(w *word, it item, message string) {
	r.line.failed = true
	column := w.valueColumn + it.offset
	r.add(int(r.line.Number), column, column+utf8.RuneCountInString(it.raw), message)
}

// failEnd says what is missing behind the last word.
func (r *reader) failEnd(message string) {
	last := &r.line.words[len(r.line.words)-1]
	r.fail(last, message)
}

// peek is the next word, nil behind the last.
func (r *reader) peek() *word {
	if r.next >= len(r.line.words) {
		return nil
	}
	return &r.line.words[r.next]
}

// take is the next word, which is no key=value. If there is none it says what
// is missing and returns nil.
func (r *reader) take(expected string) *word {
	w := r.peek()
	if w == nil {
		r.failEnd(expected + " is missing behind " + r.line.words[len(r.line.words)-1].text)
		return nil
	}
	if w.keyed {
		r.fail(w, expected+" is missing before "+w.text)
		return nil
	}
	r.next++
	return w
}

// keyword takes the one word that can stand here.
func (r *reader) keyword(keyword string) bool {
	w := r.peek()
	if w == nil {
		r.failEnd(keyword + " is missing behind " + r.line.words[len(r.line.words)-1].text)
		return false
	}
	if !w.bare(keyword) {
		r.fail(w, keyword+" is missing before "+w.text)
		return false
	}
	r.next++
	return true
}

// time takes a time and writes it in normal form.
func (r *reader) time() clock.Time {
	w := r.take("a time")
	if w == nil {
		return 0
	}
	return clock.Time(r.span(w))
}

// span is a word's value as a time, written in normal form.
func (r *reader) span(w *word) clock.Duration {
	d, problem := parseSpan(w.value)
	if problem != "" {
		r.failValue(w, problem)
		return 0
	}
	w.rewrite(d.String())
	return d
}

// integer is a word's value as a number, written in normal form. The message of
// an error begins with what the number is.
func (r *reader) integer(w *word, what string, least, most int64) int64 {
	n, problem := parseInteger(w.value, least, most)
	if problem != "" {
		r.failValue(w, what+" "+problem)
		return least
	}
	w.rewrite(decimal(n))
	return n
}

// name takes a name.
func (r *reader) name(expected string) (string, *word) {
	w := r.take(expected)
	if w == nil {
		return "", nil
	}
	name, problem := readName(w.value)
	if problem != "" {
		r.fail(w, problem)
		return "", nil
	}
	return name, w
}

// pair takes the next key=value; nil at the end of the line. It skips, with an
// error, what is none and what stands twice.
func (r *reader) pair() *word {
	for r.next < len(r.line.words) && !r.full() {
		w := &r.line.words[r.next]
		r.next++
		switch {
		case !w.keyed:
			r.fail(w, w.text+" stands where key=value is expected")
		case w.key == "":
			r.fail(w, "the key before = is missing")
		case w.value == "":
			r.fail(w, "the value of "+w.key+" is missing")
		case slices.Contains(r.seen, w.key):
			r.fail(w, w.key+" stands twice on this line")
		default:
			r.seen = append(r.seen, w.key)
			return w
		}
	}
	return nil
}

// has reports whether key=value was there.
func (r *reader) has(key string) bool { return slices.Contains(r.seen, key) }

// finish complains about what is left of the line.
func (r *reader) finish() {
	if w := r.peek(); w != nil && !r.line.failed {
		r.fail(w, w.text+" is too much on this line")
	}
}
