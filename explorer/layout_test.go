package explorer

import (
	"fmt"
	"math/bits"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/caulk-go/caulk/internal/call"
	"github.com/caulk-go/caulk/model"
)

// drawDemand draws what a layout must hold: some agents with few states and
// some with many, of so many bits at most, messages, and copies.
func drawDemand(r *rand.Rand, most int) demand {
	d := demand{copies: map[uint32]int{}}
	for range 1 + r.IntN(1<<r.IntN(8)) {
		d.states = append(d.states, 1+r.IntN(1<<r.IntN(most+1)))
	}
	d.messages = r.IntN(1 << r.IntN(12))
	if r.IntN(2) == 0 {
		for m := range d.messages {
			if r.IntN(8) == 0 {
				d.copies[uint32(m)] = 1 + r.IntN(9)
			}
		}
	}
	if d.messages > 0 && r.IntN(2) == 0 {
		d.inFlight = 1 + r.IntN(20)
	}
	return d
}

// A layout's fields lie within its words, straddle none and overlap nowhere;
// it holds what was demanded, and more messages as they become known.
func TestLayoutsHoldWhatIsDemanded(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 8))
	made, sparse := map[int]int{}, 0
	for range 3000 {
		d := drawDemand(r, 16)
		tight := r.IntN(2) == 0
		l, err := newLayout(d, tight)
		if err == errTooWide {
			if _, err := newLayout(d, true); err == nil {
				t.Fatalf("%+v is said to be too wide, and a layout without room holds it", d)
			}
			continue
		}
		if err != nil {
			t.Fatal(err)
		}
		made[l.words]++
		if l.sparse() {
			sparse++
		}
		if !l.fits(d) {
			t.Fatalf("a layout of %d words does not fit %+v, for which it was made", l.words, d)
		}
		checkFields(t, l, d)
		d.messages += r.IntN(1 + d.messages)
		if l.fits(d) {
			l.learn(d.messages)
			checkFields(t, l, d)
		} else if d.messages <= len(l.bits)+len(l.spare) {
			t.Fatalf("a layout with %d bits for messages does not fit %d", len(l.bits)+len(l.spare), d.messages)
		}
		d.states[0] = int(l.agents[0].max) + 2
		if l.fits(d) {
			t.Fatalf("a field of %d bits is said to hold %d states", l.agents[0].width(), d.states[0])
		}
	}
	for _, w := range sizes {
		if made[w] == 0 {
			t.Errorf("no layout of %d words was made", w)
		}
	}
	if sparse < 100 {
		t.Errorf("%d layouts are sparse", sparse)
	}
}

func checkFields(t *testing.T, l *layout, d demand) {
	t.Helper()
	used := make([]uint64, l.words)
	take := func(what string, f field) {
		if f.width() == 0 {
			return
		}
		if f.word < 0 || f.word >= l.words || int(f.shift)+f.width() > 64 {
			t.Fatalf("the field of %s, %+v, is not within a word of %d", what, f, l.words)
		}
		if used[f.word]&f.mask() != 0 {
			t.Fatalf("the field of %s, %+v, overlaps another", what, f)
		}
		if f.max+1 != 1<<bits.Len64(f.max) {
			t.Fatalf("the field of %s has gaps: %x", what, f.max)
		}
		used[f.word] |= f.mask()
	}
	for a, f := range l.agents {
		take(fmt.Sprintf("agent %d", a+1), f)
		if f.max < uint64(d.states[a]-1) {
			t.Fatalf("agent %d has %d states in %d bits", a+1, d.states[a], f.width())
		}
	}
	if l.sparse() {
		for i, f := range l.slots {
			take(fmt.Sprintf("slot %d", i), f)
			if f.max < uint64(d.messages) {
				t.Fatalf("a slot of %d bits does not hold the numbers of %d messages", f.width(), d.messages)
			}
		}
		if len(l.slots) < d.inFlight {
			t.Fatalf("there are %d slots for %d messages in flight", len(l.slots), d.inFlight)
		}
		return
	}
	for m, f := range l.copies {
		take(fmt.Sprintf("the copies of message %d", m), f)
		if f.width() < d.copies[m] {
			t.Fatalf("the copies of message %d have %d bits, not %d", m, f.width(), d.copies[m])
		}
	}
	if len(l.bits) != d.messages {
		t.Fatalf("%d of %d messages have a bit", len(l.bits), d.messages)
	}
	for i, b := range slices.Concat(l.bits, l.spare) {
		take(fmt.Sprintf("message %d", i), field{b >> 6, uint(b & 63), 1})
	}
}

// emptySpace has a layout for what is demanded by now.
func (s *search) emptySpace() (packed, error) {
	m := s.nextMaking()
	l, err := s.layoutOf(m)
	if err != nil {
		return nil, err
	}
	return newPacked(s, m, l), nil
}

// roundTrip packs a state and unpacks it again, into scratch that was used
// before.
func (s *space[K]) roundTrip(f flat) (flat, bool) {
	k, ok := s.pack(f)
	scratch := flat{states: []uint32{1, 2, 3}, net: []uint32{4, 5, 6}}
	s.unpack(&k, &scratch)
	return scratch, ok
}

func TestUnpackUndoesPack(t *testing.T) {
	r := rand.New(rand.NewPCG(9, 10))
	sparse := 0
	for range 500 {
		s, d := searchOf(r)
		p, err := s.emptySpace()
		if err == errTooWide {
			continue
		}
		if err != nil {
			t.Fatal(err)
		}
		if _, is := p.(interface{ packing() (int, bool) }).packing(); is {
			sparse++
		}
		space := p.(interface{ roundTrip(flat) (flat, bool) })
		for range 10 {
			f := drawFlat(r, s, d)
			if g, ok := space.roundTrip(f); !ok || !g.equal(f) {
				t.Fatalf("packed and unpacked (ok is %t), %v is %v, on a %s with %+v", ok, f, g, s.sys.Network, d)
			}
		}
	}
	if sparse < 50 {
		t.Errorf("%d layouts are sparse", sparse)
	}
}

// searchOf is a search that has met what is demanded.
func searchOf(r *rand.Rand) (*search, demand) {
	d := drawDemand(r, 6) // each state costs a row
	sys := &model.System{Network: model.Network(r.IntN(2))}
	if sys.Network == model.Set {
		clear(d.copies)
	}
	t := &tables{sys: sys, agents: make([]agentTable, len(d.states)), copies: d.copies}
	for a, n := range d.states {
		t.agents[a].states = make([]localState, n)
	}
	for range d.messages {
		to := model.ID(1 + r.IntN(len(d.states)))
		t.messages = append(t.messages, message{Envelope: call.Envelope{To: to}})
	}
	return &search{sys: sys, tables: t, workers: 1, inFlight: d.inFlight}, d
}

// drawFlat draws a state that the demand covers.
func drawFlat(r *rand.Rand, s *search, d demand) flat {
	f := flat{states: []uint32{}, net: []uint32{}}
	for _, n := range d.states {
		f.states = append(f.states, uint32(r.IntN(n)))
	}
	most := d.inFlight
	if most == 0 {
		most = 3 * d.messages
	}
	for m := range uint32(d.messages) {
		copies := 1
		if width := d.copies[m]; width > 0 {
			copies += r.IntN(1 << width)
		}
		if r.IntN(3) == 0 && len(f.net)+copies <= most {
			f.net = append(f.net, slices.Repeat([]uint32{m}, copies)...)
		}
	}
	return f
}

// More copies than can be counted are refused, not lost.
func TestPackRefusesTooManyCopies(t *testing.T) {
	sys := &model.System{Network: model.Bag}
	for width := range 9 {
		known := &tables{
			sys:      sys,
			agents:   []agentTable{{states: make([]localState, 1)}},
			messages: []message{{Envelope: call.Envelope{To: 1}}, {Envelope: call.Envelope{To: 1}}},
			copies:   map[uint32]int{1: width},
		}
		s := &search{sys: sys, tables: known, workers: 1}
		p, err := s.emptySpace()
		if err != nil {
			t.Fatal(err)
		}
		space := p.(interface{ roundTrip(flat) (flat, bool) })
		for copies := 1; copies <= 1<<width+1; copies++ {
			_, ok := space.roundTrip(flat{states: []uint32{0}, net: slices.Repeat([]uint32{1}, copies)})
			if want := copies <= 1<<width; ok != want {
				t.Errorf("with %d bits for further copies, %d copies are packed: %t", width, copies, ok)
			}
		}
	}
}
