package explorer

import (
	"cmp"
	"slices"

	"github.com/caulk-go/caulk/internal/fair"
	"github.com/caulk-go/caulk/model"
)

// tree is what a depth-first search finds. It goes as deep as it can before it
// tries another move, so that it meets deep violations early; the path that it
// shows is the one that it is on, not the shortest.
//
// It serves where a path matters more than speed: its states are not packed,
// and one goroutine does all.
type tree struct {
	s      *search
	index  map[string]int // by state: its number
	states []treeState
	stack  []frame

	ways []route // by property: the path on which it failed or was reached first
}

type treeState struct {
	flat
	depth  int // the least number of moves that it was reached by
	parent int // the state before on that path; -1 for the start
	via    choice
	opened bool // its moves were listed, to be made
	bad    bool
	beyond bool // the boundary
}

// frame is a state on the path that the search is on.
type frame struct {
	state   int
	via     choice
	choices []choice // those left to try
	again   bool     // the moves were made before, from farther away
}

func (s *search) dfs() (*tree, error) {
	t := &tree{s: s, index: map[string]int{}, ways: make([]route, len(s.properties))}
	starts, err := s.start()
	if err != nil {
		return nil, err
	}
	for _, start := range starts {
		if err := t.searchFrom(start); err != nil {
			return t, err
		}
	}
	t.measure()
	if d := s.opts.Depth; d != nil {
		s.cut = &Bound{Name: "depth", Limit: *d}
	}
	return t, s.judgeRuns(t.graph)
}

// searchFrom searches all that a start state leads to.
func (t *tree) searchFrom(start flat) error {
	if err := t.meet(start, -1, choice{}); err != nil {
		return err
	}
	for len(t.stack) > 0 {
		top := &t.stack[len(t.stack)-1]
		if len(top.choices) == 0 {
			t.stack = t.stack[:len(t.stack)-1]
			continue
		}
		c := top.choices[0]
		top.choices = top.choices[1:]
		before := t.states[top.state].flat
		next := t.s.tables.after(before, c)
		if !top.again {
			t.s.transitions++
			if err := t.judgeStep(before, next, c); err != nil {
				return err
			}
		}
		if err := t.meet(next, top.state, c); err != nil {
			return err
		}
	}
	return nil
}

// meet goes from the top of the stack to a state: to expand it, unless that
// was done before.
func (t *tree) meet(f flat, parent int, via choice) error {
	depth := len(t.stack)
	n, seen := t.index[f.key()]
	if seen {
		// Under a bound on depth a state that was met too deep to be
		// expanded, or whose successors were, may have more to give.
		st := &t.states[n]
		if t.s.opts.Depth == nil || depth >= st.depth {
			return nil
		}
		st.depth, st.parent, st.via = depth, parent, via
	} else {
		n = len(t.states)
		t.index[f.key()] = n
		t.states = append(t.states, treeState{flat: f, depth: depth, parent: parent, via: via})
		t.s.states++
		if err := t.judge(n, via); err != nil {
			return err
		}
		if err := t.s.pause(depth, int64(len(t.stack))); err != nil {
			return err
		}
		if err := t.enough(); err != nil {
			return err
		}
	}
	st := &t.states[n]
	if d := t.s.opts.Depth; st.bad || st.beyond || d != nil && depth >= *d {
		return nil
	}
	choices, err := t.s.tables.choices(f)
	if err != nil {
		return t.s.blame(err, f, depth)
	}
	if !st.opened && len(choices) == 0 && !t.s.tables.halted(f) {
		t.s.terminal++
	}
	slices.SortFunc(choices, t.s.tables.compareChoices)
	opened := st.opened
	st.opened = true
	t.stack = append(t.stack, frame{n, via, choices, opened})
	if opened || t.s.tables.halted(f) {
		return nil
	}
	return t.judgeEnd(f, choices)
}

// judge asks the properties about a new state.
func (t *tree) judge(n int, via choice) error {
	st := &t.states[n]
	v := &flatView{t.s.tables, &st.flat}
	tally := newTally(len(t.s.properties))
	if t.s.tables.halted(st.flat) {
		tally.halted++
	}
	err := t.ask(&tally, (*property).byState, t.wayTo(via), len(t.stack), hit{at: st.flat}, func(p *model.Property) answer {
		a := ask(p, v)
		st.bad = st.bad || a == fails && p.Kind == model.KindAlways
		return a
	})
	if st.bad {
		t.s.inconsistent++
	}
	st.beyond = !st.bad && !t.s.tables.halted(st.flat) && t.s.outside(&st.flat)
	return cmp.Or(err, t.s.broken)
}

// judgeStep asks the properties over moves about one.
func (t *tree) judgeStep(before, after flat, c choice) error {
	if slices.Equal(before.states, after.states) && (t.s.tables.observer == nil || before.more(t.s.tables.observerAt()) == after.more(t.s.tables.observerAt())) {
		return nil
	}
	tally := newTally(len(t.s.properties))
	isStep := func(p *property) bool { return p.Kind == model.KindStep }
	u, v := &flatView{t.s.tables, &before}, &flatView{t.s.tables, &after}
	return t.ask(&tally, isStep, t.wayTo(c), len(t.stack)-1, hit{before, &after}, func(p *model.Property) answer { return askStep(p, u, v) })
}

// judgeEnd asks about a state what must hold at the end, if it is one. The
// state is on top of the stack.
func (t *tree) judgeEnd(f flat, choices []choice) error {
	for _, c := range choices {
		if !c.fault && !t.s.tables.after(f, c).equal(f) {
			return nil
		}
	}
	tally := newTally(len(t.s.properties))
	isEnd := func(p *property) bool { return p.Kind == model.KindAtEnd }
	v := &flatView{t.s.tables, &f}
	return t.ask(&tally, isEnd, t.wayHere(), len(t.stack)-1, hit{at: f}, func(p *model.Property) answer { return ask(p, v) })
}

// ask asks some of the properties about a state at a depth, or a move from it,
// and ends the search if one fails. Where that is, the way leads.
func (t *tree) ask(tally *tally, which func(*property) bool, way func() route, depth int, at hit, question func(*model.Property) answer) error {
	over := false
	err := t.s.guardProperties(func() {
		for i := range t.s.properties {
			p := &t.s.properties[i]
			if !which(p) {
				continue
			}
			a := question(&p.Property)
			if a.tests() {
				tally.tested[i]++
			}
			if p.nearest == nil && (p.hits(a) || a == fails && !p.byState()) {
				h := hit{at.at.clone(), at.to}
				p.nearest, p.depth, t.ways[i] = &h, depth, way()
				over = over || p.violated() && !t.s.opts.KeepGoing
			}
		}
	})
	if err != nil {
		return err
	}
	t.s.count(tally, depth)
	if over {
		return errCut
	}
	return nil
}

// wayTo is the path that the search is on, and one move more.
func (t *tree) wayTo(last choice) func() route {
	return func() route {
		r := t.wayHere()()
		if len(t.stack) > 0 {
			r.moves = append(r.moves, last)
		}
		return r
	}
}

// wayHere is the path that the search is on.
func (t *tree) wayHere() func() route {
	return func() route {
		if len(t.stack) == 0 {
			return route{start: t.states[len(t.states)-1].flat.clone()}
		}
		r := route{start: t.states[t.stack[0].state].flat.clone()}
		for _, f := range t.stack[1:] {
			r.moves = append(r.moves, f.via)
		}
		return r
	}
}

// measure finds the shortest distance of every state, breadth first over what
// was found: a report gives those whatever the search.
func (t *tree) measure() {
	var level []int
	done := make([]bool, len(t.states))
	for n, st := range t.states {
		if slices.ContainsFunc(t.s.starts, st.flat.equal) {
			level = append(level, n)
			done[n] = true
			t.states[n].depth, t.states[n].parent = 0, -1
		}
	}
	for depth := 1; len(level) > 0; depth++ {
		var next []int
		for _, n := range level {
			if !t.states[n].opened {
				continue
			}
			choices, _ := t.s.tables.choices(t.states[n].flat) // all known by now
			for _, c := range choices {
				m := t.index[t.s.tables.after(t.states[n].flat, c).key()]
				if !done[m] {
					done[m] = true
					t.states[m].depth, t.states[m].parent, t.states[m].via = depth, n, c
					next = append(next, m)
				}
			}
		}
		level = next
	}
	t.s.shortestHalt = -1
	for _, st := range t.states {
		if t.s.tables.halted(st.flat) && (t.s.shortestHalt < 0 || st.depth < t.s.shortestHalt) {
			t.s.shortestHalt = st.depth
		}
	}
}

func (t *tree) expanded(f func(state *flat, depth int, bad bool)) {
	for i := range t.states {
		if st := &t.states[i]; st.opened {
			f(&st.flat, st.depth, st.bad)
		}
	}
}

func (t *tree) unexpanded(f func(state *flat, depth int, bad bool)) {
	for i := range t.states {
		if st := &t.states[i]; !st.opened {
			f(&st.flat, st.depth, st.bad)
		}
	}
}

// halfway counts the states on the path that the search was on when it ended,
// of whose moves some were not made.
func (t *tree) halfway() (n int64) {
	for _, f := range t.stack {
		if len(f.choices) > 0 {
			n++
		}
	}
	return n
}

func (t *tree) pathOf(property int) route {
	if l := t.s.properties[property].lasso; l != nil {
		return l.route
	}
	if r := t.ways[property]; r.start.states != nil {
		return r
	}
	return t.path(t.s.properties[property].nearest.at, 0) // it was asked about when the search was over
}

func (t *tree) path(to flat, _ int) route {
	var path []choice
	n := t.index[to.key()]
	for ; t.states[n].parent >= 0; n = t.states[n].parent {
		path = append(path, t.states[n].via)
	}
	slices.Reverse(path)
	return route{t.states[n].flat, path}
}

func (t *tree) depth() int {
	depth := 0
	for _, st := range t.states {
		depth = max(depth, st.depth)
	}
	return depth
}

// treeGraph is the graph of what a depth-first search found.
type treeGraph struct {
	*tree
	known []bool // the states whose moves are known
}

func (t *tree) graph() stateGraph {
	g := treeGraph{t, make([]bool, len(t.states))}
	for i := range t.states {
		st := &t.states[i]
		if g.known[i] = st.opened; !st.opened && !st.bad && !st.beyond {
			choices, err := t.s.tables.choices(st.flat)
			g.known[i] = err == nil && len(choices) == 0
		}
	}
	return g
}

func (g treeGraph) States() int { return len(g.states) }

func (g treeGraph) Starts() []uint32 {
	var starts []uint32
	for _, f := range distinct(g.s.starts) {
		starts = append(starts, uint32(g.index[f.key()]))
	}
	return starts
}

func (g treeGraph) Classes() int { return g.s.tables.classes() }

func (g treeGraph) Expanded(i uint32) bool { return g.known[i] }

func (g treeGraph) Moves(i uint32, moves []fair.Move) []fair.Move {
	f := g.states[i].flat
	choices, _ := g.s.tables.choices(f) // they were made before
	for j := range choices {
		c := &choices[j]
		to := g.index[g.s.tables.after(f, *c).key()]
		moves = append(moves, fair.Move{To: uint32(to), Class: g.s.tables.class(c.agent, c.msg, &c.transition)})
	}
	return moves
}

func (g treeGraph) flat(i uint32) flat { return g.states[i].flat }

func (g treeGraph) ask(property int, i uint32) answer {
	return g.s.askGuarded(property, &flatView{g.s.tables, &g.states[i].flat})
}
