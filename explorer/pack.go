package explorer

// unpack undoes pack. The result's slices are scratch's, grown.
func (s *space[K]) unpack(k *K, scratch *flat) {
	scratch.states, scratch.net, scratch.extra = scratch.states[:0], scratch.net[:0], scratch.extra[:0]
	for _, f := range s.layout.agents {
		scratch.states = append(scratch.states, get(k, f))
	}
	for _, f := range s.layout.extras {
		scratch.extra = append(scratch.extra, get(k, f))
	}
	if s.layout.sparse() {
		scratch.net = s.listed(k, scratch.net)
		return
	}
	for m, b := range s.layout.bits {
		if !hasBit(k, b) {
			continue
		}
		copies := uint32(1)
		if f, ok := s.layout.copies[uint32(m)]; ok {
			copies += get(k, f)
		}
		for range copies {
			scratch.net = append(scratch.net, uint32(m))
		}
	}
}

// pack packs a state. It is false if the layout has no room for its network:
// for the copies of a message, or for so many messages at a time.
func (s *space[K]) pack(f flat) (k K, ok bool) {
	for a, state := range f.states {
		put(&k, s.layout.agents[a], state)
	}
	for i, v := range trimmed(f.extra) {
		if i >= len(s.layout.extras) || uint64(v) > s.layout.extras[i].max {
			return k, false
		}
		put(&k, s.layout.extras[i], v)
	}
	if s.layout.sparse() {
		return k, s.list(&k, f.net)
	}
	for _, m := range f.net {
		if !s.addMessage(&k, m) {
			return k, false
		}
	}
	return k, true
}

// addMessage puts one more copy into the network of a dense key; false if
// there is no room to count it. On a set a message that is there stays as it
// is.
func (s *space[K]) addMessage(k *K, m uint32) bool {
	b := s.layout.bits[m]
	if !hasBit(k, b) {
		setBit(k, b)
		return true
	}
	if !s.bag {
		return true
	}
	f, ok := s.layout.copies[m]
	n := get(k, f)
	if !ok || uint64(n) == f.max {
		return false
	}
	put(k, f, n+1)
	return true
}

// takeMessage takes one copy out of the network of a dense key.
func (s *space[K]) takeMessage(k *K, m uint32) {
	if f, ok := s.layout.copies[m]; ok {
		if n := get(k, f); n > 0 {
			put(k, f, n-1)
			return
		}
	}
	clearBit(k, s.layout.bits[m])
}

// listed appends the messages in flight of a sparse key.
func (s *space[K]) listed(k *K, net []uint32) []uint32 {
	for _, slot := range s.layout.slots {
		m := get(k, slot)
		if m == 0 {
			break
		}
		net = append(net, m-1)
	}
	return net
}

// list writes the messages in flight, ascending, into a sparse key without
// any; false if they are too many.
func (s *space[K]) list(k *K, net []uint32) bool {
	if len(net) > len(s.layout.slots) {
		return false
	}
	for i, m := range net {
		slot := s.layout.slots[i]
		(*k)[slot.word] |= uint64(m+1) << slot.shift
	}
	return true
}

// survey gives the greatest number of messages in flight in any state, and
// makes the next layout count the copies that a sparse one does not.
func (s *space[K]) survey() int {
	most := 0
	var f flat
	for p := range s.parts {
		for i := range s.parts[p].states {
			k := s.parts[p].at(i)
			if s.layout.sparse() || len(s.layout.copies) > 0 {
				s.unpack(k, &f)
				s.demandNetwork(f)
				most = max(most, len(f.net))
			} else {
				most = max(most, countBits(k, &s.messageBits))
			}
		}
	}
	return most
}
