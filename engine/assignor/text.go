package assignor

import (
	"cmp"
	"unicode/utf8"
)

// compareText is String.compareTo: by UTF-16 code units, so that a character
// outside the basic plane comes before U+E000 and the ones behind it.
func compareText(a, b string) int {
	i := 0
	for i < len(a) && i < len(b) && a[i] == b[i] {
		i++
	}
	for i > 0 && i < len(a) && !utf8.RuneStart(a[i]) || i > 0 && i < len(b) && !utf8.RuneStart(b[i]) {
		i--
	}
	if i == len(a) || i == len(b) {
		return cmp.Compare(len(a), len(b))
	}
	x, _ := utf8.DecodeRuneInString(a[i:])
	y, _ := utf8.DecodeRuneInString(b[i:])
	if (x > 0xffff) != (y > 0xffff) {
		return cmp.Compare(leadingUnit(x), leadingUnit(y))
	}
	return cmp.Compare(x, y)
}

// leadingUnit is the first UTF-16 code unit of r.
func leadingUnit(r rune) rune {
	if r > 0xffff {
		return 0xd800 + (r-0x10000)>>10
	}
	return r
}
