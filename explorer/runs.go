package explorer

import (
	"errors"
	"fmt"

	"github.com/caulk-go/caulk/internal/fair"
	"github.com/caulk-go/caulk/model"
)

// lasso is a fair run on which a property about runs fails: a path, and how it
// goes on for ever.
type lasso struct {
	route
	from *int // the moves from this one on repeat; nil: it stays in the last state
	kind model.PropertyKind
	due  int // of leads-to: after so many moves it is due
}

// reason says it in a sentence.
func (l *lasso) reason() string {
	how := "the system may stay in the last state for ever"
	if l.from != nil {
		how = fmt.Sprintf("moves %d to %d may repeat for ever", *l.from+1, len(l.moves))
	}
	if l.kind == model.KindLeadsTo {
		return fmt.Sprintf("it is due after move %d and does not come: %s, and all that must happen does", l.due, how)
	}
	return fmt.Sprintf("it does not come: %s, and all that must happen does", how)
}

// stateGraph is the states found and their moves, as runs are judged on.
type stateGraph interface {
	fair.Graph
	flat(i uint32) flat
	ask(property int, i uint32) answer
}

// judgeRuns judges the properties about whole runs, on all that was explored. A
// search that ran out of time or memory, or found another violation, leaves
// them open.
func (s *search) judgeRuns(graph func() stateGraph) error {
	var g stateGraph
	for i := range s.properties {
		p := &s.properties[i]
		if !p.Kind.Liveness() {
			continue
		}
		if p.unsure = true; s.endedEarly() {
			continue
		}
		if g == nil {
			g = graph()
		}
		if err := s.judgeRun(i, g); err != nil {
			return err
		}
		if p.violated() && !s.opts.KeepGoing {
			break
		}
	}
	return nil
}

func (s *search) endedEarly() bool {
	if s.panicked != nil || s.cut != nil && s.cut.Name != "depth" && s.cut.Name != "states" {
		return true
	}
	for i := range s.properties {
		if s.properties[i].violated() && !s.opts.KeepGoing {
			return true
		}
	}
	return false
}

func (s *search) judgeRun(i int, g stateGraph) error {
	p := &s.properties[i]
	var r fair.Result
	var err error
	if p.Kind == model.KindEventually {
		r, err = fair.Eventually(s.ctx, g, func(n uint32) bool { return g.ask(i, n) != fails })
	} else {
		from := func(n uint32) bool { a := g.ask(i, n); return a == holds || a == fails }
		met := func(n uint32) bool { a := g.ask(i, n); return a == holds || a == metElsewhere }
		r, err = fair.LeadsTo(s.ctx, g, from, met)
	}
	switch {
	case errors.Is(err, s.ctx.Err()) && err != nil:
		s.cut = &Bound{Name: "interrupted"}
		return nil
	case err != nil:
		return err
	case s.broken != nil:
		return s.broken
	}
	p.unsure = r.Verdict == fair.Undecided
	if r.Verdict == fair.Violated {
		p.lasso = s.lassoOf(p, g, r.Lasso)
	}
	return nil
}

// lassoOf is a lasso by its moves.
func (s *search) lassoOf(p *property, g stateGraph, found fair.Lasso) *lasso {
	at := found.Start
	l := &lasso{route: route{start: g.flat(at)}, kind: p.Kind, due: found.Due}
	var moves []fair.Move
	for n, step := range append(found.Prefix, found.Loop...) {
		if n == len(found.Prefix) {
			from := n
			l.from = &from
		}
		moves = g.Moves(at, moves[:0])
		l.moves = append(l.moves, s.choiceOf(g.flat(at), g.flat(step.To), moves[step.Move].Class))
		at = step.To
	}
	return l
}

// choiceOf is the last in order of the moves from one state to another that
// serve a class.
func (s *search) choiceOf(from, to flat, class int32) choice {
	choices, _ := s.tables.choices(from) // they were made before
	best := -1
	for i := range choices {
		c := &choices[i]
		if s.tables.class(c.agent, c.msg, &c.transition) == class && s.tables.after(from, *c).equal(to) &&
			(best < 0 || s.tables.compareChoices(*c, choices[best]) > 0) {
			best = i
		}
	}
	if best < 0 {
		panic("explorer: a move of a run is not found again")
	}
	return choices[best]
}

// class is the fairness class that a move serves: on fifo that of its queue, on
// the other networks that of its message; that of a fair own action.
func (t *tables) class(a, msg int, tr *transition) int32 {
	switch {
	case tr.fault:
		return fair.None
	case msg >= 0 && t.sys.Network == model.Fifo:
		return int32(t.messages[msg].queue)
	case msg >= 0:
		return int32(msg)
	case tr.class < 0:
		return fair.None
	}
	class := t.messageClasses() + tr.class
	for i := range a {
		class += len(t.agents[i].fair)
	}
	return int32(class)
}

func (t *tables) messageClasses() int {
	if t.sys.Network == model.Fifo {
		return len(t.queues.list)
	}
	return len(t.messages)
}

// classes is how many there are.
func (t *tables) classes() int {
	n := t.messageClasses()
	for i := range t.agents {
		n += len(t.agents[i].fair)
	}
	return n
}

// askGuarded asks a property, in a way that notices when it never returns.
func (s *search) askGuarded(property int, v model.View) (a answer) {
	err := s.guardProperties(func() { a = ask(&s.properties[property].Property, v) })
	if err != nil && s.broken == nil {
		s.broken = err
	}
	return a
}

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
			moves := 0
			if g.s.isBad(k) {
				continue
			}
			if g.s.haltedKey(k) || !g.beyond(k) && g.mover.moves(k, func(*made[K]) { moves++ }) && moves == 0 {
				n := g.first[r.part] + i
				g.taken[n/64] |= 1 << (n % 64)
			}
		}
	}
}

// beyond says whether a state is beyond the boundary.
func (g *spaceGraph[K]) beyond(k *K) bool {
	if g.s.sys.Boundary == nil {
		return false
	}
	a := g.s.judge.boundary.get(k)
	if a == unasked {
		v := &view[K]{s: g.s, k: k}
		a = g.s.askBoundary(v)
		g.s.judge.boundary.remember(v, a)
	}
	return a != holds
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
		h := hash(&x.next)
		part := h >> (64 - partitionBits)
		n, found := g.s.parts[part].find(&x.next, h)
		if !found {
			panic("explorer: an expanded state has a successor that was not found")
		}
		moves = append(moves, fair.Move{To: g.first[part] + n, Class: g.s.tables.class(x.agent, x.msg, x.transition)})
	})
	return moves
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
