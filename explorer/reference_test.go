package explorer_test

import (
	"cmp"
	"maps"
	"reflect"
	"slices"

	"github.com/caulk-go/caulk/model"
)

// The reference explorer: a map of keys, a queue, every move made anew in every
// state, and nothing but package model. The engine must agree with it.

// world is a system state, as plainly as can be.
type world struct {
	agents   []model.Local
	inFlight []model.Message[any] // in the order of sending
	left     map[model.Budget]int
	memory   any // the observer's
	moves    int // from the nearest start
}

// moved is a move, and what comes of it.
type moved struct {
	model.Outcome
	id    model.ID            // that makes it, or suffers it
	about *model.Message[any] // nil for a move that is not about a message
	next  world
}

// traverse visits every state once, the nearest first. Visit gives the moves
// that lead on.
func traverse(s *model.System, visit func(w world) []moved) {
	known := set{}
	var queue []world
	add := func(w world) {
		if known.add(w.key(s.Network)) {
			queue = append(queue, w)
		}
	}
	for _, starts := range s.AllStarts() {
		add(start(s, starts))
	}
	for ; len(queue) > 0; queue = queue[1:] {
		for _, m := range visit(queue[0]) {
			add(m.next)
		}
	}
}

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
		w.observe(s, model.Event{
			Move: model.Move{Kind: model.Beginning, From: id, To: id}, Agent: id, After: o.Next.State, Sent: o.Sent,
		})
	}
	return w
}

func (w *world) observe(s *model.System, e model.Event) {
	if s.Observer != nil && s.Observer.Sees(e.Agent) {
		w.memory = s.Observer.See(private(w.memory), private(e))
	}
}

// allMoves makes every move of a state. Copies of a message are one move.
func (w world) allMoves(s *model.System) []moved {
	var all []moved
	for _, kind := range model.MoveKinds() {
		for _, id := range s.Population() {
			switch {
			case !kind.Concerns(s, id):
			case !kind.OfMessage():
				all = append(all, w.outcomes(s, kind, id, nil, w.inFlight)...)
			default:
				all = append(all, w.messageMoves(s, kind, id)...)
			}
		}
	}
	return all
}

// messageMoves makes the moves of a kind about messages to one agent.
func (w world) messageMoves(s *model.System, kind model.MoveKind, to model.ID) []moved {
	var all []moved
	tried := set{}
	for i, m := range w.inFlight {
		about := encode(m)
		if s.Network == model.Fifo {
			about = encode(m.From) // the first of its queue alone
		}
		if m.To != to || !tried.add(about) {
			continue
		}
		rest := w.inFlight
		switch kind.Fate(s.Network) {
		case model.Leaves:
			rest = slices.Concat(rest[:i], rest[i+1:])
			if s.Network == model.Set {
				rest = slices.DeleteFunc(rest, func(n model.Message[any]) bool { return encode(n) == about })
			}
		case model.Doubles:
			rest = append(slices.Clone(rest), m)
		}
		all = append(all, w.outcomes(s, kind, to, &m, rest)...)
	}
	return all
}

// outcomes makes the moves of a kind that an agent has, about a message or
// none, after which the rest is in flight and what they send.
func (w world) outcomes(s *model.System, kind model.MoveKind, id model.ID, about *model.Message[any], rest []model.Message[any]) []moved {
	at := model.Site{Node: s.Node(id), Self: id, Population: s.Population()}
	var m model.Message[any]
	if about != nil {
		m = *about
	}
	var all []moved
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
		next.observe(s, model.Event{
			Move: o.Move, Agent: id, Before: w.agents[id-1].State, After: o.Next.State, Sent: o.Sent,
		})
		all = append(all, moved{o, id, about, next})
	}
	return all
}

// key is equal for two states if and only if they are one: on a set, messages
// count once; on fifo only their order in each queue does.
func (w world) key(n model.Network) string {
	return encode(w.agents) + encode(w.held(n)) + encode(w.left) + encode(w.memory)
}

// held is what the network holds by sender, receiver and, but on fifo, body.
func (w world) held(n model.Network) []model.Message[any] {
	all := slices.SortedStableFunc(slices.Values(w.inFlight), func(a, b model.Message[any]) int {
		order := cmp.Or(cmp.Compare(a.From, b.From), cmp.Compare(a.To, b.To))
		if n != model.Fifo {
			order = cmp.Or(order, cmp.Compare(encode(a.Body), encode(b.Body)))
		}
		return order
	})
	if n == model.Set {
		all = slices.CompactFunc(all, func(a, b model.Message[any]) bool { return encode(a) == encode(b) })
	}
	return all
}

// view is a world as a property sees it.
type view struct {
	s           *model.System
	w           world
	readNetwork *bool // set when it is; may be nil
}

func (v view) Population() []model.ID             { return v.s.Population() }
func (v view) StateType(id model.ID) reflect.Type { return v.s.Node(id).StateType() }
func (v view) State(id model.ID) any              { return v.w.agents[id-1].State }
func (v view) Crashed(id model.ID) bool           { return v.w.agents[id-1].Crashed }
func (v view) Observer() any                      { return v.w.memory }

func (v view) InFlight() []model.Message[any] {
	if v.readNetwork != nil {
		*v.readNetwork = true
	}
	return v.w.held(v.s.Network)
}
