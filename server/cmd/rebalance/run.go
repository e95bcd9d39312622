package main

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/spf13/cobra"

	"rebalancelab/engine"
	"rebalancelab/engine/script"
	"rebalancelab/engine/session"
	"rebalancelab/engine/wire"
)

// playBudget is how many steps are played before the clock is looked at again.
const playBudget = 1 << 20

func runCommand() *cobra.Command {
	var asJSON, quiet bool
	var at string
	command := &cobra.Command{
		Use:   "run FILE|-",
		Short: "Play a scenario and print its transcript",
		Long: "Plays a scenario and prints what happens, a line an event.\n\n" +
			"Exit 1: an expect line does not hold. Exit 2: the script does not parse.",
		Args: cobra.ExactArgs(1),
		ValidArgsFunction: func(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
			return []string{"txt"}, cobra.ShellCompDirectiveFilterFileExt
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			name, text, err := readScript(args[0], cmd.InOrStdin())
			if err != nil {
				return &exitError{exitUsage, err}
			}
			s, diagnostics := session.Open(text)
			if s == nil {
				return &exitError{exitUsage, diagnosed(name, diagnostics)}
			}
			out := bufio.NewWriter(cmd.OutOrStdout())
			defer out.Flush()
			if at != "" {
				return printView(out, s, at, asJSON)
			}
			for !s.Play(1, playBudget) {
			}
			if !quiet {
				printEvents(out, s.Branch(1).Head(), asJSON)
			}
			return verdict(name, s)
		},
	}
	command.Flags().BoolVar(&asJSON, "json", false, "print JSON: a line an event, or with --at the state; times are microseconds")
	command.Flags().BoolVar(&quiet, "quiet", false, "print no events, only what does not hold")
	command.Flags().StringVar(&at, "at", "", "print the state at this time (`20s`) instead; expect lines are not looked at")
	return command
}

func readScript(name string, stdin io.Reader) (string, string, error) {
	if name == "-" {
		text, err := io.ReadAll(io.LimitReader(stdin, script.MaxBytes+1))
		return "stdin", string(text), err
	}
	text, err := os.ReadFile(name)
	return name, string(text), err
}

// diagnosed is one line for each fault: file:line:column: message.
func diagnosed(name string, diagnostics []script.Diagnostic) error {
	lines := make([]string, len(diagnostics))
	for i, d := range diagnostics {
		lines[i] = fmt.Sprintf("%s:%d:%d: %s", name, d.Line, d.Column, d.Message)
	}
	return errors.New(strings.Join(lines, "\n"))
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

func printView(out *bufio.Writer, s *session.Session, at string, asJSON bool) error {
	when, problem := script.ParseTime(at)
	if problem != "" {
		return &exitError{exitUsage, fmt.Errorf("--at %s: %s", at, problem)}
	}
	if end := s.Branch(1).Scenario().End; when > end {
		return &exitError{exitUsage, fmt.Errorf("--at %s: the run ends at %s s", at, end)}
	}
	world := s.World(1, when)
	if asJSON {
		out.Write(append(wire.AppendView(nil, world, 1, 0), '\n'))
	} else {
		out.Write(wire.AppendViewText(nil, world))
	}
	return nil
}

// verdict reports commands that could not be carried out and expectations that
// do not hold.
func verdict(name string, s *session.Session) error {
	var lines []string
	code := exitExpectation
	for _, a := range s.Branch(1).Applied {
		if a.Err != "" {
			code = exitUsage
			lines = append(lines, fmt.Sprintf("%s:%d: at %s s: %s", name, a.Line, a.At, a.Err))
		}
	}
	for _, f := range s.Branch(1).Failures {
		lines = append(lines, fmt.Sprintf("%s:%d: expected %s=%s, got %s", name, f.Line, f.Field, f.Expected, f.Got))
	}
	if len(lines) == 0 {
		return nil
	}
	return &exitError{code, errors.New(strings.Join(lines, "\n"))}
}
