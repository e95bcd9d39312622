// Command rebalance plays scenarios in the terminal and serves the page.
package main

import (
	"errors"
	"fmt"
	"io"
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
	os.Exit(execute(os.Args[1:], os.Stdin, os.Stdout, os.Stderr))
}

// execute runs one command line and returns its exit code.
func execute(args []string, stdin io.Reader, stdout, stderr io.Writer) int {
	root := &cobra.Command{
		Use:           "rebalance",
		Short:         "A playground for the Kafka group coordinator",
		SilenceUsage:  true,
		SilenceErrors: true,
	}
	root.SetArgs(args)
	root.SetIn(stdin)
	root.SetOut(stdout)
	root.SetErr(stderr)
	root.AddCommand(runCommand(), linkCommand(), serveCommand(), versionsCommand(), digestCommand())
	err := root.Execute()
	if err == nil {
		return 0
	}
	fmt.Fprintln(stderr, err)
	var exit *exitError
	if errors.As(err, &exit) {
		return exit.code
	}
	return exitUsage
}
