package engine

import (
	"errors"
	"slices"

	"rebalancelab/engine/clock"
	"rebalancelab/engine/event"
)

// Timeline is every command of the scenario in the order in which it is
// applied: consumers that start by their own line, then the timed lines, all by
// time and at one time by line.
func (s *Scenario) Timeline() []Command {
	var all []Command
	for i := range s.Consumers {
		if c := &s.Consumers[i]; c.Start != clock.Never {
			all = append(all, Command{At: c.Start, Line: c.Line, Text: "start " + c.Name, Verb: StartVerb,
				Subject: Subject{Kind: ConsumerSubject, Name: c.Name}})
		}
	}
	all = append(all, s.Commands...)
	slices.SortStableFunc(all, func(a, b Command) int {
		switch {
		case a.At != b.At && a.At < b.At:
			return -1
		case a.At != b.At:
			return 1
		}
		return int(a.Line) - int(b.Line)
	})
	return all
}

// Apply carries out a command at its time: first everything inside that is due
// by then happens. An error says why the command cannot be carried out; nothing
// has changed then but the clock.
func (w *World) Apply(c Command) error {
	if c.At < w.now {
		return errors.New("the command is for " + c.At.String() + " s, but the clock stands at " + w.now.String() + " s")
	}
	if c.At > w.now {
		for w.step(c.At) {
		}
		w.now = c.At
	}
	if err := w.check(&c); err != nil {
		return err
	}
	cause := w.event(event.Event{Kind: event.Command, Text: c.Text, N: int64(c.Line), Node: w.node(c.Subject)})
	switch c.Subject.Kind {
	case ConsumerSubject:
		w.applyToConsumer(&c, w.process(c.Subject.Name), cause)
	case BrokerSubject:
		w.applyToBroker(&c, w.brokers[c.Subject.ID-1], cause)
	default:
		w.applyToCluster(&c, cause)
	}
	return nil
}

func (w *World) applyToConsumer(c *Command, p *process, cause uint64) {
	switch c.Verb {
	case StartVerb:
		w.startProcess(p, cause)
	case KillVerb:
		p.restart = false
		w.endProcess(p, Killed, cause)
	case StopVerb, RestartVerb:
		p.restart = c.Verb == RestartVerb
		if p.phase == Running {
			p.phase, p.since = Stopping, w.now
			p.client.Stop(w.occasion(cause))
			w.settle(p)
		}
	case StallVerb:
		seq := w.event(event.Event{Kind: event.StallBegan, Cause: cause, Node: p.node, Group: p.def.Group, Due: w.now.Add(c.For)})
		p.client.Stall(w.occasion(seq), c.For)
		w.settle(p)
	case SetVerb:
		changed := *p.settings
		changed.Values[c.Config], changed.Texts[c.Config] = c.Value, c.ValueText
		p.settings = &changed
		w.event(event.Event{Kind: event.ConfigSet, Cause: cause, Node: p.node, Config: c.Config, Text: c.ValueText, N: c.Value})
	case CutVerb, HealVerb:
		w.cutOrHeal(c, cause)
	}
}

func (w *World) applyToBroker(c *Command, b *broker, cause uint64) {
	switch c.Verb {
	case StartVerb:
		w.startBroker(b, cause)
	case StopVerb:
		w.stopBroker(b, cause)
	case KillVerb:
		w.killBroker(b, cause)
	case SetVerb:
		b.settings.Values[c.Config] = c.Value
		w.event(event.Event{Kind: event.ConfigSet, Cause: cause, Node: b.node(), Config: c.Config, N: c.Value})
	case CutVerb, HealVerb:
		w.cutOrHeal(c, cause)
	}
}

func (w *World) applyToCluster(c *Command, cause uint64) {
	switch c.Verb {
	case AlterVerb:
		t := w.topic(c.Subject.Name)
		t.alter(int32(c.Value), w.now)
		for p := int32(len(t.leaders)); p < int32(c.Value); p++ {
			t.leaders = append(t.leaders, w.electLeader(p, nil))
		}
		w.event(event.Event{Kind: event.TopicAltered, Cause: cause, Text: t.Name, N: c.Value})
	case AppendFailVerb:
		w.appendError, w.appendLost, w.appendUntil = c.Error, c.Lost, clock.Never
		if c.For > 0 {
			w.appendUntil = w.now.Add(c.For)
		}
	case ConsumerVerb:
		for i := range c.Consumers {
			p := w.addProcess(&c.Consumers[i])
			w.resolveLinks()
			w.startProcess(p, cause)
		}
	}
}

func (w *World) cutOrHeal(c *Command, cause uint64) {
	a, b := w.node(c.Subject), w.node(c.Other)
	w.cuts = slices.DeleteFunc(w.cuts, func(x cut) bool { return x == (cut{a, b}) || x == (cut{b, a}) })
	kind := event.LinkHealed
	if c.Verb == CutVerb {
		kind = event.LinkCut
		w.cuts = append(w.cuts, cut{a, b})
	}
	w.event(event.Event{Kind: kind, Cause: cause, Node: a, Peer: b})
	if kind == event.LinkHealed {
		w.poke()
	}
}

// check finds why a command cannot be carried out now.
func (w *World) check(c *Command) error {
	switch c.Subject.Kind {
	case ConsumerSubject:
		p := w.process(c.Subject.Name)
		switch {
		case p == nil:
			return errors.New("there is no consumer " + c.Subject.Name)
		case c.Verb == StartVerb && p.running():
			return errors.New(c.Subject.Name + " is running already")
		case c.Verb == CutVerb || c.Verb == HealVerb:
			return w.checkEnds(c)
		case c.Verb != StartVerb && c.Verb != SetVerb && !p.running():
			return errors.New(c.Subject.Name + " is not running")
		}
	case BrokerSubject:
		if c.Subject.ID < 1 || int(c.Subject.ID) > len(w.brokers) {
			return errors.New("there is no broker " + itoa(int64(c.Subject.ID)))
		}
		up := w.brokers[c.Subject.ID-1].up
		switch {
		case c.Verb == CutVerb || c.Verb == HealVerb:
			return w.checkEnds(c)
		case c.Verb == StartVerb && (up || w.brokers[c.Subject.ID-1].waits):
			return errors.New("broker " + itoa(int64(c.Subject.ID)) + " is up already")
		case (c.Verb == StopVerb || c.Verb == KillVerb) && !up:
			return errors.New("broker " + itoa(int64(c.Subject.ID)) + " is down already")
		}
	case TopicSubject:
		t := w.topic(c.Subject.Name)
		if t == nil {
			return errors.New("there is no topic " + c.Subject.Name)
		}
		if c.Verb == AlterVerb && c.Value <= int64(t.last().partitions) {
			return errors.New("topic " + t.Name + " has " + itoa(int64(t.last().partitions)) + " partitions; only more can be set")
		}
	}
	return w.checkNewConsumers(c)
}

func (w *World) checkNewConsumers(c *Command) error {
	if len(w.processes)+len(c.Consumers) > MaxConsumers {
		return errors.New("at most " + itoa(MaxConsumers) + " consumers")
	}
	for i := range c.Consumers {
		if w.process(c.Consumers[i].Name) != nil {
			return errors.New("there is a consumer " + c.Consumers[i].Name + " already")
		}
	}
	return nil
}

func (w *World) checkEnds(c *Command) error {
	if w.node(c.Subject) == 0 || w.node(c.Other) == 0 {
		return errors.New("a link has two ends: consumers or brokers that exist")
	}
	return nil
}

// node is the place that a subject names, 0 if it names none.
func (w *World) node(s Subject) event.Node {
	switch s.Kind {
	case ConsumerSubject:
		if p := w.process(s.Name); p != nil {
			return p.node
		}
	case BrokerSubject:
		if s.ID >= 1 && int(s.ID) <= len(w.brokers) {
			return event.Node(s.ID)
		}
	}
	return 0
}

func (w *World) process(name string) *process {
	for _, p := range w.processes {
		if p.def.Name == name {
			return p
		}
	}
	return nil
}

// Check says why a command could not be carried out at the world's time; nil if
// it could.
func (w *World) Check(c Command) error { return w.check(&c) }
