package mealy

import (
	"cmp"
	"slices"
)

// edge is a transition that is not a loop that nobody sees.
type edge struct {
	label int32 // an input, or the complement of an own move's label
	out   int32
	to    int32
}

// edges are those of all states, in order of state, of label and of what is
// seen.
type edges struct {
	from []int32 // by state: where its edges begin; one more at the end
	list []edge
}

func newEdges(m *Machine) edges {
	e := edges{from: make([]int32, 1, m.States+1), list: make([]edge, 0, countEdges(m))}
	for s := range m.States {
		begin := len(e.list)
		for _, o := range m.own(s) {
			if o.Out != 0 || int(o.Next) != s {
				e.list = append(e.list, edge{^o.Label, o.Out, o.Next})
			}
		}
		slices.SortFunc(e.list[begin:], compareEdges)
		for i := range m.Inputs {
			if k := s*m.Inputs + i; m.happens(s, k) {
				e.list = append(e.list, edge{int32(i), m.Out[k], m.Next[k]})
			}
		}
		e.from = append(e.from, int32(len(e.list)))
	}
	return e
}

// countEdges is how many there are at most.
func countEdges(m *Machine) int {
	n := 0
	for s := range m.States {
		n += len(m.own(s))
		for i := range m.Inputs {
			if m.happens(s, s*m.Inputs+i) {
				n++
			}
		}
	}
	return n
}

func compareEdges(a, b edge) int {
	return cmp.Or(cmp.Compare(a.label, b.label), cmp.Compare(a.out, b.out), cmp.Compare(a.to, b.to))
}

func (e *edges) of(state int32) []edge { return e.list[e.from[state]:e.from[state+1]] }

// sources are, for each state, the states that an edge leads from.
type sources struct {
	from []int32
	list []int32
}

func (e *edges) sources() sources {
	states := len(e.from) - 1
	s := sources{make([]int32, states+1), make([]int32, len(e.list))}
	for _, d := range e.list {
		s.from[d.to]++
	}
	var sum int32
	for i, n := range s.from {
		s.from[i] = sum
		sum += n
	}
	end := slices.Clone(s.from)
	for state := range int32(states) {
		for _, d := range e.of(state) {
			s.list[end[d.to]] = state
			end[d.to]++
		}
	}
	return s
}

func (s *sources) of(state int32) []int32 { return s.list[s.from[state]:s.from[state+1]] }
