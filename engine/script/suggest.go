package script

import "strings"

const meantBefore, meantBehind = "; did you mean ", "?"

// meant is the end of a message that suggests what to write.
func meant(text string) string { return meantBefore + text + meantBehind }

// meantIn is what a message suggests to write, "" if nothing.
func meantIn(message string) string {
	_, text, found := strings.Cut(message, meantBefore)
	if !found {
		return ""
	}
	return strings.TrimSuffix(text, meantBehind)
}

// suggestion is meant(the nearest candidate), "" if none is near.
func suggestion(name string, candidates ...[]string) string {
	best := ""
	limit := editLimit(name) + 1
	for _, list := range candidates {
		if near := nearest(name, list); near != "" {
			if d := distance(name, near, limit); d < limit {
				best, limit = near, d
			}
		}
	}
	if best == "" {
		return ""
	}
	return meant(Quote(best))
}

// nearest is the first of the candidates with the fewest typing errors, "" if
// all of them differ too much.
func nearest(name string, candidates []string) string {
	best, limit := "", editLimit(name)+1
	for _, candidate := range candidates {
		if d := distance(name, candidate, limit); d < limit {
			best, limit = candidate, d
		}
	}
	return best
}

// editLimit is the number of typing errors that a name may have.
func editLimit(name string) int { return min(3, (len([]rune(name))+2)/3) }

// distance counts the runes to insert, delete, replace or swap with a neighbour
// to make b of a; limit if it is at least that. The case of ASCII letters does
// not count.
func distance(a, b string, limit int) int {
	x, y := folded(a), folded(b)
	if len(x)-len(y) >= limit || len(y)-len(x) >= limit {
		return limit
	}
	two, one, row := make([]int, len(y)+1), make([]int, len(y)+1), make([]int, len(y)+1)
	for j := range one {
		one[j] = j
	}
	for i := 1; i <= len(x); i++ {
		row[0] = i
		least := i
		for j := 1; j <= len(y); j++ {
			cost := 1
			if x[i-1] == y[j-1] {
				cost = 0
			}
			row[j] = min(one[j]+1, row[j-1]+1, one[j-1]+cost)
			if i > 1 && j > 1 && x[i-1] == y[j-2] && x[i-2] == y[j-1] {
				row[j] = min(row[j], two[j-2]+1)
			}
			least = min(least, row[j])
		}
		if least >= limit {
			return limit
		}
		two, one, row = one, row, two
	}
	return min(one[len(y)], limit)
}

func folded(s string) []rune {
	runes := []rune(s)
	for i, r := range runes {
		if r >= 'A' && r <= 'Z' {
			runes[i] = r + 'a' - 'A'
		}
	}
	return runes
}

// listed joins words as a sentence does.
func listed(words []string) string {
	if len(words) < 2 {
		return strings.Join(words, "")
	}
	last := len(words) - 1
	return strings.Join(words[:last], ", ") + " and " + words[last]
}
