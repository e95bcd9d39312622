package main

import (
	"fmt"
	"path/filepath"

	"github.com/spf13/cobra"

	"rebalancelab/engine/session"
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
				name, text, err := readScript(arg, cmd.InOrStdin())
				if err != nil {
					return err
				}
				s, diagnostics := session.Open(text)
				if s == nil {
					return &exitError{exitUsage, diagnosed(name, diagnostics)}
				}
				for !s.Play(1, playBudget) {
				}
				fmt.Fprintf(cmd.OutOrStdout(), "%s %016x\n", filepath.Base(name), s.Branch(1).Head().Digest())
			}
			return nil
		},
	}
}
