package explorer

// found is what a search leaves behind: every state that it found.
type found interface {
	// expanded calls f for every state that was taken up to be expanded, with
	// its depth and whether it is inconsistent; unexpanded for all others. The
	// state is f's until it returns.
	expanded(f func(state *flat, depth int, bad bool))
	unexpanded(f func(state *flat, depth int, bad bool))

	// halfway counts the states that were expanded in part.
	halfway() int64

	// path gives the way to a state that is so many moves from a start.
	path(to flat, depth int) route

	// pathOf gives the way to where a property fails, or is reached, first.
	pathOf(property int) route

	// depth is how far the farthest state is from the start.
	depth() int
}

// levels is what a breadth-first search leaves behind.
type levels struct {
	s     *search
	space packed
}

func (l levels) expanded(f func(state *flat, depth int, bad bool)) {
	q := l.space.order()
	waiting := l.waiting()
	taken := func(state *flat, depth int, bad bool) {
		if len(waiting) == 0 || !waiting[state.key()] {
			f(state, depth, bad)
		}
	}
	for d := 0; d < q.depth(); d++ {
		l.visit(q.level(d), d, f)
	}
	if q.depth() >= 0 {
		runs, _ := q.split()
		l.visit(runs, q.depth(), taken)
	}
}

func (l levels) unexpanded(f func(state *flat, depth int, bad bool)) {
	q := l.space.order()
	if q.depth() >= 0 {
		for _, state := range l.space.pending() {
			f(&state, q.depth(), false)
		}
		_, runs := q.split()
		l.visit(runs, q.depth(), f)
	}
	l.visit(q.level(q.depth()+1), q.depth()+1, f)
}

// waiting is the states that were taken up, but were still set aside when the
// search was cut short.
func (l levels) waiting() map[string]bool {
	waiting := map[string]bool{}
	for _, state := range l.space.pending() {
		waiting[state.key()] = true
	}
	return waiting
}

func (l levels) visit(runs []run, depth int, f func(state *flat, depth int, bad bool)) {
	l.space.each(runs, func(state *flat, bad bool) { f(state, depth, bad) })
}

func (l levels) halfway() int64 { return 0 }

func (l levels) path(to flat, depth int) route { return l.s.path(l.space, to, depth) }

func (l levels) pathOf(property int) route {
	p := &l.s.properties[property]
	if p.lasso != nil {
		return p.lasso.route
	}
	r := l.path(p.nearest.at, p.depth)
	if p.nearest.to != nil {
		r = l.s.stepTo(r, p.nearest.at, *p.nearest.to)
	}
	return r
}

func (l levels) depth() int {
	q := l.space.order()
	if len(q.level(q.depth()+1)) == 0 {
		return q.depth()
	}
	return q.depth() + 1
}
