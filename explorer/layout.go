package explorer

import (
	"errors"
	"math/bits"
)

// layout says where a packed system state keeps what: for each agent the
// number of its state, for each extra component its number, and the network in
// one of two ways. No field straddles two words.
//
// A dense layout has a bit for each message known, which says whether it is in
// flight, and for a message that was ever there more than once the number of
// further copies. A sparse one lists the messages in flight: it serves systems
// that know many messages, of which few are in flight at a time.
type layout struct {
	words    int
	agents   []field
	extras   []field // see flat.extra
	messages int     // known: those that have their place; none on fifo

	bits   []int            // dense: by message: its bit
	spare  []int            // dense: bits for messages to come, in order
	copies map[uint32]field // dense: by message: copies beyond the first

	slots []field // sparse: the messages in flight, each as its number + 1, ascending; then zeros
}

func (l *layout) sparse() bool { return l.slots != nil }

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
	budgets  []int          // by limited budget: the most that is left, which is where it starts
	extras   []int          // by further extra component: how many values are known
	messages int            // known
	copies   map[uint32]int // by message ever there twice: bits for its further copies
	inFlight int            // the most messages at a time; 0 while nobody counted, and only a dense layout is made
}

var errTooWide = errors.New("the system has too many agents and messages for one state of 4096 bits: bound it, with fewer agents or fewer distinct messages")

// bitsFor is how many bits a number takes.
func bitsFor(n int) int { return bits.Len(uint(n)) }

// newLayout packs what is demanded into as few words as possible, with room
// for growth where that costs no word: each new layout packs all states anew.
// A tight one has perhaps no room at all, and may be outgrown at once.
func newLayout(d demand, tight bool) (*layout, error) {
	for _, w := range sizes {
		for _, r := range rooms {
			if r == (room{}) && !tight {
				continue
			}
			if l := placeDense(w, d, r); l != nil {
				return l, nil
			}
		}
		if l := placeSparse(w, d); l != nil {
			return l, nil
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

// widths is how many bits the fields take: the agents', then the extra ones.
func (d demand) widths(r room) (widths []int) {
	const many = 16
	growing := func(n int) int {
		if n >= many {
			return bitsFor(n-1) + r.many
		}
		return bitsFor(n-1) + r.few
	}
	for _, n := range d.states {
		widths = append(widths, growing(n))
	}
	for _, n := range d.budgets {
		widths = append(widths, bitsFor(n))
	}
	for _, n := range d.extras {
		widths = append(widths, growing(n))
	}
	return widths
}

// placer lays fields into words, first fit.
type placer struct{ used []int }

func (p *placer) put(width int) (field, bool) {
	for i := range p.used {
		if p.used[i]+width <= 64 {
			f := field{i, uint(p.used[i]), 1<<width - 1}
			p.used[i] += width
			return f, true
		}
	}
	return field{}, false
}

// putAll lays several; false if they do not fit.
func (p *placer) putAll(widths []int) (fields []field, ok bool) {
	for _, width := range widths {
		f, ok := p.put(width)
		if !ok {
			return nil, false
		}
		fields = append(fields, f)
	}
	return fields, true
}

// placeDense makes a dense layout of w words, with every bit left over for
// messages; nil if not enough are left.
func placeDense(w int, d demand, r room) *layout {
	p := placer{make([]int, w)}
	fields, ok := p.putAll(d.widths(r))
	if !ok {
		return nil
	}
	agents, extras := fields[:len(d.states)], fields[len(d.states):]
	l := &layout{words: w, agents: agents, extras: extras, messages: d.messages, copies: map[uint32]field{}}
	for m := range uint32(d.messages) {
		if width := d.copies[m]; width > 0 {
			if l.copies[m], ok = p.put(width); !ok {
				return nil
			}
		}
	}
	for i, used := range p.used {
		for b := used; b < 64; b++ {
			l.spare = append(l.spare, i<<6|b)
		}
	}
	if len(l.spare) < d.messages+d.messages*r.messages/4 {
		return nil
	}
	l.bits, l.spare = l.spare[:d.messages:d.messages], l.spare[d.messages:]
	return l
}

// placeSparse makes a sparse layout of w words, with as many slots as fit; nil
// if those are not comfortably more than are needed.
func placeSparse(w int, d demand) *layout {
	if d.inFlight == 0 || d.messages == 0 {
		return nil
	}
	p := placer{make([]int, w)}
	fields, ok := p.putAll(d.widths(room{many: 2, few: 1}))
	if !ok {
		return nil
	}
	agents, extras := fields[:len(d.states)], fields[len(d.states):]
	l := &layout{words: w, agents: agents, extras: extras, messages: d.messages}
	for {
		f, ok := p.put(bitsFor(d.messages + d.messages/2))
		if !ok {
			break
		}
		l.slots = append(l.slots, f)
	}
	if len(l.slots) < d.inFlight+d.inFlight/4+1 {
		return nil
	}
	return l
}

// fits says whether a layout still holds what is demanded.
func (l *layout) fits(d demand) bool {
	for a, n := range d.states {
		if uint64(n-1) > l.agents[a].max {
			return false
		}
	}
	for i, n := range d.extras {
		if i += len(d.budgets); i >= len(l.extras) && n > 1 || i < len(l.extras) && uint64(n-1) > l.extras[i].max {
			return false
		}
	}
	if l.sparse() {
		return uint64(d.messages) <= l.slots[0].max && d.inFlight <= len(l.slots)
	}
	for m, width := range d.copies {
		if l.copies[m].width() < width {
			return false
		}
	}
	return d.messages <= len(l.bits)+len(l.spare)
}

// learn gives messages that became known their place.
func (l *layout) learn(messages int) {
	if !l.sparse() {
		n := messages - l.messages
		l.bits, l.spare = append(l.bits, l.spare[:n]...), l.spare[n:]
	}
	l.messages = messages
}

func get[K words](k *K, f field) uint32 { return uint32((*k)[f.word] >> f.shift & f.max) }

func put[K words](k *K, f field, v uint32) {
	(*k)[f.word] = (*k)[f.word]&^f.mask() | uint64(v)<<f.shift
}
