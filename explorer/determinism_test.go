package explorer_test

import (
	"fmt"
	"maps"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/caulk-go/caulk/algos"
	"github.com/caulk-go/caulk/explorer"
	"github.com/caulk-go/caulk/model"
)

// smaller are settings of algorithms whose default takes long to explore again
// and again.
var smaller = map[string]model.Config{
	"paxosregister":           {Params: map[string]int{"clients": 1}},
	"paxossynod":              {Params: map[string]int{"ballots": 1}},
	"paxossynod-belowpromise": {Params: map[string]int{"ballots": 1}},
	"paxossynod-promiseonly":  {Params: map[string]int{"ballots": 1}},
	"paxossynod-oneballot":    {Params: map[string]int{"ballots": 1}},
	"mark6":                   {Params: map[string]int{"acceptors": 2}},
	"raft":                    {Params: map[string]int{"terms": 1, "entries": 1}},
	"raft-oldterm":            {Agents: 2, Params: map[string]int{"terms": 2}},
	"raft-forgetsvote":        {Agents: 2},
	"raftmembership":          {Agents: 3, Params: map[string]int{"terms": 1}},
	"raft-reconfig":           {Agents: 3, Params: map[string]int{"terms": 1}},
}

// everyAlgorithm is each that comes with caulk, as it is or smaller, and with its
// first or its last agent wiped; in a short test with its last only.
func everyAlgorithm(t *testing.T) map[string]model.System {
	all := map[string]model.System{}
	for _, a := range algos.All() {
		sys := made(t, a.Name, smaller[a.Name])
		all[a.Name] = sys
		if sys.Observer != nil { // a client that is wiped again and again calls without end
			sys.Budgets = map[model.Budget]int{model.Wipes: 1}
		}
		for _, id := range []model.ID{1, model.ID(len(sys.Agents))} {
			if testing.Short() && id == 1 {
				continue
			}
			sys.Wipe = []model.ID{id}
			all[fmt.Sprintf("%s wipe %d", a.Name, id)] = sys
		}
	}
	return all
}

// same explores a system again and again, and compares all but the costs. A
// short test makes the first runs only.
func same(t *testing.T, sys model.System, o explorer.Options, workers ...int) {
	t.Helper()
	if testing.Short() {
		workers = workers[:2]
	}
	var first string
	for i, w := range workers {
		o.Workers = w
		r := explore(t, sys, o)
		if o.Search == explorer.BFS && r.Workers != w {
			t.Errorf("run %d says that it had %d workers, not %d", i+1, r.Workers, w)
		}
		got := render(t, r)
		if i == 0 {
			first = got
		}
		if got != first {
			t.Fatalf("run %d, with %d workers, differs (-first +this):\n%s", i+1, w, cmp.Diff(first, got))
		}
	}
}

// Same system and options, same report and diagram: up to the first violation
// and past it, in the diagram of labels and in that of states.
func TestSameReportWhateverTheWorkers(t *testing.T) {
	all := everyAlgorithm(t)
	for i, name := range slices.Sorted(maps.Keys(all)) {
		if testing.Short() && i%4 > 0 {
			continue // under the race detector a quarter takes as long as all do without
		}
		sys := all[name]
		t.Run(name, func(t *testing.T) {
			for _, keepGoing := range []bool{false, true} {
				if !keepGoing && (testing.Short() || len(sys.Wipe) > 0) {
					continue // the searches past violations are longer
				}
				o := explorer.Options{KeepGoing: keepGoing, Graph: explorer.LabelGraph, MaxStates: 2500}
				same(t, sys, o, 1, 3, 8)
				o.Search = explorer.DFS
				same(t, sys, o, 1, 8)
			}
			same(t, sys, explorer.Options{Graph: explorer.StateGraph, Depth: new(6)}, 1, 3)
		})
	}
}

// With so many states several workers really share a batch, and a partition's
// owner is whoever comes first.
func TestSameReportOfLargeLevels(t *testing.T) {
	sys := made(t, "twophase", model.Config{Params: map[string]int{"managers": 6}})
	if r := explore(t, sys, explorer.Options{}); r.States != 50816 {
		t.Fatalf("%d states, not 6^6 + 4^6 + 2^6", r.States)
	}
	same(t, sys, explorer.Options{}, 1, 3, 2, 8)
	same(t, sys, explorer.Options{MaxStates: 30_000}, 1, 8)
	same(t, sys, explorer.Options{Search: explorer.DFS, MaxStates: 5000}, 1, 2)
	if testing.Short() {
		return
	}
	sys.Properties = append(sys.Properties, fallsApart())
	same(t, sys, explorer.Options{KeepGoing: true}, 1, 3)
}

// fallsApart fails in many states of one level at once, and in more after it.
func fallsApart() model.Property {
	return model.Always("apart", func(v model.View) error {
		states := map[string]int{}
		for _, id := range v.Population() {
			states[encode(v.State(id))]++
		}
		if len(states) > 3 {
			return fmt.Errorf("the agents are in %d states", len(states))
		}
		return nil
	})
}
