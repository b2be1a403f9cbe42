package explorer

import (
	"slices"
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
		before := t.states[top.state].flat
		next := t.s.tables.after(before, c)
		if !top.again {
			t.s.transitions++
			if err := t.judgeStep(before, next, c); err != nil {
				return err
			}
		}
		top.choices = top.choices[1:]
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
// of whose moves some were not made, and the start states that it never got to.
func (t *tree) halfway() (n int64) {
	for _, f := range distinct(t.s.starts) {
		if _, met := t.index[f.key()]; !met {
			n++
		}
	}
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
