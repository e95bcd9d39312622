package wire

import (
	"strconv"

	"rebalancelab/engine"
	"rebalancelab/engine/event"
	"rebalancelab/engine/script"
	"rebalancelab/engine/session"
)

// AppendDiagnostics appends {"ok":false,…} for a text that does not parse.
func AppendDiagnostics(b []byte, diagnostics []script.Diagnostic) []byte {
	w := writer{b}
	w.open('{')
	w.bool("ok", false)
	message := ""
	if len(diagnostics) > 0 {
		message = diagnostics[0].Message
	}
	w.string("message", message)
	w.diagnostics(diagnostics)
	w.close('}')
	return w.b
}

// AppendScenario appends {"ok":true,"branch":…,"scenario":…}: what does not
// change while a branch is played.
func AppendScenario(b []byte, branch *session.Branch) []byte {
	sc := branch.Scenario()
	world := engine.New(sc)
	w := writer{b}
	w.open('{')
	w.bool("ok", true)
	w.int("branch", int64(branch.ID))
	w.object("scenario")
	w.string("kafka", sc.Version.String())
	w.string("release", sc.Version.Short())
	w.string("text", branch.File().Print())
	w.int("end", int64(sc.End))
	w.int("offsetsPartitions", int64(world.OffsetsPartitions()))
	w.array("brokers")
	for i := range sc.Brokers {
		w.comma()
		w.b = strconv.AppendInt(w.b, int64(i)+1, 10)
	}
	w.close(']')
	w.consumers(sc)
	w.groups(world, sc)
	w.array("topics")
	for _, t := range sc.Topics {
		w.open('{')
		w.string("name", t.Name)
		w.int("partitions", int64(t.Partitions))
		w.close('}')
	}
	w.close(']')
	w.array("notes")
	for _, n := range branch.File().Notes() {
		w.open('{')
		w.int("at", int64(n.At))
		w.int("line", int64(n.Line))
		w.string("text", n.Text)
		w.close('}')
	}
	w.close(']')
	w.close('}')
	w.close('}')
	return w.b
}

// allConsumers lists the consumers by index, those of later lines included.
func allConsumers(sc *engine.Scenario) []engine.Consumer {
	all := append([]engine.Consumer(nil), sc.Consumers...)
	for i := range sc.Commands {
		all = append(all, sc.Commands[i].Consumers...)
	}
	return all
}

func (w *writer) consumers(sc *engine.Scenario) {
	w.array("consumers")
	for i, c := range allConsumers(sc) {
		w.open('{')
		w.int("node", int64(event.Consumer(i)))
		w.string("name", c.Name)
		w.string("written", script.Quote(c.Name))
		w.string("group", c.Group)
		w.strings("topics", c.Topics)
		w.close('}')
	}
	w.close(']')
}

func (w *writer) groups(world *engine.World, sc *engine.Scenario) {
	w.array("groups")
	for _, id := range world.GroupNames() {
		g := world.Group(id)
		var nodes []event.Node
		for i, c := range allConsumers(sc) {
			if c.Group == id {
				nodes = append(nodes, event.Consumer(i))
			}
		}
		w.open('{')
		w.string("id", id)
		w.int("partition", int64(g.Partition))
		w.int("hash", int64(g.Hash))
		w.nodes("consumers", nodes)
		w.close('}')
	}
	w.close(']')
}

// AppendPicture appends a branch that has been played.
func AppendPicture(b []byte, s *session.Session, id int) []byte {
	branch := s.Branch(id)
	p := branch.Picture()
	world := branch.Head()
	w := writer{b}
	w.open('{')
	w.int("branch", int64(id))
	w.int("played", int64(branch.Played()))
	w.int("end", int64(branch.Scenario().End))
	w.hex("digest", world.Digest())
	w.int("eventCount", int64(world.Log().Count()))
	w.branches(s)
	w.lanes(p)
	w.groupPictures(p)
	w.coordinators(p)
	w.lives(p)
	w.array("events")
	for i := range world.Log().Len() {
		w.event(world.Log().At(i), branch.Scenario().Version)
	}
	w.close(']')
	w.failures(branch)
	w.close('}')
	return w.b
}

func (w *writer) branches(s *session.Session) {
	w.array("branches")
	for _, b := range s.Branches() {
		w.open('{')
		w.int("id", int64(b.ID))
		w.int("parent", int64(b.Parent))
		w.int("forkAt", int64(b.ForkAt))
		label := ""
		if own := b.Own(); len(own) > 0 {
			label = own[0].Text
		}
		w.string("label", label)
		w.bool("edited", b.Edited())
		w.int("played", int64(b.Played()))
		w.time("extends", b.Extends())
		w.array("commands")
		for i := range b.Applied {
			w.command(s, b, &b.Applied[i])
		}
		w.close(']')
		w.int("end", int64(b.Scenario().End))
		stopped, duplicates := b.Totals()
		w.int("stopped", int64(stopped))
		w.int("duplicates", duplicates)
		w.close('}')
	}
	w.close(']')
}

func (w *writer) command(s *session.Session, b *session.Branch, a *session.Applied) {
	w.open('{')
	w.int("at", int64(a.At))
	w.int("line", int64(a.Line))
	w.string("text", a.Text)
	w.int("node", int64(b.NodeOf(a.Subject)))
	if a.Err != "" {
		w.string("error", a.Err)
	}
	w.close('}')
}

func (w *writer) lanes(p *session.Picture) {
	w.array("lanes")
	for _, l := range p.Lanes {
		w.open('{')
		w.string("group", l.Group)
		w.string("topic", l.Topic)
		w.int("partition", int64(l.Partition))
		w.array("spans")
		for _, span := range l.Spans {
			w.open('{')
			w.int("from", int64(span.From))
			w.int("to", int64(span.To))
			w.int("reader", int64(span.Reader))
			w.int("owner", int64(span.Owner))
			w.string("state", span.State.String())
			w.close('}')
		}
		w.close(']')
		w.points("commits", l.Commits)
		w.points("lag", l.Lag)
		w.close('}')
	}
	w.close(']')
}

func (w *writer) points(name string, points []session.Point) {
	w.array(name)
	for _, p := range points {
		w.open('[')
		w.b = strconv.AppendInt(w.b, int64(p.At), 10)
		w.b = append(w.b, ',')
		w.b = strconv.AppendInt(w.b, p.N, 10)
		w.close(']')
	}
	w.close(']')
}

func (w *writer) groupPictures(p *session.Picture) {
	w.array("groups")
	for _, g := range p.Groups {
		w.open('{')
		w.string("id", g.ID)
		w.array("states")
		for _, span := range g.Spans {
			w.open('{')
			w.int("from", int64(span.From))
			w.int("to", int64(span.To))
			w.string("state", span.State.String())
			w.int("generation", int64(span.Generation))
			w.close('}')
		}
		w.close(']')
		w.array("waits")
		for i := range g.Waits {
			w.open('{')
			w.int("from", int64(g.Waits[i].From))
			w.int("to", int64(g.Waits[i].To))
			w.waitFields(&g.Waits[i].Wait)
			w.close('}')
		}
		w.close(']')
		w.close('}')
	}
	w.close(']')
}

func (w *writer) coordinators(p *session.Picture) {
	w.array("coordinators")
	for _, g := range p.Groups {
		for i := 0; i < len(g.Spans); {
			j := i + 1
			for j < len(g.Spans) && g.Spans[j].Coordinator == g.Spans[i].Coordinator {
				j++
			}
			w.open('{')
			w.int("from", int64(g.Spans[i].From))
			w.int("to", int64(g.Spans[j-1].To))
			w.string("group", g.ID)
			w.int("node", int64(g.Spans[i].Coordinator))
			w.close('}')
			i = j
		}
	}
	w.close(']')
}

func (w *writer) lives(p *session.Picture) {
	w.array("lives")
	for _, l := range p.Lives {
		for _, span := range l.Spans {
			w.open('{')
			w.int("from", int64(span.From))
			w.int("to", int64(span.To))
			w.int("node", int64(l.Node))
			w.string("state", span.State.String())
			w.close('}')
		}
	}
	w.close(']')
}

func (w *writer) failures(b *session.Branch) {
	w.array("failures")
	for _, f := range b.Failures {
		w.open('{')
		w.int("line", int64(f.Line))
		w.string("text", f.Field+"="+f.Expected)
		w.string("got", f.Got)
		w.close('}')
	}
	w.close(']')
}

// AppendBranch appends {"ok":true,"branch":…}.
func AppendBranch(b []byte, id int) []byte {
	w := writer{b}
	w.open('{')
	w.bool("ok", true)
	w.int("branch", int64(id))
	w.close('}')
	return w.b
}

// AppendTrouble appends {"ok":false,…} for a broken invariant; script is what
// reproduces it.
func AppendTrouble(b []byte, message, script string) []byte {
	w := writer{b}
	w.open('{')
	w.bool("ok", false)
	w.string("message", message)
	w.string("script", script)
	w.close('}')
	return w.b
}
