package explorer

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/caulk-go/caulk/model"
)

// MaxDrawnStates is up to how many states a diagram of states is made.
const MaxDrawnStates = 10_000

// drawnState is a state as a diagram of states needs it.
type drawnState struct {
	flat
	depth         int
	expanded, bad bool
}

// stateDiagram is a diagram with a node for each system state, nearest first.
func (s *search) stateDiagram(all found, names *labels) *Diagram {
	var states []drawnState
	all.expanded(func(f *flat, depth int, bad bool) {
		states = append(states, drawnState{f.clone(), depth, !bad && !s.tables.halted(*f) && !s.outside(f), bad})
	})
	all.unexpanded(func(f *flat, depth int, bad bool) {
		states = append(states, drawnState{f.clone(), depth, false, bad})
	})
	slices.SortFunc(states, func(a, b drawnState) int {
		return cmp.Or(cmp.Compare(a.depth, b.depth), s.tables.compare(a.flat, b.flat))
	})
	index := map[string]int{}
	for i, st := range states {
		index[st.key()] = i
	}
	d := &Diagram{}
	for _, f := range distinct(s.starts) {
		d.Starts = append(d.Starts, index[f.key()])
	}
	for i, st := range states {
		d.Nodes = append(d.Nodes, s.stateNode(i, st, names))
	}
	for i, st := range states {
		if !st.expanded {
			continue
		}
		choices, _ := s.tables.choices(st.flat) // all known by now, or the search ended before
		d.Nodes[i].Terminal = len(choices) == 0
		for _, c := range choices {
			// Where the search was cut, a successor may not have been found.
			if to, found := index[s.tables.after(st.flat, c).key()]; found && to != i {
				d.Edges = append(d.Edges, Edge{From: i, To: to, Label: names.move(c), Kind: c.kind})
			}
		}
	}
	d.sortEdges()
	s.markStates(d, all, index, names)
	return d
}

func (s *search) stateNode(i int, st drawnState, names *labels) Node {
	n := Node{
		Name:         fmt.Sprintf("s%d", i),
		Label:        names.state(st.flat),
		Halted:       s.tables.halted(st.flat),
		Inconsistent: st.bad,
	}
	net := s.tables.inFlight(st.flat)
	if s.sys.Network != model.Fifo {
		s.tables.sortMessages(net)
	}
	for _, m := range net {
		n.InFlight = append(n.InFlight, names.move(choice{int(s.tables.messages[m].To) - 1, int(m), transition{}}))
	}
	return n
}

// markStates marks the violating path, if there is one.
func (s *search) markStates(d *Diagram, all found, index map[string]int, names *labels) {
	worst := s.worst(all)
	if worst < 0 {
		return
	}
	r := all.pathOf(worst)
	at := r.start
	d.Nodes[index[at.key()]].OnPath = true
	for _, c := range r.moves {
		next := s.tables.after(at, c)
		from, to := index[at.key()], index[next.key()]
		d.Nodes[to].OnPath = true
		for i := range d.Edges {
			if e := &d.Edges[i]; e.From == from && e.To == to && e.Label == names.move(c) {
				e.OnPath = true
			}
		}
		at = next
	}
}
