package kafka

import "strconv"

// Change is one thing that differs between two releases.
type Change struct {
	Feature Feature
	Gained  bool // else lost
}

// Changes lists the behaviours that differ between two releases, in the order of
// the table: what `to` does and `from` does not, and the other way round.
func Changes(from, to Version) []Change {
	var list []Change
	before, after := FeaturesOf(from), FeaturesOf(to)
	for f := range featureCount {
		if had, has := before.Has(f), after.Has(f); had != has {
			list = append(list, Change{f, has})
		}
	}
	return list
}

// ConfigChange is a setting whose default differs between two releases, or that
// only one of them has.
type ConfigChange struct {
	Config        Config
	Before, After string // "": the release does not have the setting
}

// ConfigChanges lists the settings that differ between two releases.
func ConfigChanges(from, to Version) []ConfigChange {
	var list []ConfigChange
	for c := NoConfig + 1; c < ConfigCount; c++ {
		if before, after := c.DefaultText(from), c.DefaultText(to); before != after {
			list = append(list, ConfigChange{c, before, after})
		}
	}
	return list
}

// DefaultText is a setting's default as it is written, "none" for an empty one,
// "" if the release does not have the setting.
func (c Config) DefaultText(v Version) string {
	def := c.Def()
	if !def.Known(v) {
		return ""
	}
	return def.Written(def.DefaultIn(v))
}

// Written is a default of the setting as it is written, "none" for an empty one.
func (d *ConfigDef) Written(value Default) string {
	switch {
	case d.Type == Choice:
		return d.Choices[value.Value]
	case d.Type == Boolean:
		return [...]string{"false", "true"}[value.Value]
	case d.Type == Number:
		return strconv.FormatInt(value.Value, 10)
	case value.Text == "":
		return "none"
	}
	return value.Text
}

// APIChange is an API whose versions differ between two releases. A version of
// -1 stands for an API that the release does not have.
type APIChange struct {
	API           API
	Before, After [2]int16 // oldest, newest
}

// APIChanges lists the APIs whose versions differ between two releases.
func APIChanges(from, to Version) []APIChange {
	var list []APIChange
	for api := range APICount {
		a := APIChange{API: api}
		a.Before[0], a.Before[1] = APIVersions(from, api)
		a.After[0], a.After[1] = APIVersions(to, api)
		if a.Before != a.After {
			list = append(list, a)
		}
	}
	return list
}
