package mealy

import "iter"

// tarjan finds the strongly connected components of a graph.
type tarjan struct {
	next      [][]int32 // by node: the nodes that it leads to
	component []int32   // by node: its component, from 0; -1 until it is found

	found []int32 // by node: one more than its place in the order of discovery; 0: not yet
	low   []int32 // by node: the earliest that is known to be in its component
	count int32
	open  []int32 // the nodes found whose component is not, in order of discovery
	walk  []step  // from a root to where the search is
}

type step struct {
	node int32
	edge int // the next to take
}

func newTarjan(next [][]int32) *tarjan {
	t := &tarjan{
		next:      next,
		component: make([]int32, len(next)),
		found:     make([]int32, len(next)),
		low:       make([]int32, len(next)),
	}
	for i := range t.component {
		t.component[i] = -1
	}
	return t
}

// components ranges over the components, each after those that it leads to.
// They are numbered in that order. A slice is valid until the next.
func (t *tarjan) components() iter.Seq[[]int32] {
	return func(yield func([]int32) bool) {
		var number int32
		for root := range t.next {
			if t.found[root] != 0 {
				continue
			}
			for t.enter(int32(root)); len(t.walk) > 0; {
				begin, whole := t.step()
				if !whole {
					continue
				}
				for _, k := range t.open[begin:] {
					t.component[k] = number
				}
				number++
				if !yield(t.open[begin:]) {
					return
				}
				t.open = t.open[:begin]
			}
		}
	}
}

func (t *tarjan) enter(node int32) {
	t.count++
	t.found[node], t.low[node] = t.count, t.count
	t.open = append(t.open, node)
	t.walk = append(t.walk, step{node: node})
}

// step takes one edge, or goes back over one; then a component may be whole: what
// is open from some place on.
func (t *tarjan) step() (begin int, whole bool) {
	at := &t.walk[len(t.walk)-1]
	k := at.node
	if at.edge < len(t.next[k]) {
		to := t.next[k][at.edge]
		at.edge++
		if t.found[to] == 0 {
			t.enter(to)
		} else if t.component[to] < 0 {
			t.low[k] = min(t.low[k], t.found[to])
		}
		return 0, false
	}
	t.walk = t.walk[:len(t.walk)-1]
	if len(t.walk) > 0 {
		back := t.walk[len(t.walk)-1].node
		t.low[back] = min(t.low[back], t.low[k])
	}
	if t.low[k] != t.found[k] {
		return 0, false
	}
	for begin = len(t.open) - 1; t.open[begin] != k; begin-- {
	}
	return begin, true
}
