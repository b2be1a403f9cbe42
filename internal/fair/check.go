package fair

import "context"

// check is the work on one property.
type check struct {
	ctx     context.Context
	err     error // the context's; once it is set every loop ends
	graph   Graph
	from    func(i uint32) bool // nil: due at the starts
	met     func(i uint32) bool
	unknown bool // a run can get to a state that was not expanded

	components
	bad  bits // the states of components that violate
	owed owed

	moves []Move // of the state asked last
	last  int64  // that state, or -1
	polls int
}

func newCheck(ctx context.Context, g Graph, from, met func(i uint32) bool) *check {
	return &check{
		ctx:        ctx,
		graph:      g,
		from:       from,
		met:        met,
		components: newComponents(g.States()),
		bad:        newBits(g.States()),
		owed:       newOwed(g.Classes()),
		last:       -1,
	}
}

func (c *check) run() (Result, error) {
	c.err = c.ctx.Err()
	violated := c.judge()
	c.components.stacks = stacks{} // the walk to the violation needs the room
	if violated && c.err == nil {
		// A state that only unexpanded ones lead to is in no run that is known.
		if lasso, ok := c.lasso(); ok && c.err == nil {
			return Result{Violated, lasso}, nil
		}
	}
	switch {
	case c.err != nil:
		return Result{}, c.err
	case c.unknown:
		return Result{Verdict: Undecided}, nil
	}
	return Result{Verdict: Holds}, nil
}

// judge looks at every component that a run can reach while the property is
// due, and says whether any violates.
func (c *check) judge() bool {
	if c.from == nil {
		for _, i := range c.graph.Starts() {
			if c.admit(i) {
				c.search(i)
			}
		}
		return c.bad.any()
	}
	for n := range c.graph.States() {
		i := uint32(n)
		if c.poll(); c.err != nil {
			break
		}
		if !c.graph.Expanded(i) {
			c.unknown = true
		} else if c.mark[i] == unseen && c.from(i) && c.admit(i) {
			c.search(i)
		}
	}
	return c.bad.any()
}

// poll looks at the context now and then.
func (c *check) poll() {
	if c.polls++; c.polls%1024 == 0 && c.err == nil {
		c.err = c.ctx.Err()
	}
}

// movesOf is what the graph says, until the next call.
func (c *check) movesOf(i uint32) []Move {
	if c.last == int64(i) {
		return c.moves
	}
	c.poll()
	c.moves, c.last = c.graph.Moves(i, c.moves[:0]), int64(i)
	return c.moves
}

// fairAlone says whether a run may stay in one state, by its moves back to
// itself or without any.
func (c *check) fairAlone(i uint32, moves []Move) bool {
	c.owed.begin(moves)
	for _, m := range moves {
		if m.To == i {
			c.owed.serve(m.Class)
		}
	}
	return c.owed.left == 0
}

// fairTogether says whether a run may stay in a component.
func (c *check) fairTogether(members []uint32) bool {
	component := c.mark[members[0]]
	c.owed.begin(c.movesOf(members[0]))
	for _, i := range members {
		moves := c.movesOf(i)
		c.owed.visit(moves)
		for _, m := range moves {
			if c.mark[m.To] == component {
				c.owed.serve(m.Class)
			}
		}
		if c.owed.left == 0 {
			return true
		}
		if c.err != nil {
			break
		}
	}
	return false
}
