package paxosregister

import (
	"fmt"
	"maps"
	"slices"
	"testing"

	"github.com/caulk-go/caulk/explorer"
	"github.com/caulk-go/caulk/model"
)

// collection is the histories that a property was asked about.
type collection map[string]bool

// add holds always; what matters is that it is asked.
//
//caulk:impure
func (c collection) add(v model.View) error {
	c[fmt.Sprint(model.ObserverOf[History](v))] = true
	return nil
}

// histories are those that a search comes to.
func histories(t *testing.T, clients int, reduce ...explorer.Reduction) []string {
	t.Helper()
	seen := collection{}
	sys := with(t, clients)
	sys.Properties = []model.Property{model.Always("seen", seen.add)}
	r, err := explorer.Explore(t.Context(), sys, explorer.Options{Reduce: reduce})
	if err != nil || r.Verdict != explorer.Holds {
		t.Fatal(r, err)
	}
	return slices.Sorted(maps.Keys(seen))
}

// A search by tables judges every history that there is, and no other.
func TestTheHistoriesStay(t *testing.T) {
	for clients := 1; clients <= 2; clients++ {
		want := histories(t, clients, explorer.Ignored)
		for _, reduce := range [][]explorer.Reduction{{explorer.Dead}, {explorer.Dead, explorer.Minimal}} {
			if got := histories(t, clients, reduce...); !slices.Equal(got, want) {
				t.Errorf("%d clients, %v: %d histories, want %d", clients, reduce, len(got), len(want))
			}
		}
	}
}
