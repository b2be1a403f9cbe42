package explorer_test

import (
	"cmp"
	"maps"
	"reflect"
	"slices"
	"strings"

	"github.com/caulk-go/caulk/model"
)

// The moves of the reference explorer.

func start(s *model.System, starts map[model.ID]string) world {
	one := *s
	one.Starts = starts
	w := world{left: maps.Clone(s.Budgets)}
	if s.Observer != nil {
		w.memory = private(s.Observer.Start())
	}
	for _, id := range s.Population() {
		o := model.Begin(&one, id)
		w.agents = append(w.agents, o.Next)
		w.inFlight = append(w.inFlight, o.Sent...)
		if s.Observer != nil {
			w.memory = s.Observer.See(private(w.memory), private(model.Event{
				Move: model.Move{Kind: model.Beginning, From: id, To: id}, Agent: id, After: o.Next.State, Sent: o.Sent,
			}))
		}
	}
	return w
}

// eachMove makes every move of a state. Copies of a message are one move; m is
// nil for a move that is not about a message.
func (w world) eachMove(s *model.System, ignored bool, yield func(o model.Outcome, id model.ID, m *model.Message[any], next world)) {
	for _, kind := range model.MoveKinds() {
		for _, id := range s.Population() {
			if !kind.Concerns(s, id) {
				continue
			}
			if !kind.OfMessage() {
				w.outcomes(s, kind, id, nil, w.inFlight, ignored, yield)
				continue
			}
			tried := set{}
			for i, m := range w.inFlight {
				about := encode(m)
				if s.Network == model.Fifo {
					about = encode(m.From)
				}
				if m.To != id || !tried.add(about) {
					continue
				}
				rest := w.inFlight
				switch kind.Fate(s.Network) {
				case model.Leaves:
					rest = slices.Concat(rest[:i], rest[i+1:])
					if s.Network == model.Set {
						rest = slices.DeleteFunc(slices.Clone(rest), func(n model.Message[any]) bool { return encode(n) == about })
					}
				case model.Doubles:
					rest = append(slices.Clone(rest), m)
				}
				w.outcomes(s, kind, id, &m, rest, ignored, yield)
			}
		}
	}
}

func (w world) outcomes(s *model.System, kind model.MoveKind, id model.ID, about *model.Message[any], rest []model.Message[any], ignored bool, yield func(o model.Outcome, id model.ID, m *model.Message[any], next world)) {
	at := model.Site{Node: s.Node(id), Self: id, Population: s.Population()}
	var m model.Message[any]
	if about != nil {
		m = *about
	}
	for _, o := range kind.Outcomes(at, private(w.agents[id-1]), private(m)) {
		left, limited := w.left[o.Spends]
		if limited && left == 0 {
			continue
		}
		next := world{slices.Clone(w.agents), slices.Concat(rest, o.Sent), maps.Clone(w.left), w.memory, w.moves + 1}
		next.agents[id-1] = o.Next
		if limited {
			next.left[o.Spends]--
		}
		if s.Observer != nil {
			next.memory = s.Observer.See(private(w.memory), private(model.Event{
				Move: o.Move, Agent: id, Before: w.agents[id-1].State, After: o.Next.State, Sent: o.Sent,
			}))
		}
		nobody := kind == model.Deliver && encode(w.agents) == encode(next.agents) && encode(w.memory) == encode(next.memory) && len(o.Sent) == 0
		if !ignored || !nobody {
			yield(o, id, about, next)
		}
	}
}

// key is equal for two states if and only if they are one: on a set, messages
// count once; on fifo only their order in each queue does.
func (w world) key(n model.Network) string {
	messages := make([]string, len(w.inFlight))
	for i, m := range w.sorted(n) {
		messages[i] = encode(m)
	}
	if n == model.Set {
		messages = slices.Compact(messages)
	}
	return encode(w.agents) + encode(messages) + encode(w.left) + encode(w.memory)
}

// sorted is the messages in flight by sender, receiver and, but on fifo, body.
func (w world) sorted(n model.Network) []model.Message[any] {
	return slices.SortedStableFunc(slices.Values(w.inFlight), func(a, b model.Message[any]) int {
		order := cmp.Or(cmp.Compare(a.From, b.From), cmp.Compare(a.To, b.To))
		if n != model.Fifo {
			order = cmp.Or(order, cmp.Compare(encode(a.Body), encode(b.Body)))
		}
		return order
	})
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

// view is a world as a property sees it.
type view struct {
	s *model.System
	w world
}

func (v view) Population() []model.ID             { return v.s.Population() }
func (v view) StateType(id model.ID) reflect.Type { return v.s.Node(id).StateType() }
func (v view) State(id model.ID) any              { return v.w.agents[id-1].State }
func (v view) Crashed(id model.ID) bool           { return v.w.agents[id-1].Crashed }
func (v view) Observer() any                      { return v.w.memory }

func (v view) InFlight() []model.Message[any] {
	all := v.w.sorted(v.s.Network)
	if v.s.Network == model.Set {
		all = slices.CompactFunc(all, func(a, b model.Message[any]) bool { return encode(a) == encode(b) })
	}
	return all
}
