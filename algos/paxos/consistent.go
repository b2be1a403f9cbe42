package paxos

import (
	"fmt"
	"slices"
	"strings"

	"github.com/caulk-go/caulk/model"
)

// consistent holds if any two idle agents in the same round have the same
// store.
func consistent() model.Property {
	p := model.Always("consistent", func(v model.View) error {
		var idle []Agent
		for _, a := range model.StatesOf[Agent](v) {
			if _, ok := a.State.(Idle); ok {
				idle = append(idle, a)
			}
		}
		for i, a := range idle {
			for _, b := range idle[i+1:] {
				if a.N == b.N && !slices.Equal(a.Store, b.Store) {
					return fmt.Errorf("agents %d and %d are idle at n=%d with different stores: %s and %s",
						a.Self, b.Self, a.N, showStore(a.Store), showStore(b.Store))
				}
			}
		}
		return nil
	})
	p.Doc = "any two idle agents in the same round have the same store"
	return p
}

// showStore lists what is in a store, newest first: "y" of n=2, "x" of n=1.
func showStore(store []Entry) string {
	if len(store) == 0 {
		return "nothing"
	}
	shown := make([]string, len(store))
	for i, e := range store {
		shown[i] = fmt.Sprintf("%q of n=%d", e.Value, e.N)
	}
	return strings.Join(shown, ", ")
}
