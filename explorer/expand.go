package explorer

import (
	"math/bits"
)

// worker expands states and keeps what it found in a bucket for each
// partition. A batch is cut into contiguous parts, one for each worker, so
// that the buckets of all workers, one after the other, hold the successors in
// the order of the states that they come from, however many workers there are.
type worker[K words] struct {
	s       *space[K]
	found   []successor[K] // on their way to a bucket
	buckets [partitions]bucket[K]
	free    [][]successor[K] // blocks for them
	lines   [partitions]line[K]
	filled  [partitions]uint8

	sleep       K // what need not be made in the successors emitted now
	mover       mover[K]
	looker      looker[K]
	transitions int64
	beyond      int64 // states beyond the boundary
	terminal    int64
	aside       []successor[K] // states that need something worked out first, in order
}

// expand emits the successors of a state, but for the moves that sleep, and
// sets the state aside if the outcome of one of its moves is not known yet, or
// if there are too many copies of a message to count in this layout. What was
// emitted by then does no harm, for it will be emitted again.
//
// This is the hot loop: it reads tables that nobody writes, and touches no
// value of the user's.
func (w *worker[K]) expand(k, sleep *K) {
	s := w.s
	if s.tables.anyHalted && s.haltedKey(k) {
		return
	}
	moves := 0
	ok := true       // nothing is missing
	asleep := *sleep // and what need not be made after another agent's move
	for a := range s.agents {
		agent := &s.agents[a]
		r := &agent.rows[(*k)[agent.word]>>agent.shift&agent.max]
		moves += r.ownMoves
		ok = ok && r.ownKnown
		var unknown, awake uint64
		var todo K
		for i := 0; i < len(*k); i++ {
			unknown |= (*k)[i] & r.unknown[i]
			enabled := (*k)[i]&r.live[i] | r.own[i]
			todo[i] = enabled &^ (*sleep)[i]
			awake |= todo[i]
		}
		ok = ok && unknown == 0
		if awake != 0 || len(r.nameless) > 0 {
			w.sleep = without(&asleep, &agent.moves)
			ok = w.emitMoves(k, &todo, r, a) && ok
		}
		for i := 0; i < len(*k); i++ {
			asleep[i] |= (*k)[i]&r.sleepy[i] | r.own[i]
		}
	}
	if !ok {
		w.aside = append(w.aside, successor[K]{*k, *sleep})
		return
	}
	moves += countBits(k, &s.messageBits)
	w.transitions += int64(moves)
	if moves == 0 {
		w.terminal++
	}
}

// emitMoves emits what some moves of an agent lead to, given by their bits,
// and the moves that have none. It is false if that needs another layout.
func (w *worker[K]) emitMoves(k, todo *K, r *row[K], a int) bool {
	ok := true
	n := 0 // effects below this word
	for i := 0; i < len(*k); i++ {
		bitsOf := r.live[i] | r.own[i]
		for x := (*todo)[i]; x != 0; x &= x - 1 {
			below := x&-x - 1
			ok = w.emitEffect(k, &r.effects[n+bits.OnesCount64(bitsOf&below)], a) && ok
		}
		n += bits.OnesCount64(bitsOf)
	}
	for i := range r.nameless {
		ok = w.emitEffect(k, &r.nameless[i], a) && ok
	}
	return ok
}

// emitEffect emits what an effect makes of a state, unless nothing changes. It
// is false if that needs another layout.
func (w *worker[K]) emitEffect(k *K, e *effect[K], a int) bool {
	next := *k
	for i := 0; i < len(next); i++ {
		next[i] &= e.keep[i]
	}
	if w.s.bag && (e.counted || intersects(&next, &e.sent)) {
		return w.emitCopies(k, e, a)
	}
	for i := 0; i < len(next); i++ {
		next[i] |= e.put[i]
	}
	if next != *k {
		w.emit(&next)
	}
	return true
}

// emitCopies does the same where copies of a message must be counted.
func (w *worker[K]) emitCopies(k *K, e *effect[K], a int) bool {
	next := *k
	if e.taken >= 0 {
		w.s.takeMessage(&next, uint32(e.taken))
	}
	put(&next, w.s.layout.agents[a], e.next)
	for _, m := range e.sorted {
		if !w.s.addMessage(&next, m) {
			return false
		}
	}
	w.emit(&next)
	return true
}

// emit takes in one successor.
func (w *worker[K]) emit(k *K) { w.found = append(w.found, successor[K]{*k, w.sleep}) }
