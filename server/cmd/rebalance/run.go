package main

import (
	"bufio"
	"fmt"

	"github.com/spf13/cobra"

	"rebalancelab/engine"
	"rebalancelab/engine/clock"
	"rebalancelab/engine/script"
	"rebalancelab/engine/session"
	"rebalancelab/engine/wire"
	"rebalancelab/server/loglines"
)

// playBudget is how many steps are played before the clock is looked at again.
const playBudget = 1 << 20

func runCommand() *cobra.Command {
	var asJSON, quiet, asLog bool
	var at string
	command := &cobra.Command{
		Use:   "run FILE|LINK|-",
		Short: "Play a scenario and print its transcript",
		Long: "Plays a scenario and prints what happens, a line an event. Of a link that has\n" +
			"a moment in it, the state at that moment follows.\n\n" +
			"Exit 1: an expect line does not hold, or the run is not the one that the link\n" +
			"was made of. Exit 2: the script does not parse.",
		Args: cobra.ExactArgs(1),
		ValidArgsFunction: func(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
			return []string{"txt"}, cobra.ShellCompDirectiveFilterFileExt
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			from, err := open(args[0], cmd.InOrStdin())
			if err != nil {
				return err
			}
			out := bufio.NewWriter(cmd.OutOrStdout())
			defer out.Flush()
			if at != "" {
				if err := printView(out, from.session, at, asJSON); err != nil {
					return err
				}
				return from.verdict()
			}
			from.play()
			if asLog {
				out.Write(loglines.Append(nil, from.session.Branch(1).Head()))
				return from.verdict()
			}
			if !quiet {
				printEvents(out, from.session.Branch(1).Head(), asJSON)
			}
			if moment := from.moment(); moment >= 0 && !quiet && !asJSON {
				fmt.Fprintln(out)
				out.Write(wire.AppendViewText(nil, from.session.World(1, moment)))
			}
			return from.verdict()
		},
	}
	command.Flags().BoolVar(&asJSON, "json", false, "print JSON: a line an event, or with --at the state; times are microseconds")
	command.Flags().BoolVar(&asLog, "log", false, "print what the brokers of this release would have logged (the run begins at 2024-01-01)")
	command.Flags().BoolVar(&quiet, "quiet", false, "print no events, only what does not hold")
	command.Flags().StringVar(&at, "at", "", "print the state at this time (`20s`) instead")
	for _, other := range []string{"json", "quiet", "at"} {
		command.MarkFlagsMutuallyExclusive("log", other)
	}
	return command
}

func printEvents(out *bufio.Writer, world *engine.World, asJSON bool) {
	var line []byte
	log := world.Log()
	for i := range log.Len() {
		if asJSON {
			line = append(wire.AppendEvent(line[:0], log.At(i), world.Scenario().Version), '\n')
		} else {
			line = wire.AppendText(line[:0], log.At(i), world)
		}
		out.Write(line)
	}
}

// momentOf reads --at.
func momentOf(s *session.Session, at string) (clock.Time, error) {
	when, problem := script.ParseTime(at)
	if problem != "" {
		return 0, &exitError{exitUsage, fmt.Errorf("--at %s: %s", at, problem)}
	}
	if end := s.Branch(1).Scenario().End; when > end {
		return 0, &exitError{exitUsage, fmt.Errorf("--at %s: the run ends at %s s", at, end)}
	}
	return when, nil
}

func printView(out *bufio.Writer, s *session.Session, at string, asJSON bool) error {
	when, err := momentOf(s, at)
	if err != nil {
		return err
	}
	for !s.PlayTo(1, when, playBudget) {
	}
	world := s.World(1, when)
	if asJSON {
		out.Write(append(wire.AppendView(nil, world, 1, 0), '\n'))
	} else {
		out.Write(wire.AppendViewText(nil, world))
	}
	return nil
}
