package explorer

import "math/bits"

// words is a packed system state: so many 64-bit words. The loops over them
// are compiled for each size separately, so that a system that fits one word
// pays for one.
type words interface {
	[1]uint64 | [2]uint64 | [3]uint64 | [4]uint64 | [6]uint64 | [8]uint64 | [16]uint64 | [32]uint64 | [64]uint64
}

// sizes lists the sizes of words.
var sizes = [...]int{1, 2, 3, 4, 6, 8, 16, 32, 64}

// hash mixes all bits of a key into all bits of the result. It is fixed: the
// order of a search, and so what "the first" is, must be the same in every
// process.
func hash[K words](k *K) uint64 {
	h := (*k)[0]
	for i := 1; i < len(*k); i++ {
		h = mix(h) ^ (*k)[i]
	}
	return mix(h) & hashMask
}

// mix is a bijection: two rounds of multiplying, which carries low bits up,
// and shifting, which carries high bits down.
func mix(x uint64) uint64 {
	x *= 0x9e3779b97f4a7c15
	x ^= x >> 32
	x *= 0xd6e8feb86659fd93
	x ^= x >> 32
	return x
}

// countBits counts the bits that a key has among those of a mask.
func countBits[K words](k, mask *K) int {
	n := 0
	for i := 0; i < len(*k); i++ {
		n += bits.OnesCount64((*k)[i] & (*mask)[i])
	}
	return n
}

func setBit[K words](k *K, b int)      { (*k)[b>>6] |= 1 << (b & 63) }
func clearBit[K words](k *K, b int)    { (*k)[b>>6] &^= 1 << (b & 63) }
func hasBit[K words](k *K, b int) bool { return (*k)[b>>6]>>(b&63)&1 != 0 }

func intersects[K words](k, l *K) bool {
	var common uint64
	for i := 0; i < len(*k); i++ {
		common |= (*k)[i] & (*l)[i]
	}
	return common != 0
}

// with is the bits of either of two keys.
func with[K words](k, l *K) (both K) {
	for i := 0; i < len(*k); i++ {
		both[i] = (*k)[i] | (*l)[i]
	}
	return both
}

// without is the bits of a key that are not in another.
func without[K words](k, l *K) (rest K) {
	for i := 0; i < len(*k); i++ {
		rest[i] = (*k)[i] &^ (*l)[i]
	}
	return rest
}
