package explorer

import (
	"cmp"
	"encoding/binary"
	"slices"

	"github.com/caulk-go/caulk/model"
)

// flat is a system state that is not packed: what paths, diagrams and the
// depth-first search work with, where ease counts for more than speed.
type flat struct {
	states []uint32 // by agent
	net    []uint32 // messages in flight, ascending; as often as there are copies; none on fifo

	// extra is what else is part of a state, as numbers: what is left of each
	// limited budget, in order; the observer's state, if there is one; on fifo
	// the content of each queue, in order of discovery. Queues that are not there
	// are empty.
	extra []uint32
}

func (f flat) clone() flat {
	return flat{slices.Clone(f.states), slices.Clone(f.net), slices.Clone(f.extra)}
}

func (f flat) equal(g flat) bool {
	return slices.Equal(f.states, g.states) && slices.Equal(f.net, g.net) && slices.Equal(trimmed(f.extra), trimmed(g.extra))
}

// trimmed is extra components without zeros at the end.
func trimmed(extra []uint32) []uint32 {
	for len(extra) > 0 && extra[len(extra)-1] == 0 {
		extra = extra[:len(extra)-1]
	}
	return extra
}

// more is one of the extra components.
func (f flat) more(i int) uint32 {
	if i < len(f.extra) {
		return f.extra[i]
	}
	return 0
}

// setMore sets one.
func (f *flat) setMore(i int, v uint32) {
	for len(f.extra) <= i {
		f.extra = append(f.extra, 0)
	}
	f.extra[i] = v
}

// key identifies a state exactly.
func (f flat) key() string {
	extra := trimmed(f.extra)
	b := binary.AppendUvarint(nil, uint64(len(extra)))
	for _, list := range [][]uint32{extra, f.states, f.net} {
		for _, v := range list {
			b = binary.AppendUvarint(b, uint64(v))
		}
	}
	return string(b)
}

// observerAt is the number of the observer's extra component.
func (t *tables) observerAt() int { return len(t.budgets) }

// firstQueue is the number of the first queue's.
func (t *tables) firstQueue() int {
	if t.observer != nil {
		return len(t.budgets) + 1
	}
	return len(t.budgets)
}

// choice is one move from a state.
type choice struct {
	agent int
	msg   int // the message that it is about; -1 for none
	transition
}

// choices lists the moves from a state, identical copies of a message counting
// once: those about messages in order of message, then what agents do by
// themselves. It calls the handlers that were not called yet. A state with a
// halted agent has no moves.
func (t *tables) choices(f flat) ([]choice, error) {
	if t.halted(f) {
		return nil, nil
	}
	var list []choice
	for _, m := range t.deliverable(f) {
		a := int(t.messages[m].To) - 1
		received, err := t.receive(a, f.states[a], m)
		if err != nil {
			return nil, err
		}
		for _, tr := range t.merged(a, received) {
			list = append(list, choice{a, int(m), tr})
		}
	}
	for a, state := range f.states {
		own, err := t.own(a, state)
		if err != nil {
			return nil, err
		}
		for _, tr := range t.merged(a, own) {
			list = append(list, choice{a, -1, tr})
		}
	}
	return t.possible(f, list)
}

// possible are those of the moves for which there is a budget, and that no
// reduction leaves out. The observer is told of them.
func (t *tables) possible(f flat, list []choice) ([]choice, error) {
	possible := list[:0]
	for _, c := range list {
		if c.spends >= 0 && f.more(int(c.spends)) == 0 {
			continue
		}
		noticed := false
		if t.observer != nil {
			before := f.more(t.observerAt())
			after, err := t.observe(before, &c.transition)
			if err != nil {
				return nil, err
			}
			noticed = before != after
		}
		if !noticed && t.silent(f.states[c.agent], c.msg, &c.transition) {
			continue
		}
		possible = append(possible, c)
	}
	return possible, nil
}

// ends says whether a state is an end: none of its moves but faults leads to
// another.
func (t *tables) ends(f flat, choices []choice) bool {
	return !slices.ContainsFunc(choices, func(c choice) bool { return !c.fault && !t.after(f, c).equal(f) })
}

// noticed says whether an agent's state or the observer's differs.
func (t *tables) noticed(f, g flat) bool {
	at := t.observerAt()
	return !slices.Equal(f.states, g.states) || t.observer != nil && f.more(at) != g.more(at)
}

// deliverable is the messages in flight that a move can be about, each once: on
// fifo the first of each queue.
func (t *tables) deliverable(f flat) []uint32 {
	if t.sys.Network != model.Fifo {
		return slices.Compact(slices.Clone(f.net))
	}
	var heads []uint32
	for q := range t.queues.list {
		if messages := t.queued(f, q); len(messages) > 0 {
			heads = append(heads, messages[0])
		}
	}
	slices.Sort(heads)
	return heads
}

// inFlight is all messages in flight, as often as there are copies; on fifo
// queue by queue.
func (t *tables) inFlight(f flat) []uint32 {
	if t.sys.Network != model.Fifo {
		return slices.Clone(f.net)
	}
	var all []uint32
	for q := range t.queues.list {
		all = append(all, t.queued(f, q)...)
	}
	return all
}

// after is the state that a choice leads to.
func (t *tables) after(f flat, c choice) flat {
	g := t.afterWhole(f, c)
	t.removeDead(&g)
	return g
}

// afterWhole is the same, with what the reductions take off the network.
func (t *tables) afterWhole(f flat, c choice) flat {
	g := f.clone()
	g.states[c.agent] = c.next
	if c.spends >= 0 {
		g.extra[c.spends]--
	}
	if t.observer != nil {
		at := t.observerAt()
		g.extra[at], _ = t.observer.after(f.extra[at], c.number)
	}
	switch c.fate {
	case model.Leaves:
		t.take(&g, uint32(c.msg))
	case model.Doubles:
		t.send(&g, uint32(c.msg))
	}
	for _, m := range c.sent {
		t.send(&g, m)
	}
	return g
}

// take takes one copy of a message, or the first of its queue, off the
// network.
func (t *tables) take(f *flat, m uint32) {
	if t.sys.Network == model.Fifo {
		q := t.messages[m].queue
		at := t.firstQueue() + q
		f.extra[at] = t.queues.list[q].contents[f.extra[at]].rest
		return
	}
	i, _ := slices.BinarySearch(f.net, m)
	f.net = slices.Delete(f.net, i, i+1)
}

// send puts a message onto the network.
func (t *tables) send(f *flat, m uint32) {
	if t.sys.Network == model.Fifo {
		q := t.messages[m].queue
		at := t.firstQueue() + q
		f.setMore(at, t.push(q, f.more(at), m))
		return
	}
	i, there := slices.BinarySearch(f.net, m)
	if there && t.sys.Network == model.Set {
		return
	}
	f.net = slices.Insert(f.net, i, m)
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
// search gave: by the agents' states in order of ID, then by the network, the
// budgets and the observer.
func (t *tables) compare(f, g flat) int {
	for a := range f.states {
		if c := t.compareStates(a, f.states[a], g.states[a]); c != 0 {
			return c
		}
	}
	x, y := slices.Clone(f.net), slices.Clone(g.net)
	t.sortMessages(x)
	t.sortMessages(y)
	if c := slices.CompareFunc(x, y, t.compareMessages); c != 0 {
		return c
	}
	n := len(t.budgets)
	if c := slices.Compare(f.extra[:n], g.extra[:n]); c != 0 {
		return c
	}
	if o := t.observer; o != nil {
		if c := cmp.Compare(o.states[f.extra[n]], o.states[g.extra[n]]); c != 0 {
			return c
		}
	}
	return t.compareQueues(f, g)
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
