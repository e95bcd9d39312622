package room

import (
	"fmt"
	"time"

	"rebalancelab/engine"
	"rebalancelab/engine/clock"
	"rebalancelab/engine/script"
)

// The bounds of a room. What happens at each is said beside it.
const (
	MaxViewers     = 1024       // connections, hosts included; more are sent away
	MaxFrameBytes  = 768 << 10  // of a host's frame, room for a script in JSON; more closes the connection
	MaxViewerBytes = 1 << 10    // of everybody else's; more is nonsense
	MaxLineBytes   = 4 << 10    // of a command; more is refused
	MaxActs        = 500        // acts and edits of a scenario; more are refused
	MaxLogBytes    = 1536 << 10 // of the scenario, acts and edits as frames; more are refused, so a save is below 2 MB

	messagesPerSecond = 20 // of a connection, as Step counts time; more are refused
	messagesAtOnce    = 60
	maxStrikes        = 10                // refused frames until the connection is closed; forgiven when it has been quiet
	joinTime          = 10 * clock.Second // until the first frame has come; then the connection is closed

	MinRate = 100       // thousandths of real time; others are refused
	MaxRate = 1_000_000 // a thousand seconds a second

	MaxScenarioSize = 1000                        // consumers and partitions of a scenario; more is refused
	MaxSize         = 4000                        // that, with what was added, times branches: memory; acts and edits are refused
	MaxRun          = clock.Time(24 * clock.Hour) // of a scenario; more is refused
	maxKept         = 250_000                     // events kept over all branches: memory; the clock stops
	maxEvents       = 6_000_000                   // events over all branches, counted ones included: what brokers and topics keep; the clock stops
	stepEvents      = 40_000                      // played in one Step; the clock slows down
	maxStep         = clock.Second                // of real time in one Step; the clock slows down
)

// The bounds of a server. Both hosts keep EmptyTime; the others are the native
// server's, since Durable Objects are separate from each other.
const (
	MaxRooms           = 200
	CreationsPerMinute = 60
	MaxConnections     = 10_000           // over all rooms; more are sent away
	EmptyTime          = 30 * time.Minute // a room without connections ends
	IdleTime           = 4 * time.Hour    // a room in which nobody sends anything ends
)

// The reasons that people see.
var (
	reasonFull        = fmt.Sprintf("this room is full: it has %d viewers", MaxViewers)
	reasonViewerFrame = fmt.Sprintf("the frame is too large: a viewer's frames have at most %d bytes", MaxViewerBytes)
	reasonHostFrame   = fmt.Sprintf("the frame is too large: a frame has at most %d bytes", MaxFrameBytes)
	reasonLine        = fmt.Sprintf("the command is too long: at most %d bytes", MaxLineBytes)
	reasonActs        = fmt.Sprintf("this room has had %d commands and edits, which is the most; open the branch's text as a new scenario", MaxActs)
	reasonLog         = "the scenario and its edits have grown too large for a room; open the branch's text as a new scenario"
	reasonFast        = fmt.Sprintf("too many messages: at most %d a second", messagesPerSecond)
	reasonStrikes     = "too many messages that this room does not understand"
	reasonNoJoin      = fmt.Sprintf("no join came within %d seconds", joinTime/clock.Second)
	reasonSize        = fmt.Sprintf("this run has too many branches for its size: consumers and partitions, times branches, are at most %d in a room", MaxSize)
	reasonScenario    = fmt.Sprintf("the scenario is too large for a room: consumers and partitions are at most %d together", MaxScenarioSize)
	reasonRun         = fmt.Sprintf("the scenario is too long for a room: at most %s", clock.Duration(MaxRun))
	reasonEvents      = "this room's run has grown too large, its clock has stopped; open a scenario to go on"
	reasonRate        = fmt.Sprintf("rate: expected a number from %d to %d, in thousandths of real time", MinRate, MaxRate)
)

// ReasonEmpty and the others are what a host says when it ends a room.
const (
	ReasonEmpty    = "this room was empty for too long"
	ReasonIdle     = "nobody has done anything in this room for a long time"
	ReasonStopping = "the server stops"
	ReasonTooMany  = "this server has too many viewers; try again later"
	ReasonNoRoom   = "there is no such room; it may have ended"
)

// size is how large a scenario can become by its own commands.
func size(s *engine.Scenario) int64 {
	n := int64(len(s.Consumers))
	for _, t := range s.Topics {
		n += int64(t.Partitions)
	}
	for i := range s.Commands {
		n += growth(&s.Commands[i])
	}
	return n
}

// growth is how much a command can add.
func growth(c *engine.Command) int64 {
	if c.Verb == engine.AlterVerb {
		return c.Value
	}
	return int64(len(c.Consumers))
}

// checkScenario says why a scenario cannot be played in a room, nil if it can.
func checkScenario(file *script.File) *Refusal {
	s := file.Scenario()
	switch {
	case size(s) > MaxScenarioSize:
		return &Refusal{Reason: reasonScenario}
	case s.End > MaxRun:
		return &Refusal{Reason: reasonRun}
	}
	return nil
}
