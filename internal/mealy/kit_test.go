package mealy_test

import (
	"flag"
	"fmt"
	"math/rand/v2"
	"strings"

	"github.com/caulk-go/caulk/internal/mealy"
)

var machines = flag.Int("machines", 3000, "how many random machines, and random systems, are tried")

// dice makes random machines, small ones with few answers, so that much is
// ignored and much is equivalent.
type dice struct{ *rand.Rand }

func newDice(seed int) dice { return dice{rand.New(rand.NewPCG(uint64(seed), 1))} }

// often is true in so many of ten.
func (d dice) often(tenths int) bool { return d.IntN(10) < tenths }

func (d dice) machine(states, inputs int) *mealy.Machine {
	m := &mealy.Machine{States: states, Inputs: inputs}
	silent, stays, classes := d.IntN(11), d.IntN(11), 1+d.IntN(3)
	out := func() int32 {
		if d.often(silent) {
			return 0
		}
		return int32(1 + d.IntN(2))
	}
	for s := range states {
		for range inputs {
			next := s
			if !d.often(stays) {
				next = d.IntN(states)
			}
			m.Next, m.Out = append(m.Next, int32(next)), append(m.Out, out())
		}
		m.Class = append(m.Class, int32(7*d.IntN(classes)))
	}
	if d.often(3) {
		return m
	}
	m.Own = make([][]mealy.Own, states)
	for s := range m.Own {
		for range d.IntN(3) {
			m.Own[s] = append(m.Own[s], mealy.Own{Label: int32(d.IntN(2)), Next: int32(d.IntN(states)), Out: out()})
		}
	}
	return m
}

// meet lets some inputs happen only, and has some others lead out of the table.
func (d dice) meet(m *mealy.Machine) {
	m.Met = make([]bool, len(m.Next))
	for i := range m.Met {
		m.Met[i] = d.often(5)
		if !m.Met[i] && d.often(1) {
			m.Next[i] = -1
		}
	}
}

// show writes a machine down, for a test that fails.
func show(m *mealy.Machine) string {
	var b strings.Builder
	for s := range m.States {
		fmt.Fprintf(&b, "state %d class %d next %v out %v", s, m.Class[s], m.Next[s*m.Inputs:(s+1)*m.Inputs], m.Out[s*m.Inputs:(s+1)*m.Inputs])
		if m.Met != nil {
			fmt.Fprintf(&b, " met %v", m.Met[s*m.Inputs:(s+1)*m.Inputs])
		}
		if m.Own != nil {
			fmt.Fprintf(&b, " own %v", m.Own[s])
		}
		b.WriteByte('\n')
	}
	return b.String()
}
