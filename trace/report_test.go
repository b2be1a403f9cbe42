package trace_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
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

// TestViolationsOfEveryKindCanBeReplayed reads what the explorer writes about
// every kind of property, move and start, writes it as a path file, and finds
// that its path still fails.
func TestViolationsOfEveryKindCanBeReplayed(t *testing.T) {
	for _, c := range violatingInEveryWay() {
		t.Run(c.name, func(t *testing.T) {
			c.change(&c.sys)
			report, err := explorer.Explore(t.Context(), c.sys, explorer.Options{})
			if err != nil {
				t.Fatal(err)
			}
			v := report.Violation
			if v == nil || v.Moves != c.moves {
				t.Fatalf("the violation is %+v", v)
			}
			data, err := json.Marshal(report)
			if err != nil {
				t.Fatal(err)
			}
			path := mustRead(t, data)
			if diff := cmp.Diff(trace.Path{Setting: path.Setting, Steps: v.Path, Property: v.Property, LoopFrom: v.LoopFrom}, path); diff != "" {
				t.Errorf("the path (-reported +read):\n%s", diff)
			}
			var file bytes.Buffer
			if err := trace.Write(&file, path); err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(path, mustRead(t, file.Bytes())); diff != "" {
				t.Errorf("the path file (-written +read):\n%s", diff)
			}
			if err := path.Setting.Apply(&c.sys); err != nil {
				t.Fatal(err)
			}
			o, err := trace.Replay(&c.sys, path)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(v.Path, o.Steps()); diff != "" || o.Verdict != trace.StillFails {
				t.Errorf("it %s; the path (-reported +made):\n%s", o, diff)
			}
		})
	}
}

// violating is a system that violates a property, after so many moves.
type violating struct {
	name   string
	sys    model.System
	change func(*model.System)
	moves  int
}

func violatingInEveryWay() []violating {
	circle := []line{{name: "out", from: 0, to: 1}, {name: "back", from: 1, to: 0}}
	never := model.Eventually("run", at(9))
	lose := func(v model.View) error {
		if len(v.InFlight()) == 0 {
			return errors.New("nothing is in flight")
		}
		return nil
	}
	return []violating{
		{"a step", trams(circle...), func(s *model.System) {
			s.Properties = []model.Property{model.EveryStep("up", func(before, after model.View) error {
				if model.StateOf[int](after, 1) < model.StateOf[int](before, 1) {
					return errors.New("it goes back")
				}
				return nil
			})}
		}, 2},
		{"an end", trams(line{name: "one", from: 0, to: 1}), func(s *model.System) {
			s.Properties = []model.Property{model.AtEnd("end", func(model.View) error { return errors.New("it ends") })}
		}, 1},
		{"a loop", trams(circle...), func(s *model.System) { s.Properties = []model.Property{model.LeadsTo("run", at(1), at(9))} }, 1},
		{"a loop that must serve", trams(line{name: "stay", from: 0, to: 0, fair: true}), func(s *model.System) { s.Properties = []model.Property{never} }, 1},
		{"a queue in a loop", trams(), func(s *model.System) {
			s.Network, s.Starts, s.Properties = model.Fifo, map[model.ID]string{1: "pass"}, []model.Property{never}
		}, 1},
		{"the second of a queue", offices("2:a 2:bad"), func(s *model.System) { s.Network = model.Fifo }, 2},
		{"the second of a queue whose first is lost", offices("2:halt 2:bad"), func(s *model.System) {
			s.Network, s.Lossy, s.Wipe = model.Fifo, true, nil
		}, 2},
		{"a message is lost", offices("2:a 3:b"), func(s *model.System) {
			s.Lossy, s.Wipe, s.Properties = true, nil, []model.Property{model.Always("in flight", lose)}
			s.Budgets = map[model.Budget]int{model.Drops: 1}
		}, 2},
		{"a message is doubled", offices("2:a"), func(s *model.System) {
			s.Wipe, s.Budgets = nil, map[model.Budget]int{model.Duplicates: 1}
			s.Properties = []model.Property{model.Always("few", func(v model.View) error {
				if n := len(v.InFlight()); n > 1 {
					return fmt.Errorf("%d are in flight", n)
				}
				return nil
			})}
		}, 1},
		{"a crash", offices("2:a"), func(s *model.System) {
			s.Wipe, s.Crash, s.Properties = nil, []model.ID{2}, []model.Property{model.Eventually("run", func(v model.View) bool { return model.StateOf[desk](v, 2).Kept > 0 })}
		}, 1},
		{"another start", offices("2:a"), func(s *model.System) { s.OtherStarts = []map[model.ID]string{{3: "2:b"}, {2: "3:bad"}} }, 1},
		{"a start of nobody", offices("2:a"), func(s *model.System) {
			s.Wipe, s.OtherStarts = nil, []map[model.ID]string{nil}
			s.Properties = []model.Property{model.Always("in use", func(v model.View) error {
				if len(v.InFlight()) == 0 && model.StateOf[desk](v, 2).Kept == 0 {
					return errors.New("nobody sends")
				}
				return nil
			})}
		}, 0},
		{"an observer", trams(circle...), func(s *model.System) {
			s.Observer = model.Observe(0, func(n int, _ model.Event) int { return min(n+1, 4) })
			s.Properties = []model.Property{model.Always("few", func(v model.View) error {
				if n := model.ObserverOf[int](v); n > 2 {
					return fmt.Errorf("%d moves were seen", n)
				}
				return nil
			})}
		}, 2},
	}
}

func mustRead(t *testing.T, data []byte) trace.Path {
	t.Helper()
	path, err := trace.Read(bytes.NewReader(data))
	if err != nil {
		t.Fatalf("%v\n%s", err, data)
	}
	return path
}
