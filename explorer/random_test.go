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
	f.Add(uint64(71845)) // a state at the depth, whose agent acts by itself, but not there: an end, at which what leads to was due
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
	if seed%5 == 0 && sys.Network == model.Bag {
		sys = reduced(sys)
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
	comparePaths(t, sys, first)
	o.Workers = 3
	compareRandomCounts(t, explore(t, sys, o), want, depth)
	o.Search = explorer.DFS
	deep := explore(t, sys, o)
	compareRandomCounts(t, deep, want, depth)
	compareRuns(t, sys, deep)
	comparePaths(t, sys, deep)
	compareAlone(t, seed, sys)
	if whole {
		compareClaims(t, seed, sys, want, o.Reduce)
	}
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
	compareVerdicts(t, r, want)
	if t.Failed() {
		t.Logf("%s with %d workers", r.Search, r.Workers)
	}
}

// compareVerdicts compares what a search past violations says of each property,
// and of the system. Whole runs are judged elsewhere: nothing holds of them where
// something was cut.
func compareVerdicts(t *testing.T, r *explorer.Report, want counts) {
	t.Helper()
	all := map[explorer.Verdict]bool{explorer.Incomplete: want.Cut > 0}
	for _, p := range r.Properties {
		all[p.Verdict] = true
		_, violated := want.Violations[p.Name]
		_, reached := want.Sometimes[p.Name]
		verdict := explorer.Holds
		switch {
		case isLiveness(p.Kind):
			if p.Verdict != explorer.Holds || want.Cut == 0 {
				continue
			}
			verdict = explorer.Incomplete
		case violated:
			verdict = explorer.Violated
		case reached:
		case want.Cut > 0 || len(r.Reduce) > 0 && want.ReadNetwork[p.Name]:
			verdict = explorer.Incomplete
		case p.Kind == model.KindSometimes.String():
			verdict = explorer.NotReached
		}
		if p.Verdict != verdict {
			t.Errorf("%q, %s, is %q, want %q", p.Name, p.Kind, p.Verdict, verdict)
		}
	}
	verdict := explorer.Holds
	switch {
	case all[explorer.Violated] || all[explorer.NotReached]:
		verdict = explorer.Violated
	case all[explorer.Incomplete]:
		verdict = explorer.Incomplete
	}
	if r.Verdict != verdict || (r.Violation != nil) != all[explorer.Violated] {
		t.Errorf("the system is %q, want %q; a violation is shown: %t", r.Verdict, verdict, r.Violation != nil)
	}
}

// compareAlone judges each property about runs by itself: so that the violation
// shown is a run, and nothing ends a path but a halt and the boundary. What a
// bound leaves open must not make a run.
func compareAlone(t *testing.T, seed uint64, sys model.System) {
	t.Helper()
	for i, p := range sys.Properties {
		if !p.Kind.Liveness() {
			continue
		}
		alone := sys
		alone.Properties = []model.Property{p}
		o := []explorer.Options{
			{MaxStates: 200}, {MaxStates: 30}, {MaxStates: 200, Search: explorer.DFS}, {MaxStates: 30, Search: explorer.DFS},
		}[(int(seed)+i)%4]
		o.Graph = explorer.LabelGraph
		r := explore(t, alone, o)
		compareRuns(t, alone, r)
		comparePaths(t, alone, r)
	}
}

// compareClaims sees whether a search that ends early says anything that is not
// so of the whole system.
func compareClaims(t *testing.T, seed uint64, sys model.System, truth counts, reduce []explorer.Reduction) {
	t.Helper()
	var g *runs
	if hasLiveness(&sys) {
		g = runsOf(&sys)
	}
	early := []explorer.Options{
		{}, {MaxStates: 7}, {Depth: new(1)}, {MaxStates: 12, KeepGoing: true},
		{Search: explorer.DFS}, {MaxStates: 7, Search: explorer.DFS}, {Depth: new(1), Search: explorer.DFS},
	}
	o := early[int(seed/3)%len(early)]
	if seed%61 == 0 { // which is slow
		o = explorer.Options{Depth: new(4), Search: explorer.Random, Seed: seed}
	}
	o.Reduce, o.Graph = reduce, explorer.LabelGraph
	r := explore(t, sys, o)
	comparePaths(t, sys, r)
	for i, p := range sys.Properties {
		want := explorer.Holds
		_, violated := truth.Violations[p.Name]
		_, reached := truth.Sometimes[p.Name]
		switch {
		case p.Kind.Liveness():
			want = g.verdict(p)
		case violated:
			want = explorer.Violated
		case !reached && p.Kind == model.KindSometimes:
			want = explorer.NotReached
		}
		if got := r.Properties[i].Verdict; got != explorer.Incomplete && got != want {
			t.Errorf("%s that ends early: %q, %s, is %q; in the whole system it is %q", r.Search, p.Name, p.Kind, got, want)
		}
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
