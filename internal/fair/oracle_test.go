package fair_test

import (
	"flag"
	"iter"
	"math/bits"
	"math/rand/v2"
	"reflect"
	"testing"

	"github.com/caulk-go/caulk/internal/fair"
)

var graphs = flag.Int("graphs", 10000, "how many random graphs the oracle judges")

// oracle judges by trying every subset of states. Sets are bitmaps.
//
// A subset S is where some run stays if every state of it can reach every
// other by moves within S, or it is a single state. A run that stays in S and
// visits all of it again and again may make every move within S again and
// again, and the more it makes, the fairer it is. So one of them is fair if
// and only if every class enabled throughout S has a move within S.
type oracle struct {
	g    *graph
	next []uint // by state, if expanded: where its moves lead
	open uint   // the states that were not expanded
}

func newOracle(g *graph) *oracle {
	o := &oracle{g: g, next: make([]uint, len(g.moves))}
	for i, moves := range g.moves {
		if g.closed[uint32(i)] {
			o.open |= 1 << i
			continue
		}
		for _, m := range moves {
			o.next[i] |= 1 << m.To
		}
	}
	return o
}

// closure is what can be reached from a set within another, by so many moves
// or fewer.
func (o *oracle) closure(from, within uint, moves int) uint {
	reached := from & within
	for range moves {
		for i, next := range o.next {
			if reached>>i&1 != 0 && from>>i&1 != 0 {
				reached |= next & within
			}
		}
		from = reached
	}
	return reached
}

func (o *oracle) staysFairly(s uint) bool {
	for i := range o.next {
		if s>>i&1 != 0 && o.closure(1<<i, s, len(o.next)) != s {
			return false
		}
	}
	for class := range int32(o.g.classes) {
		everywhere, within := true, false
		for i, moves := range o.g.moves {
			if s>>i&1 == 0 {
				continue
			}
			here := false
			for _, m := range moves {
				here = here || m.Class == class
				within = within || m.Class == class && s>>m.To&1 != 0
			}
			everywhere = everywhere && here
		}
		if everywhere && !within {
			return false
		}
	}
	return true
}

// candidates lists the subsets of a set, or in a graph of more than 8 states
// those of which each state can reach each other: what TestAgreesWithTheOracle
// shows to suffice.
func (o *oracle) candidates(within uint) iter.Seq[uint] {
	return func(yield func(uint) bool) {
		n := len(o.next)
		for s := uint(1); n <= 8 && s < 1<<n; s++ {
			if s&^within == 0 && !yield(s) {
				return
			}
		}
		for i := 0; n > 8 && i < n; i++ {
			s := uint(0)
			for j := range n {
				if o.closure(1<<i, within, n)>>j&1 != 0 && o.closure(1<<j, within, n)>>i&1 != 0 {
					s |= 1 << j
				}
			}
			if s != 0 && !yield(s) {
				return
			}
		}
	}
}

// judge gives the verdict, and the length of the shortest way to a state of any
// subset that violates.
func (o *oracle) judge(p property) (v fair.Verdict, prefix int) {
	n := len(o.next)
	all, starts := uint(1)<<n-1, bitmapOf(o.g.starts)
	unmet := all &^ bitmap(p.met)
	known := o.closure(starts, all, n)
	due, unknown := starts&unmet, uint(0)
	if p.from != nil {
		due, unknown = known&bitmap(p.from)&unmet, known&o.open
	}
	pending := o.closure(due, unmet, n)
	if p.from == nil {
		unknown = pending & o.open
	}
	var bad uint
	for s := range o.candidates(pending &^ o.open) {
		if o.staysFairly(s) {
			bad |= s
		}
	}
	switch {
	case bad != 0:
		return fair.Violated, o.distance(p, unmet, bad)
	case unknown != 0:
		return fair.Undecided, 0
	}
	return fair.Holds, 0
}

// distance tries every length, and for each every place where it becomes due.
func (o *oracle) distance(p property, unmet, bad uint) int {
	all, starts := uint(1)<<len(o.next)-1, bitmapOf(o.g.starts)
	for length := 0; ; length++ {
		for before := 0; before <= length; before++ {
			due := starts
			if p.from != nil {
				due = o.closure(starts, all, before) & bitmap(p.from)
			}
			if o.closure(due&unmet, unmet, length-before)&bad != 0 {
				return length
			}
		}
	}
}

func bitmapOf(states []uint32) (s uint) {
	for _, i := range states {
		s |= 1 << i
	}
	return s
}

func bitmap(in []bool) (s uint) {
	for i, is := range in {
		if is {
			s |= 1 << i
		}
	}
	return s
}

// randomGraph has so many states at most, all of which a start leads to. How
// many moves it has, of how many classes, differs much, so that no verdict is
// rare.
func randomGraph(r *rand.Rand, most int) *graph {
	n := 1 + r.IntN(most)
	g := &graph{closed: map[uint32]bool{}, moves: make([][]fair.Move, n), classes: r.IntN(5)}
	degree, fairness, closed := r.Float64()*2.5, r.Float64(), max(0, r.Float64()-0.6)/2
	for i := range g.moves {
		for r.Float64() < degree/(degree+1) {
			m := fair.Move{To: uint32(r.IntN(n)), Class: fair.None}
			if g.classes > 0 && r.Float64() < fairness {
				m.Class = int32(r.IntN(g.classes))
			}
			g.moves[i] = append(g.moves[i], m)
		}
		if r.Float64() < closed {
			g.closed[uint32(i)] = true
		}
	}
	for range 1 + r.IntN(2) {
		g.starts = append(g.starts, uint32(r.IntN(n)))
	}
	return reachable(g)
}

// reachable leaves out the states that no start leads to, if all are expanded.
func reachable(g *graph) *graph {
	o := newOracle(&graph{moves: g.moves})
	in := o.closure(bitmapOf(g.starts), 1<<len(g.moves)-1, len(g.moves))
	number := func(i uint32) uint32 { return uint32(bits.OnesCount(in & (1<<i - 1))) }
	h := &graph{closed: map[uint32]bool{}, classes: g.classes}
	for _, i := range g.starts {
		h.starts = append(h.starts, number(i))
	}
	for i, moves := range g.moves {
		if in>>i&1 == 0 {
			continue
		}
		h.closed[number(uint32(i))] = g.closed[uint32(i)]
		var renumbered []fair.Move
		for _, m := range moves {
			renumbered = append(renumbered, fair.Move{To: number(m.To), Class: m.Class})
		}
		h.moves = append(h.moves, renumbered)
	}
	return h
}

func randomSet(r *rand.Rand, n int, density float64) []bool {
	in := make([]bool, n)
	for i := range in {
		in[i] = r.Float64() < density
	}
	return in
}

// The verdicts are the oracle's, and each lasso is one, with the shortest
// prefix. Neither depends on how the states are numbered, or on how much room
// there is.
func TestAgreesWithTheOracle(t *testing.T) { agree(t, *graphs, 8) }

func TestAgreesOnLargerGraphs(t *testing.T) { agree(t, *graphs/20, 40) }

func agree(t *testing.T, graphs, states int) {
	r := rand.New(rand.NewPCG(4, 1))
	counts := map[string]int{}
	for n := range graphs {
		g := randomGraph(r, states)
		met := randomSet(r, len(g.moves), r.Float64()*r.Float64())
		for _, p := range []property{{met: met}, {met: met, from: randomSet(r, len(g.moves), r.Float64())}} {
			got := compare(t, r, g, p)
			if t.Failed() {
				t.Fatalf("graph %d: %+v %+v", n, g, p)
			}
			counts[p.kind()+" "+got.Verdict.String()]++
			if got.Verdict == fair.Violated {
				counts[p.kind()+" "+loopKind(got.Lasso)]++
			}
		}
	}
	for _, kind := range []string{"eventually ", "leads to "} {
		for _, what := range []string{"holds", "violated", "undecided", "stays", "moves", "goes round several states"} {
			if counts[kind+what] < graphs/100 {
				t.Errorf("%s%s: %d of %d graphs, which shows little", kind, what, counts[kind+what], graphs)
			}
		}
	}
	t.Log(counts)
}

func compare(t *testing.T, r *rand.Rand, g *graph, p property) fair.Result {
	got, err := p.check(t.Context(), g)
	if err != nil {
		t.Error(err)
	}
	want, prefix := newOracle(g).judge(p)
	if got.Verdict != want {
		t.Errorf("%s: %v, not %v", p.kind(), got.Verdict, want)
	} else if want == fair.Violated {
		if err := p.refutes(g, got.Lasso); err != nil {
			t.Errorf("%s: %v: %+v", p.kind(), err, got.Lasso)
		}
		if len(got.Lasso.Prefix) != prefix {
			t.Errorf("%s: a prefix of %d, not %d: %+v", p.kind(), len(got.Lasso.Prefix), prefix, got.Lasso)
		}
	}
	if again, err := p.cramped(t.Context(), g); err != nil || !reflect.DeepEqual(again, got) {
		t.Errorf("%s: with little room %+v, not %+v (%v)", p.kind(), again, got, err)
	}
	q, renumbered, back := renumber(r, g, p)
	again, err := q.check(t.Context(), renumbered)
	if again = back(again); err != nil || !reflect.DeepEqual(again, got) {
		t.Errorf("%s: numbered otherwise %+v, not %+v (%v)", p.kind(), again, got, err)
	}
	return got
}

func loopKind(l fair.Lasso) string {
	for _, s := range l.Loop {
		if s.To != l.Loop[0].To {
			return "goes round several states"
		}
	}
	if len(l.Loop) == 0 {
		return "stays"
	}
	return "moves"
}

// renumber gives the same graph with its states numbered otherwise, and what
// translates a result back.
func renumber(r *rand.Rand, g *graph, p property) (property, *graph, func(fair.Result) fair.Result) {
	n := len(g.moves)
	to, from := r.Perm(n), make([]uint32, n)
	h := &graph{closed: map[uint32]bool{}, moves: make([][]fair.Move, n), classes: g.classes}
	q := property{met: make([]bool, n)}
	if p.from != nil {
		q.from = make([]bool, n)
	}
	for i, j := range to {
		from[j] = uint32(i)
		h.closed[uint32(j)] = g.closed[uint32(i)]
		for _, m := range g.moves[i] {
			h.moves[j] = append(h.moves[j], fair.Move{To: uint32(to[m.To]), Class: m.Class})
		}
		q.met[j] = p.met[i]
		if p.from != nil {
			q.from[j] = p.from[i]
		}
	}
	for _, i := range g.starts {
		h.starts = append(h.starts, uint32(to[i]))
	}
	return q, h, func(r fair.Result) fair.Result {
		if r.Verdict != fair.Violated {
			return r
		}
		r.Lasso.Start = from[r.Lasso.Start]
		for _, steps := range [][]fair.Step{r.Lasso.Prefix, r.Lasso.Loop} {
			for k := range steps {
				steps[k].To = from[steps[k].To]
			}
		}
		return r
	}
}
