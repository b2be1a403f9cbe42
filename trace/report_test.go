package trace_test

import (
	"bytes"
	"encoding/json"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/caulk-go/caulk/explorer"
	"github.com/caulk-go/caulk/model"
	"github.com/caulk-go/caulk/trace"
)

// TestReportsCanBeReplayed reads what the explorer writes, and finds its path,
// its states' labels included, by making the moves again.
func TestReportsCanBeReplayed(t *testing.T) {
	panics := offices("3:a 2:panic")
	panics.Wipe = nil
	twoNotes := offices("2:a 2:bad")
	cases := []struct {
		name string
		sys  model.System
		want string
	}{
		{"mark2", marked(t, "mark2"), `still fails at move 4 of 4, Wipe 3: consistent: agents 2 and 3 are idle at n=0 with different stores: "x" of n=1 and nothing`},
		{"messages of one label", twoNotes, "still fails at move 1 of 1, {Note;1->2}: good: agent 2 is bad"},
		{"a panic", panics, `still fails at move 1 of 1, {Note;1->2}: Receive of agent 2 in state desk{Kept: 0, Lost: false, Bad: false} given note{Text: "panic"} from 1 panics: cannot receive`},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			report, err := explorer.Explore(t.Context(), c.sys, explorer.Options{})
			if err != nil {
				t.Fatal(err)
			}
			if report.Violation == nil {
				t.Fatal("no violation is found")
			}
			data, err := json.Marshal(report)
			if err != nil {
				t.Fatal(err)
			}
			path, err := trace.Read(bytes.NewReader(data))
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(report.Setting, *path.Setting); diff != "" {
				t.Errorf("the setting (-want +got):\n%s", diff)
			}
			o, err := trace.Replay(&c.sys, path)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(report.Violation.Path, o.Steps()); diff != "" {
				t.Errorf("the path (-reported +made):\n%s", diff)
			}
			if got := o.String(); got != c.want {
				t.Errorf("it %s\nnot %s", got, c.want)
			}
		})
	}
}
