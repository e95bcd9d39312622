package script

import (
	"strconv"
	"strings"
	"unicode"
	"unicode/utf16"
	"unicode/utf8"
)

// Quote writes a name as the language wants it: bare if it consists of letters,
// digits, '.', '_' and '-', in double quotes with JSON escapes otherwise.
func Quote(name string) string {
	if bareName(name) && name != "broker" && name != "group" && name != "topic" {
		return name
	}
	return quoted(name)
}

// nameRune reports whether r can stand in a name without quotes: letters, their
// marks and joiners, and digits of any script, and . _ -
func nameRune(r rune) bool {
	switch r {
	case '.', '_', '-', '\u200c', '\u200d':
		return true
	}
	return unicode.IsLetter(r) || unicode.IsDigit(r) || unicode.IsMark(r)
}

func bareName(name string) bool {
	return name != "" && strings.IndexFunc(name, func(r rune) bool { return !nameRune(r) }) < 0
}

func quoted(text string) string {
	b := []byte{'"'}
	for _, r := range text {
		switch {
		case r == '"' || r == '\\':
			b = append(b, '\\', byte(r))
		case r == '\n':
			b = append(b, '\\', 'n')
		case r == '\t':
			b = append(b, '\\', 't')
		case r < 0x20 || r == 0x7f:
			b = append(b, '\\', 'u', '0', '0', hexDigits[r>>4], hexDigits[r&15])
		default:
			b = utf8.AppendRune(b, r)
		}
	}
	return string(append(b, '"'))
}

const hexDigits = "0123456789abcdef"

// unquote reads a text in double quotes with JSON escapes. The second result
// says what is wrong, "" if nothing is.
func unquote(text string) (string, string) {
	if len(text) < 2 || text[0] != '"' || text[len(text)-1] != '"' {
		return "", "a text stands in double quotes"
	}
	rest := text[1 : len(text)-1]
	var b []byte
	for rest != "" {
		r, n := utf8.DecodeRuneInString(rest)
		switch {
		case r == '"':
			return "", "a \" inside a text is written \\\""
		case r < 0x20:
			return "", "a control character inside a text is written as an escape like \\t or \\u0007"
		case r == '\\':
			decoded, size := unescape(rest)
			if size == 0 {
				return "", "the escapes are \\\" \\\\ \\/ \\b \\f \\n \\r \\t and \\u with four digits"
			}
			b, rest = utf8.AppendRune(b, decoded), rest[size:]
			continue
		}
		b, rest = append(b, rest[:n]...), rest[n:]
	}
	return string(b), ""
}

// unescape reads the escape that text begins with, and its length; 0 if it is
// none, or half a surrogate pair.
func unescape(text string) (rune, int) {
	if len(text) < 2 {
		return 0, 0
	}
	if text[1] == 'u' {
		r, ok := unescapeUnit(text)
		if !ok || !utf16.IsSurrogate(r) {
			return r, sizeIf(ok, 6)
		}
		low, ok := unescapeUnit(text[6:])
		pair := utf16.DecodeRune(r, low)
		return pair, sizeIf(ok && pair != utf8.RuneError, 12)
	}
	at := strings.IndexByte(`"\/bfnrt`, text[1])
	if at < 0 {
		return 0, 0
	}
	return rune("\"\\/\b\f\n\r\t"[at]), 2
}

// unescapeUnit reads one \uXXXX.
func unescapeUnit(text string) (rune, bool) {
	if len(text) < 6 || text[0] != '\\' || text[1] != 'u' {
		return 0, false
	}
	v, err := strconv.ParseUint(text[2:6], 16, 16)
	return rune(v), err == nil
}

func sizeIf(ok bool, size int) int {
	if !ok {
		return 0
	}
	return size
}

// item is one element of a comma list, with its place in the list.
type item struct {
	raw    string
	offset int // runes before it
}

// splitList cuts a value at the commas outside quotes.
func splitList(value string) []item {
	var items []item
	start, runes, startRunes, inQuotes, escaped := 0, 0, 0, false, false
	for i, r := range value {
		switch {
		case escaped:
			escaped = false
		case r == '\\' && inQuotes:
			escaped = true
		case r == '"':
			inQuotes = !inQuotes
		case r == ',' && !inQuotes:
			items = append(items, item{value[start:i], startRunes})
			start, startRunes = i+1, runes+1
		}
		runes++
	}
	return append(items, item{value[start:], startRunes})
}

// unquoteAny is a text that may stand in quotes.
func unquoteAny(raw string) (string, string) {
	if strings.HasPrefix(raw, `"`) {
		return unquote(raw)
	}
	if strings.Contains(raw, `"`) {
		return "", "double quotes stand around the whole text, not inside it"
	}
	return raw, ""
}

// readName reads a name, bare or in quotes.
func readName(raw string) (string, string) {
	name, problem := unquoteAny(raw)
	switch {
	case problem != "":
		return "", problem
	case name == "":
		return "", "a name is missing"
	case utf8.RuneCountInString(name) > MaxNameLength:
		return "", "a name has at most " + decimal(MaxNameLength) + " characters"
	case raw[0] != '"' && strings.ContainsAny(raw, "“”„"):
		return "", "quotes are the straight double quotes \"; " + raw + " has other ones"
	case raw[0] != '"' && !bareName(name):
		return "", "a name of other characters than letters, digits, . _ - needs double quotes: " + quoted(name)
	}
	return name, ""
}
