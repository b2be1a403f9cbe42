package explorer

import "math/bits"

// Paths are not stored. The states lie in levels, and a move changes one agent
// only: so the state before one on a shortest path is searched in the level
// before its own, where almost all states differ in more agents than one and
// are ruled out by a few instructions.
//
// Among several states before, the one whose move comes last in the order of
// moves is taken (a fault as late as possible), and among those the least
// state; so the path does not depend on the order of the search.

// route is a path: the start state that it leads from, and its moves.
type route struct {
	start flat
	moves []choice
}

// path gives the shortest path to a state that is so many moves from a start.
func (s *search) path(space packed, to flat, depth int) route {
	path := make([]choice, depth)
	for d := depth - 1; d >= 0; d-- {
		before, c := s.before(space, to, d)
		path[d], to = c, before
	}
	return route{to, path}
}

// end is the state that a route leads to.
func (t *tables) end(r route) flat {
	at := r.start
	for _, c := range r.moves {
		at = t.after(at, c)
	}
	return at
}

// stepTo makes a route one move longer, to a state: by the last in order of
// those that lead there.
func (s *search) stepTo(r route, from, to flat) route {
	choices, _ := s.tables.choices(from) // they were made before
	best := -1
	for i, c := range choices {
		if s.tables.after(from, c).equal(to) && (best < 0 || s.tables.compareChoices(c, choices[best]) > 0) {
			best = i
		}
	}
	if best < 0 {
		panic("explorer: a move was made, but not found again")
	}
	return route{r.start, append(r.moves, choices[best])}
}

// before finds the state before, in level d, and the move from it.
func (s *search) before(space packed, to flat, d int) (best flat, move choice) {
	found := false
	space.predecessors(space.order().level(d), to, func(f *flat) {
		if s.outside(f) {
			return
		}
		choices, err := s.tables.choices(*f)
		if err != nil {
			return // it was never expanded: the search ended there
		}
		for _, c := range choices {
			if !s.tables.after(*f, c).equal(to) {
				continue
			}
			order := -1
			if found {
				order = s.tables.compareChoices(move, c)
			}
			if order < 0 || order == 0 && s.tables.compare(*f, best) < 0 {
				best, move, found = f.clone(), c, true
			}
		}
	})
	if !found {
		panic("explorer: a state was found, but not from where")
	}
	return best, move
}

// predecessors calls f for the states of some runs that differ from a state in
// at most one agent.
func (s *space[K]) predecessors(runs []run, of flat, f func(state *flat)) {
	to, ok := s.pack(of)
	if !ok {
		panic("explorer: a path leads through a state that was not found")
	}
	var agents K
	owner := make([]int, len(to)*64) // by bit
	for a := range s.agents {
		agent := &s.agents[a]
		agents[agent.word] |= agent.clear[agent.word]
		for b := range agent.width() {
			owner[agent.word<<6+int(agent.shift)+b] = a
		}
	}
	var state flat
	for _, r := range runs {
		p := &s.parts[r.part]
		for i := r.start; i < r.end; i++ {
			if k := p.at(i); s.oneAgentApart(k, &to, &agents, owner) && !s.isBad(k) {
				s.unpack(k, &state)
				f(&state)
			}
		}
	}
}

// oneAgentApart says whether two keys differ in at most one agent.
func (s *space[K]) oneAgentApart(k, to, agents *K, owner []int) bool {
	differs := -1
	for i := 0; i < len(*k); i++ {
		x := ((*k)[i] ^ (*to)[i]) & (*agents)[i]
		if x == 0 {
			continue
		}
		a := owner[i<<6+bits.TrailingZeros64(x)]
		if differs >= 0 || x&^s.agents[a].clear[i] != 0 {
			return false
		}
		differs = a
	}
	return true
}
