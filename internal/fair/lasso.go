package fair

import (
	"math"
	"slices"
)

// lasso is the run to the nearest component that violates and round in it.
func (c *check) lasso() (l Lasso, ok bool) {
	states, due, ok := c.prefix()
	if !ok {
		return Lasso{}, false
	}
	l = Lasso{Start: states[0], Due: due}
	c.owed.begin(nil) // the prefix owes nothing
	for n, to := range states[1:] {
		if c.err != nil {
			return Lasso{}, false
		}
		l.Prefix = append(l.Prefix, Step{c.moveTo(states[n], to), to})
	}
	l.Loop = c.loop(states[len(states)-1])
	return l, true
}

// node is a state as a run meets it: before the property is due, or while it
// is. A run that meets a state that is from may go on either way.
type node struct {
	state uint32
	due   bool
}

// found is a node in half the memory.
type found struct {
	packed uint32 // twice the state, and 1 if due
	parent uint32 // its place among those found, or none
}

func (f found) node() node { return node{f.packed / 2, f.packed%2 != 0} }

const none uint32 = math.MaxUint32

// frontier is what a breadth-first walk discovered, in order.
type frontier struct {
	*check
	found []found
	seen  [2]bits // the states of nodes before the property is due, and of those while it is
}

// prefix lists the states of the shortest way to a component that violates;
// due is the place of the one in which the property becomes due.
func (c *check) prefix() (states []uint32, due int, ok bool) {
	f := &frontier{check: c}
	f.seen[1] = newBits(len(c.mark))
	if c.from != nil {
		f.seen[0] = newBits(len(c.mark))
	}
	for _, i := range c.graph.Starts() {
		if f.reach(node{i, c.from == nil}, none) {
			states, due = f.way()
			return states, due, true
		}
	}
	for k := 0; k < len(f.found) && c.err == nil; k++ {
		n := f.found[k].node()
		if !c.graph.Expanded(n.state) {
			continue
		}
		for _, m := range c.movesOf(n.state) {
			if f.reach(node{m.To, n.due}, uint32(k)) {
				states, due = f.way()
				return states, due, true
			}
		}
	}
	return nil, 0, false
}

// reach discovers where a start, or a move of the parent, leads, and says whether that ends
// the walk.
func (f *frontier) reach(n node, parent uint32) bool {
	if !n.due {
		if !f.discover(n, parent) {
			return false
		}
		n.due = f.inside(n.state) && f.from(n.state)
	}
	return n.due && f.inside(n.state) && f.discover(n, parent) && f.bad.has(n.state)
}

// discover says whether a node is new.
func (f *frontier) discover(n node, parent uint32) bool {
	layer := uint32(0)
	if n.due {
		layer = 1
	}
	if !f.seen[layer].add(n.state) {
		return false
	}
	f.found = append(f.found, found{2*n.state + layer, parent})
	return true
}

// way lists the states on the way to the last node.
func (f *frontier) way() (states []uint32, due int) {
	for k := uint32(len(f.found) - 1); k != none; k = f.found[k].parent {
		n := f.found[k].node()
		states = append(states, n.state)
		if !n.due {
			due++
		}
	}
	slices.Reverse(states)
	return states, due
}

// moveTo is the place of the move from one state to another: the first that
// serves what is owed, or else the first.
func (c *check) moveTo(from, to uint32) int {
	first := -1
	for k, m := range c.movesOf(from) {
		switch {
		case m.To != to:
		case c.owed.due(m.Class):
			return k
		case first < 0:
			first = k
		}
	}
	return first
}

// loop walks round in the component of a state that violates: each time to the
// nearest place where something is served or not enabled that is still owed,
// and in the end back to where it began.
func (c *check) loop(entry uint32) (steps []Step) {
	r := &routes{check: c, seen: newBits(len(c.mark))}
	at := entry
	follow := func(way []uint32) {
		for _, to := range way {
			move := c.moveTo(at, to)
			c.owed.serve(c.movesOf(at)[move].Class)
			steps = append(steps, Step{move, to})
			at = to
			c.owed.visit(c.movesOf(at))
		}
	}
	c.owed.begin(c.movesOf(entry))
	for c.owed.left > 0 && c.err == nil {
		follow(r.nearest(at,
			func(_ uint32, moves []Move) bool { return c.owed.relieves(moves) },
			func(m Move) bool { return c.owed.due(m.Class) }))
	}
	follow(r.nearest(at,
		func(i uint32, _ []Move) bool { return i == entry },
		func(Move) bool { return false }))
	return steps
}

// routes finds ways inside a component.
type routes struct {
	*check
	seen    bits
	queue   []uint32
	parents []uint32 // of each in the queue, its place in the queue; or none
}

// nearest lists the states after this one on the way to the first state that
// ends it, or across the first move that does, whichever a breadth-first walk
// meets earlier. There is one, or the context has ended.
func (r *routes) nearest(at uint32, state func(i uint32, moves []Move) bool, move func(m Move) bool) []uint32 {
	r.queue, r.parents = append(r.queue[:0], at), append(r.parents[:0], none)
	r.seen.add(at)
	defer func() {
		for _, i := range r.queue {
			r.seen.remove(i)
		}
	}()
	for k := 0; k < len(r.queue); k++ {
		i := r.queue[k]
		moves := r.movesOf(i)
		switch {
		case r.err != nil:
			return nil
		case state(i, moves):
			return r.wayTo(uint32(k))
		}
		for _, m := range moves {
			if r.mark[m.To] != r.mark[at] {
				continue
			}
			if move(m) {
				return append(r.wayTo(uint32(k)), m.To)
			}
			if r.seen.add(m.To) {
				r.queue, r.parents = append(r.queue, m.To), append(r.parents, uint32(k))
			}
		}
	}
	panic("fair: a component that is not connected, or owes what it cannot serve: the graph's answers changed")
}

func (r *routes) wayTo(k uint32) []uint32 {
	var way []uint32
	for ; r.parents[k] != none; k = r.parents[k] {
		way = append(way, r.queue[k])
	}
	slices.Reverse(way)
	return way
}
