package explorer

import (
	"fmt"
	"slices"

	"github.com/caulk-go/caulk/model"
)

// whole shows the paths of a search that was reduced by dead or minimal as paths
// of the whole system: move by move by the same message, or by the own move of
// the same name, from the states that the agents are really in. What stands for
// these in the reduced search makes the same moves, and all messages that it has
// in flight are.
type whole struct {
	found
	s      *search
	starts []flat  // of the reduced system
	ways   []route // by property: where it fails, or is reached
	fatal  route   // to the state in which a handler panics
}

// wholePaths works them out. What a search that was cut before its tables were
// complete found is left out, unless it is real.
func (s *search) wholePaths(all found) found {
	k := s.tables.shrink
	if k == nil || all == nil {
		return all
	}
	w := &whole{found: all, s: s, starts: s.starts, ways: make([]route, len(s.properties))}
	for i := range s.properties {
		p := &s.properties[i]
		if p.nearest == nil {
			continue
		}
		way, end, err := w.make(all.pathOf(i))
		switch {
		case err != nil && k.closed:
			panic(err.Error())
		case err == nil && (p.byMove() || s.isThere(p, end) || k.closed && !p.network):
			w.ways[i] = way
		default:
			p.nearest = nil
			if p.network {
				p.unsure = true
			}
		}
	}
	if !k.closed {
		s.panicked = nil
		if k.merges {
			s.shortestHalt = -1
		}
	}
	if s.panicked != nil {
		way, _, err := w.make(all.path(s.panicked.at, s.panicked.depth))
		if err != nil {
			panic(err.Error())
		}
		w.fatal = way
	}
	s.starts = s.wholeStarts
	return w
}

// isThere says whether what the search found of a property is so in a state of
// the whole system.
func (s *search) isThere(p *property, at flat) bool {
	want := fails
	if p.Kind == model.KindSometimes {
		want = holds
	}
	return ask(&p.Property, &flatView{t: s.tables, f: &at}) == want
}

// make makes a path in the whole system, and gives the state that it leads to.
func (w *whole) make(r route) (way route, at flat, err error) {
	t := w.s.tables
	start := slices.IndexFunc(w.starts, r.start.equal)
	if start < 0 {
		return way, at, fmt.Errorf("explorer: a path of the reduced system begins nowhere")
	}
	at = w.s.wholeStarts[start].clone()
	way.start = at.clone()
	for i, c := range r.moves {
		real, err := t.realMove(at, c)
		if err != nil {
			return way, at, fmt.Errorf("explorer: move %d of a path of the reduced system is none of the whole one: %w", i+1, err)
		}
		at = t.afterWhole(at, real)
		way.moves = append(way.moves, real)
	}
	return way, at, nil
}

// realMove is the move in a state of the whole system that answers one of the
// reduced system's.
func (t *tables) realMove(at flat, c choice) (choice, error) {
	var moves []transition
	var err error
	if c.msg < 0 {
		moves, err = t.own(c.agent, at.states[c.agent])
	} else {
		if _, there := slices.BinarySearch(at.net, uint32(c.msg)); !there {
			return c, fmt.Errorf("its message is not in flight")
		}
		moves, err = t.receive(c.agent, at.states[c.agent], uint32(c.msg))
	}
	if err != nil {
		return c, err
	}
	for _, tr := range moves {
		if tr.kind != c.kind || tr.action != c.action || tr.spends >= 0 && at.more(int(tr.spends)) == 0 ||
			t.standsFor(c.agent, tr.next) != c.next || !slices.Equal(tr.sorted, c.sorted) {
			continue
		}
		if t.observer != nil {
			if _, err := t.observe(at.more(t.observerAt()), &tr); err != nil {
				return c, err
			}
		}
		return choice{c.agent, c.msg, tr}, nil
	}
	return c, fmt.Errorf("there is none that leads to the same")
}

func (w *whole) pathOf(property int) route { return w.ways[property] }

// path gives the way to where a handler panics, or where an agent halts.
func (w *whole) path(to flat, depth int) route {
	if w.s.panicked != nil && to.equal(w.s.panicked.at) {
		return w.fatal
	}
	r := w.found.path(to, depth)
	way, _, err := w.make(r)
	if err != nil {
		panic(err.Error())
	}
	return way
}
