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
	found   []K // successors on their way to a bucket
	buckets [partitions]bucket[K]
	free    [][]K // blocks for them
	lines   [partitions]line[K]
	filled  [partitions]uint8

	rows        []*row[K] // scratch: the rows of the state being expanded
	net, after  []uint32  // scratch, in a sparse layout: its network, and a successor's
	transitions int64
	terminal    int64
	aside       []K // states that need something worked out first, in order
}

// expand emits every successor of a state, or sets the state aside if the
// outcome of one of its moves is not known yet.
//
// This is the hot loop: it reads tables that nobody writes, and touches no
// value of the user's.
func (w *worker[K]) expand(k *K) {
	s := w.s
	moves := 0
	var unknown uint64
	for a := range s.agents {
		agent := &s.agents[a]
		r := &agent.rows[(*k)[agent.word]>>agent.shift&agent.max]
		if r.special {
			if r.halted {
				return
			}
			unknown = 1
		}
		for i := 0; i < len(*k); i++ {
			unknown |= (*k)[i] & r.unknown[i]
		}
		moves += r.ownMoves
		w.rows[a] = r
	}
	if unknown != 0 || !w.emitAll(k) {
		w.aside = append(w.aside, *k)
		return
	}
	moves += countBits(k, &s.messageBits)
	w.transitions += int64(moves)
	if moves == 0 {
		w.terminal++
	}
}

// emitAll emits the successors of a state whose rows are known. It is false if
// there are too many copies of a message to count in this layout; what was
// emitted by then does no harm, for it will be emitted again.
func (w *worker[K]) emitAll(k *K) bool {
	s := w.s
	for a, r := range w.rows {
		for i := range r.own {
			if e := &r.own[i]; !s.bag {
				w.emitEffect(k, k, e)
			} else if !w.emitFromBag(k, e, -1, a) {
				return false
			}
		}
		n := 0 // live messages below this word
		for i := 0; i < len(*k); i++ {
			live := r.live[i]
			for x := (*k)[i] & live; x != 0; x &= x - 1 {
				b := bits.TrailingZeros64(x)
				e := &r.received[n+bits.OnesCount64(live&(1<<b-1))]
				if !s.bag {
					w.emitEffect(k, k, e)
				} else if !w.emitFromBag(k, e, i<<6|b, a) {
					return false
				}
			}
			n += bits.OnesCount64(live)
		}
	}
	return true
}

// emitEffect emits what an effect makes of a state, k, from which a delivered
// message may already have been taken, unless nothing changes.
func (w *worker[K]) emitEffect(k, taken *K, e *effect[K]) {
	next := *taken
	for i := 0; i < len(next); i++ {
		next[i] = next[i]&e.keep[i] | e.put[i]
	}
	if next != *k {
		w.emit(&next)
	}
}

// emitFromBag does the same on a bag, where the delivered message goes and
// copies count; b is the message's bit, or negative.
func (w *worker[K]) emitFromBag(k *K, e *effect[K], b, a int) bool {
	s := w.s
	taken := *k
	if b >= 0 {
		clearBit(&taken, b)
	}
	var again uint64 // messages that would be there twice, or may be
	for i := 0; i < len(taken); i++ {
		again |= e.sent[i] & (taken[i] | s.multi[i])
	}
	if again != 0 || b >= 0 && hasBit(&s.multi, b) {
		return w.emitCopies(k, e, b, a)
	}
	w.emitEffect(k, &taken, e)
	return true
}

// emitCopies does the same where copies of a message must be counted.
func (w *worker[K]) emitCopies(k *K, e *effect[K], b, a int) bool {
	next := *k
	if b >= 0 {
		w.s.takeMessage(&next, w.s.messageAt[b])
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
func (w *worker[K]) emit(k *K) { w.found = append(w.found, *k) }
