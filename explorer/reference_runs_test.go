package explorer_test

import (
	"fmt"
	"slices"
	"testing"

	"github.com/caulk-go/caulk/explorer"
	"github.com/caulk-go/caulk/model"
)

// runs is the whole graph of a system, for properties about runs: by number of
// the state, what is enabled there and which moves there are.
type runs struct {
	worlds   []world
	enabled  []set
	moves    [][]classed
	unknown  bool // some state was not expanded
	expanded []bool
	starts   []int
}

// classed is a move by where it leads and the fairness class that it serves,
// or "".
type classed struct {
	to    int
	class string
}

// runsOf explores a system once more, keeping all.
func runsOf(s *model.System) *runs {
	g := &runs{}
	numbers := map[string]int{}
	number := func(w world) int {
		key := w.key(s.Network)
		n, known := numbers[key]
		if !known {
			n = len(g.worlds)
			numbers[key] = n
			g.worlds = append(g.worlds, w)
		}
		return n
	}
	for _, starts := range s.AllStarts() {
		g.starts = append(g.starts, number(start(s, starts)))
	}
	for i := 0; i < len(g.worlds); i++ {
		w := g.worlds[i]
		g.enabled, g.moves, g.expanded = append(g.enabled, set{}), append(g.moves, nil), append(g.expanded, true)
		scratch := newCounts()
		if scratch.judge(s, w) {
			g.expanded[i] = scratch.Halted > 0 && scratch.Inconsistent == 0
			g.unknown = g.unknown || !g.expanded[i]
			continue
		}
		if s.Boundary != nil && !s.Boundary(view{s, w}) {
			g.expanded[i], g.unknown = false, true
			continue
		}
		w.eachMove(s, false, func(o model.Outcome, id model.ID, m *model.Message[any], next world) {
			class := ""
			switch {
			case o.Move.Kind.Fault():
			case m != nil && s.Network == model.Fifo:
				class = fmt.Sprint("queue ", m.From, m.To)
			case m != nil:
				class = "message " + encode(*m)
			case o.Fair:
				class = fmt.Sprint("action ", id, o.Move.Action)
			}
			if class != "" {
				g.enabled[i].add(class)
			}
			g.moves[i] = append(g.moves[i], classed{number(next), class})
		})
	}
	return g
}

// violated says whether a property about runs fails: some component of the
// states that lack it can be reached while it is due, and allows a fair run.
func (g *runs) violated(s *model.System, p model.Property) bool {
	n := len(g.worlds)
	lacks := make([]bool, n)
	due := make([]bool, n)
	for i, w := range g.worlds {
		v := view{s, w}
		applies := p.Applies == nil || p.Applies(v)
		lacks[i] = p.Check(v) != nil && (applies || p.Kind == model.KindLeadsTo)
		due[i] = lacks[i] && applies && p.Kind == model.KindLeadsTo
	}
	for _, i := range g.starts {
		due[i] = due[i] || lacks[i] && p.Kind == model.KindEventually
	}
	reach := make([][]bool, n) // within the states that lack it, by one move or more
	for i := range reach {
		reach[i] = make([]bool, n)
		for _, m := range g.moves[i] {
			reach[i][m.to] = lacks[i] && lacks[m.to]
		}
	}
	for k := range n {
		for i := range n {
			for j := range n {
				reach[i][j] = reach[i][j] || reach[i][k] && reach[k][j]
			}
		}
	}
	for i := range n {
		reached := slices.ContainsFunc(indices(n), func(from int) bool { return due[from] && (from == i || reach[from][i]) })
		if lacks[i] && g.expanded[i] && reached && g.fair(i, reach) {
			return true
		}
	}
	return false
}

// fair says whether a fair run may stay in the component of a state.
func (g *runs) fair(i int, reach [][]bool) bool {
	inside := func(j int) bool { return j == i || reach[i][j] && reach[j][i] }
	owed := set{}
	for class := range g.enabled[i] {
		owed[class] = true
	}
	for j := range g.worlds {
		if !inside(j) {
			continue
		}
		for class := range owed {
			owed[class] = owed[class] && g.enabled[j][class]
		}
	}
	for j := range g.worlds {
		for _, m := range g.moves[j] {
			if inside(j) && inside(m.to) {
				owed[m.class] = false
			}
		}
	}
	for _, due := range owed {
		if due {
			return false
		}
	}
	return true
}

func indices(n int) []int {
	list := make([]int, n)
	for i := range list {
		list[i] = i
	}
	return list
}

func hasLiveness(s *model.System) bool {
	return slices.ContainsFunc(s.Properties, func(p model.Property) bool { return p.Kind.Liveness() })
}

// mayReduce says whether the reduction "ignored" is not refused.
func mayReduce(s *model.System) bool {
	return !slices.ContainsFunc(s.Properties, func(p model.Property) bool { return p.Kind.Liveness() || p.Kind == model.KindAtEnd })
}

// compareRuns compares the verdicts about whole runs of a complete search.
func compareRuns(t *testing.T, sys model.System, r *explorer.Report) {
	t.Helper()
	if !hasLiveness(&sys) || r.States > 150 || slices.ContainsFunc(r.Bounds, func(b explorer.Bound) bool { return b.Name != "boundary" }) {
		return
	}
	g := runsOf(&sys)
	if len(g.worlds) != int(r.States) {
		t.Errorf("%d states, where the graph for runs has %d", r.States, len(g.worlds))
		return
	}
	for i, p := range sys.Properties {
		if !p.Kind.Liveness() {
			continue
		}
		got, want := r.Properties[i].Verdict, explorer.Holds
		if g.violated(&sys, p) {
			want = explorer.Violated
		} else if g.unknown && got == explorer.Incomplete {
			continue
		}
		if got != want {
			t.Errorf("%s: %s, %q (%s, bounds %v) is %s; it should be %s (unknown: %t)", r.Search, p.Kind, p.Name, r.Verdict, r.Bounds, got, want, g.unknown)
		}
	}
}
