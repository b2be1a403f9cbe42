package explorer

import "slices"

// expandSparse is expand for keys that list their messages: the same steps,
// without masks.
func (w *worker[K]) expandSparse(k *K) {
	s := w.s
	moves := 0
	known := true
	for a := range s.agents {
		agent := &s.agents[a]
		r := &agent.rows[(*k)[agent.word]>>agent.shift&agent.max]
		if r.halted {
			return
		}
		known = known && r.ownKnown
		moves += r.ownMoves
		w.rows[a] = r
	}
	w.net = s.listed(k, w.net[:0])
	for i, m := range w.net {
		if i > 0 && w.net[i-1] == m {
			continue // identical copies are one move
		}
		moves++
		known = known && w.rows[s.tables.messages[m].To-1].outcome(s.tables.messages[m].rank) != 0
	}
	if !known || !w.emitAllSparse(k) {
		w.aside = append(w.aside, successor[K]{key: *k})
		return
	}
	w.transitions += int64(moves)
	if moves == 0 {
		w.terminal++
	}
}

// outcome says what is known of the delivery of an agent's message: 0 if it is
// not worked out yet, a negative number if it changes nothing, otherwise the
// number of the effect + 1.
func (r *row[K]) outcome(rank int) int32 {
	if rank >= len(r.byRank) {
		return 0
	}
	return r.byRank[rank]
}

// emitAllSparse is emitAll. It is false if more messages would be in flight
// than there are slots for.
func (w *worker[K]) emitAllSparse(k *K) bool {
	for _, r := range w.rows {
		for i := range r.nameless {
			if !w.emitListed(k, &r.nameless[i], -1) {
				return false
			}
		}
	}
	for i, m := range w.net {
		if i > 0 && w.net[i-1] == m {
			continue
		}
		a := int(w.s.tables.messages[m].To) - 1
		r := w.rows[a]
		if n := r.outcome(w.s.tables.messages[m].rank); n > 0 && !w.emitListed(k, &r.effects[n-1], i) {
			return false
		}
	}
	return true
}

// emitListed emits one successor; i is the place in the network of the
// delivered message, or negative.
func (w *worker[K]) emitListed(k *K, e *effect[K], i int) bool {
	s := w.s
	if !s.bag {
		i = -1
	}
	w.after = merge(w.after[:0], w.net, i, e.sorted, s.bag)
	next := *k
	for j := 0; j < len(next); j++ {
		next[j] = next[j]&e.keep[j]&^s.messageBits[j] | e.put[j]
	}
	if !s.list(&next, w.after) {
		return false
	}
	if next != *k {
		w.emit(&next)
	}
	return true
}

// merge appends a network less the message at place i (none if negative), and
// with those sent; both are ascending. Unless copies count, a message is there
// once.
func merge(dst, net []uint32, i int, sent []uint32, copies bool) []uint32 {
	for j, m := range net {
		if j == i {
			continue
		}
		for len(sent) > 0 && sent[0] < m {
			dst, sent = append(dst, sent[0]), sent[1:]
		}
		dst = append(dst, m)
	}
	dst = append(dst, sent...)
	if !copies {
		dst = slices.Compact(dst)
	}
	return dst
}
