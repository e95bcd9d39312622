package script

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"rebalancelab/engine"
	"rebalancelab/engine/clock"
)

// Line is one line of a script.
type Line struct {
	Number  int32 // in the text it was read from, from 1; 0 if the printer added it
	Kind    Kind
	Comment string // from # to the end, "" without one

	words  []word
	at     clock.Time        // of a timed line
	failed bool              // it has a diagnostic
	added  []engine.Consumer // of `at T consumer`
}

// Text is the line as the printer writes it.
func (l *Line) Text() string {
	if len(l.words) == 0 {
		return l.Comment
	}
	if l.Comment == "" {
		return l.command()
	}
	return l.command() + "  " + l.Comment
}

// command is the line without its comment.
func (l *Line) command() string {
	texts := make([]string, len(l.words))
	for i := range l.words {
		texts[i] = l.words[i].text
	}
	return strings.Join(texts, " ")
}

// word is what stands between two blanks: a keyword, a name or key=value.
type word struct {
	text        string // as the printer writes it
	key         string // before the first = outside quotes
	value       string // behind it; the whole word if there is no =
	keyed       bool   // there is a =
	column      int    // of the first rune, from 1
	valueColumn int
	end         int // the first column behind the word
}

// bare reports whether the word is the keyword, not a name in quotes.
func (w *word) bare(keyword string) bool { return !w.keyed && w.value == keyword }

// rewrite replaces the value by its normal form.
func (w *word) rewrite(value string) {
	w.value = value
	w.text = value
	if w.keyed {
		w.text = w.key + "=" + value
	}
}

// lex splits the text into lines and words. A line that has no words because of
// an error stays as a comment line.
func (p *parser) lex(text string) {
	text = strings.TrimPrefix(text, "\ufeff")
	if text == "" {
		return
	}
	text = strings.TrimSuffix(text, "\n")
	for number := int32(1); ; number++ {
		line, rest, more := strings.Cut(text, "\n")
		p.lines = append(p.lines, p.lexLine(line, number))
		if !more || p.full() {
			return
		}
		text = rest
	}
}

func (p *parser) lexLine(text string, number int32) Line {
	line := Line{Number: number}
	if !utf8.ValidString(text) {
		p.add(int(number), 1, 2, "this line is not UTF-8 text")
		return line
	}
	column := 1
	for {
		trimmed := strings.TrimLeftFunc(text, unicode.IsSpace)
		column += utf8.RuneCountInString(text[:len(text)-len(trimmed)])
		text = trimmed
		if text == "" {
			return line
		}
		if text[0] == '#' {
			line.Comment = strings.TrimRightFunc(text, unicode.IsSpace)
			return line
		}
		w, size, problem := lexWord(text, column)
		if problem != "" {
			p.add(int(number), w.end-1, w.end, problem)
			line.words = nil
			return line
		}
		line.words = append(line.words, w)
		text, column = text[size:], w.end
	}
}

// lexWord reads the word that text begins with and returns its length in bytes.
// On a problem the word's end is the column behind the rune that is wrong.
func lexWord(text string, column int) (w word, size int, problem string) {
	w = word{column: column, valueColumn: column, end: column}
	quoted, valueStart := false, 0
	for size < len(text) {
		r, n := utf8.DecodeRuneInString(text[size:])
		if !quoted && unicode.IsSpace(r) {
			break
		}
		w.end++
		switch {
		case r == '"':
			quoted = !quoted
		case quoted && r == '\\' && size+n < len(text):
			_, escaped := utf8.DecodeRuneInString(text[size+n:])
			n += escaped
			w.end++
		case !quoted && r == '#':
			return w, size, "# begins a comment only behind a blank; inside a name it needs double quotes"
		case !quoted && r == '=' && !w.keyed:
			w.keyed, w.key = true, text[:size]
			valueStart, w.valueColumn = size+n, w.end
		}
		size += n
	}
	if quoted {
		return w, size, "a text in double quotes does not end on this line"
	}
	w.text, w.value = text[:size], text[valueStart:size]
	return w, size, ""
}
