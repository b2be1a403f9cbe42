package mealy

import "slices"

// signatures numbers the signatures of states: the set of edges, each with its
// label, with what it shows and with the class that it leads to. Edges that
// show nothing and stay in the state's class are left out. Equal numbers mean
// equal signatures: a hash only says where to look.
type signatures struct {
	words []int32 // of all, one behind the other; three for each edge
	end   []int   // by number: where its words end
	table []int32 // by hash: one more than a number; open addressing, linear probing
}

// reset forgets all, and makes room for so many, of so many edges together.
func (s *signatures) reset(most, edges int) {
	size := 4
	for size < 2*most {
		size *= 2
	}
	if cap(s.table) < size {
		s.table = make([]int32, size)
	}
	s.table = s.table[:size]
	clear(s.table)
	s.words, s.end = slices.Grow(s.words[:0], 3*edges), s.end[:0]
}

// number is that of the signature of a state in a class. A signature not met
// before gets the next one, from 0.
func (s *signatures) number(list []edge, class []int32, own int32) int {
	begin := len(s.words)
	for _, e := range list {
		if c := class[e.to]; e.out != 0 || c != own {
			s.add(begin, e.label, e.out, c)
		}
	}
	words := s.words[begin:]
	mask := len(s.table) - 1
	slot := int(hash(words)) & mask
	for ; s.table[slot] != 0; slot = (slot + 1) & mask {
		if n := int(s.table[slot]) - 1; slices.Equal(s.of(n), words) {
			s.words = s.words[:begin]
			return n
		}
	}
	s.end = append(s.end, len(s.words))
	s.table[slot] = int32(len(s.end))
	return len(s.end) - 1
}

// add appends an edge to the signature that begins there, among those of its
// label that show the same in order of class. Only own moves may be several.
func (s *signatures) add(begin int, label, out, class int32) {
	i := len(s.words)
	for i > begin && s.words[i-3] == label && s.words[i-2] == out && s.words[i-1] >= class {
		if s.words[i-1] == class {
			return
		}
		i -= 3
	}
	if i == len(s.words) {
		s.words = append(s.words, label, out, class)
		return
	}
	s.words = slices.Insert(s.words, i, label, out, class)
}

func (s *signatures) of(number int) []int32 {
	begin := 0
	if number > 0 {
		begin = s.end[number-1]
	}
	return s.words[begin:s.end[number]]
}

// hash mixes words; which function it is does not matter to any result.
func hash(words []int32) uint64 {
	h := uint64(len(words))
	for _, w := range words {
		h = (h ^ uint64(uint32(w))) * 0x9e3779b97f4a7c15
		h ^= h >> 32
	}
	return h
}
