package explorer

// looker judges what is judged of a state while it is expanded: whether it is
// within the boundary, its moves, and whether it is an end. Each worker has its
// own. It uses what properties are remembered to have said; a state about which
// they must be asked is set aside, and is looked at again by the one looker
// that is told to ask.
type looker[K words] struct {
	s      *space[K]
	asking bool
	tally

	// Of the state that is being expanded, until commit: it may be set aside.
	complete bool // every answer was there
	tested   []int64
	failing  []*hit
}

func newLooker[K words](s *space[K]) looker[K] {
	n := len(s.properties)
	return looker[K]{s: s, tally: newTally(n), tested: make([]int64, n), failing: make([]*hit, n)}
}

func (l *looker[K]) begin() {
	l.complete = true
	clear(l.tested)
	clear(l.failing)
}

// within asks the boundary: holds within, fails beyond.
func (l *looker[K]) within(k *K) answer {
	if l.asking {
		return l.s.judge.within(k)
	}
	return l.s.judge.boundary.get(k)
}

// step asks the step properties about a move.
func (l *looker[K]) step(k, next *K) {
	for i := range l.s.properties {
		p := &l.s.properties[i]
		if !p.byMove() {
			continue
		}
		memo := &l.s.judge.pairs[i]
		a := memo.get(k, next)
		if a == unasked && l.asking {
			before, after := &view[K]{s: l.s, k: k}, &view[K]{s: l.s, k: next}
			a = askStep(&p.Property, before, after)
			memo.remember(before, after, a)
			p.network = p.network || before.network || after.network
		}
		l.take(i, a, k, next)
	}
}

// end asks the properties that must hold at the end.
func (l *looker[K]) end(k *K) {
	for i := range l.s.properties {
		if l.s.properties[i].byEnd() {
			a := l.s.judge.memos[i].get(k)
			if a == unasked && l.asking {
				a = l.s.judge.askOne(i, k)
			}
			l.take(i, a, k, nil)
		}
	}
}

func (l *looker[K]) take(property int, a answer, k, next *K) {
	switch a {
	case unasked:
		l.complete = false
	case holds:
		l.tested[property]++
	case fails:
		l.tested[property]++
		if l.s.properties[property].nearest != nil {
			return
		}
		h := &hit{}
		l.s.unpack(k, &h.at)
		if next != nil {
			h.to = &flat{}
			l.s.unpack(next, h.to)
		}
		if old := l.failing[property]; old == nil || l.s.tables.compareHits(h, old) > 0 {
			l.failing[property] = h
		}
	}
}

// commit takes over what was seen of a state; false if something must be asked
// before.
func (l *looker[K]) commit() bool {
	if !l.complete {
		return false
	}
	for i, n := range l.tested {
		l.tally.tested[i] += n
		if h := l.failing[i]; h != nil {
			l.tally.find(l.s.tables, i, h)
		}
	}
	return true
}

// hit is where a property fails, or is reached: a state, or for a step the
// state before and the one after.
type hit struct {
	at flat
	to *flat
}

// compareHits orders hits by what they are.
func (t *tables) compareHits(a, b *hit) int {
	c := t.compare(a.at, b.at)
	if c == 0 && a.to != nil {
		c = t.compare(*a.to, *b.to)
	}
	return c
}

// pairMemo remembers a step property's answers, as memo does another's, by
// those bits of the two keys that the property has ever read.
type pairMemo[K words] struct {
	before, after K // masks
	answers       map[[2]K]answer
	network       bool // the network was read
}

func (m *pairMemo[K]) key(k, next *K) [2]K {
	key := [2]K{*k, *next}
	for i := 0; i < len(*k); i++ {
		key[0][i] &= m.before[i]
		key[1][i] &= m.after[i]
	}
	return key
}

func (m *pairMemo[K]) get(k, next *K) answer { return m.answers[m.key(k, next)] }

// remember puts an answer that was given for what two views say was read.
func (m *pairMemo[K]) remember(before, after *view[K], a answer) {
	b, c := with(&m.before, &before.read), with(&m.after, &after.read)
	m.network = m.network || before.network || after.network
	if b != m.before || c != m.after || m.answers == nil {
		m.before, m.after, m.answers = b, c, map[[2]K]answer{}
	}
	m.answers[m.key(before.k, after.k)] = a
}
