package explorer

import (
	"encoding/binary"
	"slices"

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

	violated [][]choice // by property: the path on which it failed or was reached first
}

type treeState struct {
	flat
	depth  int // the least number of moves that it was reached by
	parent int // the state before on that path; -1 for the start
	via    choice
	opened bool // its moves were listed, to be made
	bad    bool
}

// frame is a state on the path that the search is on.
type frame struct {
	state   int
	via     choice
	choices []choice // those left to try
	again   bool     // the moves were made before, from farther away
}

func (s *search) dfs() (*tree, error) {
	t := &tree{s: s, index: map[string]int{}, violated: make([][]choice, len(s.properties))}
	start, err := s.start()
	if err != nil {
		return nil, err
	}
	if err := t.meet(start, -1, choice{}); err != nil {
		return t, err
	}
	for len(t.stack) > 0 {
		top := &t.stack[len(t.stack)-1]
		if len(top.choices) == 0 {
			t.stack = t.stack[:len(t.stack)-1]
			continue
		}
		c := top.choices[0]
		top.choices = top.choices[1:]
		if !top.again {
			s.transitions++
		}
		if err := t.meet(s.tables.after(t.states[top.state].flat, c), top.state, c); err != nil {
			return t, err
		}
	}
	t.measure()
	if d := s.opts.Depth; d != nil {
		s.cut = &Bound{Name: "depth", Limit: *d}
	}
	return t, nil
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
	if d := t.s.opts.Depth; st.bad || d != nil && depth >= *d {
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
	t.stack = append(t.stack, frame{n, via, choices, st.opened})
	st.opened = true
	return nil
}

// judge asks the properties about a new state.
func (t *tree) judge(n int, via choice) error {
	st := &t.states[n]
	tally := newTally(len(t.s.properties))
	if t.s.tables.halted(st.flat) {
		tally.halted++
	}
	over := false
	err := t.s.guardProperties(func() {
		for i := range t.s.properties {
			p := &t.s.properties[i]
			a := ask(&p.Property, &flatView{t.s.tables, &st.flat})
			if a != elsewhere {
				tally.tested[i]++
			}
			st.bad = st.bad || a == fails && p.Kind == model.KindAlways
			if p.hit(a) {
				at := st.flat.clone()
				p.nearest, p.depth = &at, len(t.stack)
				t.violated[i] = t.trail(via)
				over = over || p.Kind == model.KindAlways && !t.s.opts.KeepGoing
			}
		}
	})
	if err != nil {
		return err
	}
	if st.bad {
		tally.inconsistent++
	}
	t.s.count(&tally, len(t.stack))
	if over {
		return errCut
	}
	return nil
}

// trail is the path that the search is on, and one move more.
func (t *tree) trail(last choice) []choice {
	var path []choice
	for i, f := range t.stack {
		if i > 0 {
			path = append(path, f.via)
		}
	}
	if len(t.stack) > 0 {
		path = append(path, last)
	}
	return path
}

// measure finds the shortest distance of every state, breadth first over what
// was found: a report gives those whatever the search.
func (t *tree) measure() {
	level := []int{0}
	done := make([]bool, len(t.states))
	done[0] = true
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

func (t *tree) pathOf(property int) []choice { return t.violated[property] }

func (t *tree) path(to flat, _ int) []choice {
	var path []choice
	for n := t.index[to.key()]; t.states[n].parent >= 0; n = t.states[n].parent {
		path = append(path, t.states[n].via)
	}
	slices.Reverse(path)
	return path
}

func (t *tree) depth() int {
	depth := 0
	for _, st := range t.states {
		depth = max(depth, st.depth)
	}
	return depth
}

// key identifies a state exactly.
func (f flat) key() string {
	var b []byte
	for _, s := range f.states {
		b = binary.AppendUvarint(b, uint64(s))
	}
	for _, m := range f.net {
		b = binary.AppendUvarint(b, uint64(m))
	}
	return string(b)
}
