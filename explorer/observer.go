package explorer

import (
	"github.com/caulk-go/caulk/internal/call"
	"github.com/caulk-go/caulk/model"
)

// observerTable is the observer's part of the tables: its states, and what it
// makes of each move, asked once for each state of its own and each local
// transition.
type observerTable struct {
	ids    map[string]uint32
	states []string // canonical
	values []any    // decoded, for properties to read; nil until one does
	seen   []seen   // the transitions, by number
	next   map[noticed]uint32
	sees   []bool // by agent
}

// unseen is the number of a transition that the observer is not told of.
const unseen = ^uint32(0)

// noticed is an observer's state and the number of a transition.
type noticed struct{ state, transition uint32 }

// seen is a transition as the observer must be told of it.
type seen struct {
	agent  int
	before uint32
	msg    int // -1 for none
	transition
}

func newObserverTable(sys *model.System) *observerTable {
	o := &observerTable{ids: map[string]uint32{}, next: map[noticed]uint32{}}
	for _, id := range sys.Population() {
		o.sees = append(o.sees, sys.Observer.Sees(id))
	}
	return o
}

// number gives a transition its number. One that no observer sees needs none.
func (o *observerTable) number(tr *transition, a int, before uint32, msg int) {
	if o == nil || !o.sees[a] {
		tr.number = unseen
		return
	}
	tr.number = uint32(len(o.seen))
	o.seen = append(o.seen, seen{a, before, msg, *tr})
}

// after is the observer's state after a transition, if it was worked out.
func (o *observerTable) after(state, transition uint32) (next uint32, known bool) {
	if transition == unseen {
		return state, true
	}
	next, known = o.next[noticed{state, transition}]
	return next, known
}

func (o *observerTable) intern(bytes string) uint32 {
	id, ok := o.ids[bytes]
	if !ok {
		id = uint32(len(o.states))
		o.ids[bytes] = id
		o.states = append(o.states, bytes)
		o.values = append(o.values, nil)
	}
	return id
}

// observe is the observer's state after a move.
func (t *tables) observe(state uint32, tr *transition) (uint32, error) {
	o := t.observer
	if next, known := o.after(state, tr.number); known {
		return next, nil
	}
	what := &o.seen[tr.number]
	e := call.Event{
		Kind: tr.kind, Action: tr.action, Agent: model.ID(what.agent + 1),
		Before: t.agents[what.agent].states[what.before].bytes,
		After:  t.agents[what.agent].states[what.next].bytes, // a reduction may say that tr leads to what stands for it
	}
	if what.msg >= 0 {
		e.Message = &t.messages[what.msg].Envelope
	}
	for _, m := range tr.sent {
		e.Sent = append(e.Sent, t.messages[m].Envelope)
	}
	bytes, err := t.caller.Observe(o.states[state], e)
	if err != nil {
		t.calling = choice{what.agent, what.msg, *tr}
		return 0, err
	}
	next := o.intern(bytes)
	o.next[noticed{state, tr.number}] = next
	t.answered++
	t.history.addObserved(t, state, tr.number, next)
	return next, nil
}

// observeStart is the observer's state when every agent has begun so.
func (t *tables) observeStart(begun []call.Outcome) (uint32, error) {
	memory, err := t.caller.ObserverStart()
	for a := 0; a < len(begun) && err == nil; a++ {
		memory, err = t.caller.Observe(memory, call.Event{
			Kind: model.Beginning, Agent: model.ID(a + 1), After: begun[a].Next, Sent: begun[a].Sent,
		})
	}
	if err != nil {
		return 0, err
	}
	return t.observer.intern(memory), nil
}

// memory is an observer's state, decoded once and shared by all who read it.
func (t *tables) memory(state uint32) any {
	o := t.observer
	if o == nil {
		panic("it asks for the observer, and the system has none")
	}
	if o.values[state] == nil {
		o.values[state] = t.caller.Memory(o.states[state])
	}
	return o.values[state]
}
