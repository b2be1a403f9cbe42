package explorer_test

import (
	"cmp"
	"maps"
	"slices"

	"github.com/caulk-go/caulk/model"
)

// counts is what a complete search finds, past violations.
type counts struct {
	States, Transitions, Depth, Halted, Inconsistent, Terminal, Deliveries int

	Cut int // states at a bound on depth that have moves, and states beyond the boundary

	LabelNodes, LabelEdges, LabelWipeEdges int

	ShortestHalt, ShortestViolation int            // moves; never if there is none
	HaltDepth                       int            // up to which a search that halts at it goes; never if it does not
	ViolatingLabels                 []string       // of the nearest violations, sorted
	Awry                            map[string]int // agent label and message -> moves
	Sometimes                       map[string]int // moves to the nearest state of each that is reached
	Violations                      map[string]int // by property: moves of the shortest path to where it fails, but for whole runs
	Tested                          map[string]int // by property, but for those about whole runs
	Edges                           []string       // "R1I0I0 -> R1P1I0 {Prepare;1->2;n=1}", sorted
}

const never = -1

func newCounts() counts {
	return counts{
		ShortestHalt: never, ShortestViolation: never, HaltDepth: never,
		Awry: map[string]int{}, Sometimes: map[string]int{}, Violations: map[string]int{}, Tested: map[string]int{},
	}
}

// world is a system state, as plainly as can be.
type world struct {
	agents   []model.Local
	inFlight []model.Message[any] // in the order of sending
	left     map[model.Budget]int
	memory   any // the observer's
	moves    int // from the start
}

// reference explores a system with nothing but package model: a map of keys, a
// queue, every move made anew in every state. The engine must agree with it.
func reference(s model.System) counts { return referenceTo(s, never, false) }

// referenceTo makes no move from states at a depth; where ignored, a delivery
// that nobody notices is none.
func referenceTo(s model.System, depth int, ignored bool) counts {
	r := newCounts()
	known, nodes, edges, wipes, deliveries := set{}, set{}, set{}, set{}, set{}
	var queue []world
	for _, starts := range s.AllStarts() {
		if w := start(&s, starts); known.add(w.key(s.Network)) {
			queue = append(queue, w)
		}
	}
	for ; len(queue) > 0; queue = queue[1:] {
		w := queue[0]
		r.States++
		r.Depth = w.moves
		label := w.label(&s)
		nodes.add(label)
		if r.judge(&s, w) {
			continue
		}
		if s.Boundary != nil && !s.Boundary(view{&s, w}) {
			r.Cut++
			continue
		}
		moved, ends := false, true
		w.eachMove(&s, ignored, func(o model.Outcome, id model.ID, m *model.Message[any], next world) {
			moved = true
			key := next.key(s.Network)
			ends = ends && (o.Move.Kind.Fault() || key == w.key(s.Network))
			if w.moves == depth {
				return
			}
			r.Transitions++
			r.step(&s, w, next)
			if o.Move.Kind == model.Deliver && s.Node(id).Halted(o.Next.State) {
				pair := agentLabel(&s, id, w.agents[id-1]) + " " + model.MessageLabel(m.Body)
				r.Awry[pair] = cmp.Or(r.Awry[pair], next.moves)
			}
			if to := next.label(&s); label != to {
				edge := label + " -> " + to + " " + o.Move.Label()
				edges.add(edge)
				if o.Move.Kind == model.Wipe {
					wipes.add(edge)
				}
			}
			if known.add(key) {
				queue = append(queue, next)
			}
		})
		if w.moves != depth {
			w.eachMove(&s, false, func(o model.Outcome, id model.ID, m *model.Message[any], _ world) {
				if o.Move.Kind == model.Deliver {
					deliveries.add(encode(w.agents[id-1]) + encode(*m))
				}
			})
		}
		if !moved {
			r.Terminal++
		} else if w.moves == depth {
			r.Cut++
		}
		if ends && (!moved || w.moves != depth) {
			r.ask(&s, w, w, func(p model.Property) bool { return p.Kind == model.KindAtEnd })
		}
	}
	r.Deliveries = len(deliveries)
	r.LabelNodes, r.LabelEdges, r.LabelWipeEdges = len(nodes), len(edges), len(wipes)
	r.Edges = slices.Sorted(maps.Keys(edges))
	slices.Sort(r.ViolatingLabels)
	r.ViolatingLabels = slices.Compact(r.ViolatingLabels)
	return r
}

// ask asks some of the properties about a state or a move; what fails is noted.
func (r *counts) ask(s *model.System, before, w world, which func(model.Property) bool) (failed bool) {
	for _, p := range s.Properties {
		if !which(p) || p.Applies != nil && !p.Applies(view{s, before}) {
			continue
		}
		r.Tested[p.Name]++
		var err error
		if p.Kind == model.KindStep {
			err = p.CheckStep(view{s, before}, view{s, w})
		} else {
			err = p.Check(view{s, w})
		}
		note := r.Violations
		if p.Kind == model.KindSometimes {
			note = r.Sometimes
		}
		if _, noted := note[p.Name]; (err == nil) == (p.Kind == model.KindSometimes) && !noted {
			note[p.Name] = w.moves
		}
		if err == nil || p.Kind == model.KindSometimes {
			continue
		}
		failed = true
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
	return failed
}

// step asks the properties over moves about one that changes what an agent or
// the observer knows.
func (r *counts) step(s *model.System, w, next world) {
	if encode(w.agents)+encode(w.memory) != encode(next.agents)+encode(next.memory) {
		r.ask(s, w, next, func(p model.Property) bool { return p.Kind == model.KindStep })
	}
}

// judge counts what is wrong with a state, and says whether anything is.
func (r *counts) judge(s *model.System, w world) (wrong bool) {
	halted := false
	for i, l := range w.agents {
		halted = halted || s.Agents[i].Halted(l.State)
	}
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
