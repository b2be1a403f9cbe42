package explorer_test

import (
	"fmt"
	"testing"

	"github.com/caulk-go/caulk/explorer"
	"github.com/caulk-go/caulk/model"
)

// A diagram of states shows moves that lead where they lead, also where the
// search was cut short: none to a state that was not found.
func TestStateDiagramsOfSearchesThatWereCut(t *testing.T) {
	count := labelled[int, ticket]{scripted[int, ticket]{actions: countTo[ticket](4)}, func(s int) string { return fmt.Sprint(s) }}
	sys := systemOf(model.Of(count), model.Of(count))
	for _, o := range searches() {
		o.Graph = explorer.StateGraph
		for o.MaxStates = 1; o.MaxStates <= 25; o.MaxStates++ {
			r := explore(t, sys, o)
			if len(r.Diagram.Nodes) != int(r.States) {
				t.Errorf("%s up to %d: %d of %d states are drawn", o.Search, o.MaxStates, len(r.Diagram.Nodes), r.States)
			}
			for _, e := range r.Diagram.Edges {
				from, to := r.Diagram.Nodes[e.From].Label, r.Diagram.Nodes[e.To].Label
				one, two := from[0], from[1]
				if e.Label == "count 1" {
					one++
				} else {
					two++
				}
				if want := string([]byte{one, two}); to != want {
					t.Errorf("%s up to %d: %s leads from %s to %s, not to %s", o.Search, o.MaxStates, e.Label, from, to, want)
				}
			}
		}
	}
}
