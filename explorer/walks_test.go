package explorer_test

import (
	"strings"
	"testing"

	"github.com/caulk-go/caulk/explorer"
	"github.com/caulk-go/caulk/model"
)

// A boundary that panics is reported, whatever the search, also where only
// states at the bound on depth are beyond what it can bear.
func TestBoundaryThatPanics(t *testing.T) {
	sys := made(t, "mark2", model.Config{})
	sys.Boundary = func(v model.View) bool {
		if len(v.InFlight()) != 2 { // the start has two
			panic("no idea")
		}
		return true
	}
	for _, o := range []explorer.Options{
		{}, {Search: explorer.DFS}, {Search: explorer.Random, MaxStates: 20}, {Depth: new(2)}, {Depth: new(2), Search: explorer.DFS},
	} {
		r, err := explorer.Explore(t.Context(), sys, o)
		if err == nil {
			t.Errorf("%s: no error, but the verdict %s", o.Search, r.Verdict)
		} else if !strings.Contains(err.Error(), "the boundary") || !strings.Contains(err.Error(), "no idea") {
			t.Errorf("%s: %s", o.Search, err)
		}
	}
}

// A walk comes to the same states again and again, and counts each once.
func TestRandomWalksCountStates(t *testing.T) {
	for _, sys := range []model.System{wiped(t, "mark1", 2), wiped(t, "mark2", 3), made(t, "mark3", model.Config{})} {
		compareWalks(t, sys)
	}
}

func compareWalks(t *testing.T, sys model.System) {
	t.Helper()
	all := explore(t, sys, explorer.Options{KeepGoing: true})
	r := explore(t, sys, explorer.Options{Search: explorer.Random, KeepGoing: true, Seed: 1, Depth: new(40)})
	if r.States != all.States || r.Halted != all.Halted || r.Inconsistent != all.Inconsistent || r.Terminal != all.Terminal {
		t.Errorf("%d states, %d halted, %d inconsistent, %d terminal; a whole search finds %d, %d, %d, %d",
			r.States, r.Halted, r.Inconsistent, r.Terminal, all.States, all.Halted, all.Inconsistent, all.Terminal)
	}
	if got, want := r.Properties[0].Tested, all.Properties[0].Tested; got != want {
		t.Errorf("the property is tested in %d states, not %d", got, want)
	}
	want := explorer.Incomplete // for walks prove nothing
	if all.Verdict == explorer.Violated {
		want = explorer.Violated
	}
	if r.Verdict != want || r.Complete {
		t.Errorf("%s, complete: %t; it should be %s", r.Verdict, r.Complete, want)
	}
}
