package explorer

import (
	"encoding/binary"
	"fmt"
	"slices"

	"github.com/caulk-go/caulk/internal/call"
	"github.com/caulk-go/caulk/model"
)

// What the tables of closing are filled with. Most of what is asked about here
// never happens: so a handler that goes wrong is only reported if the search
// comes to the same. Until then it shows what nothing else shows.

// pair is what comes of a message in a state of the table.
func (c *closing) pair(a, i, rank int) *inputPair {
	p := &c.agents[a].rows[i].pairs[rank]
	if p.next < 0 {
		c.askPair(a, i, rank)
	}
	return p
}

// askPair asks what comes of a message in a state of the table.
func (c *closing) askPair(a, i, rank int) {
	g := &c.agents[a]
	m := g.inputs[rank]
	self := g.rows[i].id
	next := self
	var outcomes []call.Outcome
	for _, k := range model.MoveKinds() {
		if !k.OfMessage() || !k.Concerns(c.sys, model.ID(a+1)) {
			continue
		}
		c.asked++
		list, err := c.caller.Outcomes(k, model.ID(a+1), g.bytes[self], &m)
		if err != nil {
			g.rows[i].pairs[rank] = inputPair{next: self, out: c.showWrong(), met: g.rows[i].pairs[rank].met}
			return
		}
		for _, o := range list {
			if !k.Fault() {
				next = g.number(o.Next)
			}
			outcomes = append(outcomes, o)
		}
	}
	p := &g.rows[i].pairs[rank]
	moves := watch(outcomes)
	p.next, p.out = next, c.show(a, self, &m, moves)
	if g.sees {
		p.watched = moves
	}
}

// askOwn asks what an agent has in a state of the table: what the agent says of
// it, and what it does and suffers by itself. All that this leads to is added.
func (c *closing) askOwn(a, i int) error {
	g := &c.agents[a]
	self := g.rows[i].id
	g.rows[i].asked = true
	traits, err := c.caller.Traits(model.ID(a+1), g.bytes[self])
	if err != nil {
		g.why = "a state that its table leads to has no label"
		return errUnreduced
	}
	g.rows[i].traits = traits
	for _, k := range model.MoveKinds() {
		if k.OfMessage() || !k.Concerns(c.sys, model.ID(a+1)) {
			continue
		}
		c.asked++
		outcomes, err := c.caller.Outcomes(k, model.ID(a+1), g.bytes[self], nil)
		if err != nil {
			g.rows[i].own = append(g.rows[i].own, ownPair{label: c.label(k, call.Outcome{}), next: self, out: c.showWrong()})
			continue
		}
		for _, o := range outcomes {
			moves := watch([]call.Outcome{o})
			p := ownPair{label: c.label(k, o), next: g.rows[g.add(o.Next)].id, out: c.show(a, self, nil, moves)}
			if g.sees {
				p.watched = moves
			}
			g.rows[i].own = append(g.rows[i].own, p)
		}
	}
	return nil
}

// label numbers own moves by what they are called, and by the budget that they
// spend.
func (c *closing) label(k model.MoveKind, o call.Outcome) int32 {
	return number(c.labels, fmt.Sprintf("%d %d %q", k, o.Spends, o.Move.Action))
}

// watch makes room for what an observer will make of some moves.
func watch(outcomes []call.Outcome) []watched {
	list := make([]watched, len(outcomes))
	for i, o := range outcomes {
		list[i].outcome = o
	}
	return list
}

// watchAgain asks what an agent's observer makes of its moves in the states that
// the observer got since they were asked about last.
func (c *closing) watchAgain(a int) {
	g := &c.agents[a]
	for i := range g.rows {
		r := &g.rows[i]
		for rank := range r.pairs {
			if p := &r.pairs[rank]; p.watched != nil {
				p.out = c.show(a, r.id, &g.inputs[rank], p.watched)
			}
		}
		for j := range r.own {
			if p := &r.own[j]; p.watched != nil {
				p.out = c.show(a, r.id, nil, p.watched)
			}
		}
	}
}

// observeAll works out what the observer makes of a move in each of its states.
func (c *closing) observeAll(a int, before int32, m *call.Envelope, w *watched) error {
	g := &c.agents[a]
	e := call.Event{
		Kind: w.outcome.Move.Kind, Action: w.outcome.Move.Action, Agent: model.ID(a + 1), Message: m,
		Before: g.bytes[before], After: w.outcome.Next, Sent: w.outcome.Sent,
	}
	for _, memory := range c.observers[len(w.after):] {
		c.asked++
		after, err := c.caller.Observe(memory, e)
		if err != nil {
			return err
		}
		w.after = append(w.after, c.memory(after))
	}
	return nil
}

// memory numbers the observer's states, also those that the search never met.
func (c *closing) memory(bytes string) int32 { return number(c.memories, bytes) }

// show numbers what can be seen of some moves of an agent: 0 where nothing can.
// Of each that is its kind, what it sends, and what the observer makes of it in
// each of its states.
func (c *closing) show(a int, before int32, m *call.Envelope, moves []watched) int32 {
	var key []byte
	for i := range moves {
		w := &moves[i]
		if c.agents[a].sees {
			if err := c.observeAll(a, before, m, w); err != nil {
				return c.showWrong()
			}
		}
		sent := c.number(w.outcome.Sent)
		noticed := len(sent) > 0
		text := binary.AppendUvarint([]byte{byte(w.outcome.Move.Kind)}, uint64(len(sent)))
		for _, m := range sent {
			text = binary.AppendUvarint(text, uint64(m))
		}
		for i, after := range w.after {
			noticed = noticed || after != c.memory(c.observers[i])
			text = binary.AppendUvarint(text, uint64(after))
		}
		if noticed {
			key = append(key, text...)
		}
	}
	return number(c.shown, string(key))
}

// showWrong is for what went wrong.
func (c *closing) showWrong() int32 {
	c.wrong++
	return number(c.shown, fmt.Sprintf("wrong %d", c.wrong))
}

// number gives what was sent as numbers, ascending.
func (c *closing) number(sent []call.Envelope) []int32 {
	var list []int32
	for _, e := range sent {
		list = append(list, number(c.messages, e))
	}
	slices.Sort(list)
	return list
}

// number gives a key the next number, from 0, where it has none.
func number[K comparable](numbers map[K]int32, key K) int32 {
	n, known := numbers[key]
	if !known {
		n = int32(len(numbers))
		numbers[key] = n
	}
	return n
}
