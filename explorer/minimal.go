package explorer

import (
	"slices"

	"github.com/caulk-go/caulk/internal/mealy"
)

// The reductions dead and minimal. Each agent is a table: what it makes of each
// message in each of its states (closing). A message that it ignores for ever is
// taken off the network at once; states that nobody can tell apart are one, and
// a move between them of which nothing can be seen is none.
//
// Why that is right, and what must stand in the tables, is in the package
// comment of internal/mealy: the reduced system reaches the same combinations of
// classes and of the observer's states as the whole one, by equally many moves at
// the least. So verdicts of always and sometimes, and the lengths of shortest
// paths, are those of the unreduced search; with dead alone, where no states are
// merged, so are those of step properties. Numbers of states and transitions
// are the reduced system's own.
//
// The tables hold what the search has met, so there are rounds: the tables are
// closed, the system is searched, and if that shows something that they do not
// hold, they are closed again and the search begins anew. Only the last round
// counts, in which nothing new turned up.

// shrink is what the reductions come to in one round. Nil: neither was asked
// for, or they were given up.
type shrink struct {
	dead, minimal bool // which of them

	closing *closing
	agents  []shrunk
	grown   bool  // something turned up that is not in the tables
	warming bool  // nothing is merged yet: see warmUp
	closed  bool  // the last round is over, and nothing did
	merges  bool  // some class has several states
	rounds  int   // begun
	least   int64 // with so many states known a round is worth beginning anew
}

// shrunk is one agent's part. What the tables did not hold when the round began
// stands for itself, and nothing is dead to it.
type shrunk struct {
	given   bool // up: it is left as it is
	kept    bool // some property reads its states: none are merged
	inputs  int  // messages to it that the table holds
	reduced mealy.Reduced
	members [][]int32        // by class: the states' places in the table
	place   []int32          // by the search's number of a state: its place; -1 if it is not in the table
	stands  []uint32         // by the same: the state that stands for it
	first   map[int32]uint32 // by class: the state that stands for it, the first that was met
	want    [][]want         // by message and class
	next    [][]int32        // by class: those that it leads to; nil until that is asked
}

// know takes in the states that an agent got since it was called last. It must
// be called before they are asked about in parallel.
func (k *shrink) know(t *tables, a int) {
	g := &k.agents[a]
	for state := len(g.place); state < len(t.agents[a].states); state++ {
		place, stands := int32(-1), uint32(state)
		if n, there := k.closing.agents[a].place(t.agents[a].states[state].bytes); there && !g.given && n < len(g.reduced.Class) {
			place = int32(n)
			class := g.reduced.Class[n]
			if first, met := g.first[class]; met {
				stands = first
			} else {
				g.first[class] = stands
			}
		}
		g.place, g.stands = append(g.place, place), append(g.stands, stands)
	}
}

// standsFor is the state that stands for another.
func (t *tables) standsFor(a int, state uint32) uint32 {
	if t.shrink == nil {
		return state
	}
	t.shrink.know(t, a)
	return t.shrink.agents[a].stands[state]
}

// merged is moves with what stands for the states that they lead to.
func (t *tables) merged(a int, moves []transition) []transition {
	if t.shrink == nil || !t.shrink.merges {
		return moves
	}
	moves = slices.Clone(moves)
	for i := range moves {
		moves[i].next = t.standsFor(a, moves[i].next)
	}
	return moves
}

// isDead says whether a message is ignored for ever by its receiver, in a state
// that is known.
func (k *shrink) isDead(a int, state uint32, rank int) bool {
	g := &k.agents[a]
	if !k.dead || g.given || rank >= g.inputs || g.place[state] < 0 {
		return false
	}
	return g.reduced.Dead.Has(int(g.reduced.Class[g.place[state]]), rank)
}

// removeDead takes off a state's network what is dead.
func (t *tables) removeDead(f *flat) {
	if t.shrink == nil || !t.shrink.dead {
		return
	}
	for a := range t.agents {
		t.shrink.know(t, a)
	}
	f.net = slices.DeleteFunc(f.net, func(m uint32) bool {
		a := int(t.messages[m].To) - 1
		return t.shrink.isDead(a, f.states[a], t.messages[m].rank)
	})
}

// reduceStart is a start state as the reduced system has it.
func (t *tables) reduceStart(f flat) flat {
	if t.shrink == nil {
		return f
	}
	f = f.clone()
	for a := range f.states {
		f.states[a] = t.standsFor(a, f.states[a])
	}
	t.removeDead(&f)
	return f
}

// deadBits is the messages that are dead to an agent in a state, with their
// copies; nil for none.
func (s *space[K]) deadBits(a int, state uint32) *K {
	k := s.tables.shrink
	if k == nil || !k.dead {
		return nil
	}
	k.know(s.tables, a) // a sparse layout asks about each message
	if s.layout.sparse() {
		return nil
	}
	var dead K
	for rank, m := range s.tables.agents[a].messages {
		if int(m) < s.layout.messages && k.isDead(a, state, rank) {
			setBit(&dead, s.layout.bits[m])
			if f, counted := s.layout.copies[m]; counted {
				dead[f.word] |= f.mask()
			}
		}
	}
	if dead == (*new(K)) {
		return nil
	}
	return &dead
}

// removeDead takes off a packed state's network what is dead.
func (m *mover[K]) removeDead(next *K) (ok bool) {
	s := m.s
	if k := s.tables.shrink; k == nil || !k.dead {
		return true
	}
	if !s.layout.sparse() {
		for a := range s.agents {
			agent := &s.agents[a]
			if dead := agent.rows[get(next, agent.field)].dead; dead != nil {
				for i := 0; i < len(*next); i++ {
					(*next)[i] &^= (*dead)[i]
				}
			}
		}
		return true
	}
	m.after = s.listed(next, m.after[:0])
	m.after = slices.DeleteFunc(m.after, func(msg uint32) bool {
		to := &s.tables.messages[msg]
		a := int(to.To) - 1
		return s.tables.shrink.isDead(a, get(next, s.layout.agents[a]), to.rank)
	})
	for i := 0; i < len(*next); i++ {
		(*next)[i] &^= s.messageBits[i]
	}
	return s.list(next, m.after)
}

// meet takes note of the messages that wait for agents in a state: its row
// holds no others.
func (t *tables) meet(f flat) {
	k := t.shrink
	if k == nil || t.halted(f) {
		return
	}
	for _, m := range t.deliverable(f) {
		a, rank := int(t.messages[m].To)-1, t.messages[m].rank
		s := &t.agents[a].states[f.states[a]]
		if s.met[m] {
			continue
		}
		if s.met == nil {
			s.met = map[uint32]bool{}
		}
		s.met[m] = true
		k.know(t, a)
		k.grown = k.grown || k.isNews(a, f.states[a], rank)
	}
}

// isNews says whether it may change the tables that a message waits for an agent
// in a state.
func (k *shrink) isNews(a int, state uint32, rank int) bool {
	g := &k.agents[a]
	switch {
	case g.given:
		return false
	case rank >= g.inputs || g.place[state] < 0:
		return true
	}
	class := g.reduced.Class[g.place[state]]
	for _, member := range g.members[class] {
		if p := k.closing.pair(a, int(member), rank); !p.met && k.heeds(a, class, p) {
			return true
		}
	}
	return k.dead && !k.wanted(a, class, rank)
}

// heeds says whether a pair of a class's state can be noticed.
func (k *shrink) heeds(a int, class int32, p *inputPair) bool {
	next := k.closing.agents[a].places[p.next]
	classes := k.agents[a].reduced.Class
	return p.out != 0 || next < 0 || int(next) >= len(classes) || classes[next] != class
}

// silent says whether the reductions leave out a move in a state unless an
// observer notices it. The move leads to what stands for the state that it leads to.
func (t *tables) silent(state uint32, msg int, tr *transition) bool {
	if tr.next != state || len(tr.sent) > 0 || msg >= 0 && tr.fault {
		return false
	}
	return t.ignored && msg >= 0 || t.shrink != nil && t.shrink.minimal
}

// mergesStates says whether some states are perhaps shown as others.
func (t *tables) mergesStates() bool { return t.shrink != nil && t.shrink.minimal }

// leavesSomeOut says whether there may be moves that the reductions leave out.
func (t *tables) leavesSomeOut() bool {
	return t.ignored || t.shrink != nil && t.shrink.minimal
}
