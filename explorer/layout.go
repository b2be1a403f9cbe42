package explorer

import (
	"errors"
	"math/bits"
)

// layout says where a packed system state keeps what: for each agent the
// number of its state, for each message known a bit that says whether it is in
// flight, and for a message that was ever there more than once the number of
// further copies. No field straddles two words.
type layout struct {
	words  int
	agents []field
	bits   []int            // by message: its bit
	spare  []int            // bits for messages to come, in order
	copies map[uint32]field // by message: copies beyond the first
}

// field is a number within a packed state.
type field struct {
	word  int
	shift uint
	max   uint64 // the greatest number that fits; 0 for a field without bits
}

func (f field) width() int { return bits.Len64(f.max) }

// mask covers the field's bits within its word.
func (f field) mask() uint64 { return f.max << f.shift }

// demand is what a layout must hold.
type demand struct {
	states   []int          // by agent: how many states are known
	messages int            // known
	copies   map[uint32]int // by message ever there twice: bits for its further copies
}

var errTooWide = errors.New("the system has too many agents and messages for one state of 4096 bits: bound it, with fewer agents or fewer distinct messages")

// bitsFor is how many bits a number takes.
func bitsFor(n int) int { return bits.Len(uint(n)) }

// newLayout packs what is demanded into as few words as possible, with room
// for growth where that costs no word: each new layout packs all states anew.
func newLayout(d demand) (*layout, error) {
	for _, w := range sizes {
		for _, r := range rooms {
			if l := place(w, d, r); l != nil {
				return l, nil
			}
		}
	}
	return nil, errTooWide
}

// room is what a layout has beyond what is demanded.
type room struct {
	many     int // bits for each agent with many states: these grow most
	few      int // bits for each other agent
	messages int // quarters of the messages known, for messages to come
}

// rooms lists what to try, best first.
var rooms = [...]room{{3, 1, 4}, {2, 1, 3}, {2, 0, 3}, {2, 0, 2}, {1, 0, 1}, {0, 0, 0}}

// widths is how many bits each agent's field takes.
func (d demand) widths(r room) []int {
	const many = 16
	widths := make([]int, len(d.states))
	for a, n := range d.states {
		if widths[a] = bitsFor(n - 1); n >= many {
			widths[a] += r.many
		} else {
			widths[a] += r.few
		}
	}
	return widths
}

// place lays the fields into w words, first fit, with every bit left over for
// messages; nil if not enough are left.
func place(w int, d demand, r room) *layout {
	l := &layout{words: w, copies: map[uint32]field{}}
	used := make([]int, w)
	put := func(width int) (field, bool) {
		for i := range used {
			if used[i]+width <= 64 {
				f := field{i, uint(used[i]), 1<<width - 1}
				used[i] += width
				return f, true
			}
		}
		return field{}, false
	}
	for _, width := range d.widths(r) {
		f, ok := put(width)
		if !ok {
			return nil
		}
		l.agents = append(l.agents, f)
	}
	for m := range uint32(d.messages) {
		if width := d.copies[m]; width > 0 {
			f, ok := put(width)
			if !ok {
				return nil
			}
			l.copies[m] = f
		}
	}
	for i := range used {
		for b := used[i]; b < 64; b++ {
			l.spare = append(l.spare, i<<6|b)
		}
	}
	if len(l.spare) < d.messages+d.messages*r.messages/4 {
		return nil
	}
	l.bits, l.spare = l.spare[:d.messages:d.messages], l.spare[d.messages:]
	return l
}

// fits says whether a layout still holds what is demanded.
func (l *layout) fits(d demand) bool {
	for a, n := range d.states {
		if uint64(n-1) > l.agents[a].max {
			return false
		}
	}
	for m, width := range d.copies {
		if l.copies[m].width() < width {
			return false
		}
	}
	return d.messages <= len(l.bits)+len(l.spare)
}

// learn gives bits to messages that became known.
func (l *layout) learn(messages int) {
	n := messages - len(l.bits)
	l.bits, l.spare = append(l.bits, l.spare[:n]...), l.spare[n:]
}

func get[K words](k *K, f field) uint32 { return uint32((*k)[f.word] >> f.shift & f.max) }

func put[K words](k *K, f field, v uint32) {
	(*k)[f.word] = (*k)[f.word]&^f.mask() | uint64(v)<<f.shift
}
