package kafka

import "strconv"

// Version is a Kafka release. Releases before 1.0 have four numbers; 0.9 and
// 0.10.1 are written in Minor and Patch (0.9.0.1 is {0, 9, 0, 1}).
type Version struct{ Major, Minor, Patch, Fix int16 }

// The releases that this version of the engine can play.
var (
	V0_9 = Version{0, 9, 0, 1}
	V3_9 = Version{3, 9, 1, 0}
)

// Playable lists the short names that `kafka V` and `client=java-V` accept.
func Playable() []string { return []string{"0.9", "3.9"} }

// ParseVersion reads "3.9" (its newest patch), "3.9.1" or "0.9.0.1". The second
// result is false when the text is no version that the engine can play.
func ParseVersion(s string) (Version, bool) {
	for _, v := range [...]Version{V0_9, V3_9} {
		if s == v.String() || s == v.Short() {
			return v, true
		}
	}
	return Version{}, false
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
	if v.Major == 0 && v.Minor == 10 {
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
