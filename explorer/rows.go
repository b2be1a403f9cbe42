package explorer

import (
	"maps"
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
	byRank   []int32     // in a sparse layout, instead of unknown and live: see outcome
	own      []effect[K] // of the own moves that may lead elsewhere
	ownMoves int         // of all own moves
	special  bool        // halted, or own moves are not worked out yet
	halted   bool
}

// effect is what a move does to a key, beyond taking the delivered message off
// a bag.
type effect[K words] struct {
	keep   K        // all but the agent's field
	put    K        // the agent's next state and, in a dense layout, the messages sent
	sent   K        // the messages sent alone, in a dense layout
	next   uint32   // the agent's next state
	sorted []uint32 // the messages sent, ascending
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

// learnMessages takes in the messages from a number on, which have their place
// in the layout by now.
func (s *space[K]) learnMessages(from int) {
	if s.layout.sparse() {
		for _, slot := range s.layout.slots {
			s.messageBits[slot.word] |= slot.mask()
		}
		return
	}
	for m := from; m < s.layout.messages; m++ {
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
	received := slices.Sorted(maps.Keys(local.received))
	if !s.layout.sparse() {
		slices.SortFunc(received, func(x, y uint32) int { return s.layout.bits[x] - s.layout.bits[y] })
	}
	for _, m := range received {
		tr := local.received[m]
		live := s.bag || tr.next != state || len(tr.sent) > 0
		s.markReceived(&r, m, live)
		if live {
			r.received = append(r.received, s.effect(a, tr))
		}
	}
	rows := &s.agents[a].rows
	for len(*rows) <= int(state) {
		*rows = append(*rows, row[K]{})
	}
	(*rows)[state] = r
}

// markReceived makes a row know of a delivery, whose effect, if it has one, is
// the next of the row's.
func (s *space[K]) markReceived(r *row[K], m uint32, live bool) {
	if s.layout.sparse() {
		rank := s.tables.messages[m].rank
		if missing := rank + 1 - len(r.byRank); missing > 0 {
			r.byRank = append(r.byRank, make([]int32, missing)...)
		}
		r.byRank[rank] = -1
		if live {
			r.byRank[rank] = int32(len(r.received) + 1)
		}
		return
	}
	clearBit(&r.unknown, s.layout.bits[m])
	if live {
		setBit(&r.live, s.layout.bits[m])
	}
}

func (s *space[K]) effect(a int, tr transition) effect[K] {
	e := effect[K]{next: tr.next, sorted: slices.Sorted(slices.Values(tr.sent))}
	if !s.layout.sparse() {
		for _, m := range tr.sent {
			setBit(&e.sent, s.layout.bits[m])
		}
	}
	for i := range len(e.keep) {
		e.keep[i] = ^s.agents[a].clear[i]
	}
	e.put = e.sent
	put(&e.put, s.layout.agents[a], tr.next)
	return e
}
