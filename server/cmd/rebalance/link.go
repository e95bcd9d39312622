package main

import (
	"fmt"

	"github.com/spf13/cobra"

	"rebalancelab/server/link"
)

// linkCommand writes the link that opens a scenario in the page.
func linkCommand() *cobra.Command {
	var at, page string
	command := &cobra.Command{
		Use:   "link FILE|LINK|-",
		Short: "Print the link that opens a scenario in the page",
		Long: "Plays a scenario and prints its link: what stands behind an address of the page.\n" +
			"The link holds the script, the moment and the digest at the end of the run;\n" +
			"`rebalance run` reads it too.",
		Args: cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			from, err := open(args[0], cmd.InOrStdin())
			if err != nil {
				return err
			}
			made := link.Link{Script: from.session.Text(1), At: from.moment()}
			if at != "" {
				if made.At, err = momentOf(from.session, at); err != nil {
					return err
				}
			}
			from.play()
			made.Digest = from.digest()
			fmt.Fprintln(cmd.OutOrStdout(), page+made.Fragment())
			return nil
		},
	}
	command.Flags().StringVar(&at, "at", "", "the moment that the link opens at (`20s`)")
	command.Flags().StringVar(&page, "page", "", "the address of the page, written before the link")
	return command
}
