package script

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"rebalancelab/engine"
)

// TokenKind says what a piece of a line is.
type TokenKind uint8

// The kinds of tokens.
const (
	KeywordToken TokenKind = iota // the first word of a line, and the small words of the grammar
	VerbToken                     // what is done at a time: kill, stop, …
	KeyToken                      // what stands before =
	ValueToken                    // a number, a time, what stands behind =
	NameToken
	QuotedToken // of a note
	CommentToken
)

var tokenNames = [...]string{"keyword", "verb", "key", "value", "name", "quoted", "comment"}

// String is the kind's name in JSON.
func (k TokenKind) String() string { return tokenNames[k] }

// Token is a piece of a script. Line and columns as in Diagnostic.
type Token struct {
	Line, Column, EndColumn int
	Kind                    TokenKind
	text                    string
}

// Check says what every piece of a text is, and what is wrong with it. A text
// with errors has tokens too.
func Check(text string) ([]Token, []Diagnostic) {
	_, diagnostics := Parse(text)
	return tokens(text), diagnostics
}

// tokens are the pieces of a text, in its order; nil if it is too long.
func tokens(text string) []Token {
	if len(text) > MaxBytes {
		return nil
	}
	var out []Token
	for i, line := range strings.Split(strings.TrimPrefix(text, "\ufeff"), "\n") {
		out = lineTokens(out, line, i+1)
	}
	return out
}

// lineTokens appends the pieces of one line.
func lineTokens(out []Token, text string, number int) []Token {
	p := newParser()
	line := p.lexLine(text, int32(number))
	for i := range line.words {
		w := &line.words[i]
		if !w.keyed {
			out = append(out, Token{number, w.column, w.end, wordKind(line.words, i), w.value})
			continue
		}
		split := w.column + utf8.RuneCountInString(w.key)
		out = append(out, Token{number, w.column, split, KeyToken, w.key})
		if w.valueColumn < w.end {
			out = append(out, Token{number, w.valueColumn, w.end, ValueToken, w.value})
		}
	}
	if line.Comment != "" {
		end := 1 + utf8.RuneCountInString(strings.TrimRightFunc(text, unicode.IsSpace))
		out = append(out, Token{number, end - utf8.RuneCountInString(line.Comment), end, CommentToken, line.Comment})
	}
	return out
}

// wordKind is what word i of a line is, which has no =.
func wordKind(words []word, i int) TokenKind {
	value := words[i].value
	switch {
	case i == 0:
		return KeywordToken
	case i == 2 && words[0].bare("at") && verbNamed(value) != noVerb:
		return VerbToken
	case value[0] == '"' && words[0].bare("note"):
		return QuotedToken
	case value[0] >= '0' && value[0] <= '9':
		return ValueToken
	case grammarWord(words, i):
		return KeywordToken
	}
	return NameToken
}

// grammarWord reports whether word i belongs to the language where it stands.
func grammarWord(words []word, i int) bool {
	switch words[i].value {
	case "broker", "group", "topic":
		return words[0].bare("at") || words[0].bare("expect") || words[0].bare("link")
	case "at":
		return i == 1
	case "until":
		return i == 1 && words[0].bare("run")
	case "for":
		return i == 4 && words[2].bare(verbs[engine.StallVerb]) || words[2].bare(verbs[engine.AppendFailVerb]) && (i == 5 || i == 4 && words[3].bare("lost"))
	case "fail", "lost":
		return i == 3 && words[2].bare(verbs[engine.AppendFailVerb])
	}
	return false
}
