package explorer

import "math/bits"

// The states found lie in partitions by the top bits of their hash. A
// partition has one owner at a time, so nothing in it is locked, and it is
// small enough to stay in a core's cache while a batch is worked into it.
const (
	partitionBits = 8
	partitions    = 1 << partitionBits
)

// partition is a set of states in order of insertion. The states lie in chunks
// that never move; the table holds their numbers, so that a state is stored
// once.
type partition[K words] struct {
	chunks [][]K
	states uint32
	table  []uint32 // open addressing, linear probing; 0 is free, else a tag and the number + 1

	awake   bool        // nothing sleeps: the two below stay empty
	asleep  sleepers[K] // in the states of the level that is expanded
	growing sleepers[K] // in those of the level that is found

	_ [128]byte // the next partition may be another core's at the same time
}

// An entry of the table is the state's number + 1 below and some bits of its
// hash above, so that most states that are not equal are not looked at.
const (
	numberBits = 22
	numberMask = 1<<numberBits - 1
	maxStates  = numberMask // in one partition
)

// chunkBytes is about what a chunk takes.
const chunkBytes = 1 << 13

// chunkShift gives the length of a chunk for states of so many words.
func chunkShift(words int) int { return bits.Len(uint(chunkBytes/8/words)) - 1 }

func (p *partition[K]) at(i uint32) *K {
	var k K
	shift := chunkShift(len(k))
	return &p.chunks[i>>shift][i&(1<<shift-1)]
}

// insertAll adds the states that are not there yet, in order.
//
// Where a state would stand is a cache miss away, and whether it is new cannot
// be foreseen: one after the other, each insertion would wait for its own
// misses. So a few of them look together where each belongs first, in loops
// without branches, in which the processor waits for all misses at once. Those
// not found there go the long way.
func (p *partition[K]) insertAll(found []successor[K]) {
	const group = 16
	var hashes [group]uint64
	var numbers [group]uint32
	for len(found) >= group && p.states > 0 {
		mask := uint64(len(p.table) - 1)
		for i := range hashes {
			hashes[i] = hash(&found[i].key)
			numbers[i] = p.table[hashes[i]&mask] & numberMask
		}
		var fresh [group]bool
		for i, n := range numbers {
			// Where nothing stands, any state will do to compare with: the key
			// is not in the set, so it equals none.
			fresh[i] = *p.at(max(n, 1) - 1) != found[i].key
		}
		for i := range fresh {
			if fresh[i] {
				p.insert(&found[i], hashes[i])
			} else if !p.awake {
				p.growing.meet(numbers[i]-1, &found[i].sleep)
			}
		}
		found = found[group:]
	}
	for i := range found {
		p.insert(&found[i], hash(&found[i].key))
	}
}

// insert adds a state unless it is there; it says whether it was new.
func (p *partition[K]) insert(x *successor[K], h uint64) bool {
	if uint64(p.states)*4 >= uint64(len(p.table))*3 {
		p.grow()
	}
	mask := uint64(len(p.table) - 1)
	tag := tagOf(h)
	for slot := h & mask; ; slot = (slot + 1) & mask {
		e := p.table[slot]
		if e == 0 {
			p.append(&x.key)
			if !p.awake {
				p.growing.sets = append(p.growing.sets, x.sleep)
			}
			p.table[slot] = tag | p.states
			return true
		}
		if n := e&numberMask - 1; e&^numberMask == tag && *p.at(n) == x.key {
			if !p.awake {
				p.growing.meet(n, &x.sleep)
			}
			return false
		}
	}
}

// find gives the number of a state, if it is there.
func (p *partition[K]) find(k *K, h uint64) (n uint32, found bool) {
	if len(p.table) == 0 {
		return 0, false
	}
	mask := uint64(len(p.table) - 1)
	for slot := h & mask; p.table[slot] != 0; slot = (slot + 1) & mask {
		if n := p.table[slot]&numberMask - 1; *p.at(n) == *k {
			return n, true
		}
	}
	return 0, false
}

func tagOf(h uint64) uint32 { return uint32(h>>24) &^ numberMask }

func (p *partition[K]) append(k *K) {
	shift := chunkShift(len(*k))
	if p.states == maxStates {
		panic("explorer: a partition is full")
	}
	if int(p.states>>shift) == len(p.chunks) {
		p.chunks = append(p.chunks, make([]K, 1<<shift))
	}
	*p.atNew(shift) = *k
	p.states++
}

func (p *partition[K]) atNew(shift int) *K { return &p.chunks[p.states>>shift][p.states&(1<<shift-1)] }

// grow doubles the table.
func (p *partition[K]) grow() {
	p.table = freshTable(max(64, 2*len(p.table)))
	mask := uint64(len(p.table) - 1)
	for i := range p.states {
		h := hash(p.at(i))
		slot := h & mask
		for p.table[slot] != 0 {
			slot = (slot + 1) & mask
		}
		p.table[slot] = tagOf(h) | (i + 1)
	}
}

// freshTable makes a table and writes to each of its pages. A page that is read
// before it is written to is mapped by the system twice: to a page of zeros
// that all share, and then to one of its own. The second time all other cores
// are interrupted, which made two workers a tenth slower.
func freshTable(length int) []uint32 {
	const page = 4096 / 4
	t := make([]uint32, length)
	for i := 0; i < len(t); i += page {
		t[i] = 0
	}
	return t
}
