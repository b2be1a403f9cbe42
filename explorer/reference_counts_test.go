package explorer_test

import (
	"cmp"
	"maps"
	"slices"
	"strings"

	"github.com/caulk-go/caulk/model"
)

// counts is what a complete search finds, past violations.
type counts struct {
	States, Transitions, Depth, Halted, Inconsistent, Terminal, Deliveries int

	Cut int // states at a bound on depth that have moves, and states beyond the boundary

	LabelNodes, LabelEdges, LabelWipeEdges int

	ShortestHalt, ShortestViolation int             // moves; never if there is none
	HaltDepth                       int             // up to which a search that halts at it goes; never if it does not
	ViolatingLabels                 []string        // of the nearest violations, sorted
	Awry                            map[string]int  // agent label and message -> moves
	Sometimes                       map[string]int  // moves to the nearest state of each that is reached
	Violations                      map[string]int  // by property: moves of the shortest path to where it fails, but for whole runs
	Tested                          map[string]int  // by property, but for those about whole runs
	ReadNetwork                     map[string]bool // the properties that do
	Edges                           []string        // "R1I0I0 -> R1P1I0 {Prepare;1->2;n=1}", sorted
}

const never = -1

func newCounts() counts {
	return counts{
		ShortestHalt: never, ShortestViolation: never, HaltDepth: never,
		Awry: map[string]int{}, Sometimes: map[string]int{}, Violations: map[string]int{}, Tested: map[string]int{}, ReadNetwork: map[string]bool{},
	}
}

// tally counts what the reference explorer finds.
type tally struct {
	counts
	s                               *model.System
	depth                           int // from states at it no move is made; never for none
	ignored                         bool
	nodes, edges, wipes, deliveries set
}

// reference explores a system with the reference explorer.
func reference(s model.System) counts { return referenceTo(s, never, false) }

// referenceTo makes no move from states at a depth; where ignored, a delivery
// that nobody notices is none.
func referenceTo(s model.System, depth int, ignored bool) counts {
	r := &tally{newCounts(), &s, depth, ignored, set{}, set{}, set{}, set{}}
	traverse(&s, r.visit)
	r.Deliveries = len(r.deliveries)
	r.LabelNodes, r.LabelEdges, r.LabelWipeEdges = len(r.nodes), len(r.edges), len(r.wipes)
	r.Edges = slices.Sorted(maps.Keys(r.edges))
	slices.Sort(r.ViolatingLabels)
	r.ViolatingLabels = slices.Compact(r.ViolatingLabels)
	return r.counts
}

// visit counts a state and its moves, and gives those that are made.
func (r *tally) visit(w world) []moved {
	r.States++
	r.Depth = w.moves
	r.nodes.add(w.label(r.s))
	if r.judge(r.s, w) {
		return nil
	}
	if r.s.Boundary != nil && !r.s.Boundary(view{s: r.s, w: w}) {
		r.Cut++
		return nil
	}
	all := w.allMoves(r.s)
	moves := slices.Clone(all)
	if r.ignored {
		moves = slices.DeleteFunc(moves, func(m moved) bool { return unnoticed(w, m) })
	}
	if len(moves) == 0 {
		r.Terminal++
	} else if w.moves == r.depth {
		r.Cut++
		return nil
	}
	for _, m := range all {
		if m.Move.Kind == model.Deliver && w.moves != r.depth {
			r.deliveries.add(encode(w.agents[m.id-1]) + encode(*m.about))
		}
	}
	for _, m := range moves {
		r.see(w, m)
	}
	if w.ends(r.s, moves) {
		r.ask(r.s, w, w, func(p model.Property) bool { return p.Kind == model.KindAtEnd })
	}
	return moves
}

// unnoticed says whether a move is a delivery of which nothing remains.
func unnoticed(w world, m moved) bool {
	return m.Move.Kind == model.Deliver && len(m.Sent) == 0 &&
		encode(w.agents) == encode(m.next.agents) && encode(w.memory) == encode(m.next.memory)
}

// ends says whether no move but a fault leads elsewhere.
func (w world) ends(s *model.System, moves []moved) bool {
	return !slices.ContainsFunc(moves, func(m moved) bool {
		return !m.Move.Kind.Fault() && m.next.key(s.Network) != w.key(s.Network)
	})
}

// see counts a move, and asks the properties over moves if it changes what an
// agent or the observer knows.
func (r *tally) see(w world, m moved) {
	r.Transitions++
	if encode(w.agents)+encode(w.memory) != encode(m.next.agents)+encode(m.next.memory) {
		r.ask(r.s, w, m.next, func(p model.Property) bool { return p.Kind == model.KindStep })
	}
	if m.Move.Kind == model.Deliver && r.s.Node(m.id).Halted(m.Next.State) {
		pair := agentLabel(r.s, m.id, w.agents[m.id-1]) + " " + model.MessageLabel(m.about.Body)
		r.Awry[pair] = cmp.Or(r.Awry[pair], m.next.moves)
	}
	if from, to := w.label(r.s), m.next.label(r.s); from != to {
		edge := from + " -> " + to + " " + m.Move.Label()
		r.edges.add(edge)
		if m.Move.Kind == model.Wipe {
			r.wipes.add(edge)
		}
	}
}

// judge counts what is wrong with a state, and says whether anything is.
func (r *counts) judge(s *model.System, w world) (wrong bool) {
	halted := w.halted(s)
	if halted {
		r.Halted++
		if r.ShortestHalt == never {
			r.ShortestHalt = w.moves
		}
	}
	violated := r.ask(s, w, w, func(p model.Property) bool { return p.Kind == model.KindAlways })
	r.ask(s, w, w, func(p model.Property) bool { return p.Kind == model.KindSometimes })
	if violated {
		r.Inconsistent++
	}
	return halted || violated
}

func (w world) halted(s *model.System) bool {
	for i, l := range w.agents {
		if s.Agents[i].Halted(l.State) {
			return true
		}
	}
	return false
}

// ask asks some of the properties about a state or a move; what fails is noted.
func (r *counts) ask(s *model.System, before, w world, which func(model.Property) bool) (failed bool) {
	for _, p := range s.Properties {
		if !which(p) {
			continue
		}
		applies, err, readNetwork := answer(s, p, before, w)
		if readNetwork {
			r.ReadNetwork[p.Name] = true
		}
		if !applies {
			continue
		}
		r.Tested[p.Name]++
		if p.Kind == model.KindSometimes {
			if _, noted := r.Sometimes[p.Name]; !noted && err == nil {
				r.Sometimes[p.Name] = w.moves
			}
		} else if err != nil {
			failed = true
			r.fail(s, p, w)
		}
	}
	return failed
}

// answer is what a property says of a state, or of a move between two.
func answer(s *model.System, p model.Property, before, w world) (applies bool, err error, readNetwork bool) {
	v := view{s, before, &readNetwork}
	if p.Applies != nil && !p.Applies(v) {
		return false, nil, readNetwork
	}
	if p.Kind == model.KindStep {
		err = p.CheckStep(v, view{s, w, &readNetwork})
	} else {
		err = p.Check(v)
	}
	return true, err, readNetwork
}

// fail notes that a property fails in a state, or on the way into it.
func (r *counts) fail(s *model.System, p model.Property, w world) {
	if _, noted := r.Violations[p.Name]; !noted {
		r.Violations[p.Name] = w.moves
	}
	halts := w.moves
	if p.Kind == model.KindAtEnd {
		halts++ // the state must be expanded first
	}
	if r.HaltDepth == never || halts < r.HaltDepth {
		r.HaltDepth = halts
	}
	if r.ShortestViolation == never || w.moves < r.ShortestViolation {
		r.ShortestViolation, r.ViolatingLabels = w.moves, nil
	}
	if w.moves == r.ShortestViolation {
		r.ViolatingLabels = append(r.ViolatingLabels, w.label(s))
	}
}

func (w world) label(s *model.System) string {
	var b strings.Builder
	for i, l := range w.agents {
		b.WriteString(agentLabel(s, model.ID(i+1), l))
	}
	return b.String()
}

func agentLabel(s *model.System, id model.ID, l model.Local) string {
	label, ok := s.Node(id).Label(l.State)
	if !ok {
		return encode(l.State)
	}
	if l.Crashed {
		label += "!"
	}
	return label
}
