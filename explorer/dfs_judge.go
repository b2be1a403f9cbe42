package explorer

import (
	"cmp"

	"github.com/caulk-go/caulk/model"
)

// judge asks the properties about a new state.
func (t *tree) judge(n int, via choice) error {
	st := &t.states[n]
	tally := newTally(len(t.s.properties))
	if t.s.tables.halted(st.flat) {
		tally.halted++
	}
	err := t.ask(&tally, (*property).byState, t.wayTo(via), len(t.stack), hit{at: st.flat}, func(p *property) answer {
		v := &flatView{t: t.s.tables, f: &st.flat}
		a := ask(&p.Property, v)
		p.network = p.network || v.network
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
	if !t.s.tables.noticed(before, after) {
		return nil
	}
	tally := newTally(len(t.s.properties))
	isStep := func(p *property) bool { return p.Kind == model.KindStep }
	return t.ask(&tally, isStep, t.wayTo(c), len(t.stack)-1, hit{before, &after}, func(p *property) answer {
		u, v := &flatView{t: t.s.tables, f: &before}, &flatView{t: t.s.tables, f: &after}
		a := askStep(&p.Property, u, v)
		p.network = p.network || u.network || v.network
		return a
	})
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
	v := &flatView{t: t.s.tables, f: &f}
	return t.ask(&tally, isEnd, t.wayHere(), len(t.stack)-1, hit{at: f}, func(p *property) answer { return ask(&p.Property, v) })
}

// ask asks some of the properties about a state at a depth, or a move from it,
// and ends the search if one fails. Where that is, the way leads.
func (t *tree) ask(tally *tally, which func(*property) bool, way func() route, depth int, at hit, question func(*property) answer) error {
	over := false
	err := t.s.guardProperties(func() {
		for i := range t.s.properties {
			p := &t.s.properties[i]
			if !which(p) {
				continue
			}
			a := question(p)
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
