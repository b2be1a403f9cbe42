package mealy

// bits is a set of inputs.
type bits []uint64

func newBits(inputs int) bits { return make(bits, (inputs+63)/64) }

func (b bits) has(i int) bool { return b[i/64]>>(i%64)&1 != 0 }

func (b bits) add(i int) { b[i/64] |= 1 << (i % 64) }

func (b bits) join(other bits) {
	for i, w := range other {
		b[i] |= w
	}
}
