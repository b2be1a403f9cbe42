package explorer

import (
	"cmp"
	"slices"

	"github.com/caulk-go/caulk/model"
)

// flat is a system state that is not packed: what paths, diagrams and the
// depth-first search work with, where ease counts for more than speed.
type flat struct {
	states []uint32 // by agent
	net    []uint32 // messages in flight, ascending; as often as there are copies
}

func (f flat) clone() flat { return flat{slices.Clone(f.states), slices.Clone(f.net)} }

func (f flat) equal(g flat) bool {
	return slices.Equal(f.states, g.states) && slices.Equal(f.net, g.net)
}

// choice is one move from a state.
type choice struct {
	agent int
	msg   int // the message that it is about; -1 for none
	transition
}

// choices lists the moves from a state, identical copies of a message counting
// once: deliveries in order of message, then what agents do by themselves. It
// calls the handlers that were not called yet. A state with a halted agent has
// no moves.
func (t *tables) choices(f flat) ([]choice, error) {
	if t.halted(f) {
		return nil, nil
	}
	var list []choice
	for i, m := range f.net {
		if i > 0 && f.net[i-1] == m {
			continue
		}
		a := int(t.messages[m].To) - 1
		tr, err := t.receive(a, f.states[a], m)
		if err != nil {
			return nil, err
		}
		list = append(list, choice{a, int(m), tr})
	}
	for a, state := range f.states {
		own, err := t.own(a, state)
		if err != nil {
			return nil, err
		}
		for _, tr := range own {
			list = append(list, choice{a, -1, tr})
		}
	}
	return list, nil
}

// after is the state that a choice leads to.
func (t *tables) after(f flat, c choice) flat {
	g := f.clone()
	g.states[c.agent] = c.next
	if c.msg >= 0 && t.sys.Network == model.Bag {
		i, _ := slices.BinarySearch(g.net, uint32(c.msg))
		g.net = slices.Delete(g.net, i, i+1)
	}
	for _, m := range c.sent {
		g.net = t.send(g.net, m)
	}
	return g
}

// send puts a message into a network.
func (t *tables) send(net []uint32, m uint32) []uint32 {
	i, there := slices.BinarySearch(net, m)
	if there && t.sys.Network == model.Set {
		return net
	}
	return slices.Insert(net, i, m)
}

// halted says whether some agent is.
func (t *tables) halted(f flat) bool {
	for a, state := range f.states {
		if t.agents[a].states[state].traits.Halted {
			return true
		}
	}
	return false
}

// compare orders system states by what they are, not by the numbers that the
// search gave: by the agents' states in order of ID, then by the network.
func (t *tables) compare(f, g flat) int {
	for a := range f.states {
		if c := t.compareStates(a, f.states[a], g.states[a]); c != 0 {
			return c
		}
	}
	x, y := slices.Clone(f.net), slices.Clone(g.net)
	t.sortMessages(x)
	t.sortMessages(y)
	return slices.CompareFunc(x, y, t.compareMessages)
}

// compareChoices orders moves by what they are: by kind, receiver, sender and
// the message's bytes, or by kind, agent and action.
func (t *tables) compareChoices(c, d choice) int {
	order := cmp.Or(cmp.Compare(c.kind, d.kind), cmp.Compare(c.agent, d.agent), cmp.Compare(c.action, d.action))
	if order == 0 && c.msg >= 0 {
		return t.compareMessages(uint32(c.msg), uint32(d.msg))
	}
	return order
}
