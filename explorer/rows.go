package explorer

import (
	"slices"
)

// agentRows is one agent in packed form: where its state stands in a key, and
// what each of its states does, as masks over whole keys.
type agentRows[K words] struct {
	field
	clear K // the field's bits
	mine  K // the bits of the messages addressed to it
	rows  []row[K]
}

// row is one state of one agent.
type row[K words] struct {
	unknown  K           // messages whose delivery in this state is not worked out yet
	live     K           // those whose delivery is, and may lead elsewhere
	received []effect[K] // of the live ones, in order of their bits
	own      []effect[K] // of the own moves that may lead elsewhere
	ownMoves int         // of all own moves
	special  bool        // halted, or own moves are not worked out yet
	halted   bool
}

// effect is what a move does to a key, beyond clearing the agent's field and
// taking the delivered message off a bag.
type effect[K words] struct {
	put  K // the agent's next state and the messages sent
	sent K // the messages sent alone
	tr   *transition
}

// refreshAgents packs every row anew, for a new layout.
func (s *space[K]) refreshAgents() {
	for a := range s.agents {
		s.agents[a].field = s.layout.agents[a]
		s.agents[a].clear[s.layout.agents[a].word] = s.layout.agents[a].mask()
		for state := range s.tables.agents[a].states {
			s.refreshRow(a, uint32(state))
		}
	}
	s.multi = *new(K)
	for m := range s.layout.copies { //tidy:unordered bits are set
		setBit(&s.multi, s.layout.bits[m])
	}
}

// learnMessages gives bits to the messages from a number on, and makes known
// to whom they are addressed.
func (s *space[K]) learnMessages(from int) {
	for m := from; m < len(s.layout.bits); m++ {
		b := s.layout.bits[m]
		s.messageAt[b] = uint32(m)
		setBit(&s.messageBits, b)
		agent := &s.agents[s.tables.messages[m].To-1]
		setBit(&agent.mine, b)
		for i := range agent.rows {
			setBit(&agent.rows[i].unknown, b)
		}
	}
}

// refreshRow packs one row anew from the tables.
func (s *space[K]) refreshRow(a int, state uint32) {
	local := &s.tables.agents[a].states[state]
	r := row[K]{
		unknown:  s.agents[a].mine,
		ownMoves: len(local.own),
		special:  !local.ownKnown || local.traits.Halted,
		halted:   local.traits.Halted,
	}
	for _, tr := range local.own {
		if tr.next != state || len(tr.sent) > 0 {
			r.own = append(r.own, s.effect(a, tr))
		}
	}
	var live []uint32
	for m, tr := range local.received { //tidy:unordered sorted below
		clearBit(&r.unknown, s.layout.bits[m])
		if s.bag || tr.next != state || len(tr.sent) > 0 {
			setBit(&r.live, s.layout.bits[m])
			live = append(live, m)
		}
	}
	slices.SortFunc(live, func(x, y uint32) int { return s.layout.bits[x] - s.layout.bits[y] })
	for _, m := range live {
		r.received = append(r.received, s.effect(a, local.received[m]))
	}
	rows := &s.agents[a].rows
	for len(*rows) <= int(state) {
		*rows = append(*rows, row[K]{})
	}
	(*rows)[state] = r
}

func (s *space[K]) effect(a int, tr transition) effect[K] {
	e := effect[K]{tr: &tr}
	for _, m := range tr.sent {
		setBit(&e.sent, s.layout.bits[m])
	}
	e.put = e.sent
	put(&e.put, s.layout.agents[a], tr.next)
	return e
}
