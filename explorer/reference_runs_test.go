package explorer_test

import (
	"fmt"
	"slices"
	"testing"

	"github.com/caulk-go/caulk/explorer"
	"github.com/caulk-go/caulk/model"
)

// runs is the whole graph of a system, for properties about runs. The slices
// are by number of the state.
type runs struct {
	s        *model.System
	worlds   []world
	numbers  map[string]int // by key
	expanded []bool         // its moves are known
	moves    [][]classed
}

// classed is a move by where it leads and the fairness class that it serves,
// or "".
type classed struct {
	to    string
	class string
}

// runsOf explores a system once more, keeping all.
func runsOf(s *model.System) *runs {
	g := &runs{s: s, numbers: map[string]int{}}
	traverse(s, func(w world) []moved {
		scratch := newCounts()
		ended := scratch.judge(s, w)
		g.numbers[w.key(s.Network)] = len(g.worlds)
		g.worlds = append(g.worlds, w)
		beyond := s.Boundary != nil && !s.Boundary(view{s: s, w: w})
		g.expanded = append(g.expanded, scratch.Inconsistent == 0 && (ended || !beyond))
		var all []moved
		if !ended && !beyond {
			all = w.allMoves(s)
		}
		var moves []classed
		for _, m := range all {
			moves = append(moves, classed{m.next.key(s.Network), classOf(s, m)})
		}
		g.moves = append(g.moves, moves)
		return all
	})
	return g
}

// classOf is the class of a move: once one of a class stays possible for ever,
// one of it must be made.
func classOf(s *model.System, m moved) string {
	switch {
	case m.Move.Kind.Fault():
		return ""
	case m.about != nil && s.Network == model.Fifo:
		return fmt.Sprintf("queue %d->%d", m.about.From, m.about.To)
	case m.about != nil:
		return "message " + encode(*m.about)
	case m.Fair:
		return fmt.Sprintf("action %d %s", m.id, m.Move.Action)
	}
	return ""
}

// closure says from where to where one move or more lead, through some states
// only.
func (g *runs) closure(within func(i int) bool) [][]bool {
	reach := make([][]bool, len(g.worlds))
	for i := range reach {
		reach[i] = make([]bool, len(g.worlds))
		for _, m := range g.moves[i] {
			reach[i][g.numbers[m.to]] = within(i) && within(g.numbers[m.to])
		}
	}
	for k := range reach {
		for i := range reach {
			for j := range reach {
				reach[i][j] = reach[i][j] || reach[i][k] && reach[k][j]
			}
		}
	}
	return reach
}

// lacks says whether a state is one of those through which a run goes that
// violates the property, and due whether the property may be due there first.
func lacks(s *model.System, p model.Property, w world) (lacks, due bool) {
	v := view{s: s, w: w}
	applies := p.Applies == nil || p.Applies(v)
	lacks = p.Check(v) != nil && (applies || p.Kind == model.KindLeadsTo)
	return lacks, lacks && applies
}

// verdict judges a property about runs: it is violated if some component of
// the states that lack it can be reached while it is due, and allows a fair
// run. It is open if a state that was not expanded may lead to one.
func (g *runs) verdict(p model.Property) explorer.Verdict {
	lack, due := make([]bool, len(g.worlds)), make([]bool, len(g.worlds))
	for i, w := range g.worlds {
		lack[i], due[i] = lacks(g.s, p, w)
		due[i] = due[i] && (p.Kind == model.KindLeadsTo || w.moves == 0)
	}
	reach := g.closure(func(i int) bool { return lack[i] })
	verdict := explorer.Holds
	for i := range g.worlds {
		pending := false
		for from := range g.worlds {
			pending = pending || due[from] && (from == i || reach[from][i])
		}
		switch {
		case pending && g.expanded[i] && g.fair(i, reach):
			return explorer.Violated
		case !g.expanded[i] && (pending || p.Kind == model.KindLeadsTo):
			verdict = explorer.Incomplete
		}
	}
	return verdict
}

// fair says whether a fair run may stay in the component of a state.
func (g *runs) fair(i int, reach [][]bool) bool {
	var component []int
	inside := set{}
	for j, w := range g.worlds {
		if j == i || reach[i][j] && reach[j][i] {
			component = append(component, j)
			inside.add(w.key(g.s.Network))
		}
	}
	var moves [][]classed
	for _, j := range component {
		moves = append(moves, g.moves[j])
	}
	return served(moves, func(m classed) bool { return inside[m.to] })
}

// served says whether each class that has moves in every one of some states
// has a move there that is taken.
func served(moves [][]classed, taken func(m classed) bool) bool {
	enabled, done := map[string]int{}, set{}
	for _, from := range moves {
		here := set{}
		for _, m := range from {
			if m.class != "" && here.add(m.class) {
				enabled[m.class]++
			}
			if taken(m) {
				done.add(m.class)
			}
		}
	}
	for class, n := range enabled {
		if n == len(moves) && !done[class] {
			return false
		}
	}
	return true
}

func hasLiveness(s *model.System) bool {
	return slices.ContainsFunc(s.Properties, func(p model.Property) bool { return p.Kind.Liveness() })
}

// compareRuns compares the verdicts about whole runs of a search to no depth.
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
		got, want := r.Properties[i].Verdict, g.verdict(p)
		if want == explorer.Holds && !r.Complete {
			want = explorer.Incomplete
		}
		if got != want {
			t.Errorf("%s: %s, %q (%s, bounds %v) is %s; it should be %s", r.Search, p.Kind, p.Name, r.Verdict, r.Bounds, got, want)
		}
	}
}
