package fair_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/caulk-go/caulk/internal/fair"
)

type instance struct {
	name   string
	starts []uint32 // by default state 0
	states string   // one for each semicolon, as parse reads them
	from   []uint32 // not nil: leads to
	met    []uint32
	want   string // the verdict, and the states of the lasso: prefix, then loop in brackets
}

// Each is a way in which checkers have been wrong, or a sentence of the
// package's documentation.
var instances = []instance{
	// A property that only a cycle violates, and one that only a join does.
	{name: "only a cycle", states: "1:0 3:1; 2:0; 1:0 ; ", met: []uint32{3}, want: "violated 0 1 [2 1]"},
	{name: "a cycle that cannot be stayed in", states: "1:0; 2:0 3:1; 1:0 3:1; ", met: []uint32{3}, want: "holds"},
	{name: "a cycle left by a class that is not always enabled", states: "1:0; 2:0 3:1; 1:0; ", met: []uint32{3}, want: "violated 0 1 [2 1]"},
	{name: "a cycle left by two classes in turn", states: "1:0; 2:0 3:1; 1:0 3:2; ", met: []uint32{3}, want: "violated 0 1 [2 1]"},
	{name: "a join of a path that met it and one that did not", states: "1:0 2:1; 3:0; 3:1; ", met: []uint32{1}, want: "violated 0 2 3 []"},
	{name: "a join, the other way round", states: "1:0 2:1; 3:0; 3:1; ", met: []uint32{2}, want: "violated 0 1 3 []"},
	{name: "a join of two paths that met it", states: "1:0 2:1; 3:0; 3:1; ", met: []uint32{1, 2}, want: "holds"},

	// Staying, and loops of moves.
	{name: "met in the start", states: "", met: []uint32{0}, want: "holds"},
	{name: "an end", states: "", want: "violated 0 []"},
	{name: "a move to itself that is always due, and so is another", states: "0:0 1:1; ", met: []uint32{1}, want: "holds"},
	{name: "a move to itself, and one that is never due", states: "0:0 1; ", met: []uint32{1}, want: "violated 0 [0]"},
	{name: "a move to itself, of the class that leads on", states: "0:0 1:0; ", met: []uint32{1}, want: "violated 0 [0]"},
	{name: "a move to itself that is never due, and one that leads on", states: "0 1:0; ", met: []uint32{1}, want: "holds"},
	{name: "a counter that need not count", states: "1; ", met: []uint32{1}, want: "violated 0 []"},
	{name: "a counter that must count", states: "1:0; ", met: []uint32{1}, want: "holds"},
	{name: "only faults are left", states: "1:0; 2; ", met: []uint32{2}, want: "violated 0 1 []"},
	{name: "only faults are left, one of which leads back", states: "1:0; 0 2; ", met: []uint32{2}, want: "violated 0 [1 0]"},
	{name: "two moves of one state, the second serves", states: "1:0; 0 0:0 0:1 2:1; ", met: []uint32{2}, want: "violated 0 [1 0]"},

	// A component with a cycle in it that is not fair.
	{name: "the small cycle is unfair, the whole is fair", states: "1:0; 0:0 2:0 2:1 3:2; 0:1; ", met: []uint32{3}, want: "violated 0 [1 0]"},
	{name: "round the small cycle something stays due", states: "1:0 2:1; 0:0 2:1; 0:0; ", want: "violated 0 [1 2 0]"},
	{name: "round every cycle something stays due", states: "1:0 3:2; 0:0 2:1 3:2; 0:0 3:2; ", met: []uint32{3}, want: "holds"},
	{name: "not to be stayed in where it is entered", states: "1 2:0; 0; ", met: []uint32{2}, want: "violated 0 [1 0]"},
	{name: "all classes are served in one loop", states: "1:0 2:1 3:2; 0:0 4:1 4:2; 0:0 4:1 4:2; 0:0 4:1 4:2; ", met: []uint32{4}, want: "violated 0 [1 0 2 0 3 0]"},

	// Always eventually p, and always eventually not p.
	{name: "p again and again", states: "1:0; 0:0", from: []uint32{0}, met: []uint32{1}, want: "holds"},
	{name: "not p again and again", states: "1:0; 0:0", from: []uint32{1}, met: []uint32{0}, want: "holds"},
	{name: "p for ever, or not p for ever: p", states: "1:0 2:0; 1:0; 2:0", from: []uint32{0, 2}, met: []uint32{1}, want: "violated 0 2 [2]"},
	{name: "p for ever, or not p for ever: not p", states: "1:0 2:0; 1:0; 2:0", from: []uint32{1}, met: []uint32{0, 2}, want: "violated 0 1 [1]"},

	// Leads to.
	{name: "never due", states: "1:0; ", from: []uint32{}, want: "holds"},
	{name: "met where it is due", states: "1:0; ", from: []uint32{1}, met: []uint32{1}, want: "holds"},
	{name: "due again after it was met", states: "1:0; 2:0; 3:0; ", from: []uint32{0, 2}, met: []uint32{1}, want: "violated 0 1 2 3 []"},
	{name: "met before it is due", states: "1:0; 2:0; ", from: []uint32{1}, met: []uint32{0}, want: "violated 0 1 2 []"},
	{name: "a longer way, as the shorter meets it", states: "1:0 2:1; 3:0; 4:0; 5:0; 3:1; ", from: []uint32{0}, met: []uint32{1}, want: "violated 0 2 4 3 5 []"},
	{name: "due from a second start", starts: []uint32{0, 1}, states: "2:0; 3:0; ; ", from: []uint32{1}, met: []uint32{2}, want: "violated 1 3 []"},

	// The shortest prefix, and the first of the shortest.
	{name: "the nearer start", starts: []uint32{0, 3}, states: "1:0; 2:0; ; 2:1", want: "violated 3 2 []"},
	{name: "the first start", starts: []uint32{2, 1}, states: "; 0:0; 0:0", want: "violated 2 0 []"},
	{name: "the first move", states: "3:0 2:0 1:0; 4:0; 4:0; 4:0; ", want: "violated 0 3 4 []"},

	// What was not expanded.
	{name: "something may lie behind", states: "1:0; ?", want: "undecided"},
	{name: "what lies behind a met state is of no interest", states: "1:0; 2:0; ?", met: []uint32{1}, want: "holds"},
	{name: "unless it may be due there", states: "1:0; 2:0; ?", from: []uint32{0}, met: []uint32{1}, want: "undecided"},
	{name: "a met state that was not expanded", states: "1:0; ?", met: []uint32{1}, want: "holds"},
	{name: "a violation elsewhere", states: "1:0 2:0; ?; ", want: "violated 0 2 []"},
	{name: "a loop through it is none", states: "1:0; 0:0 2:1; ?", met: []uint32{}, want: "violated 0 [1 0]"},
	{name: "a loop that would be closed behind it", states: "1:0 2:1; 0:0 2:1; 0:0 3:1; ?", want: "violated 0 [1 2 0]"},
	{name: "due only behind it", states: "?; ", from: []uint32{1}, want: "undecided"},
	{name: "no start", starts: []uint32{}, states: "", want: "holds"},
}

func TestVerdicts(t *testing.T) {
	for _, c := range instances {
		t.Run(c.name, func(t *testing.T) {
			starts := c.starts
			if starts == nil {
				starts = []uint32{0}
			}
			g := parse(t, starts, strings.Split(c.states, ";")...)
			p := property{met: set(g, c.met)}
			if c.from != nil {
				p.from = set(g, c.from)
			}
			r, err := p.check(t.Context(), g)
			if err != nil {
				t.Fatal(err)
			}
			if got := show(r); got != c.want {
				t.Errorf("%s, not %s", got, c.want)
			}
			if r.Verdict == fair.Violated {
				if err := p.refutes(g, r.Lasso); err != nil {
					t.Error(err)
				}
			}
		})
	}
}

func set(g *graph, states []uint32) []bool {
	in := make([]bool, len(g.moves))
	for _, i := range states {
		in[i] = true
	}
	return in
}

func show(r fair.Result) string {
	if r.Verdict != fair.Violated {
		return r.Verdict.String()
	}
	text := fmt.Sprint(r.Verdict, " ", r.Lasso.Start)
	for _, s := range r.Lasso.Prefix {
		text += fmt.Sprint(" ", s.To)
	}
	var loop []uint32
	for _, s := range r.Lasso.Loop {
		loop = append(loop, s.To)
	}
	return fmt.Sprint(text, " ", loop)
}

// The place in the prefix where it becomes due is the one whose obligation is
// never met, not the first.
func TestDue(t *testing.T) {
	g := parse(t, []uint32{0}, "1:0", "2:0", "3:0", "")
	p := property{from: set(g, []uint32{0, 2}), met: set(g, []uint32{1})}
	r, err := p.check(t.Context(), g)
	if err != nil || r.Lasso.Due != 2 {
		t.Errorf("due after %d steps, not 2 (%v)", r.Lasso.Due, err)
	}
}

// A state is asked once where nothing leads back, a second time in a
// component that no single state of it settles (but for the last, whose answer is
// still there), and not at all where the property is not due.
func TestAsksSeldom(t *testing.T) {
	for _, c := range []struct {
		states string
		from   []uint32
		want   []int
	}{
		{"1:0 2:0; 3:0 2:1; 3:0; 4:0; ", nil, []int{1, 1, 1, 1, 0}},
		{"1:0; 2:0 4:2; 3:0 4:2; 1:0 4:2; ", nil, []int{1, 2, 2, 1, 0}},
		{"1:0; 2:0; 3:0; 4:0; ", []uint32{2}, []int{0, 0, 1, 1, 0}},
		{"1; 2 4:0; 3 4:0; 0 4:0; ", nil, []int{2, 1, 1, 1, 0}}, // state 0 settles it, and is the lasso
	} {
		g := parse(t, []uint32{0}, strings.Split(c.states, ";")...)
		p := property{met: set(g, []uint32{4})}
		if c.from != nil {
			p.from = set(g, c.from)
		}
		if _, err := p.check(t.Context(), g); err != nil || !slices.Equal(g.asked, c.want) {
			t.Errorf("%s: asked %v, not %v (%v)", c.states, g.asked, c.want, err)
		}
	}
}

// Cancelled before, and in the middle of each phase of a search that ends in a
// violation far away.
func TestCancelled(t *testing.T) {
	full := &ring{n: 6000}
	if r, err := full.check(t.Context()); err != nil || r.Verdict != fair.Violated {
		t.Fatal(r.Verdict, err)
	}
	for at := 0; at < full.asked-1024; at += 1000 {
		ctx, cancel := context.WithCancel(t.Context())
		g := &ring{n: full.n, cancelAt: at, cancel: cancel}
		if at == 0 {
			cancel()
		}
		r, err := g.check(ctx)
		if !errors.Is(err, context.Canceled) || r.Verdict == fair.Violated {
			t.Errorf("cancelled after %d moves: %v, %v", at, r.Verdict, err)
		}
		if g.asked > at+1024 {
			t.Errorf("cancelled after %d moves, it asked %d times", at, g.asked)
		}
		cancel()
	}
}

// Nothing is due, and so no moves are asked for.
func TestCancelledBetweenComponents(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	asked := 0
	_, err := fair.LeadsTo(ctx, &ring{n: 1e6}, func(uint32) bool {
		asked++
		cancel()
		return false
	}, func(uint32) bool { return false })
	if !errors.Is(err, context.Canceled) || asked > 1024 {
		t.Errorf("%v after %d states", err, asked)
	}
}

// ring is a circle of states with a way in; its classes are served at its far
// end.
type ring struct {
	n, asked, cancelAt int
	cancel             func()
}

func (r *ring) check(ctx context.Context) (fair.Result, error) {
	return fair.Eventually(ctx, r, func(uint32) bool { return false })
}

func (r *ring) States() int          { return r.n }
func (r *ring) Starts() []uint32     { return []uint32{0} }
func (r *ring) Classes() int         { return 1 }
func (r *ring) Expanded(uint32) bool { return true }

func (r *ring) Moves(i uint32, moves []fair.Move) []fair.Move {
	if r.asked++; r.cancel != nil && r.asked == r.cancelAt {
		r.cancel()
	}
	half := uint32(r.n / 2)
	switch {
	case i < half: // the way in
		return append(moves, fair.Move{To: i + 1, Class: 0})
	case i == uint32(r.n-1):
		return append(moves, fair.Move{To: half, Class: 0})
	}
	return append(moves, fair.Move{To: i + 1, Class: fair.None}, fair.Move{To: half, Class: fair.None}, fair.Move{To: uint32(r.n - 1), Class: 0})
}
