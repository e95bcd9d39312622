package main

import (
	"fmt"
	"path/filepath"

	"github.com/spf13/cobra"
)

// digestCommand prints one line a scenario: what `make digest` compares between
// platforms.
func digestCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "digest FILE…",
		Short: "Print the digest of each scenario at its end",
		Args:  cobra.MinimumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			for _, arg := range args {
				from, err := open(arg, cmd.InOrStdin())
				if err != nil {
					return err
				}
				from.play()
				fmt.Fprintf(cmd.OutOrStdout(), "%s %016x\n", filepath.Base(from.name), from.session.Branch(1).Head().Digest())
			}
			return nil
		},
	}
}
