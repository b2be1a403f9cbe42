package explorer

import (
	"cmp"
	"math/rand/v2"
	"slices"

	"github.com/caulk-go/caulk/model"
)

// A random search walks from a start state, one move after the other, each as
// likely as any other, until nothing can happen, something is wrong, or the
// walk is long; then it walks anew. It finds what lies deep in systems that are
// too large to finish, and proves nothing.

const (
	walkLength = 1000   // moves of a walk, where no depth is asked for
	idleWalks  = 10_000 // walks in a row that meet nothing new, after which the search ends
)

// walks is what a random search leaves behind.
type walks struct {
	s       *search
	seen    map[string]bool // by state met: whether a walk ends there
	ways    []route         // by property: where it fails, or is reached
	way     route           // of the walk that it is on
	walked  int64
	deepest int
}

// random walks until a bound ends it, or a property is violated.
func (s *search) random() (*walks, error) {
	w := &walks{s: s, seen: map[string]bool{}, ways: make([]route, len(s.properties))}
	starts, err := s.start()
	if err != nil {
		return nil, err
	}
	for idle := 0; idle < idleWalks; idle++ {
		// Each walk draws its own lots, so that the n-th is the same whatever
		// came before.
		lots := rand.New(rand.NewPCG(s.opts.Seed, uint64(w.walked)))
		known := len(w.seen)
		w.walked++
		if err := w.walk(starts[lots.IntN(len(starts))], lots); err != nil {
			return w, err
		}
		if len(w.seen) > known {
			idle = 0
		}
	}
	s.cut = &Bound{Name: "walks", Limit: idleWalks}
	return w, nil
}

func (w *walks) walk(at flat, lots *rand.Rand) error {
	s := w.s
	w.way = route{start: at}
	limit := walkLength
	if s.opts.Depth != nil {
		limit = *s.opts.Depth
	}
	for {
		if err := w.pause(); err != nil {
			return err
		}
		key := at.key()
		over, known := w.seen[key]
		if !known {
			var err error
			if over, err = w.meet(at); err != nil {
				return err
			}
			w.seen[key] = over
		}
		if over {
			return nil
		}
		choices, err := s.tables.choices(at)
		if err != nil {
			return s.blame(err, at, len(w.way.moves))
		}
		slices.SortFunc(choices, s.tables.compareChoices)
		if !known {
			err = w.end(at, choices)
		}
		if err != nil || len(choices) == 0 || len(w.way.moves) == limit {
			return err
		}
		c := choices[lots.IntN(len(choices))]
		next := s.tables.after(at, c)
		s.transitions++
		w.way.moves = append(w.way.moves, c)
		w.deepest = max(w.deepest, len(w.way.moves))
		if err := w.step(at, next); err != nil {
			return err
		}
		at = next
	}
}

// meet judges a state that no walk came to before. A walk is over where the
// state is inconsistent, halted or beyond the boundary.
func (w *walks) meet(at flat) (over bool, err error) {
	s := w.s
	s.states++
	halted := s.tables.halted(at)
	if halted {
		s.countHalted(len(w.way.moves))
	}
	bad := false
	err = w.ask((*property).byState, hit{at: at}, func(p *property) answer {
		a := ask(&p.Property, &flatView{t: s.tables, f: &at})
		bad = bad || a == fails && p.Kind == model.KindAlways
		return a
	})
	if bad {
		s.inconsistent++
	}
	return bad || halted || s.outside(&at), cmp.Or(err, s.broken)
}

// pause is where the search can be cut short.
func (w *walks) pause() error {
	const portion = 1 << 10 // moves between two looks at memory
	const each = 1 << 10    // bytes that one takes, about
	if w.s.transitions%portion == 0 {
		if err := w.s.enough(func() int64 { return portion * each }); err != nil {
			return err
		}
	}
	return w.s.pause(len(w.way.moves), 0)
}

// end judges a state that no walk came to before, if it is an end.
func (w *walks) end(at flat, choices []choice) error {
	if len(choices) == 0 {
		w.s.terminal++
	}
	if !w.s.tables.ends(at, choices) {
		return nil
	}
	return w.ask((*property).byEnd, hit{at: at}, func(p *property) answer { return ask(&p.Property, &flatView{t: w.s.tables, f: &at}) })
}

func (w *walks) step(before, after flat) error {
	if !w.s.tables.noticed(before, after) {
		return nil
	}
	return w.ask((*property).byMove, hit{before, &after}, func(p *property) answer {
		return askStep(&p.Property, &flatView{t: w.s.tables, f: &before}, &flatView{t: w.s.tables, f: &after})
	})
}

// ask asks some of the properties where the walk is.
func (w *walks) ask(which func(*property) bool, at hit, question func(*property) answer) error {
	here := func() route { return route{w.way.start, slices.Clone(w.way.moves)} }
	return w.s.askSome(which, at, len(w.way.moves), w.ways, here, question)
}

// shorten leaves out of the ways that violate a property what is not needed:
// move by move, from the last, as long as something can be left out and the
// rest, made again, still violates it.
func (w *walks) shorten() {
	for i := range w.s.properties {
		p := &w.s.properties[i]
		if p.nearest == nil {
			continue
		}
		for shorter := true; shorter; {
			shorter = false
			for n := len(w.ways[i].moves) - 1; n >= 0; n-- {
				rest := slices.Delete(slices.Clone(w.ways[i].moves), n, n+1)
				if way, at, ok := w.again(p, route{w.ways[i].start, rest}); ok {
					w.ways[i], p.nearest, p.depth, shorter = way, at, len(way.moves), true
					n = min(n, len(way.moves))
				}
			}
		}
	}
}

// again makes a way again, as far as its moves are possible, up to where the
// property fails, or is reached; ok is false if that is nowhere.
func (w *walks) again(p *property, r route) (way route, at *hit, ok bool) {
	t := w.s.tables
	f := r.start
	way.start = f
	for n := 0; ; n++ {
		choices, err := t.choices(f)
		if err != nil {
			return way, nil, false
		}
		if w.hitsAt(p, f, choices) {
			return way, &hit{at: f}, true
		}
		if n == len(r.moves) || w.s.outside(&f) {
			return way, nil, false
		}
		i := slices.IndexFunc(choices, func(c choice) bool {
			return c.kind == r.moves[n].kind && c.agent == r.moves[n].agent && c.msg == r.moves[n].msg && c.action == r.moves[n].action
		})
		if i < 0 {
			return way, nil, false
		}
		next := t.after(f, choices[i])
		way.moves = append(way.moves, choices[i])
		if p.Kind == model.KindStep && t.noticed(f, next) &&
			askStep(&p.Property, &flatView{t: t, f: &f}, &flatView{t: t, f: &next}) == fails {
			return way, &hit{f, &next}, true
		}
		f = next
	}
}

// hitsAt says whether a property about states fails, or is reached, in one.
func (w *walks) hitsAt(p *property, f flat, choices []choice) bool {
	t := w.s.tables
	switch p.Kind {
	case model.KindStep:
		return false
	case model.KindAtEnd:
		if t.halted(f) || !t.ends(f, choices) {
			return false
		}
	}
	a := ask(&p.Property, &flatView{t: t, f: &f})
	return a == fails && p.Kind != model.KindSometimes || a == holds && p.Kind == model.KindSometimes
}

func (w *walks) expanded(func(state *flat, depth int, bad bool))   {}
func (w *walks) unexpanded(func(state *flat, depth int, bad bool)) {}
func (w *walks) halfway() int64                                    { return 0 }
func (w *walks) path(flat, int) route                              { return w.way }
func (w *walks) pathOf(property int) route                         { return w.ways[property] }
func (w *walks) depth() int                                        { return w.deepest }

// reportWalks says what only a random search has to say.
func (s *search) reportWalks(r *Report, all found) {
	w, ok := all.(*walks)
	if !ok {
		return
	}
	seed := s.opts.Seed
	r.Seed, r.Walks = &seed, &w.walked
	r.Complete = false
	if s.cut != nil {
		r.Bounds = append(r.Bounds, *s.cut)
	}
}
