package explorer

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/caulk-go/caulk/internal/call"
	"github.com/caulk-go/caulk/model"
)

// tables is all that the search has learned of the user's code: every local
// state and message met, as small numbers, and every local transition, worked
// out once. It knows nothing of how system states are packed.
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
}

// localState is one state of one agent.
type localState struct {
	bytes  string // canonical
	traits call.Traits
	value  any // decoded, for properties to read; nil until one does

	own      []transition // by kind of move; valid once ownKnown
	ownKnown bool
	received map[uint32]transition // by message
}

// transition is what one move makes of its agent.
type transition struct {
	kind   model.MoveKind
	action string   // of an own action: its name
	next   uint32   // the agent's state
	sent   []uint32 // messages, in order; the same one may stand there more than once
}

// message is one message met.
type message struct {
	call.Envelope
	label string // kind and detail
	rank  int    // its place among those addressed to the same agent
}

func newTables(sys *model.System, caller *call.Caller) *tables {
	t := &tables{sys: sys, caller: caller, ids: map[call.Envelope]uint32{}, copies: map[uint32]int{}, agents: make([]agentTable, len(sys.Agents))}
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

// start begins every agent in order of ID: their states and the messages sent.
func (t *tables) start() (states []uint32, sent []uint32, err error) {
	for a := range t.agents {
		o, err := t.caller.Begin(model.ID(a + 1))
		if err != nil {
			return nil, nil, err
		}
		tr, err := t.intern(a, o)
		if err != nil {
			return nil, nil, err
		}
		t.history.take(t, a, []transition{tr})
		states, sent = append(states, tr.next), append(sent, tr.sent...)
	}
	t.history.begun()
	return states, sent, nil
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
			tr, err := t.intern(a, o)
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

// receive gives what an agent makes of a message in a state.
func (t *tables) receive(a int, state, m uint32) (transition, error) {
	if tr, ok := t.agents[a].states[state].received[m]; ok {
		return tr, nil
	}
	t.calling = choice{a, int(m), transition{kind: model.Deliver}}
	outcomes, err := t.caller.Outcomes(model.Deliver, model.ID(a+1), t.agents[a].states[state].bytes, &t.messages[m].Envelope)
	if err != nil {
		return transition{}, err
	}
	if len(outcomes) != 1 {
		panic(fmt.Sprintf("explorer: a delivery has %d outcomes", len(outcomes)))
	}
	tr, err := t.intern(a, outcomes[0])
	if err != nil {
		return transition{}, err
	}
	t.handlerCalls++
	s := &t.agents[a].states[state]
	if s.received == nil {
		s.received = map[uint32]transition{}
	}
	s.received[m] = tr
	t.answered++
	t.history.add(t, a, state, int(m), []transition{tr})
	return tr, nil
}

// intern turns an outcome into numbers.
func (t *tables) intern(a int, o call.Outcome) (transition, error) {
	next, err := t.internState(a, o.Next)
	if err != nil {
		return transition{}, err
	}
	tr := transition{kind: o.Move.Kind, action: o.Move.Action, next: next}
	for _, e := range o.Sent {
		m, err := t.internMessage(e)
		if err != nil {
			return transition{}, err
		}
		tr.sent = append(tr.sent, m)
	}
	t.countCopies(slices.Sorted(slices.Values(tr.sent)))
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
	t.messages = append(t.messages, message{e, label, len(table.messages)})
	table.messages = append(table.messages, id)
	return id, nil
}

// value is an agent's state, decoded once and shared by all who read it.
func (t *tables) value(a int, state uint32) any {
	s := &t.agents[a].states[state]
	if s.value == nil {
		s.value = t.caller.Local(model.ID(a+1), s.bytes).State
	}
	return s.value
}

// modified finds a shared value that was changed by a reader.
func (t *tables) modified() (a int, state uint32, found bool) {
	for a := range t.agents {
		for id, s := range t.agents[a].states {
			if s.value != nil && !t.caller.Same(model.ID(a+1), s.bytes, s.value) {
				return a, uint32(id), true
			}
		}
	}
	return 0, 0, false
}

// compareStates orders an agent's states by their bytes, which does not depend
// on the order of discovery.
func (t *tables) compareStates(a int, x, y uint32) int {
	return cmp.Compare(t.agents[a].states[x].bytes, t.agents[a].states[y].bytes)
}

// compareMessages orders messages by sender, receiver and bytes.
func (t *tables) compareMessages(x, y uint32) int {
	m, n := t.messages[x], t.messages[y]
	return cmp.Or(cmp.Compare(m.From, n.From), cmp.Compare(m.To, n.To), cmp.Compare(m.Body, n.Body))
}

// sortMessages orders a list of messages by compareMessages.
func (t *tables) sortMessages(ids []uint32) { slices.SortFunc(ids, t.compareMessages) }
