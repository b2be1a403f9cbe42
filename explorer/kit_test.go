package explorer_test

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/caulk-go/caulk/explorer"
	"github.com/caulk-go/caulk/model"
)

// scripted is an agent made of functions. What is nil does nothing.
type scripted[S, M any] struct {
	fresh   func(self model.ID, incarnation int) (S, []model.Message[M])
	start   func(s S, value string) (S, []model.Message[M])
	receive func(s S, m model.Message[M]) (S, []model.Message[M])
	halted  func(s S) bool
	actions []model.Action[S, M]
}

func (a scripted[S, M]) Fresh(self model.ID, _ []model.ID, incarnation int) (s S, sent []model.Message[M]) {
	if a.fresh != nil {
		return a.fresh(self, incarnation)
	}
	return s, nil
}

func (a scripted[S, M]) Start(s S, value string) (S, []model.Message[M]) {
	if a.start != nil {
		return a.start(s, value)
	}
	return s, nil
}

func (a scripted[S, M]) Receive(s S, m model.Message[M]) (S, []model.Message[M]) {
	if a.receive != nil {
		return a.receive(s, m)
	}
	return s, nil
}

func (a scripted[S, M]) Halted(s S) bool               { return a.halted != nil && a.halted(s) }
func (a scripted[S, M]) Actions() []model.Action[S, M] { return a.actions }

// labelled is a scripted agent that names its states.
type labelled[S, M any] struct {
	scripted[S, M]
	label func(s S) string
}

func (a labelled[S, M]) Label(s S) string { return a.label(s) }

// action is an own action that is enabled wherever do says so.
func action[S, M any](name string, do func(s S) (S, []model.Message[M], bool)) []model.Action[S, M] {
	return []model.Action[S, M]{{Name: name, Do: do}}
}

// countTo is an own action that counts, without sending.
func countTo[M any](n int) []model.Action[int, M] {
	return action("count", func(s int) (int, []model.Message[M], bool) { return s + 1, nil, s < n })
}

// ticket is a message that bears a number.
type ticket struct{ N int }

func (t ticket) Detail() string { return fmt.Sprintf("N=%d", t.N) }

// send addresses a message.
func send[M any](to model.ID, body M) []model.Message[M] {
	return []model.Message[M]{{To: to, Body: body}}
}

func systemOf(agents ...model.Node) model.System {
	return model.System{Name: "test", Agents: agents}
}

// explore searches a system that is known to be finite. A test whose search
// does not end fails within a minute.
func explore(t testing.TB, sys model.System, o explorer.Options) *explorer.Report {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	r, err := explorer.Explore(ctx, sys, o)
	if err != nil {
		t.Fatal(err)
	}
	if ctx.Err() != nil {
		t.Fatalf("the search does not end: %d states after a minute", r.States)
	}
	return r
}

// exploreFails is the error of a search that cannot be made.
func exploreFails(t testing.TB, sys model.System, o explorer.Options) error {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	r, err := explorer.Explore(ctx, sys, o)
	if err == nil {
		t.Fatalf("there is no error, but a report: %s after %d states", r.Verdict, r.States)
	}
	return err
}

// size is what a search of a system without faults and properties counts.
type size struct {
	States, Transitions int64
	Depth               int
	Terminal            int64
}

// wantSize explores a system on one worker and on three, and depth first, and
// compares the counts.
func wantSize(t *testing.T, sys model.System, want size) {
	t.Helper()
	for _, o := range []explorer.Options{{Workers: 1}, {Workers: 3}, {Search: explorer.DFS}} {
		r := explore(t, sys, o)
		got := size{r.States, r.Transitions, r.Depth, r.Terminal}
		if got != want || !r.Complete {
			t.Errorf("%s with %d workers: %+v, complete is %t; want %+v", o.Search, o.Workers, got, r.Complete, want)
		}
	}
}

// render is all of a report that two runs of a search must have in common: the
// JSON, the paths that it leaves out, and the diagram.
func render(t testing.TB, r *explorer.Report) string {
	t.Helper()
	same := *r
	same.Seconds, same.StatesPerSecond, same.Workers, same.PeakMemoryBytes, same.BytesPerState = 0, 0, 0, 0, 0
	data, err := json.MarshalIndent(same, "", " ")
	if err != nil {
		t.Fatal(err)
	}
	var b strings.Builder
	b.Write(data)
	if r.Awry != nil {
		for _, a := range *r.Awry {
			fmt.Fprintf(&b, "\nawry %s %s:", a.AgentState, a.Message)
			for _, step := range a.Path {
				fmt.Fprintf(&b, " %s %s", step.Label, step.State)
			}
		}
	}
	if r.Diagram != nil {
		fmt.Fprintf(&b, "\nstart %d", r.Diagram.Start)
		for i, n := range r.Diagram.Nodes {
			fmt.Fprintf(&b, "\n%d %+v", i, n)
		}
		for _, e := range r.Diagram.Edges {
			fmt.Fprintf(&b, "\n%+v", e)
		}
	}
	b.WriteString("\n")
	return b.String()
}
