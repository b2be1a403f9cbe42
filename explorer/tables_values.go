package explorer

import (
	"cmp"
	"slices"

	"github.com/caulk-go/caulk/model"
)

// value is an agent's state, decoded once and shared by all who read it.
func (t *tables) value(a int, state uint32) any {
	s := &t.agents[a].states[state]
	if s.value == nil {
		s.value = t.caller.Local(model.ID(a+1), s.bytes).State
	}
	return s.value
}

// modified finds a shared value that was changed by a reader: an agent's, or
// for the number of agents the observer's.
func (t *tables) modified() (a int, state uint32, found bool) {
	for a := range t.agents {
		for id, s := range t.agents[a].states {
			if s.value != nil && !t.caller.Same(model.ID(a+1), s.bytes, s.value) {
				return a, uint32(id), true
			}
		}
	}
	if o := t.observer; o != nil {
		for id, v := range o.values {
			if v != nil && !t.caller.SameMemory(o.states[id], v) {
				return len(t.agents), uint32(id), true
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
