package explorer_test

import (
	"errors"
	"fmt"
	"slices"
	"testing"

	"github.com/caulk-go/caulk/explorer"
	"github.com/caulk-go/caulk/model"
)

// fails is an always that fails where the counters of agents 1 and 2 are so.
func fails(name string, one, two int) model.Property {
	return model.Always(name, func(v model.View) error {
		if model.StateOf[int](v, 1) == one && model.StateOf[int](v, 2) == two {
			return fmt.Errorf("agents 1 and 2 are at %d and %d", one, two)
		}
		return nil
	})
}

func pathLabels(v *explorer.Violation) []string {
	var labels []string
	for _, step := range v.Path {
		labels = append(labels, step.Label)
	}
	return labels
}

// A breadth-first search ends with the level of the nearest violation: what it
// counts is that level and all before it, whoever found it and when.
func TestCountsAtAViolationAreThoseOfWholeLevels(t *testing.T) {
	// Level d of two counters to 50 has d+1 states, as long as d <= 50.
	for _, d := range []int{1, 2, 7, 50} {
		for _, workers := range []int{1, 2, 3, 8} {
			sys := counters(2, 50)
			sys.Properties = []model.Property{fails("far", 50, 50), fails("near", d/2, d-d/2)}
			r := explore(t, sys, explorer.Options{Workers: workers})
			levels, before := int64(d+1)*int64(d+2)/2, int64(d)*int64(d+1)/2
			if r.States != levels || r.Transitions != 2*before || r.Depth != d || r.Inconsistent != 1 {
				t.Errorf("violated at depth %d: %d states, %d transitions, depth %d, %d inconsistent; want %d, %d, %d, 1", d, r.States, r.Transitions, r.Depth, r.Inconsistent, levels, 2*before, d)
			}
			if v := r.Violation; r.Verdict != explorer.Violated || v.Property != "near" || v.Moves != d || len(v.Path) != d || v.Reason != fmt.Sprintf("agents 1 and 2 are at %d and %d", d/2, d-d/2) {
				t.Errorf("violated at depth %d: %s, %+v", d, r.Verdict, r.Violation)
			}
			if r.Properties[0].Verdict != explorer.Incomplete || r.Properties[1].Verdict != explorer.Violated {
				t.Errorf("violated at depth %d: %+v", d, r.Properties)
			}
			if r.Properties[0].Tested != levels || len(r.Bounds) != 0 || r.Complete {
				t.Errorf("violated at depth %d: tested in %d states, bounds %v, complete is %t", d, r.Properties[0].Tested, r.Bounds, r.Complete)
			}
		}
	}
}

// A search that ends at a violation is not complete if a move was left: not
// even where every state that it met was expanded or must not be.
func TestEndingAtAViolationIsNotComplete(t *testing.T) {
	sys := counters(2, 1)
	sys.Properties = []model.Property{fails("met", 1, 0), fails("not met", 1, 1), model.Sometimes("not reached", func(v model.View) bool { return model.StateOf[int](v, 2) == 1 })}
	r := explore(t, sys, explorer.Options{Search: explorer.DFS})
	if r.States != 2 || r.Complete || r.Properties[1].Verdict != explorer.Incomplete || r.Properties[2].Verdict != explorer.Incomplete {
		t.Errorf("after %d of 4 states complete is %t, and the properties are %+v", r.States, r.Complete, r.Properties)
	}
}

// Past a violation the search goes on, but not from where something is wrong;
// the violation told is the nearest, whatever was found after it.
func TestKeepGoing(t *testing.T) {
	for _, o := range searches() {
		o.KeepGoing = true
		sys := counters(2, 3)
		sys.Properties = []model.Property{fails("far", 3, 3), fails("near", 1, 1), fails("nearer", 1, 0)}
		r := explore(t, sys, o)
		// (1,0) and (1,1) are not expanded: agent 2 must be at 2 before agent 1
		// counts on.
		if r.States != 4*4-4 || r.Inconsistent != 3 || !r.Complete || r.Verdict != explorer.Violated {
			t.Errorf("%s: %d states, %d inconsistent, complete is %t, %s", o.Search, r.States, r.Inconsistent, r.Complete, r.Verdict)
		}
		if v := r.Violation; v.Property != "nearer" || v.Moves != 1 || !slices.Equal(pathLabels(v), []string{"count 1"}) {
			t.Errorf("%s: the violation is %+v", o.Search, v)
		}
		for _, p := range r.Properties {
			if p.Verdict != explorer.Violated {
				t.Errorf("%s: %q %s", o.Search, p.Name, p.Verdict)
			}
		}
	}
}

// Among properties that fail after as many moves the first of the system is
// told, also in one and the same state.
func TestTheFirstPropertyIsTold(t *testing.T) {
	for _, o := range searches()[:2] {
		sys := counters(2, 3)
		sys.Properties = []model.Property{fails("later", 2, 2), fails("first", 1, 1), fails("same", 1, 1), fails("other", 2, 0)}
		if v := explore(t, sys, o).Violation; v.Property != "first" || v.Moves != 2 {
			t.Errorf("the violation is %+v", v)
		}
	}
}

// Depth bounds what is expanded: a violation right at the bound is found, one
// behind it is not.
func TestViolationAtTheDepth(t *testing.T) {
	for _, o := range searches() {
		sys := counters(2, 3)
		sys.Properties = []model.Property{fails("met", 1, 1)}
		for depth, want := range []explorer.Verdict{explorer.Incomplete, explorer.Incomplete, explorer.Violated, explorer.Violated} {
			o.Depth = &depth
			if r := explore(t, sys, o); r.Verdict != want || (r.Violation != nil) != (want == explorer.Violated) {
				t.Errorf("%s to depth %d: %s, violation %+v", o.Search, depth, r.Verdict, r.Violation)
			}
		}
	}
}

// A violation that was met wins over a bound that cuts its level short.
func TestViolationWinsOverABound(t *testing.T) {
	const n = 30
	sys := counters(3, n)
	sys.Properties = []model.Property{model.Always("low", func(v model.View) error {
		sum := 0
		for _, s := range model.StatesOf[int](v) {
			sum += s
		}
		if sum >= n { // a whole level of states
			return errors.New("too high")
		}
		return nil
	})}
	for _, o := range searches() {
		whole := explore(t, sys, o)
		if whole.Verdict != explorer.Violated {
			t.Fatalf("%s: %s without a bound", o.Search, whole.Verdict)
		}
		violated, step := 0, int64(57)
		if testing.Short() {
			step = 171
		}
		for o.MaxStates = whole.States; o.MaxStates > whole.States-400; o.MaxStates -= step {
			r := explore(t, sys, o)
			if r.Inconsistent > 0 {
				violated++
				if r.Verdict != explorer.Violated || r.Violation == nil || len(r.Violation.Path) < n {
					t.Errorf("%s up to %d of %d states: %s, although %d states are inconsistent", o.Search, o.MaxStates, whole.States, r.Verdict, r.Inconsistent)
				}
			}
		}
		if violated == 0 {
			t.Errorf("%s: the bounds are too low for this test", o.Search)
		}
	}
}

// Of several shortest paths one is told: the fault as late as possible, then
// the agent with the higher number last.
func TestPathIsTheSameWhateverTheWorkers(t *testing.T) {
	sys := counters(2, 60)
	sys.Properties = []model.Property{fails("met", 30, 30)}
	var first []string
	for _, workers := range []int{1, 2, 3, 8} {
		r := explore(t, sys, explorer.Options{Workers: workers})
		labels := pathLabels(r.Violation)
		if first == nil {
			first = labels
		}
		if !slices.Equal(labels, first) {
			t.Errorf("with %d workers the path is %v, not %v", workers, labels, first)
		}
	}
	if want := append(slices.Repeat([]string{"count 1"}, 30), slices.Repeat([]string{"count 2"}, 30)...); !slices.Equal(first, want) {
		t.Errorf("the path is %v", first)
	}
}

// Tested counts the states in which a property applied.
func TestTestedStates(t *testing.T) {
	sys := counters(2, 3)
	sys.Properties = []model.Property{
		notBothAt(9),
		notBothAt(9).When(func(v model.View) bool { return model.StateOf[int](v, 2) == 1 }),
		model.Sometimes("reached", func(v model.View) bool { return model.StateOf[int](v, 1) == 3 }).When(func(v model.View) bool { return model.StateOf[int](v, 2) >= 2 }),
	}
	sys.Properties[1].Name = "where agent 2 is at 1"
	for _, o := range searches() {
		r := explore(t, sys, o)
		var got []int64
		for _, p := range r.Properties {
			got = append(got, p.Tested)
		}
		if want := []int64{16, 4, 8}; !slices.Equal(got, want) {
			t.Errorf("%s: tested in %v states, want %v", o.Search, got, want)
		}
	}
}

func TestChosenProperties(t *testing.T) {
	sys := counters(2, 3)
	sys.Properties = []model.Property{fails("a", 1, 0), fails("b", 1, 1), fails("c", 2, 2)}
	r := explore(t, sys, explorer.Options{Properties: []string{"c", "b"}})
	if len(r.Properties) != 2 || r.Properties[0].Name != "b" || r.Violation.Property != "b" {
		t.Errorf("%+v, violated %q", r.Properties, r.Violation.Property)
	}
	if r := explore(t, sys, explorer.Options{Properties: []string{}}); len(r.Properties) != 0 || r.Verdict != explorer.Holds || r.States != 16 {
		t.Errorf("without properties: %+v, %s after %d states", r.Properties, r.Verdict, r.States)
	}
	err := exploreFails(t, sys, explorer.Options{Properties: []string{"a", "d"}})
	if want := `there is no property "d": there are "a", "b", "c"`; err.Error() != want {
		t.Errorf("the error is %q, want %q", err, want)
	}
}
