package explorer

import "slices"

// load fills an empty space with the states of a checkpoint. A file of another
// maker may hold anything: nothing is believed that could lead a search astray
// in its own tables.
func (s *space[K]) load(r *checkpointReader) error {
	var layout digest
	r.bytes(layout[:])
	if r.err == nil && layout != s.layout.digest() {
		return errEngine
	}
	var states [partitions]uint32
	s.queue, states = r.queue()
	known, check := int64(0), newCheck(s)
	for p := range s.parts {
		if r.number(maxStates) != int(states[p]) {
			r.fail(errSenseless)
		}
		s.loadPart(r, p, states[p], check)
		known += int64(states[p])
	}
	if r.err == nil && (known != s.states || !s.startsWith(distinct(s.starts))) {
		r.fail(errSenseless)
	}
	for range r.number(int(known)) {
		if k, ok := s.loadKnown(r); ok {
			s.bad[k] = struct{}{}
		}
	}
	for n := r.number(int(known)); n > 0 && r.err == nil; n-- {
		if k, ok := s.loadKnown(r); ok {
			x := successor[K]{key: k}
			readKey(r, &x.sleep)
			s.aside = append(s.aside, x)
		}
	}
	end := make([]byte, len(checkpointEnd))
	r.bytes(end)
	if r.err == nil && string(end) != checkpointEnd {
		r.fail(errSenseless)
	}
	return r.err
}

// loadPart reads the states of a partition.
func (s *space[K]) loadPart(r *checkpointReader, part int, states uint32, check *check[K]) {
	p := &s.parts[part]
	p.growing.from = states // what sleeps is read below
	for range states {
		var k K
		readKey(r, &k)
		if r.err != nil {
			return
		}
		h := hash(&k)
		if h>>(64-partitionBits) != uint64(part) {
			r.fail(errEngine)
			return
		}
		if !check.genuine(&k) || !p.insert(&successor[K]{key: k}, h) {
			r.fail(errSenseless)
			return
		}
		p.growing.sets = p.growing.sets[:0]
	}
	p.asleep, p.growing = readSleepers[K](r, states), readSleepers[K](r, states)
	asleep := int(states - p.growing.from)
	if p.awake {
		asleep = 0
	}
	if r.err == nil && asleep != len(p.growing.sets) {
		r.fail(errSenseless)
	}
}

// readSleepers reads what sleeps in the states of a partition from one on.
func readSleepers[K words](r *checkpointReader, states uint32) (l sleepers[K]) {
	l.from = uint32(r.number(int(states)))
	for range r.number(int(states - l.from)) {
		var sleep K
		readKey(r, &sleep)
		if r.err != nil {
			break
		}
		l.sets = append(l.sets, sleep)
	}
	return l
}

// check tells keys that the layout gives to a state, made of what is packed in
// rows, from others.
type check[K words] struct {
	s       *space[K]
	simple  bool // every bit has its meaning by itself
	known   K    // all bits that have one
	scratch flat
}

func newCheck[K words](s *space[K]) *check[K] {
	c := &check[K]{s: s, simple: !s.layout.sparse() && len(s.layout.copies) == 0, known: s.messageBits}
	for a := range s.agents {
		for i := 0; i < len(c.known); i++ {
			c.known[i] |= s.agents[a].clear[i]
		}
	}
	for _, f := range s.layout.extras {
		c.known[f.word] |= f.mask()
	}
	return c
}

// extraValues is how many values each extra component has.
func (s *search) extraValues() []int {
	d := s.demand()
	var values []int
	for _, most := range d.budgets {
		values = append(values, most+1)
	}
	return append(values, d.extras...)
}

func (c *check[K]) genuine(k *K) bool {
	for i, n := range c.s.extraValues() {
		if i < len(c.s.layout.extras) && int(get(k, c.s.layout.extras[i])) >= n {
			return false
		}
	}
	for a := range c.s.agents {
		if agent := &c.s.agents[a]; int(get(k, agent.field)) >= len(agent.rows) {
			return false
		}
	}
	if c.simple {
		var unknown uint64
		for i := 0; i < len(*k); i++ {
			unknown |= (*k)[i] &^ c.known[i]
		}
		return unknown == 0
	}
	c.s.unpack(k, &c.scratch)
	if net := c.scratch.net; !slices.IsSorted(net) || len(net) > 0 && int(net[len(net)-1]) >= c.s.layout.messages {
		return false
	}
	again, ok := c.s.pack(c.scratch)
	return ok && again == *k
}

// loadKnown reads a state that must be among those found.
func (s *space[K]) loadKnown(r *checkpointReader) (k K, ok bool) {
	readKey(r, &k)
	if r.err != nil {
		return k, false
	}
	h := hash(&k)
	if _, found := s.parts[h>>(64-partitionBits)].find(&k, h); !found {
		r.fail(errSenseless)
		return k, false
	}
	return k, true
}

// startsWith says whether the first level is the start states, and no more.
func (s *space[K]) startsWith(starts []flat) bool {
	first := s.queue.level(0)
	same := total(first) == len(starts)
	s.each(first, func(f *flat, _ bool) { same = same && slices.ContainsFunc(starts, f.equal) })
	return same
}
