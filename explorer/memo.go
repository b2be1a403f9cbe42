package explorer

// memo remembers a property's answers, by those bits of a key that the
// property has ever read. An answer given for a key holds for every other that
// has the same bits there.
type memo[K words] struct {
	mask    K
	keys    []K      // open addressing, linear probing
	answers []answer // unasked where a slot is free
	used    int
	network bool // the network was read
}

func newMemo[K words]() memo[K] {
	return memo[K]{keys: make([]K, 64), answers: make([]answer, 64)}
}

func (m *memo[K]) get(k *K) answer {
	key := m.masked(k)
	return m.answers[m.slot(&key)]
}

// put remembers an answer for a key, of which some bits were read. When they
// are others than before, all earlier answers are forgotten: a key of theirs
// may now stand for several.
func (m *memo[K]) put(k, read *K, a answer) {
	grown := m.mask
	for i := 0; i < len(grown); i++ {
		grown[i] |= (*read)[i]
	}
	if grown != m.mask {
		network := m.network
		*m = newMemo[K]()
		m.mask, m.network = grown, network
	}
	if m.used*4 >= len(m.keys)*3 {
		m.grow()
	}
	key := m.masked(k)
	slot := m.slot(&key)
	m.keys[slot], m.answers[slot] = key, a
	m.used++
}

// remember puts an answer that was given for what a view says was read.
func (m *memo[K]) remember(v *view[K], a answer) {
	m.put(v.k, &v.read, a)
	m.network = m.network || v.network
}

// widen forgets all answers if the network was read: from now on these bits of
// it are read.
func (m *memo[K]) widen(network *K) {
	if m.network {
		mask := with(&m.mask, network)
		*m = newMemo[K]()
		m.mask, m.network = mask, true
	}
}

func (m *memo[K]) masked(k *K) K {
	key := *k
	for i := 0; i < len(key); i++ {
		key[i] &= m.mask[i]
	}
	return key
}

// slot is where a masked key stands, or where it would be put.
func (m *memo[K]) slot(key *K) int {
	mask := len(m.keys) - 1
	slot := int(hash(key)) & mask
	for m.answers[slot] != unasked && m.keys[slot] != *key {
		slot = (slot + 1) & mask
	}
	return slot
}

func (m *memo[K]) grow() {
	old := *m
	m.keys, m.answers = make([]K, 2*len(old.keys)), make([]answer, 2*len(old.keys))
	for i, a := range old.answers {
		if a != unasked {
			slot := m.slot(&old.keys[i])
			m.keys[slot], m.answers[slot] = old.keys[i], a
		}
	}
}
