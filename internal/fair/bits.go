package fair

import "slices"

// bits is a set of states.
type bits []uint64

func newBits(states int) bits { return make(bits, (states+63)/64) }

func (b bits) has(i uint32) bool { return b[i/64]>>(i%64)&1 != 0 }

// add says whether it was not there.
func (b bits) add(i uint32) bool {
	was := b.has(i)
	b[i/64] |= 1 << (i % 64)
	return !was
}

func (b bits) remove(i uint32) { b[i/64] &^= 1 << (i % 64) }

func (b bits) any() bool { return slices.ContainsFunc(b, func(w uint64) bool { return w != 0 }) }
