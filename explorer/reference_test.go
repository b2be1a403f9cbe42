package explorer_test

import (
	"cmp"
	"maps"
	"reflect"
	"slices"
	"strings"

	"github.com/caulk-go/caulk/model"
)

// counts is what a complete search finds, past violations.
type counts struct {
	States, Transitions, Depth, Halted, Inconsistent, Terminal, Deliveries int

	Cut int // states at a bound on depth that have moves

	LabelNodes, LabelEdges, LabelWipeEdges int

	ShortestHalt, ShortestViolation int            // moves; never if there is none
	ViolatingLabels                 []string       // of the nearest violations, sorted
	Awry                            map[string]int // agent label and message -> moves
	Sometimes                       map[string]int // moves to the nearest state of each that is reached
	Edges                           []string       // "R1I0I0 -> R1P1I0 {Prepare;1->2;n=1}", sorted
}

const never = -1

// world is a system state, as plainly as can be.
type world struct {
	agents   []model.Local
	inFlight []model.Message[any]
	moves    int // from the start
}

// reference explores a system with nothing but package model: a map of keys, a
// queue, every move made anew in every state. The engine must agree with it.
func reference(s model.System) counts { return referenceTo(s, never) }

// referenceTo makes no move from states at a depth.
func referenceTo(s model.System, depth int) counts {
	r := counts{ShortestHalt: never, ShortestViolation: never, Awry: map[string]int{}, Sometimes: map[string]int{}}
	known, nodes, edges, wipes, deliveries := set{}, set{}, set{}, set{}, set{}
	queue := []world{start(&s)}
	known.add(queue[0].key(s.Network))
	for ; len(queue) > 0; queue = queue[1:] {
		w := queue[0]
		r.States++
		r.Depth = w.moves
		label := w.label(&s)
		nodes.add(label)
		if r.judge(&s, w) {
			continue
		}
		moved := false
		w.eachMove(&s, func(o model.Outcome, m *model.Message[any], next world) {
			moved = true
			if w.moves == depth {
				return
			}
			r.Transitions++
			if m != nil {
				deliveries.add(encode(w.agents[m.To-1].State) + encode(*m))
				if s.Node(m.To).Halted(o.Next.State) {
					pair := agentLabel(&s, m.To, w.agents[m.To-1].State) + " " + model.MessageLabel(m.Body)
					r.Awry[pair] = cmp.Or(r.Awry[pair], next.moves)
				}
			}
			if to := next.label(&s); label != to {
				edge := label + " -> " + to + " " + o.Move.Label()
				edges.add(edge)
				if o.Move.Kind == model.Wipe {
					wipes.add(edge)
				}
			}
			if known.add(next.key(s.Network)) {
				queue = append(queue, next)
			}
		})
		if !moved {
			r.Terminal++
		} else if w.moves == depth {
			r.Cut++
		}
	}
	r.Deliveries = len(deliveries)
	r.LabelNodes, r.LabelEdges, r.LabelWipeEdges = len(nodes), len(edges), len(wipes)
	r.Edges = slices.Sorted(maps.Keys(edges))
	slices.Sort(r.ViolatingLabels)
	r.ViolatingLabels = slices.Compact(r.ViolatingLabels)
	return r
}

// judge counts what is wrong with a state, and says whether anything is.
func (r *counts) judge(s *model.System, w world) (wrong bool) {
	halted, violated := false, false
	for i, l := range w.agents {
		halted = halted || s.Agents[i].Halted(l.State)
	}
	if halted {
		r.Halted++
		if r.ShortestHalt == never {
			r.ShortestHalt = w.moves
		}
	}
	for _, p := range s.Properties {
		if p.Applies != nil && !p.Applies(view{s, w}) {
			continue
		}
		err := p.Check(view{s, w})
		violated = violated || err != nil && p.Kind == model.KindAlways
		if _, reached := r.Sometimes[p.Name]; err == nil && p.Kind == model.KindSometimes && !reached {
			r.Sometimes[p.Name] = w.moves
		}
	}
	if violated {
		r.Inconsistent++
		if r.ShortestViolation == never {
			r.ShortestViolation = w.moves
		}
		if r.ShortestViolation == w.moves {
			r.ViolatingLabels = append(r.ViolatingLabels, w.label(s))
		}
	}
	return halted || violated
}

func start(s *model.System) world {
	var w world
	for _, id := range s.Population() {
		o := model.Begin(s, id)
		w.agents = append(w.agents, o.Next)
		w.inFlight = append(w.inFlight, o.Sent...)
	}
	return w
}

// eachMove makes every move of a state. Copies of a message are one move; m is
// nil for a move that is not about a message.
func (w world) eachMove(s *model.System, yield func(o model.Outcome, m *model.Message[any], next world)) {
	for _, kind := range model.MoveKinds() {
		for _, id := range s.Population() {
			if !kind.Concerns(s, id) {
				continue
			}
			moves := func(m model.Message[any], about *model.Message[any], rest []model.Message[any]) {
				at := model.Site{Node: s.Node(id), Self: id, Population: s.Population()}
				for _, o := range kind.Outcomes(at, private(w.agents[id-1]), private(m)) {
					next := world{slices.Clone(w.agents), slices.Concat(rest, o.Sent), w.moves + 1}
					next.agents[id-1] = o.Next
					yield(o, about, next)
				}
			}
			if !kind.OfMessage() {
				moves(model.Message[any]{}, nil, w.inFlight)
				continue
			}
			tried := set{}
			for i, m := range w.inFlight {
				rest := w.inFlight
				if s.Network == model.Bag {
					rest = slices.Concat(rest[:i], rest[i+1:])
				}
				if m.To == id && tried.add(encode(m)) {
					moves(m, &m, rest)
				}
			}
		}
	}
}

// key is equal for two states if and only if they are one: on a set, messages
// count once.
func (w world) key(n model.Network) string {
	messages := make([]string, len(w.inFlight))
	for i, m := range w.inFlight {
		messages[i] = encode(m)
	}
	slices.Sort(messages)
	if n == model.Set {
		messages = slices.Compact(messages)
	}
	return encode(w.agents) + encode(messages)
}

func (w world) label(s *model.System) string {
	var b strings.Builder
	for i, l := range w.agents {
		b.WriteString(agentLabel(s, model.ID(i+1), l.State))
	}
	return b.String()
}

func agentLabel(s *model.System, id model.ID, state any) string {
	if label, ok := s.Node(id).Label(state); ok {
		return label
	}
	return encode(state)
}

// view is a world as a property sees it.
type view struct {
	s *model.System
	w world
}

func (v view) Population() []model.ID             { return v.s.Population() }
func (v view) StateType(id model.ID) reflect.Type { return v.s.Node(id).StateType() }
func (v view) State(id model.ID) any              { return v.w.agents[id-1].State }
