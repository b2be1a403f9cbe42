package explorer_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/caulk-go/caulk/explorer"
	"github.com/caulk-go/caulk/model"
)

func TestTableReductionsAreRefused(t *testing.T) {
	with := func(p model.Property) func(*model.System, *explorer.Options) {
		return func(s *model.System, _ *explorer.Options) { s.Properties = []model.Property{p} }
	}
	fine := func(model.View) error { return nil }
	empty := func(v model.View) error {
		if len(v.InFlight()) > 7 {
			return errors.New("it is full")
		}
		return nil
	}
	for _, tt := range []struct {
		name   string
		change func(s *model.System, o *explorer.Options)
		reduce []explorer.Reduction
		want   string
	}{
		{"fifo", func(s *model.System, _ *explorer.Options) { s.Network = model.Fifo }, []explorer.Reduction{explorer.Dead}, "blocks its queue"},
		{"depth first", func(_ *model.System, o *explorer.Options) { o.Search = explorer.DFS }, []explorer.Reduction{explorer.Minimal}, `level by level, and the search is "dfs"`},
		{"random walks", func(_ *model.System, o *explorer.Options) { o.Search, o.MaxStates = explorer.Random, 5 }, []explorer.Reduction{explorer.Dead}, `the search is "random"`},
		{"checkpoints", func(_ *model.System, o *explorer.Options) { o.Checkpoint = t.TempDir() + "/c" }, []explorer.Reduction{explorer.Dead}, "a checkpoint does not hold its tables"},
		{"coverage", func(_ *model.System, o *explorer.Options) { o.Cover = true }, []explorer.Reduction{explorer.Minimal}, "coverage counts deliveries"},
		{"diagrams of states", func(_ *model.System, o *explorer.Options) { o.Graph = explorer.StateGraph }, []explorer.Reduction{explorer.Dead}, "shows networks"},
		{"diagrams of labels", func(_ *model.System, o *explorer.Options) { o.Graph = explorer.LabelGraph }, []explorer.Reduction{explorer.Minimal}, "shows every label"},
		{"runs", with(model.Eventually("soon", func(model.View) bool { return true })), []explorer.Reduction{explorer.Dead}, `the property "soon" is about whole runs`},
		{"ends", with(model.AtEnd("done", fine)), []explorer.Reduction{explorer.Dead}, `the property "done" is about ends`},
		{"steps", with(model.EveryStep("up", func(_, _ model.View) error { return nil })), []explorer.Reduction{explorer.Minimal}, `the property "up" is about steps`},
		{"networks", with(model.Always("empty", empty)), []explorer.Reduction{explorer.Dead, explorer.Minimal}, `the reduction "dead,minimal" is refused: the property "empty" reads the network`},
		{"boundaries of networks", func(s *model.System, _ *explorer.Options) {
			s.Boundary = func(v model.View) bool { return empty(v) == nil }
		}, []explorer.Reduction{explorer.Dead}, "the boundary reads the network"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			sys, o := door(), explorer.Options{Reduce: tt.reduce}
			tt.change(&sys, &o)
			if err := exploreFails(t, sys, o); !strings.Contains(err.Error(), tt.want) {
				t.Errorf("the error is %q, want one with %q", err, tt.want)
			}
		})
	}
}

// What may be asked for with dead alone.
func TestDeadKeepsStepsAndDiagrams(t *testing.T) {
	sys := door()
	sys.Properties = []model.Property{model.EveryStep("never twice", func(_, after model.View) error {
		if model.StateOf[int](after, 2) > 1 {
			return errors.New("it is 2")
		}
		return nil
	})}
	whole := explore(t, sys, explorer.Options{Graph: explorer.LabelGraph, KeepGoing: true})
	dead := explore(t, sys, explorer.Options{Graph: explorer.LabelGraph, KeepGoing: true, Reduce: []explorer.Reduction{explorer.Dead}})
	if whole.Violation == nil || dead.Violation == nil || dead.Violation.Moves != whole.Violation.Moves {
		t.Errorf("the violations differ: %+v and %+v", whole.Violation, dead.Violation)
	}
	if *whole.LabelNodes != *dead.LabelNodes || *whole.LabelEdges != *dead.LabelEdges {
		t.Errorf("the diagrams differ: %d labels and %d arrows, %d and %d", *whole.LabelNodes, *whole.LabelEdges, *dead.LabelNodes, *dead.LabelEdges)
	}
}

// A sometimes may read the network: what is found is asked about again in the
// whole system, and that there is nothing to find is not claimed.
func TestSometimesMayReadAReducedNetwork(t *testing.T) {
	sys := door()
	inFlight := func(n int) func(v model.View) bool {
		return func(v model.View) bool { return len(v.InFlight()) == n && model.StateOf[int](v, 1) == 1 }
	}
	sys.Wipe = nil
	sys.Properties = []model.Property{model.Sometimes("both", inFlight(2)), model.Sometimes("one", inFlight(1)), model.Sometimes("none of nine", inFlight(9))}
	r := explore(t, sys, explorer.Options{Reduce: []explorer.Reduction{explorer.Dead}})
	// With one key used, the other is dead: where the reduced network holds one message, the whole one holds two.
	for _, p := range r.Properties {
		if p.Verdict != explorer.Incomplete {
			t.Errorf("%q is %q, want it to be incomplete", p.Name, p.Verdict)
		}
	}
	r = explore(t, sys, explorer.Options{Reduce: []explorer.Reduction{explorer.Minimal}})
	if got := r.Properties[0]; got.Verdict != explorer.Holds || len(got.Witness) != 1 {
		t.Errorf("%q is %q after %d moves, want it to hold after 1", got.Name, got.Verdict, len(got.Witness))
	}
}

// An agent whose table never ends is left as it is, and the report says so.
func TestAnEndlessTableIsGivenUp(t *testing.T) {
	sys := door()
	sys.Agents[0] = model.Of(incarnated[int, ticket]{scripted[int, ticket]{
		receive: func(s int, m model.Message[ticket]) (int, []model.Message[ticket]) { return m.Body.N, nil },
	}})
	sys.Budgets = map[model.Budget]int{model.Wipes: 2}
	r := explore(t, sys, explorer.Options{Reduce: []explorer.Reduction{explorer.Dead, explorer.Minimal}})
	if text := strings.Join(r.Notes, "; "); r.Verdict != explorer.Holds || !strings.Contains(text, "leaves agent 1 as it is: closing its table leads to more than") {
		t.Errorf("it is %q, with the notes %q", r.Verdict, text)
	}
}

// The tables ask what never happens: what goes wrong there is no news.
func TestHandlersMayGoWrongWhereNobodyComes(t *testing.T) {
	sys := lamp(notTwo(func(v model.View) int { return model.StateOf[int](v, 1) - 7 }))
	calls := 0
	goes := func(never func() int) model.Node {
		return model.Of(scripted[int, ticket]{
			fresh: func(model.ID, int) (int, []model.Message[ticket]) { return 0, send(1, ticket{1}) },
			receive: func(s int, m model.Message[ticket]) (int, []model.Message[ticket]) {
				switch {
				case s == 0 && m.Body.N == 1:
					return 1, send(1, ticket{2})
				case s == 1 && m.Body.N == 2:
					return 2, nil
				}
				return never(), nil
			},
		})
	}
	for name, never := range map[string]func() int{
		"panics": func() int { panic("it never comes to this") },
		"impure": func() int { calls++; return calls },
	} {
		sys.Agents = []model.Node{goes(never)}
		r := explore(t, sys, explorer.Options{Reduce: []explorer.Reduction{explorer.Dead, explorer.Minimal}})
		if r.Verdict != explorer.Holds || !r.Complete {
			t.Errorf("%s: it is %q, %+v", name, r.Verdict, r.Violation)
		}
	}
}

// Where it does happen it is reported, by the path that leads there.
func TestHandlersThatGoWrongInAReducedSearch(t *testing.T) {
	sys := door()
	sys.Properties = nil
	counts := func(wrong func() int) model.Node {
		return model.Of(scripted[int, ticket]{
			fresh: func(model.ID, int) (int, []model.Message[ticket]) {
				return 0, append(send(1, ticket{1}), send(1, ticket{2})...)
			},
			receive: func(s int, _ model.Message[ticket]) (int, []model.Message[ticket]) {
				if s == 1 {
					return wrong(), nil
				}
				return s + 1, nil
			},
		})
	}
	o := explorer.Options{Reduce: []explorer.Reduction{explorer.Dead, explorer.Minimal}}
	sys.Agents[1] = counts(func() int { panic("twice") })
	if r := explore(t, sys, o); r.Violation == nil || r.Violation.Property != "no panic" || r.Violation.Moves != 5 {
		t.Errorf("a panic is %+v", r.Violation)
	}
	calls := 0
	sys.Agents[1] = counts(func() int { calls++; return calls + 1 })
	var misbehaves *explorer.HandlerError
	if err := exploreFails(t, sys, o); !errors.As(err, &misbehaves) || len(misbehaves.Path) != 5 {
		t.Errorf("an impure handler is %v", err)
	}
}

func TestTableReductionsWithinBounds(t *testing.T) {
	sys := door()
	for _, reduce := range tableReductions(sys.Network) {
		for _, o := range []explorer.Options{{MaxStates: 2}, {Depth: new(0)}, {Depth: new(3)}, {MaxTime: time.Nanosecond}} {
			o.Reduce = reduce
			if r := explore(t, sys, o); r.Verdict != explorer.Incomplete || r.Complete || r.Violation != nil {
				t.Errorf("%v within %+v: %q, %s", reduce, r.Bounds, r.Verdict, fmt.Sprint(r.Violation))
			}
		}
	}
}
