package fair_test

import (
	"context"
	"fmt"

	"github.com/caulk-go/caulk/internal/fair"
)

// traffic is a light that is red, green, or broken.
type traffic struct{}

func (traffic) States() int          { return 3 }
func (traffic) Starts() []uint32     { return []uint32{0} }
func (traffic) Classes() int         { return 1 }
func (traffic) Expanded(uint32) bool { return true }

func (traffic) Moves(i uint32, moves []fair.Move) []fair.Move {
	switch i {
	case 0:
		return append(moves, fair.Move{To: 1, Class: 0})
	case 1:
		return append(moves, fair.Move{To: 0, Class: 0}, fair.Move{To: 2, Class: fair.None})
	}
	return moves // broken for good
}

func ExampleLeadsTo() {
	red := func(i uint32) bool { return i == 0 }
	green := func(i uint32) bool { return i == 1 }
	for _, p := range []struct {
		name     string
		from, to func(uint32) bool
	}{{"red leads to green", red, green}, {"green leads to red", green, red}} {
		r, err := fair.LeadsTo(context.Background(), traffic{}, p.from, p.to)
		if err != nil {
			panic(err)
		}
		fmt.Println(p.name, r.Verdict, r.Lasso.Prefix, r.Lasso.Loop)
	}
	// Output:
	// red leads to green holds [] []
	// green leads to red violated [{0 1} {1 2}] []
}
