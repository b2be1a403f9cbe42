package explorer_test

import (
	"flag"
	"fmt"
	"testing"

	"github.com/caulk-go/caulk/explorer"
	"github.com/caulk-go/caulk/model"
)

var systems = flag.Uint64("systems", 1000, "how many random systems TestRandomSystems explores")

// The engine must find in random systems what the plain explorer finds there,
// whatever the search and the number of workers.
func TestRandomSystems(t *testing.T) {
	n := *systems
	if testing.Short() {
		n = min(n, 300)
	}
	whole := 0
	for seed := range n {
		t.Run(fmt.Sprint(seed), func(t *testing.T) {
			if compareRandom(t, seed) {
				whole++
			}
		})
	}
	if t.Failed() {
		return
	}
	t.Logf("%d of %d systems were explored whole, the others to a depth", whole, n)
	if n >= 100 && (whole < int(n)/2 || whole == int(n)) {
		t.Errorf("%d of %d systems are small: the test no longer tests both kinds", whole, n)
	}
}

func FuzzRandomSystems(f *testing.F) {
	f.Add(uint64(0))
	f.Fuzz(func(t *testing.T, seed uint64) { compareRandom(t, seed) })
}

// compareRandom explores a random system: whole where it is small, otherwise
// to a depth.
func compareRandom(t *testing.T, seed uint64) (whole bool) {
	sys := draw(seed)
	o := explorer.Options{KeepGoing: true, Graph: explorer.LabelGraph, MaxStates: 60, Workers: 1}
	if seed%16 == 0 {
		sys, o.MaxStates = drawLong(seed), 600
	}
	addFeatures(seed, &sys)
	if seed%5 == 0 && sys.Network == model.Bag && mayReduce(&sys) {
		o.Reduce = []explorer.Reduction{explorer.Ignored}
	}
	first := explore(t, sys, o)
	o.MaxStates = 0
	depth := never
	if whole = first.Complete; !whole {
		depth = 2 + int(seed%8)/7
		o.Depth = &depth
		first = explore(t, sys, o)
	}
	want := referenceTo(sys, depth, len(o.Reduce) > 0)
	compareRandomCounts(t, first, want, depth)
	compareRuns(t, sys, first)
	o.Workers = 3
	compareRandomCounts(t, explore(t, sys, o), want, depth)
	o.Search = explorer.DFS
	deep := explore(t, sys, o)
	compareRandomCounts(t, deep, want, depth)
	compareRuns(t, sys, deep)
	if want.ShortestViolation != never {
		compareUpToViolation(t, sys, want.HaltDepth, o.Reduce)
	}
	if t.Failed() {
		t.Logf("%d %s robots on a %s (lossy: %t), starts %v and %d others, wipe %v, restart %v, crash %v, budgets %v, observer: %t, boundary: %t, reduce %v, to depth %d",
			len(sys.Agents), sys.Name, sys.Network, sys.Lossy, sys.StartOrder(), len(sys.OtherStarts), sys.Wipe, sys.Restart, sys.Crash, sys.Budgets,
			sys.Observer != nil, sys.Boundary != nil, o.Reduce, depth)
		for _, p := range sys.Properties {
			t.Logf("%s: %s", p.Name, p.Kind)
		}
	}
	return whole
}

// Among the systems with many messages some are packed as lists.
func TestRandomSystemsAreSparseToo(t *testing.T) {
	packed := 0
	for seed := uint64(0); seed < 16*40; seed += 16 {
		_, sparse, err := explorer.Packing(t.Context(), drawLong(seed), explorer.Options{Workers: 1, MaxStates: 600})
		if err != nil {
			t.Fatal(err)
		}
		if sparse {
			packed++
		}
	}
	if packed < 5 {
		t.Errorf("%d of 40 systems have a sparse layout", packed)
	}
}

func compareRandomCounts(t *testing.T, r *explorer.Report, want counts, depth int) {
	t.Helper()
	got := countsOf(r, want)
	if depth != never {
		got.Deliveries = want.Deliveries // at the bound the engine tries them, but does not make the moves
	}
	if r.Search == explorer.DFS.String() { // whose paths are not the shortest
		forgiveLength(&got.ShortestViolation, want.ShortestViolation)
		got.ViolatingLabels = want.ViolatingLabels
		for name, n := range got.Sometimes {
			forgiveLength(&n, want.Sometimes[name])
			got.Sometimes[name] = n
		}
	}
	if r.Complete != (want.Cut == 0) {
		t.Errorf("%s with %d workers: complete is %t with %d states cut", r.Search, r.Workers, r.Complete, want.Cut)
	}
	compareCounts(t, got, want)
	if t.Failed() {
		t.Logf("%s with %d workers", r.Search, r.Workers)
	}
}

// forgiveLength takes a longer path for a shortest one.
func forgiveLength(got *int, want int) {
	if want != never && *got > want {
		*got = want
	}
}

// compareUpToViolation ends a search at the first violation: it has seen all
// up to that depth.
func compareUpToViolation(t *testing.T, sys model.System, depth int, reduce []explorer.Reduction) {
	t.Helper()
	want := referenceTo(sys, depth, len(reduce) > 0)
	r := explore(t, sys, explorer.Options{Workers: 2, Graph: explorer.LabelGraph, Reduce: reduce})
	got := countsOf(r, want)
	got.Deliveries, got.Terminal, got.Cut, got.Tested = want.Deliveries, want.Terminal, want.Cut, want.Tested // of states that were not expanded
	got.Violations = want.Violations
	compareCounts(t, got, want)
}
