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
		if !p.Kind.Liveness() || s.endedEarly() {
			continue
		}
		if g == nil {
			g = graph()
		}
		if err := s.judgeRun(i, g); err != nil {
			return err
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
	case err != nil && errors.Is(err, s.ctx.Err()):
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
	class := t.messageClasses() + int(tr.class)
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
