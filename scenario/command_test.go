package scenario_test

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/caulk-go/caulk/algos"
	"github.com/caulk-go/caulk/cli"
	"github.com/caulk-go/caulk/explorer"
	"github.com/caulk-go/caulk/model"
	"github.com/caulk-go/caulk/scenario"
	"github.com/caulk-go/caulk/trace"
)

// TestCommandShowsTheSame runs the commands: what they report is the report of
// the same system and options.
func TestCommandShowsTheSame(t *testing.T) {
	for _, c := range []struct {
		algo    string
		config  model.Config
		change  func(*model.System)
		options explorer.Options
	}{
		{algo: "mark1"},
		{algo: "mark2", change: func(s *model.System) { s.Wipe = []model.ID{3} }},
		{algo: "mark3", config: model.Config{Agents: 4}, change: func(s *model.System) {
			s.Starts, s.Network = map[model.ID]string{4: "x", 1: "y"}, model.Set
		}, options: explorer.Options{Depth: new(4), KeepGoing: true}},
		{algo: "twophase", config: model.Config{Params: map[string]int{"managers": 2}}, options: explorer.Options{
			Search: explorer.DFS, Properties: []string{"consistent"},
		}},
	} {
		a, err := model.FindAlgorithm(algos.All(), c.algo)
		if err != nil {
			t.Fatal(err)
		}
		s, err := a.System(c.config)
		if err != nil {
			t.Fatal(err)
		}
		if c.change != nil {
			c.change(&s)
		}
		command := scenario.Command(&s, c.options)
		var out, errs bytes.Buffer
		cli.Run(t.Context(), algos.All(), append(strings.Fields(command), "--json", "-"), cli.Streams{In: strings.NewReader(""), Out: &out, Err: &errs})
		var got explorer.Report
		if err := json.NewDecoder(&out).Decode(&got); err != nil {
			t.Errorf("%s: %s\n%s", command, err, errs.String())
			continue
		}
		want, err := explorer.Explore(t.Context(), s, c.options)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(summary(want), summary(&got)); diff != "" {
			t.Errorf("%s (-here +there):\n%s", command, diff)
		}
	}
}

type summed struct {
	Setting     trace.Setting
	Search      string
	Verdict     explorer.Verdict
	States      int64
	Transitions int64
	Properties  []explorer.PropertyReport
	Violation   *explorer.Violation
}

func summary(r *explorer.Report) summed {
	return summed{r.Setting, r.Search, r.Verdict, r.States, r.Transitions, r.Properties, r.Violation}
}
