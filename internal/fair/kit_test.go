package fair_test

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/caulk-go/caulk/internal/fair"
)

// graph is written down; a state of which closed is true was not expanded.
type graph struct {
	starts  []uint32
	moves   [][]fair.Move
	closed  map[uint32]bool
	classes int
	asked   []int // by state: how often its moves were asked for
}

func (g *graph) States() int            { return len(g.moves) }
func (g *graph) Starts() []uint32       { return g.starts }
func (g *graph) Classes() int           { return g.classes }
func (g *graph) Expanded(i uint32) bool { return !g.closed[i] }

func (g *graph) Moves(i uint32, moves []fair.Move) []fair.Move {
	if g.closed[i] {
		panic(fmt.Sprintf("state %d was not expanded, and its moves are asked for", i))
	}
	if g.asked != nil {
		g.asked[i]++
	}
	return append(moves, g.moves[i]...)
}

// property is eventually met, or from leads to met where from is not nil.
type property struct{ from, met []bool }

func (p property) kind() string {
	if p.from == nil {
		return "eventually"
	}
	return "leads to"
}

func (p property) check(ctx context.Context, g fair.Graph) (fair.Result, error) {
	if p.from == nil {
		return fair.Eventually(ctx, g, in(p.met, 1))
	}
	return fair.LeadsTo(ctx, g, in(p.from, 2), in(p.met, 1))
}

func (p property) cramped(ctx context.Context, g fair.Graph) (fair.Result, error) {
	if p.from == nil {
		return fair.Cramped(ctx, g, nil, in(p.met, 1), 0)
	}
	return fair.Cramped(ctx, g, in(p.from, 2), in(p.met, 1), 0)
}

// in panics if it is asked too often for a state.
func in(set []bool, most int) func(uint32) bool {
	asked := make([]int, len(set))
	return func(i uint32) bool {
		if asked[i]++; asked[i] > most {
			panic(fmt.Sprintf("state %d: asked more than %d times", i, most))
		}
		return set[i]
	}
}

// refutes says why a lasso is not a fair run on which the property is not met
// when it is due, or nil if it is.
func (p property) refutes(g *graph, l fair.Lasso) error {
	if !slices.Contains(g.starts, l.Start) {
		return fmt.Errorf("%d is no start", l.Start)
	}
	if l.Due > len(l.Prefix) || p.from == nil && l.Due != 0 {
		return fmt.Errorf("due after %d steps of %d", l.Due, len(l.Prefix))
	}
	visited, err := walk(g, l.Start, append(slices.Clone(l.Prefix), l.Loop...))
	if err != nil {
		return err
	}
	if p.from != nil && !p.from[visited[l.Due]] {
		return fmt.Errorf("the property does not become due in %d", visited[l.Due])
	}
	for _, i := range visited[l.Due:] {
		if p.met[i] {
			return fmt.Errorf("%d is met", i)
		}
	}
	loop := visited[len(l.Prefix):]
	if loop[0] != loop[len(loop)-1] {
		return fmt.Errorf("the loop begins in %d and ends in %d", loop[0], loop[len(loop)-1])
	}
	return isFair(g, loop, l.Loop)
}

// walk lists the states of a run.
func walk(g *graph, at uint32, steps []fair.Step) (visited []uint32, err error) {
	visited = []uint32{at}
	for _, s := range steps {
		if g.closed[at] || s.Move < 0 || s.Move >= len(g.moves[at]) || g.moves[at][s.Move].To != s.To {
			return nil, fmt.Errorf("%d has no move %d to %d", at, s.Move, s.To)
		}
		at = s.To
		visited = append(visited, at)
	}
	if g.closed[at] {
		return nil, fmt.Errorf("%d was not expanded", at)
	}
	return visited, nil
}

func isFair(g *graph, visited []uint32, steps []fair.Step) error {
	for class := range int32(g.classes) {
		served, rested := false, false
		for n, i := range visited {
			enabled := func(m fair.Move) bool { return m.Class == class }
			rested = rested || !slices.ContainsFunc(g.moves[i], enabled)
			served = served || n < len(steps) && g.moves[i][steps[n].Move].Class == class
		}
		if !served && !rested {
			return fmt.Errorf("class %d is enabled in all of the loop %v and not served", class, visited)
		}
	}
	return nil
}

// parse reads a graph: for each state its moves, as "1:0" to state 1 of class
// 0, or "1" of no class. A state "?" was not expanded.
func parse(t testing.TB, starts []uint32, states ...string) *graph {
	t.Helper()
	g := &graph{starts: starts, closed: map[uint32]bool{}, asked: make([]int, len(states))}
	for i, text := range states {
		var moves []fair.Move
		for field := range strings.FieldsSeq(text) {
			m := fair.Move{Class: fair.None}
			if field == "?" {
				g.closed[uint32(i)] = true
				continue
			}
			if n, err := fmt.Sscanf(field, "%d:%d", &m.To, &m.Class); n == 0 {
				t.Fatalf("state %d: %q: %v", i, field, err)
			}
			g.classes = max(g.classes, int(m.Class)+1)
			moves = append(moves, m)
		}
		g.moves = append(g.moves, moves)
	}
	return g
}
