package mealy_test

import (
	"slices"
	"testing"

	"github.com/caulk-go/caulk/internal/mealy"
)

// pairs is a relation of states. equivalent is the largest one that is what
// Merge says: it takes all pairs and strikes out those that are not, until
// nothing changes.
type pairs [][]bool

func equivalent(m *mealy.Machine) pairs {
	r := make(pairs, m.States)
	for a := range r {
		for b := range m.States {
			r[a] = append(r[a], m.Class[a] == m.Class[b])
		}
	}
	for again := true; again; {
		again = false
		for a := range r {
			for b := range r {
				if r[a][b] && !(r.sameInputs(m, a, b) && r.matches(m, a, b) && r.matches(m, b, a)) {
					r[a][b], again = false, true
				}
			}
		}
	}
	return r
}

func (r pairs) sameInputs(m *mealy.Machine, a, b int) bool {
	for i := range m.Inputs {
		nextA, outA := take(m, a, i)
		nextB, outB := take(m, b, i)
		if outA != outB || !r[nextA][nextB] {
			return false
		}
	}
	return true
}

// take is what becomes of an input that happens, or is ignored.
func take(m *mealy.Machine, state, input int) (next, out int32) {
	i := state*m.Inputs + input
	if m.Met != nil && !m.Met[i] {
		return int32(state), 0
	}
	return m.Next[i], m.Out[i]
}

// matches says whether every own move of a that counts is one of b's, too.
func (r pairs) matches(m *mealy.Machine, a, b int) bool {
	if m.Own == nil {
		return true
	}
	for _, o := range m.Own[a] {
		if o.Out == 0 && r[a][o.Next] {
			continue
		}
		if !slices.ContainsFunc(m.Own[b], func(p mealy.Own) bool {
			return p.Label == o.Label && p.Out == o.Out && r[o.Next][p.Next]
		}) {
			return false
		}
	}
	return true
}

// reached says which states a state leads to, itself among them.
func reached(m *mealy.Machine, from int) []bool {
	met := make([]bool, m.States)
	met[from] = true
	for todo := []int{from}; len(todo) > 0; {
		s := todo[0]
		todo = todo[1:]
		var next []int32
		for i := range m.Inputs {
			n, _ := take(m, s, i)
			next = append(next, n)
		}
		if m.Own != nil {
			for _, o := range m.Own[s] {
				next = append(next, o.Next)
			}
		}
		for _, n := range next {
			if !met[n] {
				met[n] = true
				todo = append(todo, int(n))
			}
		}
	}
	return met
}

// deadBy says whether an input is ignored, by all states that are the same as
// one that is reached, whether it can happen there or not.
func deadBy(m *mealy.Machine, everywhere []bool, input int, same func(a, b int) bool) bool {
	for s := range m.States {
		i := s*m.Inputs + input
		ignored := m.Out[i] == 0 && m.Next[i] >= 0 && same(s, int(m.Next[i]))
		for r, there := range everywhere {
			if there && same(r, s) && !ignored {
				return false
			}
		}
	}
	return true
}

func TestMergeAndDeadAreWhatTheySay(t *testing.T) {
	merged, dead, deadByMerging := 0, 0, 0
	for seed := range *machines {
		d := newDice(seed)
		m := d.machine(1+d.IntN(6), d.IntN(5))
		if d.often(5) {
			d.meet(m)
		}
		same := equivalent(m)
		got := mealy.Reduce(m)
		alone := mealy.DeadInputs(m)
		for a := range m.States {
			for b := range m.States {
				if (got.Class[a] == got.Class[b]) != same[a][b] {
					t.Fatalf("seed %d: states %d and %d, equivalent: %v; got classes %v\n%s", seed, a, b, same[a][b], got.Class, show(m))
				}
			}
			everywhere := reached(m, a)
			for i := range m.Inputs {
				want := deadBy(m, everywhere, i, func(a, b int) bool { return a == b })
				if alone.Has(a, i) != want {
					t.Fatalf("seed %d: input %d dead to state %d: %v\n%s", seed, i, a, want, show(m))
				}
				wantMerged := deadBy(m, everywhere, i, func(a, b int) bool { return same[a][b] })
				if got.Dead.Has(int(got.Class[a]), i) != wantMerged {
					t.Fatalf("seed %d: input %d dead to the class of state %d: %v\n%s", seed, i, a, wantMerged, show(m))
				}
				dead += count(want)
				deadByMerging += count(wantMerged && !want)
			}
		}
		merged += m.States - len(got.Least)
		checkNumbers(t, got)
	}
	if merged == 0 || dead == 0 || deadByMerging == 0 {
		t.Errorf("%d states merged, %d inputs dead, %d more dead by merging: nothing was tried", merged, dead, deadByMerging)
	}
}

func checkNumbers(t *testing.T, r mealy.Reduced) {
	t.Helper()
	for c, least := range r.Least {
		if slices.Index(r.Class, int32(c)) != int(least) || c > 0 && r.Least[c-1] >= least {
			t.Fatalf("classes %v with least states %v", r.Class, r.Least)
		}
	}
}

func count(b bool) int {
	if b {
		return 1
	}
	return 0
}

// quotient is the machine of the classes.
func quotient(m *mealy.Machine, r mealy.Reduced) *mealy.Machine {
	q := &mealy.Machine{States: len(r.Least), Inputs: m.Inputs}
	for _, least := range r.Least {
		for i := range m.Inputs {
			next, out := take(m, int(least), i)
			q.Next, q.Out = append(q.Next, r.Class[next]), append(q.Out, out)
		}
		q.Class = append(q.Class, m.Class[least])
		var own []mealy.Own
		if m.Own != nil {
			for _, o := range m.Own[least] {
				own = append(own, mealy.Own{Label: o.Label, Next: r.Class[o.Next], Out: o.Out})
			}
		}
		q.Own = append(q.Own, own)
	}
	return q
}

func TestReducingAgainGivesNothing(t *testing.T) {
	for seed := range *machines {
		d := newDice(seed)
		m := d.machine(1+d.IntN(40), d.IntN(5))
		first := mealy.Reduce(m)
		second := mealy.Reduce(quotient(m, first))
		if len(second.Least) != len(first.Least) {
			t.Fatalf("seed %d: %d classes, and merged again %d", seed, len(first.Least), len(second.Least))
		}
		for c := range first.Least {
			for i := range m.Inputs {
				if first.Dead.Has(c, i) != second.Dead.Has(c, i) {
					t.Fatalf("seed %d: input %d dead to class %d: %v, and merged again %v", seed, i, c, first.Dead.Has(c, i), second.Dead.Has(c, i))
				}
			}
		}
	}
}
