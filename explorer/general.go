package explorer

import (
	"math/bits"
	"slices"

	"github.com/caulk-go/caulk/model"
)

// The general way to expand a state: move by move, by the tables. It serves
// wherever what may happen is not a mask: sparse layouts, queues, budgets,
// observers, crashes, losses, properties that look at moves, and reductions.

// needsGeneral says whether a system can only be expanded this way.
func (s *search) needsGeneral() bool {
	sys := s.sys
	if sys.Network == model.Fifo || sys.Lossy || len(sys.Crash) > 0 || len(s.tables.budgets) > 0 ||
		sys.Observer != nil || sys.Boundary != nil || len(s.opts.Reduce) > 0 {
		return true
	}
	return slices.ContainsFunc(s.properties, func(p property) bool {
		return p.Kind != model.KindAlways && p.Kind != model.KindSometimes
	})
}

// mover makes the moves of packed states. Each goroutine has its own.
type mover[K words] struct {
	s          *space[K]
	rows       []*looseRow // scratch: those of the state
	net, after []uint32    // scratch: messages of the state, and of a successor in a sparse layout
	made       made[K]     // scratch: the move being made
}

func newMover[K words](s *space[K]) mover[K] {
	return mover[K]{s: s, rows: make([]*looseRow, len(s.tables.agents))}
}

// made is one move of a packed state.
type made[K words] struct {
	*transition
	agent, msg int // the message that it is about; -1 for none
	next       K
	noticed    bool // an agent's state or the observer's changes
}

// moves calls f for every move of a state, those that change nothing
// included: first those about messages, then the agents' own. It is false,
// perhaps half-way, if something must be worked out before, or if a successor
// needs another layout.
//
// It reads tables that nobody writes.
func (m *mover[K]) moves(k *K, f func(*made[K])) (ok bool) {
	s := m.s
	for a := range s.agents {
		agent := &s.agents[a]
		r := &agent.rows[(*k)[agent.word]>>agent.shift&agent.max]
		if !r.ownKnown {
			return false
		}
		m.rows[a] = r.loose
	}
	m.net = s.heads(k, m.net[:0])
	for i, msg := range m.net {
		if i > 0 && m.net[i-1] == msg {
			continue // identical copies are one move
		}
		a := int(s.tables.messages[msg].To) - 1
		about, known := m.rows[a].about(s.tables.messages[msg].rank)
		if !known {
			return false
		}
		for j := range about {
			if !m.move(k, a, int(msg), i, &about[j], f) {
				return false
			}
		}
	}
	for a, r := range m.rows {
		for j := range r.open {
			if !m.move(k, a, -1, -1, &r.open[j], f) {
				return false
			}
		}
	}
	return true
}

// move makes one; at is the place of its message in m.net.
func (m *mover[K]) move(k *K, a, msg, at int, tr *transition, f func(*made[K])) (ok bool) {
	s := m.s
	if tr.spends >= 0 && get(k, s.layout.extras[tr.spends]) == 0 {
		return true
	}
	state := get(k, s.layout.agents[a])
	x := &m.made
	*x = made[K]{transition: tr, agent: a, msg: msg, next: *k, noticed: tr.next != state}
	if o := s.tables.observer; tr.number != unseen {
		field := s.layout.extras[s.tables.observerAt()]
		before := get(k, field)
		after, known := o.after(before, tr.number)
		if !known {
			return false
		}
		put(&x.next, field, after)
		x.noticed = x.noticed || before != after
	}
	if !x.noticed && s.tables.silent(state, msg, tr) {
		return true
	}
	put(&x.next, s.layout.agents[a], tr.next)
	if tr.spends >= 0 {
		field := s.layout.extras[tr.spends]
		put(&x.next, field, get(k, field)-1)
	}
	if !m.deliver(&x.next, at, msg, tr) || !m.removeDead(&x.next) {
		return false
	}
	f(x)
	return true
}

// deliver does to a key's network what a move does.
func (m *mover[K]) deliver(next *K, at, msg int, tr *transition) (ok bool) {
	switch {
	case tr.fate == model.Stays && len(tr.sent) == 0:
		return true
	case m.s.isFifo:
		return m.s.requeue(next, msg, tr)
	case m.s.layout.sparse():
		if tr.fate == model.Doubles {
			m.after = merge(m.after[:0], m.net, -1, []uint32{uint32(msg)}, true)
		} else {
			if tr.fate == model.Stays {
				at = -1
			}
			m.after = merge(m.after[:0], m.net, at, tr.sorted, m.s.bag)
		}
		for i := 0; i < len(*next); i++ {
			(*next)[i] &^= m.s.messageBits[i]
		}
		return m.s.list(next, m.after)
	}
	switch tr.fate {
	case model.Leaves:
		m.s.takeMessage(next, uint32(msg))
	case model.Doubles:
		if !m.s.addMessage(next, uint32(msg)) {
			return false
		}
	}
	for _, sent := range tr.sent {
		if !m.s.addMessage(next, sent) {
			return false
		}
	}
	return true
}

// requeue takes the first message off its queue and puts others into theirs. It
// is false if what becomes of a queue was never worked out.
func (s *space[K]) requeue(next *K, msg int, tr *transition) (ok bool) {
	if tr.fate == model.Leaves {
		q := s.tables.messages[msg].queue
		field := s.layout.extras[s.tables.firstQueue()+q]
		put(next, field, s.tables.queues.list[q].contents[get(next, field)].rest)
	}
	for _, sent := range tr.sent {
		q := s.tables.messages[sent].queue
		i := s.tables.firstQueue() + q
		if i >= len(s.layout.extras) {
			return false
		}
		field := s.layout.extras[i]
		n, known := s.tables.queues.list[q].pushed(get(next, field), sent)
		if !known {
			return false
		}
		put(next, field, n)
	}
	return true
}

// heads appends the messages that a move of a state can be about: on fifo the
// first of each queue; in a sparse layout as often as there are copies.
func (s *space[K]) heads(k *K, net []uint32) []uint32 {
	switch {
	case s.isFifo:
		first := s.tables.firstQueue()
		for q := range s.tables.queues.list {
			if i := first + q; i < len(s.layout.extras) {
				if c := get(k, s.layout.extras[i]); c != 0 {
					net = append(net, s.tables.queues.list[q].contents[c].messages[0])
				}
			}
		}
		return net
	case s.layout.sparse():
		return s.listed(k, net)
	}
	for i := 0; i < len(*k); i++ {
		for x := (*k)[i] & s.messageBits[i]; x != 0; x &= x - 1 {
			net = append(net, s.messageAt[i<<6|bits.TrailingZeros64(x)])
		}
	}
	return net
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

// expandGeneral counts and emits the successors of a state, or sets it aside.
func (w *worker[K]) expandGeneral(k *K) {
	s := w.s
	if s.tables.anyHalted && s.haltedKey(k) {
		return
	}
	if s.sys.Boundary != nil {
		switch w.looker.within(k) {
		case unasked:
			w.aside = append(w.aside, successor[K]{key: *k})
			return
		case fails:
			w.beyond++
			return
		}
	}
	l := &w.looker
	l.begin()
	moves, ends := int64(0), true
	ok := w.mover.moves(k, func(x *made[K]) {
		moves++
		if x.next != *k {
			w.emit(&x.next)
			ends = ends && x.fault
		}
		if x.noticed {
			l.step(k, &x.next)
		}
	})
	if ends && ok {
		l.end(k)
	}
	if !ok || !l.commit() {
		w.aside = append(w.aside, successor[K]{key: *k})
		return
	}
	w.transitions += moves
	if moves == 0 {
		w.terminal++
	}
}
