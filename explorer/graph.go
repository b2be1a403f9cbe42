package explorer

import "github.com/caulk-go/caulk/internal/fair"

// spaceGraph is the graph of a packed space. States are numbered partition by
// partition.
type spaceGraph[K words] struct {
	s        *space[K]
	first    [partitions + 1]uint32 // by partition: the number of its first state
	taken    []uint64               // bits: the states that were expanded, or need not be
	mover    mover[K]
	starting []uint32
}

func (s *space[K]) graph() stateGraph {
	g := &spaceGraph[K]{s: s, mover: newMover(s)}
	for p := range s.parts {
		g.first[p+1] = g.first[p] + s.parts[p].states
	}
	g.taken = make([]uint64, g.first[partitions]/64+1)
	q := &s.queue
	for d := 0; d < q.depth(); d++ {
		g.take(q.level(d))
	}
	if q.depth() >= 0 {
		taken, left := q.split()
		g.take(taken)
		for i := range s.aside { // taken, but not expanded
			n := g.number(&s.aside[i].key)
			g.taken[n/64] &^= 1 << (n % 64)
		}
		g.takeEnds(left)
	}
	g.takeEnds(q.level(q.depth() + 1))
	for _, r := range q.level(0) {
		for i := r.start; i < r.end; i++ {
			g.starting = append(g.starting, g.first[r.part]+i)
		}
	}
	return g
}

// take marks the states that were expanded: not those that are inconsistent,
// or beyond the boundary.
func (g *spaceGraph[K]) take(runs []run) {
	for _, r := range runs {
		for i := r.start; i < r.end; i++ {
			k := g.s.parts[r.part].at(i)
			if !g.s.isBad(k) && (g.s.haltedKey(k) || !g.beyond(k)) {
				n := g.first[r.part] + i
				g.taken[n/64] |= 1 << (n % 64)
			}
		}
	}
}

// takeEnds marks those of some states that were not expanded which have no
// move.
func (g *spaceGraph[K]) takeEnds(runs []run) {
	for _, r := range runs {
		for i := r.start; i < r.end; i++ {
			k := g.s.parts[r.part].at(i)
			if !g.s.isBad(k) && (g.s.haltedKey(k) || !g.beyond(k) && g.isEnd(k)) {
				n := g.first[r.part] + i
				g.taken[n/64] |= 1 << (n % 64)
			}
		}
	}
}

// isEnd says whether a state that was not expanded has no move. Those beyond a depth
// are asked for their moves, as when the report counts what was cut: for without any,
// nothing was.
func (g *spaceGraph[K]) isEnd(k *K) bool {
	moves := 0
	if known := g.mover.moves(k, func(*made[K]) { moves++ }); known || moves > 0 {
		return moves == 0
	}
	if c := g.s.cut; c == nil || c.Name != "depth" {
		return false
	}
	var f flat
	g.s.unpack(k, &f)
	return g.s.surelyEnds(&f)
}

// beyond says whether a state is beyond the boundary.
func (g *spaceGraph[K]) beyond(k *K) bool {
	return g.s.sys.Boundary != nil && g.s.judge.within(k) != holds
}

func (g *spaceGraph[K]) at(i uint32) *K {
	lo, hi := 0, partitions // the partition is lo
	for hi-lo > 1 {
		if mid := (lo + hi) / 2; g.first[mid] <= i {
			lo = mid
		} else {
			hi = mid
		}
	}
	return g.s.parts[lo].at(i - g.first[lo])
}

func (g *spaceGraph[K]) States() int            { return int(g.first[partitions]) }
func (g *spaceGraph[K]) Starts() []uint32       { return g.starting }
func (g *spaceGraph[K]) Classes() int           { return g.s.tables.classes() }
func (g *spaceGraph[K]) Expanded(i uint32) bool { return g.taken[i/64]>>(i%64)&1 != 0 }

func (g *spaceGraph[K]) Moves(i uint32, moves []fair.Move) []fair.Move {
	k := g.at(i)
	if g.s.tables.anyHalted && g.s.haltedKey(k) {
		return moves
	}
	g.mover.moves(k, func(x *made[K]) {
		moves = append(moves, fair.Move{To: g.number(&x.next), Class: g.s.tables.class(x.agent, x.msg, x.transition)})
	})
	return moves
}

// number is that of a state which was found.
func (g *spaceGraph[K]) number(k *K) uint32 {
	h := hash(k)
	part := h >> (64 - partitionBits)
	n, found := g.s.parts[part].find(k, h)
	if !found {
		panic("explorer: an expanded state has a successor that was not found")
	}
	return g.first[part] + n
}

func (g *spaceGraph[K]) flat(i uint32) (f flat) {
	g.s.unpack(g.at(i), &f)
	return f
}

func (g *spaceGraph[K]) ask(property int, i uint32) answer {
	k := g.at(i)
	memo := &g.s.judge.memos[property]
	a := memo.get(k)
	if a == unasked {
		v := &view[K]{s: g.s, k: k}
		if a = g.s.askGuarded(property, v); a != unasked {
			memo.remember(v, a)
		}
	}
	return a
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
	return g.s.askGuarded(property, &flatView{t: g.s.tables, f: &g.states[i].flat})
}
