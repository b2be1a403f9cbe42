package explorer

import (
	"math/rand/v2"
	"testing"
)

// A partition holds what a map holds, in order of insertion, whatever is
// inserted in one go.
func TestPartitionAgreesWithAMap(t *testing.T) {
	t.Run("1 word", partitionAgrees[[1]uint64])
	t.Run("2 words", partitionAgrees[[2]uint64])
	t.Run("3 words", partitionAgrees[[3]uint64])
	t.Run("6 words", partitionAgrees[[6]uint64])
	t.Run("64 words", partitionAgrees[[64]uint64])
}

func partitionAgrees[K words](t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	most := 20_000
	if WeakHash {
		most = 1000
	}
	for _, span := range []uint64{1, 40, uint64(most) / 4, 1 << 40} { // how many keys there are to draw from
		var p partition[K]
		known := map[K]bool{}
		var order []K
		for inserted := 0; inserted < most; {
			batch := make([]K, r.IntN(50))
			for i := range batch {
				drawKey(r, span, &batch[i])
			}
			for _, k := range batch {
				if !known[k] {
					known[k] = true
					order = append(order, k)
				}
			}
			found := make([]successor[K], len(batch))
			for i, k := range batch {
				found[i].key = k
			}
			p.insertAll(found)
			inserted += len(batch)
			if int(p.states) != len(order) {
				t.Fatalf("after %d insertions from %d keys there are %d, not %d", inserted, span, p.states, len(order))
			}
		}
		for i, k := range order {
			if *p.at(uint32(i)) != k {
				t.Fatalf("from %d keys: number %d is %x, not %x", span, i, *p.at(uint32(i)), k)
			}
		}
	}
}

// drawKey draws one of so many keys, which differ in one word or in several,
// in low bits or in high.
func drawKey[K words](r *rand.Rand, span uint64, k *K) {
	n := r.Uint64N(span)
	for i := range len(*k) {
		(*k)[i] = 7 * uint64(i)
	}
	switch n % 3 {
	case 0:
		(*k)[0] = n
	case 1:
		(*k)[len(*k)-1] = n << 24
	default:
		(*k)[len(*k)/2] ^= n
		(*k)[0] ^= n << 7
	}
}

// Every bit of a key counts in its hash: in the partition that it goes to, in
// the slot where it is looked for first, or in the tag.
func TestHash(t *testing.T) {
	if WeakHash {
		t.Skip("this build's hash is weak on purpose")
	}
	t.Run("1 word", hashSpreads[[1]uint64])
	t.Run("4 words", hashSpreads[[4]uint64])
	t.Run("64 words", hashSpreads[[64]uint64])
}

func hashSpreads[K words](t *testing.T) {
	var zero K
	seen := map[uint64]int{hash(&zero): -1}
	for b := range len(zero) * 64 {
		k := zero
		setBit(&k, b)
		h := hash(&k)
		if other, twice := seen[h]; twice {
			t.Errorf("bits %d and %d have one hash", b, other)
		}
		seen[h] = b
	}
	// Numbers in a row, as packed states often are, spread over all partitions.
	var filled [partitions]int
	const each = 100
	for n := range uint64(each * partitions) {
		k := zero
		k[0] = n
		filled[hash(&k)>>(64-partitionBits)]++
	}
	for p, n := range filled {
		if n < each/2 || n > 2*each {
			t.Errorf("partition %d has %d of %d keys, where %d would be even", p, n, each*partitions, each)
		}
	}
}
