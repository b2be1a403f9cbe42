package fair

import "context"

// Cramped is Eventually, or LeadsTo where from is not nil, with so little room
// for successors that states are asked again for theirs.
func Cramped(ctx context.Context, g Graph, from, met func(i uint32) bool, room int) (Result, error) {
	c := newCheck(ctx, g, from, met)
	c.room = room
	return c.run()
}
