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
	moves K // the names of its moves, for sleep sets: the bits of mine, and of the field for own moves
	rows  []row[K]
}

// row is one state of one agent: its moves, as masks over keys. A delivery goes
// by the bit of its message, an own move by a bit of the agent's field.
type row[K words] struct {
	unknown  K           // messages whose delivery in this state is not worked out yet
	live     K           // messages whose delivery is, and may lead elsewhere
	sleepy   K           // those of the live ones that may sleep
	own      K           // own moves that may lead elsewhere, and sleep
	effects  []effect[K] // of live and own, in order of their bits
	nameless []effect[K] // of the other own moves that may lead elsewhere
	ownMoves int         // of all own moves
	ownKnown bool
	halted   bool

	loose *looseRow // where states are expanded the general way, in place of all masks
	dead  *K        // the messages that the reduction dead takes off the network, and their copies; nil for none
}

// looseRow is one state of one agent for expanding the general way. Few systems
// need it, so that a row has but a pointer to it.
type looseRow struct {
	open     []transition   // the agent's own moves
	byRank   []int32        // by message to the agent: the number of its moves in received + 1; 0 if they are not known, negative if there are none
	received [][]transition // the moves about messages
}

// about is the moves about a message of a rank, if they are known.
func (r *looseRow) about(rank int) ([]transition, bool) {
	if rank >= len(r.byRank) || r.byRank[rank] == 0 {
		return nil, false
	}
	if r.byRank[rank] < 0 {
		return nil, true
	}
	return r.received[r.byRank[rank]-1], true
}

// effect is what a move does to a key.
type effect[K words] struct {
	keep    K        // all but the agent's field and, on a bag, the delivered message
	put     K        // the agent's next state and, in a dense layout, the messages sent
	sent    K        // the messages sent alone, in a dense layout
	counted bool     // copies of the delivered message, or of one that is sent, are counted
	bit     int      // that the move goes by
	next    uint32   // the agent's next state
	taken   int      // the delivered message; negative for an own move
	sorted  []uint32 // the messages sent, ascending
}

// refreshAgents packs every row anew, for a new layout.
func (s *space[K]) refreshAgents() {
	for m := range s.layout.copies { //tidy:unordered bits are set
		setBit(&s.multi, s.layout.bits[m])
	}
	for a := range s.agents {
		s.agents[a].field = s.layout.agents[a]
		s.agents[a].clear[s.layout.agents[a].word] = s.layout.agents[a].mask()
		s.agents[a].moves[s.layout.agents[a].word] |= s.layout.agents[a].mask()
		for state := range s.tables.agents[a].states {
			s.refreshRow(a, uint32(state))
		}
	}
}

// learnMessages takes in the messages from a number on, which have their place
// in the layout by now.
func (s *space[K]) learnMessages(from int) {
	if s.layout.sparse() {
		for _, slot := range s.layout.slots {
			s.messageBits[slot.word] |= slot.mask()
		}
		s.findNetworkBits()
		return
	}
	for m := from; m < s.layout.messages; m++ {
		b := s.layout.bits[m]
		s.messageAt[b] = uint32(m)
		setBit(&s.messageBits, b)
		agent := &s.agents[s.tables.messages[m].To-1]
		setBit(&agent.mine, b)
		setBit(&agent.moves, b)
		for i := range agent.rows {
			setBit(&agent.rows[i].unknown, b)
		}
	}
	s.findNetworkBits()
	s.judge.learned()
}

// findNetworkBits finds all bits that the network takes.
func (s *space[K]) findNetworkBits() {
	s.networkBits = s.messageBits
	for _, f := range s.layout.copies { //tidy:unordered bits are set
		s.networkBits[f.word] |= f.mask()
	}
	for i := s.tables.firstQueue(); i < len(s.layout.extras); i++ {
		s.networkBits[s.layout.extras[i].word] |= s.layout.extras[i].mask()
	}
}

// refreshRow packs one row anew from the tables.
func (s *space[K]) refreshRow(a int, state uint32) {
	rows := &s.agents[a].rows
	for len(*rows) <= int(state) {
		*rows = append(*rows, row[K]{})
	}
	local := &s.tables.agents[a].states[state]
	if s.loose() {
		(*rows)[state] = s.looseRow(a, local, state)
		return
	}
	r := row[K]{
		unknown:  s.agents[a].mine,
		ownMoves: len(local.own),
		ownKnown: local.ownKnown,
		halted:   local.traits.Halted,
	}
	for _, tr := range local.own {
		if tr.next != state || len(tr.sent) > 0 {
			s.addOwn(&r, a, tr)
		}
	}
	for _, m := range slices.Sorted(maps.Keys(local.received)) {
		tr := local.received[m][0]
		s.addReceived(&r, a, m, tr, s.bag || tr.next != state || len(tr.sent) > 0)
	}
	slices.SortStableFunc(r.effects, func(d, e effect[K]) int { return d.bit - e.bit })
	(*rows)[state] = r
}

// looseRow packs a row for expanding the general way.
func (s *space[K]) looseRow(a int, local *localState, state uint32) row[K] {
	l := &looseRow{open: s.tables.merged(a, local.own)}
	for _, m := range slices.Sorted(maps.Keys(local.received)) {
		rank := s.tables.messages[m].rank
		if missing := rank + 1 - len(l.byRank); missing > 0 {
			l.byRank = append(l.byRank, make([]int32, missing)...)
		}
		if s.tables.shrink != nil && !local.met[m] {
			continue
		}
		if received := s.tables.merged(a, local.received[m]); s.tables.leavesOut(state, int(m), received) {
			l.byRank[rank] = -1
		} else {
			l.received = append(l.received, received)
			l.byRank[rank] = int32(len(l.received))
		}
	}
	return row[K]{halted: local.traits.Halted, ownKnown: local.ownKnown, loose: l, dead: s.deadBits(a, state)}
}

// addOwn adds an own move to a row. It goes by a bit of the agent's field; if
// those are used up, or it halts the agent, it has no name and never sleeps.
func (s *space[K]) addOwn(r *row[K], a int, tr transition) {
	e := s.effect(a, -1, tr)
	f := s.layout.agents[a]
	if i := len(r.effects); i < f.width() && !s.halts(a, tr.next) {
		e.bit = f.word<<6 + int(f.shift) + i
		setBit(&r.own, e.bit)
		r.effects = append(r.effects, e)
		return
	}
	r.nameless = append(r.nameless, e)
}

// addReceived adds a delivery to a row; it is live if it may lead elsewhere.
func (s *space[K]) addReceived(r *row[K], a int, m uint32, tr transition, live bool) {
	b := s.layout.bits[m]
	clearBit(&r.unknown, b)
	if !live {
		return
	}
	setBit(&r.live, b)
	if !s.halts(a, tr.next) {
		setBit(&r.sleepy, b)
	}
	e := s.effect(a, int(m), tr)
	e.bit = b
	r.effects = append(r.effects, e)
}

// halts says whether an agent is halted in a state.
func (s *space[K]) halts(a int, state uint32) bool {
	return s.tables.agents[a].states[state].traits.Halted
}

// effect packs what a move does; taken is the delivered message, or negative.
func (s *space[K]) effect(a, taken int, tr transition) effect[K] {
	e := effect[K]{next: tr.next, taken: taken, sorted: tr.sorted}
	for i := range len(e.keep) {
		e.keep[i] = ^s.agents[a].clear[i]
	}
	put(&e.put, s.layout.agents[a], tr.next)
	for _, m := range tr.sent {
		setBit(&e.sent, s.layout.bits[m])
		setBit(&e.put, s.layout.bits[m])
	}
	e.counted = intersects(&e.sent, &s.multi)
	if s.bag && taken >= 0 {
		clearBit(&e.keep, s.layout.bits[taken])
		e.counted = e.counted || hasBit(&s.multi, s.layout.bits[taken])
	}
	return e
}
