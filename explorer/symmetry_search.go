package explorer

import (
	"cmp"
	"slices"

	"github.com/caulk-go/caulk/model"
)

// orbits is what a breadth-first search by symmetry finds: of each orbit the state
// that was met first. As in a search depth first, states are not packed, and one
// goroutine does all: there are few of them.
type orbits struct {
	s      *search
	index  map[string]int // by orbit: its number
	states []orbit        // in order of discovery, level by level
	next   int            // the first that is not expanded

	ways []route // by property: the path on which it failed or was reached first
}

type orbit struct {
	flat
	deep   int
	parent int // the state before on a shortest path; -1 for the start
	via    choice
	opened bool
	bad    bool
	beyond bool // the boundary
}

func (s *search) orbits() (*orbits, error) {
	o := &orbits{s: s, index: map[string]int{}, ways: make([]route, len(s.properties))}
	starts, err := s.start()
	if err != nil {
		return nil, err
	}
	for _, start := range starts {
		if err := s.symmetry.checkStart(start); err != nil {
			return nil, err
		}
		if err := o.meet(start, -1, choice{}); err != nil {
			return o, err
		}
	}
	return o, o.run()
}

// run expands level by level. A level is finished before the search ends, so that
// counts mean something.
func (o *orbits) run() error {
	level := 0
	var found error
	for ; o.next < len(o.states); o.next++ {
		st := &o.states[o.next]
		if st.deep > level {
			level = st.deep
			if found != nil {
				return found
			}
		}
		if d := o.s.opts.Depth; d != nil && st.deep >= *d {
			o.s.cut = &Bound{Name: "depth", Limit: *d}
			return found
		}
		if err := o.s.pause(st.deep, int64(len(o.states)-o.next)); err != nil {
			return err
		}
		if err := o.enough(); err != nil {
			return err
		}
		if st.bad || st.beyond {
			continue
		}
		if err := o.expand(o.next); err == errCut && o.s.cut == nil && o.s.panicked == nil {
			found = err // a violation
		} else if err != nil {
			return err
		}
	}
	return found
}

// enough ends a search that may take no more memory.
func (o *orbits) enough() error {
	const portion, each = 1 << 8, 1 << 12 // states between two looks, and what one takes, about
	if len(o.states)%portion != 0 {
		return nil
	}
	return o.s.enough(func() int64 { return portion * each })
}

func (o *orbits) expand(n int) error {
	f := o.states[n].flat
	choices, err := o.s.tables.choices(f)
	if err != nil {
		return o.s.blame(err, f, o.states[n].deep)
	}
	slices.SortFunc(choices, o.s.tables.compareChoices)
	o.states[n].opened = true
	if o.s.tables.halted(f) {
		return nil
	}
	if len(choices) == 0 {
		o.s.terminal++
	}
	if err := o.s.symmetry.checkMoves(f); err != nil {
		return err
	}
	var found error
	note := func(err error) error {
		if err == errCut && o.s.cut == nil && o.s.panicked == nil {
			found = err
			return nil
		}
		return err
	}
	if err := note(o.judgeEnd(n, choices)); err != nil {
		return err
	}
	for _, c := range choices {
		o.s.transitions++
		after := o.s.tables.after(f, c)
		if err := note(o.judgeStep(n, after, c)); err != nil {
			return err
		}
		if err := note(o.meet(after, n, c)); err != nil {
			return err
		}
	}
	return found
}

// meet takes in a state, unless one of its orbit was met.
func (o *orbits) meet(f flat, parent int, via choice) error {
	key := o.s.symmetry.key(f)
	if _, met := o.index[key]; met {
		return nil
	}
	st := orbit{flat: f, parent: parent, via: via}
	if parent >= 0 {
		st.deep = o.states[parent].deep + 1
	}
	o.index[key] = len(o.states)
	o.states = append(o.states, st)
	o.s.states++
	return o.judge(len(o.states) - 1)
}

// judge asks the properties about a new state.
func (o *orbits) judge(n int) error {
	st := &o.states[n]
	halted := o.s.tables.halted(st.flat)
	if halted {
		o.s.countHalted(st.deep)
	}
	err := o.ask((*property).byState, hit{at: st.flat}, st.deep, func() route { return o.way(n) }, func(p *property, see func(*flat) model.View) answer {
		a := ask(&p.Property, see(&st.flat))
		st.bad = st.bad || a == fails && p.Kind == model.KindAlways
		return a
	})
	if err != nil && err != errCut {
		return err
	}
	if st.bad {
		o.s.inconsistent++
	}
	if o.s.sys.Boundary != nil && !st.bad && !halted {
		within := func(see func(*flat) model.View) answer { return o.s.askBoundary(see(&st.flat)) }
		a := within(func(f *flat) model.View { return &flatView{t: o.s.tables, f: f} })
		st.beyond = a != holds
		if err := o.s.symmetry.checkAnswer("the boundary", a, within); err != nil {
			return err
		}
	}
	if o.s.broken != nil {
		return o.s.broken
	}
	return err
}

// judgeStep asks the properties over moves about one.
func (o *orbits) judgeStep(n int, after flat, c choice) error {
	before := o.states[n].flat
	if !o.s.tables.noticed(before, after) {
		return nil
	}
	way := func() route {
		r := o.way(n)
		r.moves = append(r.moves, c)
		return r
	}
	return o.ask((*property).byMove, hit{before, &after}, o.states[n].deep, way, func(p *property, see func(*flat) model.View) answer {
		return askStep(&p.Property, see(&before), see(&after))
	})
}

// judgeEnd asks about a state what must hold at the end, if it is one.
func (o *orbits) judgeEnd(n int, choices []choice) error {
	f := o.states[n].flat
	if !o.s.tables.ends(f, choices) {
		return nil
	}
	return o.ask((*property).byEnd, hit{at: f}, o.states[n].deep, func() route { return o.way(n) }, func(p *property, see func(*flat) model.View) answer {
		return ask(&p.Property, see(&f))
	})
}

// ask asks some of the properties, and checks that each says the same of what is
// renamed. The question sees states as it is told to.
func (o *orbits) ask(which func(*property) bool, at hit, deep int, way func() route, question func(p *property, see func(*flat) model.View) answer) error {
	var asymmetric error
	err := o.s.askSome(which, at, deep, o.ways, way, func(p *property) answer {
		var views []*flatView
		a := question(p, func(f *flat) model.View {
			views = append(views, &flatView{t: o.s.tables, f: f})
			return views[len(views)-1]
		})
		for _, v := range views {
			p.network = p.network || v.network
		}
		err := o.s.symmetry.checkAnswer("the property "+p.Name, a, func(see func(*flat) model.View) answer { return question(p, see) })
		asymmetric = cmp.Or(asymmetric, err)
		return a
	})
	return cmp.Or(asymmetric, err)
}

// way is the path to a state: of real states, by real moves.
func (o *orbits) way(n int) route {
	var path []choice
	for ; o.states[n].parent >= 0; n = o.states[n].parent {
		path = append(path, o.states[n].via)
	}
	slices.Reverse(path)
	return route{o.states[n].flat.clone(), path}
}

func (o *orbits) expanded(f func(state *flat, depth int, bad bool)) {
	for i := range o.states {
		if st := &o.states[i]; st.opened {
			f(&st.flat, st.deep, st.bad)
		}
	}
}

func (o *orbits) unexpanded(f func(state *flat, depth int, bad bool)) {
	for i := range o.states {
		if st := &o.states[i]; !st.opened {
			f(&st.flat, st.deep, st.bad)
		}
	}
}

func (o *orbits) halfway() int64 { return 0 }

func (o *orbits) path(to flat, _ int) route { return o.way(o.index[o.s.symmetry.key(to)]) }

func (o *orbits) pathOf(property int) route {
	if r := o.ways[property]; r.start.states != nil {
		return r
	}
	return o.path(o.s.properties[property].nearest.at, 0) // it was asked about when the search was over
}

func (o *orbits) depth() int {
	if len(o.states) == 0 {
		return 0
	}
	return o.states[len(o.states)-1].deep
}
