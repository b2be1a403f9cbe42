package model

import (
	"fmt"
	"iter"
	"math/bits"
)

// IDSet is a set of agents, for use in states and messages: comparable, and
// the same whatever the order in which it was filled. The zero value is empty.
// It holds IDs from 1 to 64; any other panics.
type IDSet struct{ bits uint64 }

// IDs is the set of those given.
func IDs(ids ...ID) IDSet {
	var s IDSet
	for _, id := range ids {
		s = s.With(id)
	}
	return s
}

// With is the set with one more; the receiver stays as it is.
func (s IDSet) With(id ID) IDSet { return IDSet{s.bits | bit(id)} }

// Without is the set with one less; the receiver stays as it is.
func (s IDSet) Without(id ID) IDSet { return IDSet{s.bits &^ bit(id)} }

// Has says whether an agent is in the set.
func (s IDSet) Has(id ID) bool { return s.bits&bit(id) != 0 }

// Len is how many there are.
func (s IDSet) Len() int { return bits.OnesCount64(s.bits) }

// All ranges over the set in order of ID.
func (s IDSet) All() iter.Seq[ID] {
	return func(yield func(ID) bool) {
		for b := s.bits; b != 0; b &= b - 1 {
			if !yield(ID(bits.TrailingZeros64(b) + 1)) {
				return
			}
		}
	}
}

func bit(id ID) uint64 {
	if id < 1 || id > 64 {
		panic(fmt.Sprintf("model: an IDSet holds 1 to 64, not %d", id))
	}
	return 1 << (id - 1)
}
