package fair

import "math"

// What a mark says, besides how early a visited state it leads back to, counted
// from 1, and the number of a complete component, counted down from the largest
// number left. With fewer than 2^31 - 1 states the two do not meet.
const (
	unseen  uint32 = 0
	outside uint32 = math.MaxUint32     // met, or not expanded
	waiting uint32 = math.MaxUint32 - 1 // inside, and not visited yet
)

// components finds the strongly connected components among the states that are
// inside: reached while the property is due, not met, and expanded. It is
// Tarjan's algorithm in the form that Pearce gave it ("A space-efficient
// algorithm for finding strongly connected components", 2016), which needs one
// number for each state, without recursion.
type components struct {
	mark    []uint32
	visited uint32 // how many states
	number  uint32 // of the component found last
	stacks
}

type stacks struct {
	path []frame  // the states whose successors are being visited
	left []uint32 // those done that lead back to one on the path
	work []uint32 // each state of the path, above it its successors to visit
	room int      // how long work may be
	more bits     // the states of the path that had no room for all their successors
}

type frame struct {
	state uint32
	index uint32 // its mark when it was visited
}

func newComponents(states int) components {
	return components{
		mark:   make([]uint32, states),
		number: waiting,
		stacks: stacks{room: states, more: newBits(states)},
	}
}

// inside says, after the search, whether a state belongs to a component.
func (c *components) inside(i uint32) bool { return c.mark[i] != unseen && c.mark[i] != outside }

// admit says whether a state is inside and to be visited.
func (c *check) admit(i uint32) bool {
	if c.mark[i] == unseen {
		switch {
		case c.met(i):
			c.mark[i] = outside
		case !c.graph.Expanded(i):
			c.mark[i], c.unknown = outside, true
		default:
			c.mark[i] = waiting
		}
	}
	return c.mark[i] == waiting
}

// search visits what can be reached from a waiting state, and judges each
// component as it is complete.
func (c *check) search(root uint32) {
	c.work = append(c.work, root)
	for len(c.work) > 0 && c.err == nil {
		i := c.work[len(c.work)-1]
		c.work = c.work[:len(c.work)-1]
		switch top := len(c.path) - 1; {
		case c.mark[i] == waiting:
			c.visit(i)
		case c.path[top].state != i: // visited since it was put there
			c.leadsBack(c.mark[i])
		case c.more.has(i):
			c.expand(i, c.movesOf(i))
		default:
			c.leave()
		}
	}
}

func (c *check) visit(i uint32) {
	c.visited++
	c.mark[i] = c.visited
	c.path = append(c.path, frame{i, c.visited})
	moves := c.movesOf(i)
	if c.fairAlone(i, moves) {
		c.bad.add(i)
	}
	c.expand(i, moves)
}

// expand puts the successors of the last state of the path on the stack. If
// there is no room it leaves some out, but never all, and they are asked for
// again: so the stack does not grow with the number of moves, and a state's
// moves are asked for once more at most for each state first visited from it.
func (c *check) expand(i uint32, moves []Move) {
	c.work = append(c.work, i)
	bottom := len(c.work)
	c.more.remove(i)
	for _, m := range moves {
		switch {
		case !c.admit(m.To):
			c.leadsBack(c.mark[m.To])
		case len(c.work) < c.room || len(c.work) == bottom:
			c.work = append(c.work, m.To)
		default:
			c.more.add(i)
		}
	}
}

// leadsBack notes a successor of the last state of the path. The number of a
// complete component is larger than any mark on the path.
func (c *check) leadsBack(mark uint32) {
	if i := c.path[len(c.path)-1].state; mark < c.mark[i] {
		c.mark[i] = mark
	}
}

// leave takes the last state off the path. If it leads back to no state before
// it, it and what is left of those after it are a component.
func (c *check) leave() {
	f := c.path[len(c.path)-1]
	c.path = c.path[:len(c.path)-1]
	first := len(c.left)
	c.left = append(c.left, f.state)
	if c.mark[f.state] == f.index {
		for first > 0 && c.mark[c.left[first-1]] >= f.index {
			first--
		}
		c.complete(c.left[first:])
		c.left = c.left[:first]
	}
	if len(c.path) > 0 {
		c.leadsBack(c.mark[f.state])
	}
}

func (c *check) complete(members []uint32) {
	c.number--
	bad := false
	for _, i := range members {
		c.mark[i] = c.number
		bad = bad || c.bad.has(i)
	}
	if bad || len(members) > 1 && c.fairTogether(members) {
		for _, i := range members {
			c.bad.add(i)
		}
	}
}
