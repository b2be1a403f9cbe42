package explorer

import (
	"math/rand/v2"
	"testing"
)

// A memo answers as the property would, or not at all: a property that reads
// other bits depending on what it has read, of random keys.
func TestMemoAgreesWithAMap(t *testing.T) {
	t.Run("1 word", memoAgrees[[1]uint64])
	t.Run("3 words", memoAgrees[[3]uint64])
	t.Run("16 words", memoAgrees[[16]uint64])
}

func memoAgrees[K words](t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	// property reads four bits; one of them says whether it reads more.
	property := func(k *K) (read K, a answer) {
		last := len(*k) - 1
		read[0] |= 0xf
		value := (*k)[0] & 0xf
		if value&1 != 0 {
			read[last] |= 0x3f << 20
			value = value<<6 | (*k)[last]>>20&0x3f
		}
		if value == 0x3ff {
			read[0] |= 1 << 63
			value |= (*k)[0] >> 63 << 10
		}
		return read, []answer{elsewhere, holds, fails}[value%3]
	}
	var ever K // all that it reads
	ever[0] |= 0xf | 1<<63
	ever[len(ever)-1] |= 0x3f << 20
	m := newMemo[K]()
	asked, distinct := 0, map[K]bool{}
	for range 20_000 {
		var k, part K
		for i := range len(k) {
			k[i] = r.Uint64()
			part[i] = k[i] & ever[i]
		}
		distinct[part] = true
		read, want := property(&k)
		got := m.get(&k)
		if got == unasked {
			asked++
			m.put(&k, &read, want)
			got = m.get(&k)
		}
		if got != want {
			t.Fatalf("the answer for %x is %d, not %d", k, got, want)
		}
	}
	// Twice it reads more than before, and what was remembered is forgotten.
	if most := len(distinct) + 16 + 16<<6; asked > most {
		t.Errorf("asked %d times about %d keys that differ", asked, len(distinct))
	}
}

// What reads nothing has one answer.
func TestMemoOfWhatReadsNothing(t *testing.T) {
	m := newMemo[[2]uint64]()
	if got := m.get(&[2]uint64{5, 6}); got != unasked {
		t.Errorf("before it is asked it answers %d", got)
	}
	m.put(&[2]uint64{5, 6}, &[2]uint64{}, fails)
	if got := m.get(&[2]uint64{7, 8}); got != fails {
		t.Errorf("it answers %d, not %d", got, fails)
	}
}
