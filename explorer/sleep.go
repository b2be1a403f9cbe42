package explorer

// Sleep sets (Patrice Godefroid, Partial-Order Methods for the Verification of
// Concurrent Systems, LNCS 1032, 1996, chapter 5), for a search by levels.
//
// Moves of different agents commute: a move reads and changes one agent's
// state, takes a message that only this agent can receive, and adds messages to
// a bag or a set, where order does not count. So where u and t are moves of
// two agents in a state s, both s·u·t and s·t·u are the same state, and it need
// be made one way only: if u is made first in s, it can sleep in s·t. A move
// that sleeps goes on sleeping after moves of other agents; one of its own
// agent's wakes it.
//
// This leaves out moves that lead to states found another way, never a state,
// and it changes nothing that is reported: moves are counted whether they
// sleep or not, and diagrams and paths are made without.
//
// Every state is still found, and at its true distance. Take, of all shortest
// paths to a state x, the least, comparing two paths where they part by the
// order in which the state there lists its moves. None of its moves sleeps:
//
// Suppose u slept in a state c on it. A state sleeps what all successors that
// were emitted in the level before tell it, so also what the path's own state
// before, s, told it by the path's own move, t. So u and t are of different
// agents, and either s made u before t, or u slept in s already and was told
// by the state before that, and so on: at some state on the path, u was made
// before the path's own move there. All moves of the path from there to c are
// of other agents than u's, so u can be made there first, and the others after
// it: a path of the same length to x, and a lesser one. That is a
// contradiction, provided that its states are expanded as those of the old
// path are: they are not halted, since a move into a halted state is never put
// to sleep; and as soon as some state is inconsistent, and so not expanded,
// nothing sleeps any more.
//
// A set of sleeping moves may be made smaller at any time, as repacking does:
// it forgets them.

// sleepers is what sleeps in the states of a level, in one partition.
type sleepers[K words] struct {
	from uint32 // the first state of the level
	sets []K
}

// of is what sleeps in a state; nothing if it is not of that level.
func (l *sleepers[K]) of(state uint32) (none K) {
	if i := state - l.from; state >= l.from && int(i) < len(l.sets) {
		return l.sets[i]
	}
	return none
}

// meet leaves asleep in a state only what sleeps in both.
func (l *sleepers[K]) meet(state uint32, sleep *K) {
	if state < l.from {
		return // of an earlier level: expanded, or about to be
	}
	set := &l.sets[state-l.from]
	for i := 0; i < len(*set); i++ {
		(*set)[i] &= (*sleep)[i]
	}
}

// lieDown makes the sets of the level that was found those of the level that
// is expanded, in every partition. Nothing sleeps if some state is not
// expanded.
func (s *space[K]) lieDown() {
	for i := range s.parts {
		p := &s.parts[i]
		p.asleep, p.growing = p.growing, sleepers[K]{from: p.states, sets: p.asleep.sets[:0]}
		if len(s.bad) > 0 {
			p.asleep.sets = p.asleep.sets[:0]
		}
	}
}

// wakeAll forgets what sleeps: the states that follow are those of the level
// that is found.
func (s *space[K]) wakeAll() {
	for i := range s.parts {
		p := &s.parts[i]
		p.asleep, p.growing = sleepers[K]{}, sleepers[K]{from: p.states, sets: p.growing.sets[:0]}
	}
}
