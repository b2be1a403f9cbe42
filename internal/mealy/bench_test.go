package mealy_test

import (
	"testing"

	"github.com/caulk-go/caulk/internal/mealy"
)

// counter counts up on some inputs, each on its own stretch, and ignores all
// others. It has so many states for each count, which look the same.
func counter(states, inputs, same int) *mealy.Machine {
	m := &mealy.Machine{States: states, Inputs: inputs, Class: make([]int32, states)}
	last := states/same - 1
	for s := range states {
		at := s / same
		for i := range inputs {
			next, out := s, int32(0)
			if from := i * last / inputs; from <= at && at < from+last/10 {
				next = min(at+1, last)*same + (s+i)%same
				out = int32(1 + at%3)
			}
			m.Next, m.Out = append(m.Next, int32(next)), append(m.Out, out)
		}
	}
	return m
}

// chain is told apart only by how far it is to the end.
func chain(states, inputs int) *mealy.Machine {
	m := &mealy.Machine{States: states, Inputs: inputs, Class: make([]int32, states)}
	for s := range states {
		for range inputs {
			m.Next, m.Out = append(m.Next, int32(min(s+1, states-1))), append(m.Out, int32(count(s == states-1)))
		}
	}
	return m
}

func BenchmarkReduce(b *testing.B) {
	for _, bb := range []struct {
		name    string
		machine *mealy.Machine
		classes int
	}{
		{"counter", counter(5000, 500, 4), 1250},
		{"random", newDice(1).machine(5000, 500), 5000},
		{"chain", chain(5000, 50), 5000},
	} {
		b.Run(bb.name, func(b *testing.B) {
			for b.Loop() {
				if r := mealy.Reduce(bb.machine); len(r.Least) != bb.classes {
					b.Fatalf("%d classes, not %d", len(r.Least), bb.classes)
				}
			}
		})
	}
}
