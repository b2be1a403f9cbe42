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
	known := int64(0)
	for p := range s.parts {
		if r.number(maxStates) != int(states[p]) {
			r.fail(errSenseless)
		}
		s.loadPart(r, p, states[p])
		known += int64(states[p])
	}
	if r.err == nil && (known != s.states || !s.startsWith(s.first)) {
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
func (s *space[K]) loadPart(r *checkpointReader, part int, states uint32) {
	p := &s.parts[part]
	p.growing.from = states // what sleeps is read below
	var scratch flat
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
		if !s.genuine(&k, &scratch) || !p.insert(&successor[K]{key: k}, h) {
			r.fail(errSenseless)
			return
		}
		p.growing.sets = p.growing.sets[:0]
	}
	p.asleep, p.growing = readSleepers[K](r, states), readSleepers[K](r, states)
	if r.err == nil && int(states-p.growing.from) != len(p.growing.sets) {
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

// genuine says whether a key is one that the layout gives to a state, and made
// of what is packed in rows.
func (s *space[K]) genuine(k *K, scratch *flat) bool {
	s.unpack(k, scratch)
	for a, state := range scratch.states {
		if int(state) >= len(s.agents[a].rows) {
			return false
		}
	}
	if net := scratch.net; !slices.IsSorted(net) || len(net) > 0 && int(net[len(net)-1]) >= s.layout.messages {
		return false
	}
	again, ok := s.pack(*scratch)
	return ok && again == *k
}

// loadKnown reads a state that must be among those found.
func (s *space[K]) loadKnown(r *checkpointReader) (k K, ok bool) {
	readKey(r, &k)
	if r.err != nil {
		return k, false
	}
	h := hash(&k)
	if !s.parts[h>>(64-partitionBits)].holds(&k, h) {
		r.fail(errSenseless)
		return k, false
	}
	return k, true
}

// holds says whether a state is there.
func (p *partition[K]) holds(k *K, h uint64) bool {
	if len(p.table) == 0 {
		return false
	}
	mask := uint64(len(p.table) - 1)
	for slot := h & mask; p.table[slot] != 0; slot = (slot + 1) & mask {
		if *p.at(p.table[slot]&numberMask - 1) == *k {
			return true
		}
	}
	return false
}

// startsWith says whether the first level is the start state, and no more.
func (s *space[K]) startsWith(start flat) bool {
	first := s.queue.level(0)
	if total(first) != 1 {
		return false
	}
	var f flat
	s.unpack(s.parts[first[0].part].at(first[0].start), &f)
	return f.equal(start)
}
