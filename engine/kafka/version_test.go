package kafka

import (
	"strings"
	"testing"
)

func TestParseVersion(t *testing.T) {
	for text, want := range map[string]string{
		"3.9": "3.9.1", "3.9.0": "3.9.0", "2.3.0": "2.3.0", "0.9": "0.9.0.1", "0.10.1": "0.10.1.1", "0.10.1.0": "0.10.1.0",
		"0.11": "0.11.0.3", "4.4": "4.4.0", "2.6.3": "2.6.3",
		"3.9.2": "", "0.10": "", "0.8": "", "5.0": "", "3": "", "": "", "3.9.1.0": "",
	} {
		v, ok := ParseVersion(text)
		if got := v.String(); ok != (want != "") || ok && got != want {
			t.Errorf("%q is %s (%v), want %q", text, got, ok, want)
		}
	}
}

// TestPlayableLines holds that the words name the lines that there are.
func TestPlayableLines(t *testing.T) {
	text := ""
	for i, names := 0, Playable(); i < len(names); i++ {
		last := i
		for last+1 < len(names) && newest[last+1].Major == newest[i].Major && (newest[i].Major > 0 || newest[last+1].Minor == newest[i].Minor) {
			last++
		}
		text += ", " + names[i]
		if last > i {
			text += " to " + names[last]
		}
		i = last
	}
	if want := strings.TrimPrefix(text, ", "); strings.Replace(PlayableLines, " and ", ", ", 1) != want {
		t.Errorf("PlayableLines says %q, the table %q", PlayableLines, want)
	}
}

// TestAPIVersions holds that ranges only move forward.
func TestAPIVersions(t *testing.T) {
	for api := range APICount {
		rows := apiVersions[api]
		for i := 1; i < len(rows); i++ {
			if a, b := rows[i-1], rows[i]; !a.since.Older(b.since) || b.oldest < a.oldest || b.newest < a.newest || b.oldest > b.newest {
				t.Errorf("%s: %v does not follow %v", api, b, a)
			}
		}
	}
}
