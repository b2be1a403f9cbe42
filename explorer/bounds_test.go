package explorer_test

import (
	"context"
	"errors"
	"reflect"
	"testing"
	"time"

	"github.com/caulk-go/caulk/explorer"
	"github.com/caulk-go/caulk/model"
)

// counters are agents that each count to n by themselves: (n+1)^agents states,
// in agents*n+1 levels, and a single one at the end.
func counters(agents, n int) model.System {
	var nodes []model.Node
	for range agents {
		nodes = append(nodes, model.Of(scripted[int, ticket]{actions: countTo[ticket](n)}))
	}
	return systemOf(nodes...)
}

// never two agents at their ends.
func notBothAt(n int) model.Property {
	return model.Always("not both", func(v model.View) error {
		if model.StateOf[int](v, 1) == n && model.StateOf[int](v, 2) == n {
			return errors.New("both have arrived")
		}
		return nil
	})
}

// bound is the only bound of a report.
func bound(t *testing.T, r *explorer.Report) explorer.Bound {
	t.Helper()
	if len(r.Bounds) != 1 {
		t.Fatalf("the bounds are %v, not one", r.Bounds)
	}
	return r.Bounds[0]
}

func searches() []explorer.Options {
	return []explorer.Options{{Workers: 1}, {Workers: 3}, {Search: explorer.DFS}}
}

// Two counters to 3: level d has min(d, 6-d)+1 states.
func TestDepth(t *testing.T) {
	for _, c := range []struct {
		depth               int
		states, transitions int64
		cut                 int64 // 0 if the search is complete
		terminal            int64
	}{
		{0, 1, 0, 1, 0},
		{1, 3, 2, 2, 0},
		{2, 6, 6, 3, 0},
		{3, 10, 12, 4, 0},
		{4, 13, 18, 3, 0},
		{5, 15, 22, 2, 0},
		{6, 16, 24, 0, 1}, // the state at the bound has no moves: nothing is cut
		{7, 16, 24, 0, 1},
		{1000, 16, 24, 0, 1},
	} {
		for _, o := range searches() {
			o.Depth = &c.depth
			r := explore(t, counters(2, 3), o)
			if r.States != c.states || r.Transitions != c.transitions || r.Depth != min(c.depth, 6) || r.Terminal != c.terminal {
				t.Errorf("%s to depth %d: %d states, %d transitions, depth %d, %d terminal", o.Search, c.depth, r.States, r.Transitions, r.Depth, r.Terminal)
			}
			if c.cut == 0 {
				if !r.Complete || r.Verdict != explorer.Holds || len(r.Bounds) != 0 {
					t.Errorf("%s to depth %d: %s, complete is %t, bounds %v", o.Search, c.depth, r.Verdict, r.Complete, r.Bounds)
				}
				continue
			}
			want := explorer.Bound{Name: "depth", Limit: c.depth, Cut: c.cut}
			if r.Complete || r.Verdict != explorer.Incomplete || bound(t, r) != want {
				t.Errorf("%s to depth %d: %s, complete is %t, bounds %v, want %v", o.Search, c.depth, r.Verdict, r.Complete, r.Bounds, want)
			}
		}
	}
}

// Agent 1 halts after one step, agent 2 ends after one: of the states at depth
// 1 neither could go on, but the one where agent 2 has ended can.
func TestDepthDoesNotCutHaltedStates(t *testing.T) {
	halts := scripted[int, ticket]{actions: countTo[ticket](1), halted: func(s int) bool { return s == 1 }}
	sys := systemOf(model.Of(halts), model.Of(scripted[int, ticket]{actions: countTo[ticket](1)}))
	for _, o := range searches() {
		o.Depth = new(1)
		r := explore(t, sys, o)
		if r.States != 3 || r.Halted != 1 || *r.ShortestHalt != 1 || bound(t, r).Cut != 1 {
			t.Errorf("%s: %d states, %d halted, %v cut", o.Search, r.States, r.Halted, r.Bounds)
		}
	}
}

// A sometimes that was reached holds, whatever was cut; one that was not, and
// an always, are not known.
func TestVerdictsUnderABound(t *testing.T) {
	at := func(n int) func(model.View) bool {
		return func(v model.View) bool { return model.StateOf[int](v, 1) == n }
	}
	sys := counters(2, 3)
	sys.Properties = []model.Property{
		model.Sometimes("early", at(1)), model.Sometimes("late", at(3)), model.Sometimes("never", at(9)), notBothAt(9),
	}
	for _, c := range []struct {
		depth int
		want  []explorer.Verdict // of the search, then of the properties
	}{
		{2, []explorer.Verdict{explorer.Incomplete, explorer.Holds, explorer.Incomplete, explorer.Incomplete, explorer.Incomplete}},
		{6, []explorer.Verdict{explorer.Violated, explorer.Holds, explorer.Holds, explorer.NotReached, explorer.Holds}},
	} {
		for _, o := range searches() {
			o.Depth = &c.depth
			r := explore(t, sys, o)
			got := []explorer.Verdict{r.Verdict}
			for _, p := range r.Properties {
				got = append(got, p.Verdict)
			}
			if !reflect.DeepEqual(got, c.want) {
				t.Errorf("%s to depth %d: %v, want %v", o.Search, c.depth, got, c.want)
			}
		}
	}
}

// The search stops at the limit, or soon after.
func TestMaxStates(t *testing.T) {
	const all = 50 * 50
	for _, limit := range []int64{1, 2, 10, 100, 1000, all - 1, all, all + 1} {
		for _, o := range searches() {
			o.MaxStates = limit
			r := explore(t, counters(2, 49), o)
			if limit > all {
				if r.States != all || !r.Complete || len(r.Bounds) != 0 {
					t.Errorf("%s up to %d: %d states, complete is %t, bounds %v", o.Search, limit, r.States, r.Complete, r.Bounds)
				}
				continue
			}
			if r.States < limit || r.States > limit+limit/2+3 {
				t.Errorf("%s up to %d: %d states", o.Search, limit, r.States)
			}
			b := bound(t, r)
			if r.Complete || r.Verdict != explorer.Incomplete || b.Name != "states" || b.Limit != limit || b.Cut < 1 || b.Cut > r.States {
				t.Errorf("%s up to %d: %s, complete is %t, bounds %v", o.Search, limit, r.Verdict, r.Complete, r.Bounds)
			}
		}
	}
}

// Agent 1 halts at once or agent 2 takes a step; the search is cut when it has
// met the halted state, before it took the step.
func TestMaxStatesAtAHaltedState(t *testing.T) {
	halts := scripted[int, ticket]{actions: countTo[ticket](1), halted: func(s int) bool { return s == 1 }}
	sys := systemOf(model.Of(halts), model.Of(scripted[int, ticket]{actions: countTo[ticket](1)}))
	for _, o := range searches() {
		o.MaxStates = 2
		r := explore(t, sys, o)
		if r.States == 3 {
			continue // it saw all there is, but for the moves of the third
		}
		if r.Complete || r.Verdict != explorer.Incomplete || len(r.Bounds) != 1 {
			t.Errorf("%s: after %d of 3 states %s, complete is %t, bounds %v", o.Search, r.States, r.Verdict, r.Complete, r.Bounds)
		}
	}
}

func TestMaxTime(t *testing.T) {
	for _, o := range searches() {
		o.MaxTime = time.Nanosecond
		r := explore(t, counters(3, 200), o)
		want := explorer.Bound{Name: "time", Limit: 1e-9, Cut: 1}
		if r.States != 1 || r.Complete || r.Verdict != explorer.Incomplete || bound(t, r) != want {
			t.Errorf("%s: %s after %d states, complete is %t, bounds %v", o.Search, r.Verdict, r.States, r.Complete, r.Bounds)
		}
	}
}

func TestCancelledBefore(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	for _, o := range searches() {
		r, err := explorer.Explore(ctx, counters(2, 3), o)
		if err != nil {
			t.Fatal(err)
		}
		want := explorer.Bound{Name: "interrupted", Cut: 1}
		if r.States != 1 || r.Depth != 0 || r.Complete || r.Verdict != explorer.Incomplete || bound(t, r) != want {
			t.Errorf("%s: %s after %d states, complete is %t, bounds %v", o.Search, r.Verdict, r.States, r.Complete, r.Bounds)
		}
	}
}

// The handler itself cancels the search, when the first counter is at 20.
func TestCancelledDuring(t *testing.T) {
	for _, o := range searches() {
		ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
		count := action("count", func(s int) (int, []model.Message[ticket], bool) {
			if s == 20 {
				cancel()
			}
			return s + 1, nil, true
		})
		sys := counters(2, 1000)
		sys.Agents[0] = model.Of(scripted[int, ticket]{actions: count})
		r, err := explorer.Explore(ctx, sys, o)
		if err != nil {
			t.Fatal(err)
		}
		b := bound(t, r)
		if r.Complete || r.Verdict != explorer.Incomplete || b.Name != "interrupted" || b.Limit != nil || b.Cut < 1 {
			t.Errorf("%s: %s, complete is %t, bounds %v", o.Search, r.Verdict, r.Complete, r.Bounds)
		}
		if r.States < 21 || r.States > 10_000 {
			t.Errorf("%s: %d states when it was cancelled", o.Search, r.States)
		}
	}
}
