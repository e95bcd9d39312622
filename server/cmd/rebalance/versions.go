package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"rebalancelab/engine/kafka"
)

// versionsCommand tells what changed between two releases of Kafka.
func versionsCommand() *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "versions [FROM TO]",
		Short: "List the releases of Kafka, or what changed between two of them",
		Args: func(cmd *cobra.Command, args []string) error {
			if len(args) != 0 && len(args) != 2 {
				return fmt.Errorf("versions takes no release or two, such as 2.1 2.3; there are %d", len(args))
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			out := cmd.OutOrStdout()
			switch {
			case asJSON:
				return json.NewEncoder(out).Encode(eraTable())
			case len(args) == 0:
				fmt.Fprintln(out, kafka.PlayableLines+"; each stands for its newest patch:")
				for _, v := range kafka.Newest() {
					fmt.Fprintln(out, " ", v)
				}
				return nil
			}
			var pair [2]kafka.Version
			for i, arg := range args {
				v, ok := kafka.ParseVersion(arg)
				if !ok {
					return errors.New(kafka.UnknownVersion(arg))
				}
				pair[i] = v
			}
			printChanges(out, pair[0], pair[1])
			return nil
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print the whole table of eras, as the page reads it")
	return cmd
}

func printChanges(out io.Writer, from, to kafka.Version) {
	fmt.Fprintf(out, "From %s to %s\n", from, to)
	changes, configs, apis := kafka.Changes(from, to), kafka.ConfigChanges(from, to), kafka.APIChanges(from, to)
	if len(changes)+len(configs)+len(apis) == 0 {
		fmt.Fprintln(out, "  nothing that is modelled")
	}
	for _, c := range changes {
		sign := "+"
		if !c.Gained {
			sign = "-"
		}
		fmt.Fprintf(out, "  %s %s\n", sign, c.Feature.Meaning())
	}
	for _, c := range configs {
		fmt.Fprintf(out, "  ~ %s: %s → %s\n", c.Config, orNone(c.Before), orNone(c.After))
	}
	for _, c := range apis {
		fmt.Fprintf(out, "  ~ %s: %s → %s\n", c.API, versionRange(c.Before), versionRange(c.After))
	}
}

func orNone(value string) string {
	if value == "" {
		return "not there"
	}
	return value
}

func versionRange(r [2]int16) string {
	if r[1] < 0 {
		return "not there"
	}
	return fmt.Sprintf("v%d–v%d", r[0], r[1])
}

// era is one row of the table as the page reads it: spans of releases, from the
// first that has it (“”: always) to the first that has it no more (“”: still).
type era struct {
	Meaning string      `json:"meaning"`
	Spans   [][2]string `json:"spans"`
}

// eraConfig has the defaults of one setting by release; "" is a release without it.
type eraConfig struct {
	Name     string   `json:"name"`
	Defaults []string `json:"defaults"`
}

// eraAPI has the versions of one API by release; "" is a release without it.
type eraAPI struct {
	Name     string   `json:"name"`
	Versions []string `json:"versions"`
}

// eras is the table of eras: features with their spans, settings and APIs by
// release.
type eras struct {
	Releases []string    `json:"releases"`
	Features []era       `json:"features"`
	Configs  []eraConfig `json:"configs"`
	APIs     []eraAPI    `json:"apis"`
}

func eraTable() eras {
	var t eras
	for _, v := range kafka.Newest() {
		t.Releases = append(t.Releases, v.String())
	}
	for f := range kafka.FeatureCount {
		row := era{Meaning: f.Meaning()}
		for _, s := range f.Spans() {
			row.Spans = append(row.Spans, [2]string{exact(s.Since), exact(s.Until)})
		}
		t.Features = append(t.Features, row)
	}
	for c := kafka.NoConfig + 1; c < kafka.ConfigCount; c++ {
		row := eraConfig{Name: c.String()}
		for _, v := range kafka.Newest() {
			row.Defaults = append(row.Defaults, c.DefaultText(v))
		}
		t.Configs = append(t.Configs, row)
	}
	for api := range kafka.APICount {
		row := eraAPI{Name: api.String()}
		for _, v := range kafka.Newest() {
			text := ""
			if oldest, newest := kafka.APIVersions(v, api); newest >= 0 {
				text = versionRange([2]int16{oldest, newest})
			}
			row.Versions = append(row.Versions, text)
		}
		t.APIs = append(t.APIs, row)
	}
	return t
}

func exact(v kafka.Version) string {
	if v == (kafka.Version{}) {
		return ""
	}
	return v.String()
}
