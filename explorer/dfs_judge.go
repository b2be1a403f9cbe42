package explorer

import (
	"cmp"

	"github.com/caulk-go/caulk/model"
)

// judge asks the properties about a new state.
func (t *tree) judge(n int, via choice) error {
	st := &t.states[n]
	halted := t.s.tables.halted(st.flat)
	if halted {
		t.s.countHalted(len(t.stack))
	}
	err := t.ask((*property).byState, t.wayTo(via), len(t.stack), hit{at: st.flat}, func(p *property) answer {
		v := &flatView{t: t.s.tables, f: &st.flat}
		a := ask(&p.Property, v)
		p.network = p.network || v.network
		st.bad = st.bad || a == fails && p.Kind == model.KindAlways
		return a
	})
	if st.bad {
		t.s.inconsistent++
	}
	st.beyond = !st.bad && !halted && t.s.outside(&st.flat)
	return cmp.Or(err, t.s.broken)
}

// judgeStep asks the properties over moves about one.
func (t *tree) judgeStep(before, after flat, c choice) error {
	if !t.s.tables.noticed(before, after) {
		return nil
	}
	return t.ask((*property).byMove, t.wayTo(c), len(t.stack)-1, hit{before, &after}, func(p *property) answer {
		u, v := &flatView{t: t.s.tables, f: &before}, &flatView{t: t.s.tables, f: &after}
		a := askStep(&p.Property, u, v)
		p.network = p.network || u.network || v.network
		return a
	})
}

// judgeEnd asks about a state what must hold at the end, if it is one. The
// state is on top of the stack.
func (t *tree) judgeEnd(f flat, choices []choice) error {
	if !t.s.tables.ends(f, choices) {
		return nil
	}
	v := &flatView{t: t.s.tables, f: &f}
	return t.ask((*property).byEnd, t.wayHere, len(t.stack)-1, hit{at: f}, func(p *property) answer { return ask(&p.Property, v) })
}

func (t *tree) ask(which func(*property) bool, way func() route, depth int, at hit, question func(*property) answer) error {
	return t.s.askSome(which, at, depth, t.ways, way, question)
}

// askSome asks some of the properties about a state, or a move from it, at a
// depth, and ends the search if one fails. Where the way there is wanted, it is
// put among the ways.
func (s *search) askSome(which func(*property) bool, at hit, depth int, ways []route, way func() route, question func(*property) answer) error {
	over := false
	err := s.guardProperties(func() {
		for i := range s.properties {
			p := &s.properties[i]
			if !which(p) {
				continue
			}
			a := question(p)
			if a.tests() {
				p.tested++
			}
			if p.nearest == nil && (p.hits(a) || a == fails && !p.byState()) {
				p.nearest, p.depth, ways[i] = &hit{at.at.clone(), at.to}, depth, way()
				over = over || p.violated() && !s.opts.KeepGoing
			}
		}
	})
	if err == nil && over {
		err = errCut
	}
	return err
}

// wayTo is the path that the search is on, and one move more.
func (t *tree) wayTo(last choice) func() route {
	return func() route {
		r := t.wayHere()
		if len(t.stack) > 0 {
			r.moves = append(r.moves, last)
		}
		return r
	}
}

// wayHere is the path that the search is on.
func (t *tree) wayHere() route {
	if len(t.stack) == 0 {
		return route{start: t.states[len(t.states)-1].flat.clone()}
	}
	r := route{start: t.states[t.stack[0].state].flat.clone()}
	for _, f := range t.stack[1:] {
		r.moves = append(r.moves, f.via)
	}
	return r
}
