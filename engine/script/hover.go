package script

import (
	"strings"

	"rebalancelab/engine"
	"rebalancelab/engine/kafka"
)

// Hint says what stands at a place of a script. Columns as in Diagnostic.
type Hint struct {
	Column, EndColumn int
	Kind              string // line, command, setting, key, field, consumer, group, topic
	Name              string
	Usage             string // how it is written, what it defaults to, or where it comes from
}

// Hover is what stands at a place, nil if there is nothing to say.
func Hover(text string, line, column int) *Hint {
	all := tokens(text)
	for i := range all {
		t := &all[i]
		if t.Line != line || column < t.Column || column >= t.EndColumn {
			continue
		}
		p := newParser()
		p.lex(text)
		p.parse()
		hint := p.hint(t, strings.Split(text, "\n")[line-1])
		if hint != nil {
			hint.Column, hint.EndColumn = t.Column, t.EndColumn
		}
		return hint
	}
	return nil
}

func (p *parser) hint(t *Token, text string) *Hint {
	words := newParser().lexLine(text, 1).words
	switch t.Kind {
	case KeywordToken:
		if t.Column == words[0].column {
			return lineHint(t.text)
		}
	case VerbToken:
		return &Hint{Kind: "command", Name: t.text, Usage: verbUsages[verbNamed(t.text)]}
	case KeyToken:
		return p.keyHint(t.text, words)
	case NameToken:
		return p.nameHint(t.text)
	}
	return nil
}

func lineHint(name string) *Hint {
	for kind := HeaderLine; kind <= RunLine; kind++ {
		if keywords[kind] == name {
			return &Hint{Kind: "line", Name: name, Usage: usages[kind]}
		}
	}
	return nil
}

func (p *parser) keyHint(key string, words []word) *Hint {
	config := configNamed(key)
	switch {
	case words[0].bare("expect"):
		return &Hint{Kind: "field", Name: key}
	case config != kafka.NoConfig:
		return &Hint{Kind: "setting", Name: config.String(), Usage: About(config, p.scenario.Version)}
	}
	return &Hint{Kind: "key", Name: key}
}

func (p *parser) nameHint(text string) *Hint {
	name, problem := readName(text)
	if problem != "" {
		return nil
	}
	if c := p.names.consumers[name]; c != nil {
		return &Hint{Kind: "consumer", Name: name, Usage: p.consumerUsage(name)}
	}
	if t := p.topics[name]; t != nil {
		return &Hint{Kind: "topic", Name: name, Usage: decimal(int64(t.partitions)) + " partitions"}
	}
	if p.isGroup(name) {
		return &Hint{Kind: "group", Name: name}
	}
	return nil
}

// consumerUsage is the consumer's place in its group.
func (p *parser) consumerUsage(name string) string {
	for _, list := range p.consumerLists() {
		for i := range list {
			if list[i].Name == name {
				return "group " + Quote(list[i].Group) + ", topics " + strings.Join(list[i].Topics, ",")
			}
		}
	}
	return ""
}

func (p *parser) consumerLists() [][]engine.Consumer {
	lists := [][]engine.Consumer{p.scenario.Consumers}
	for i := range p.scenario.Commands {
		lists = append(lists, p.scenario.Commands[i].Consumers)
	}
	return lists
}

// About is whose a setting is, since when, and its default in a version:
// "consumer setting, 45000 by default since 3.0".
func About(config kafka.Config, version kafka.Version) string {
	def := config.Def()
	text := "consumer setting"
	if def.Scope == kafka.BrokerScope {
		text = "broker setting"
	}
	if (def.Since != kafka.Version{}) {
		text += " since " + def.Since.Short()
	}
	if (def.Until != kafka.Version{}) {
		text += ", before " + def.Until.Short() + " only"
	}
	if !def.Known(version) {
		return text
	}
	value := def.DefaultIn(version)
	text += ", " + defaultText(def, value) + " by default"
	if (value.Since != kafka.Version{}) {
		text += " since " + value.Since.Short()
	}
	return text
}

// explained is what was found wrong, with a word on each setting that was meant.
func (p *parser) explained() []Diagnostic {
	for i := range p.found {
		if config := kafka.ConfigNamed(p.found[i].Meant); config != kafka.NoConfig {
			p.found[i].About = About(config, p.scenario.Version)
		}
	}
	return p.found
}
