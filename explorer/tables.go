package explorer

import (
	"slices"

	"github.com/caulk-go/caulk/internal/call"
	"github.com/caulk-go/caulk/model"
)

// tables is all that the search has learned of the user's code: every local
// state and message met, as small numbers, and every local transition, worked
// out once; and what the observer makes of each, and the contents of queues. It
// knows nothing of how system states are packed.
//
// Numbers are given in order of discovery. One goroutine writes, between the
// parallel phases, which only read.
type tables struct {
	sys      *model.System
	caller   *call.Caller
	agents   []agentTable
	messages []message
	ids      map[call.Envelope]uint32

	msgKinds []model.MoveKind // those about a message, in the table's order

	// copies is, for each message that was ever there twice on a bag, how many
	// bits it takes to count its further copies.
	copies map[uint32]int

	budgets  []model.Budget // those that are limited
	observer *observerTable // nil if there is none
	queues   queueTables    // of a fifo network
	ignored  bool           // the reduction of that name
	shrink   *shrink        // the reductions dead and minimal; nil for neither

	history *history // nil unless a checkpoint may be written

	calling      choice // the move whose handler was called last
	handlerCalls int64
	answered     int  // questions put to handlers: what of a message, or what by itself
	anyHalted    bool // some local state met is halted
}

// agentTable is one agent's part.
type agentTable struct {
	ids      map[string]uint32
	states   []localState
	ownKinds []model.MoveKind // those it makes or suffers by itself
	messages []uint32         // addressed to it, in order of discovery
	fair     []string         // the own actions that are fair, in order of discovery
	read     bool             // a property or the boundary has read its state
}

// fairClass numbers the agent's fair actions.
func (a *agentTable) fairClass(action string) int32 {
	i := slices.Index(a.fair, action)
	if i < 0 {
		i = len(a.fair)
		a.fair = append(a.fair, action)
	}
	return int32(i)
}

// localState is one state of one agent.
type localState struct {
	bytes  string // canonical
	traits call.Traits
	value  any // decoded, for properties to read; nil until one does

	own      []transition // by kind of move; valid once ownKnown
	ownKnown bool
	received map[uint32][]transition // by message: the moves about it, by kind
	met      map[uint32]bool         // by message: whether it waited there in this round; only kept for shrink
}

// transition is what one move makes of its agent, and of what it is about.
type transition struct {
	kind   model.MoveKind
	action string   // of an own action: its name
	sent   []uint32 // messages, in order; the same one may stand there more than once
	sorted []uint32 // the same, ascending
	next   uint32   // the agent's state
	number uint32   // among all transitions, for the observer
	class  int32    // of an own action that is fair: the number of its fairness class, from 0; else -1
	spends int8     // the extra component that it takes one of; -1 for none
	fate   model.Fate
	fault  bool
}

// message is one message met.
type message struct {
	call.Envelope
	label string // kind and detail
	rank  int    // its place among those addressed to the same agent
	queue int    // on fifo: that it goes through
}

func newTables(sys *model.System, caller *call.Caller) *tables {
	t := &tables{sys: sys, caller: caller, ids: map[call.Envelope]uint32{}, copies: map[uint32]int{}, agents: make([]agentTable, len(sys.Agents))}
	for _, b := range model.AllBudgets() {
		if _, limited := sys.Budgets[b]; limited {
			t.budgets = append(t.budgets, b)
		}
	}
	if sys.Observer != nil {
		t.observer = newObserverTable(sys)
	}
	for _, k := range model.MoveKinds() {
		if k.OfMessage() {
			t.msgKinds = append(t.msgKinds, k)
		}
	}
	for i := range t.agents {
		t.agents[i].ids = map[string]uint32{}
		for _, k := range model.MoveKinds() {
			if !k.OfMessage() && k.Concerns(sys, model.ID(i+1)) {
				t.agents[i].ownKinds = append(t.agents[i].ownKinds, k)
			}
		}
	}
	return t
}

// own gives the moves that an agent has by itself in a state.
func (t *tables) own(a int, state uint32) ([]transition, error) {
	if s := &t.agents[a].states[state]; s.ownKnown {
		return s.own, nil
	}
	var own []transition
	for _, k := range t.agents[a].ownKinds {
		t.calling = choice{a, -1, transition{kind: k, action: k.String()}} // which action is not known when it panics
		outcomes, err := t.caller.Outcomes(k, model.ID(a+1), t.agents[a].states[state].bytes, nil)
		if err != nil {
			return nil, err
		}
		for _, o := range outcomes {
			tr, err := t.intern(a, state, -1, o)
			if err != nil {
				return nil, err
			}
			own = append(own, tr)
		}
	}
	s := &t.agents[a].states[state] // interning may have moved it
	s.own, s.ownKnown = own, true
	t.answered++
	t.history.add(t, a, state, -1, own)
	return own, nil
}

// receive gives the moves about a message to an agent in a state: what the
// agent makes of it, and what the network may.
func (t *tables) receive(a int, state, m uint32) ([]transition, error) {
	if list, ok := t.agents[a].states[state].received[m]; ok {
		return list, nil
	}
	var list []transition
	for _, k := range t.msgKinds {
		if !k.Concerns(t.sys, model.ID(a+1)) {
			continue
		}
		t.calling = choice{a, int(m), transition{kind: k}}
		outcomes, err := t.caller.Outcomes(k, model.ID(a+1), t.agents[a].states[state].bytes, &t.messages[m].Envelope)
		if err != nil {
			return nil, err
		}
		if k.Handler() != "" {
			t.handlerCalls += int64(len(outcomes))
		}
		for _, o := range outcomes {
			tr, err := t.intern(a, state, int(m), o)
			if err != nil {
				return nil, err
			}
			list = append(list, tr)
		}
	}
	s := &t.agents[a].states[state]
	if s.received == nil {
		s.received = map[uint32][]transition{}
	}
	s.received[m] = list
	t.answered++
	t.history.add(t, a, state, int(m), list)
	return list, nil
}

// intern turns what an agent made of a message (none: -1) in a state, or by
// itself, into numbers.
func (t *tables) intern(a int, before uint32, msg int, o call.Outcome) (transition, error) {
	next, err := t.internState(a, o.Next)
	if err != nil {
		return transition{}, err
	}
	tr := transition{
		kind: o.Move.Kind, action: o.Move.Action, next: next,
		fate: o.Move.Kind.Fate(t.sys.Network), fault: o.Move.Kind.Fault(),
		spends: int8(slices.Index(t.budgets, o.Spends)), class: -1,
	}
	if o.Fair {
		tr.class = t.agents[a].fairClass(o.Move.Action)
	}
	if tr.sent, err = t.internSent(o.Sent); err != nil {
		return transition{}, err
	}
	if tr.sorted = tr.sent; !slices.IsSorted(tr.sent) {
		tr.sorted = slices.Sorted(slices.Values(tr.sent))
	}
	t.countCopies(tr.sorted)
	t.observer.number(&tr, a, before, msg)
	return tr, nil
}

// countCopies takes note of the copies in a network, ascending, or in what is
// sent in one step: a layout must be able to count them.
func (t *tables) countCopies(net []uint32) {
	if t.sys.Network != model.Bag {
		return
	}
	copies := 0 // beyond the first, so far
	for i, m := range net {
		if i == 0 || net[i-1] != m {
			copies = 0
			continue
		}
		copies++
		t.copies[m] = max(t.copies[m], bitsFor(copies))
	}
}

func (t *tables) internState(a int, bytes string) (uint32, error) {
	table := &t.agents[a]
	if id, ok := table.ids[bytes]; ok {
		return id, nil
	}
	traits, err := t.caller.Traits(model.ID(a+1), bytes)
	if err != nil {
		return 0, err
	}
	id := uint32(len(table.states))
	table.ids[bytes] = id
	table.states = append(table.states, localState{bytes: bytes, traits: traits})
	t.anyHalted = t.anyHalted || traits.Halted
	return id, nil
}

func (t *tables) internSent(sent []call.Envelope) (ids []uint32, err error) {
	for _, e := range sent {
		m, err := t.internMessage(e)
		if err != nil {
			return nil, err
		}
		ids = append(ids, m)
	}
	return ids, nil
}

func (t *tables) internMessage(e call.Envelope) (uint32, error) {
	if id, ok := t.ids[e]; ok {
		return id, nil
	}
	label, err := t.caller.MessageLabel(e)
	if err != nil {
		return 0, err
	}
	id := uint32(len(t.messages))
	table := &t.agents[e.To-1]
	t.ids[e] = id
	m := message{Envelope: e, label: label, rank: len(table.messages)}
	if t.sys.Network == model.Fifo {
		m.queue = t.use(pair{e.From, e.To})
	}
	t.messages = append(t.messages, m)
	table.messages = append(table.messages, id)
	return id, nil
}
