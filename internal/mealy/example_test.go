package mealy_test

import (
	"fmt"

	"github.com/caulk-go/caulk/internal/mealy"
)

// A door is opened by either of two keys, once, and remembers which; it says
// that it is open. Nobody asks which key it was, and the other key does nothing
// any more. If the door may be wiped, it does.
func ExampleReduce() {
	door := mealy.Machine{
		States: 3, Inputs: 2,
		Next: []int32{
			1, 2, // closed
			1, 1, // opened by the first
			2, 2, // opened by the second
		},
		Out: []int32{
			1, 1,
			0, 0,
			0, 0,
		},
		Class: []int32{0, 0, 0},
	}
	r := mealy.Reduce(&door)
	fmt.Println(r.Class, "dead when closed:", r.Dead.Has(0, 1), "when open:", r.Dead.Has(1, 1))

	wipe := mealy.Own{Next: 0}
	door.Own = [][]mealy.Own{{wipe}, {wipe}, {wipe}}
	r = mealy.Reduce(&door)
	fmt.Println(r.Class, "dead when closed:", r.Dead.Has(0, 1), "when open:", r.Dead.Has(1, 1))
	// Output:
	// [0 1 1] dead when closed: false when open: true
	// [0 1 1] dead when closed: false when open: false
}
