// Command rebalance plays scenarios in the terminal and serves the page.
package main

import (
	"errors"
	"fmt"
	"os"

	"github.com/spf13/cobra"
)

// The exit codes of `rebalance run`.
const (
	exitExpectation = 1 // an expect line does not hold
	exitUsage       = 2 // the script does not parse, or a flag is wrong
)

// exitError is an error with the exit code that it asks for.
type exitError struct {
	code int
	err  error
}

func (e *exitError) Error() string { return e.err.Error() }

func main() {
	root := &cobra.Command{
		Use:           "rebalance",
		Short:         "A playground for the Kafka group coordinator",
		SilenceUsage:  true,
		SilenceErrors: true,
	}
	root.AddCommand(runCommand(), serveCommand(), digestCommand())
	err := root.Execute()
	if err == nil {
		return
	}
	var exit *exitError
	if !errors.As(err, &exit) {
		exit = &exitError{exitUsage, err}
	}
	fmt.Fprintln(os.Stderr, exit.err)
	os.Exit(exit.code)
}
