package kafka

import (
	"strconv"
	"strings"
)

// Version is a Kafka release. Releases before 1.0 have four numbers; 0.9 and
// 0.10.1 are written in Minor and Patch (0.9.0.1 is {0, 9, 0, 1}).
type Version struct{ Major, Minor, Patch, Fix int16 }

// The releases that stand for an era in tests.
var (
	V0_9 = Version{0, 9, 0, 1}
	V3_9 = Version{3, 9, 1, 0}
	V4_4 = Version{4, 4, 0, 0}
)

// newest has the newest patch of each release line, oldest line first.
var newest = [...]Version{
	{0, 9, 0, 1}, {0, 10, 0, 1}, {0, 10, 1, 1}, {0, 10, 2, 2}, {0, 11, 0, 3},
	{1, 0, 2, 0}, {1, 1, 1, 0},
	{2, 0, 1, 0}, {2, 1, 1, 0}, {2, 2, 2, 0}, {2, 3, 1, 0}, {2, 4, 1, 0}, {2, 5, 1, 0}, {2, 6, 3, 0}, {2, 7, 2, 0}, {2, 8, 2, 0},
	{3, 0, 2, 0}, {3, 1, 2, 0}, {3, 2, 3, 0}, {3, 3, 2, 0}, {3, 4, 1, 0}, {3, 5, 2, 0}, {3, 6, 2, 0}, {3, 7, 2, 0}, {3, 8, 1, 0}, {3, 9, 1, 0},
	{4, 0, 0, 0}, {4, 1, 0, 0}, {4, 2, 0, 0}, {4, 3, 0, 0}, {4, 4, 0, 0},
}

// Newest lists the newest patch of each release line, oldest line first.
func Newest() []Version { return newest[:] }

// Playable lists the short names that `kafka V` and `client=java-V` accept,
// oldest first. Each stands for the newest patch of its line.
func Playable() []string {
	names := make([]string, len(newest))
	for i, v := range newest {
		names[i] = v.Short()
	}
	return names
}

// PlayableLines says in words which lines Playable lists.
const PlayableLines = "0.9, 0.10.0 to 0.10.2, 0.11, 1.0 to 1.1, 2.0 to 2.8, 3.0 to 3.9 and 4.0 to 4.4"

// ParseVersion reads "3.9" (its newest patch), "3.9.1" or "0.9.0.1". The second
// result is false when the text is no version that the engine can play.
func ParseVersion(s string) (Version, bool) {
	for _, v := range newest {
		if s == v.Short() {
			return v, true
		}
		for ; ; v = v.earlier() {
			if s == v.String() {
				return v, true
			}
			if v == v.earlier() {
				break
			}
		}
	}
	return Version{}, false
}

// UnknownVersion says what is wrong with a text that ParseVersion does not take.
func UnknownVersion(s string) string {
	for _, v := range newest {
		if strings.HasPrefix(s, v.Short()+".") {
			return s + " is not known; the newest patch of " + v.Short() + " here is " + v.String()
		}
	}
	return s + " is no version of Kafka that is known; the versions are " + PlayableLines + ", and their patches"
}

// earlier is the patch before v, v itself if it is the first of its line.
func (v Version) earlier() Version {
	if v.Major == 0 {
		v.Fix = max(0, v.Fix-1)
	} else {
		v.Patch = max(0, v.Patch-1)
	}
	return v
}

// Before reports whether v is older than the release major.minor.patch.
func (v Version) Before(major, minor, patch int16) bool {
	if v.Major != major {
		return v.Major < major
	}
	if v.Minor != minor {
		return v.Minor < minor
	}
	return v.Patch < patch
}

// Short is the release line, "3.9"; it stands for the line's newest patch.
func (v Version) Short() string {
	s := strconv.Itoa(int(v.Major)) + "." + strconv.Itoa(int(v.Minor))
	if v.Major == 0 && v.Minor == 10 { // 0.10.1 is a line of its own
		s += "." + strconv.Itoa(int(v.Patch))
	}
	return s
}

// String is the exact release: "3.9.1", "0.9.0.1".
func (v Version) String() string {
	s := strconv.Itoa(int(v.Major)) + "." + strconv.Itoa(int(v.Minor)) + "." + strconv.Itoa(int(v.Patch))
	if v.Major == 0 {
		s += "." + strconv.Itoa(int(v.Fix))
	}
	return s
}

// Older reports whether v is an earlier release than u.
func (v Version) Older(u Version) bool {
	if v.Major == u.Major && v.Minor == u.Minor && v.Patch == u.Patch {
		return v.Fix < u.Fix
	}
	return v.Before(u.Major, u.Minor, u.Patch)
}
