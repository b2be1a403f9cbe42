package fair_test

import (
	"runtime"
	"testing"

	"github.com/caulk-go/caulk/internal/fair"
)

// wheel has so many states, and works its moves out: eight to states ahead,
// each of a class of its own, and from its last state one back to the first if
// it turns. The move of class 8 is due everywhere; it leads to a met state, or,
// if it slips, to the next.
type wheel struct {
	states       int
	turns, slips bool
	asked        int
}

func (w *wheel) States() int          { return w.states + 1 }
func (w *wheel) Starts() []uint32     { return []uint32{0} }
func (w *wheel) Classes() int         { return 9 }
func (w *wheel) Expanded(uint32) bool { return true }

func (w *wheel) met(i uint32) bool { return i == uint32(w.states) }

func (w *wheel) Moves(i uint32, moves []fair.Move) []fair.Move {
	w.asked++
	last := uint32(w.states - 1)
	for class := range uint32(8) {
		if to := i + 1 + class*class*class*31; to <= last {
			moves = append(moves, fair.Move{To: to, Class: int32(class)})
		}
	}
	if i == last && w.turns {
		moves = append(moves, fair.Move{To: 0, Class: fair.None})
	}
	to := uint32(w.states)
	if w.slips && i < last {
		to = i + 1
	}
	return append(moves, fair.Move{To: to, Class: 8})
}

func BenchmarkEventually(b *testing.B) {
	for _, c := range []struct {
		name  string
		wheel wheel
		want  fair.Verdict
	}{
		{"no way back", wheel{states: 1e6}, fair.Holds},
		{"one component", wheel{states: 1e6, turns: true}, fair.Holds},
		{"violated", wheel{states: 1e6, turns: true, slips: true}, fair.Violated},
	} {
		b.Run(c.name, func(b *testing.B) {
			benchmark(b, &c.wheel, c.want, func(w *wheel) (fair.Result, error) {
				return fair.Eventually(b.Context(), w, w.met)
			})
		})
	}
}

func BenchmarkLeadsTo(b *testing.B) {
	last := func(w *wheel) func(uint32) bool { return func(i uint32) bool { return i+1 == uint32(w.states) } }
	benchmark(b, &wheel{states: 1e6, turns: true, slips: true}, fair.Violated, func(w *wheel) (fair.Result, error) {
		return fair.LeadsTo(b.Context(), w, last(w), w.met)
	})
}

func benchmark(b *testing.B, w *wheel, want fair.Verdict, check func(*wheel) (fair.Result, error)) {
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	for b.Loop() {
		if r, err := check(w); err != nil || r.Verdict != want {
			b.Fatal(r.Verdict, err)
		}
	}
	runtime.ReadMemStats(&after)
	states := float64(w.states) * float64(b.N)
	b.ReportMetric(states/b.Elapsed().Seconds(), "states/s")
	b.ReportMetric(float64(w.asked)/states, "asks/state")
	b.ReportMetric(float64(after.TotalAlloc-before.TotalAlloc)/states, "allocated-bytes/state")
}
