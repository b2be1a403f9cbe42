package explorer_test

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
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

// incarnated is a scripted agent that is told how often it was wiped.
type incarnated[S, M any] struct{ scripted[S, M] }

func (incarnated[S, M]) AsksIncarnation() {}

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
// JSON, a line for each field, then the paths that it leaves out, and the
// diagram.
func render(t testing.TB, r *explorer.Report) string {
	t.Helper()
	data, err := json.Marshal(r)
	if err != nil {
		t.Fatal(err)
	}
	var fields map[string]json.RawMessage
	if err := json.Unmarshal(data, &fields); err != nil {
		t.Fatal(err)
	}
	for _, cost := range []string{"seconds", "states_per_second", "workers", "peak_memory_bytes", "bytes_per_state"} {
		delete(fields, cost)
	}
	var b strings.Builder
	for _, name := range slices.Sorted(maps.Keys(fields)) {
		fmt.Fprintf(&b, "%s %s\n", name, fields[name])
	}
	if r.Awry != nil {
		for _, a := range *r.Awry {
			fmt.Fprintf(&b, "path to %s %s", a.AgentState, a.Message)
			for _, step := range a.Path {
				fmt.Fprintf(&b, " %s %s", step.Label, step.State)
			}
			b.WriteString("\n")
		}
	}
	if r.Diagram != nil {
		renderDiagram(&b, r.Diagram)
	}
	return b.String()
}

func renderDiagram(b *strings.Builder, d *explorer.Diagram) {
	marks := func(of ...any) string { // pairs of a flag and its name
		text := ""
		for i := 0; i < len(of); i += 2 {
			if of[i].(bool) {
				text += ", " + of[i+1].(string)
			}
		}
		return text
	}
	for i, n := range d.Nodes {
		fmt.Fprintf(b, "%s %s %q%s\n", n.Name, n.Label, n.InFlight,
			marks(slices.Contains(d.Starts, i), "start", n.Halted, "halted", n.Inconsistent, "inconsistent", n.Terminal, "terminal", n.OnPath, "on the path"))
	}
	for _, e := range d.Edges {
		fmt.Fprintf(b, "%s -> %s %s by %s%s\n", d.Nodes[e.From].Name, d.Nodes[e.To].Name, e.Label, e.Kind, marks(e.OnPath, "on the path"))
	}
}
