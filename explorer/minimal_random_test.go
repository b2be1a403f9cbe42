package explorer_test

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/caulk-go/caulk/explorer"
	"github.com/caulk-go/caulk/model"
)

// tableReductions are the ways to ask for the reductions that work on the
// agents' tables.
func tableReductions(n model.Network) [][]explorer.Reduction {
	list := [][]explorer.Reduction{{explorer.Dead}, {explorer.Minimal}, {explorer.Dead, explorer.Minimal}}
	if n == model.Bag {
		list = append(list, []explorer.Reduction{explorer.Ignored, explorer.Dead}, []explorer.Reduction{explorer.Ignored, explorer.Dead, explorer.Minimal})
	}
	return list
}

// The reductions dead and minimal must find in random systems what the plain
// explorer finds there without them, by equally short paths.
func TestRandomSystemsByTables(t *testing.T) {
	n := *systems / 5
	if testing.Short() {
		n = min(n, 60)
	}
	var seen struct{ whole, refused, smaller, merged int }
	for seed := range n {
		t.Run(fmt.Sprint(seed), func(t *testing.T) {
			sys, most := draw(seed), int64(200)
			if seed%16 == 0 { // packed as lists, some of them
				sys, most = drawLong(seed), 1000
			}
			addFeatures(seed, &sys)
			if seed%3 == 0 {
				watchOnly(seed, &sys)
			}
			if sys.Network == model.Fifo {
				return
			}
			for _, reduce := range tableReductions(sys.Network) {
				sys := tellable(sys, reduce)
				depth := never
				full := explore(t, sys, explorer.Options{KeepGoing: true, MaxStates: most, Workers: 1})
				if !full.Complete {
					depth = 2 + int(seed%8)/5
				} else {
					seen.whole++
				}
				want := referenceTo(sys, depth, false)
				r := compareTables(t, sys, want, depth, reduce)
				switch {
				case r == nil:
					seen.refused++
				case int(r.States) < want.States && slices.Contains(reduce, explorer.Minimal):
					seen.merged++
				case int(r.States) < want.States:
					seen.smaller++
				}
				if t.Failed() {
					t.Fatalf("%d %s robots on a %s (lossy: %t), starts %v and %d others, wipe %v, restart %v, crash %v, budgets %v, observer: %t, boundary: %t, reduce %v, to depth %d",
						len(sys.Agents), sys.Name, sys.Network, sys.Lossy, sys.StartOrder(), len(sys.OtherStarts), sys.Wipe, sys.Restart, sys.Crash, sys.Budgets,
						sys.Observer != nil, sys.Boundary != nil, reduce, depth)
				}
			}
		})
	}
	t.Logf("of %d systems: %+v", n, seen)
	if !t.Failed() && n >= 60 && (seen.whole < int(n) || seen.refused < 10 || seen.smaller < int(n)/10 || seen.merged < int(n)/10) {
		t.Errorf("the test no longer tests everything: %+v", seen)
	}
}

// watchOnly leaves a system properties of its observer alone, so that every
// agent's states can be merged.
func watchOnly(seed uint64, s *model.System) {
	r := rand.New(rand.NewPCG(seed, 5))
	s.Observer = drawObserver(r, len(s.Agents))
	s.Properties, s.Boundary = nil, nil
	for i := range 3 {
		is := func(v model.View) bool { return model.ObserverOf[int](v) == i }
		s.Properties = append(s.Properties, model.Sometimes(fmt.Sprint("at ", i), is))
	}
	if r.IntN(2) == 0 {
		s.Properties = append(s.Properties, model.Always("not 1", func(v model.View) error {
			if model.ObserverOf[int](v) == 1 {
				return errors.New("it is 1")
			}
			return nil
		}))
	}
}

// tellable is a system less the properties for which the reductions are refused
// at once.
func tellable(s model.System, reduce []explorer.Reduction) model.System {
	s.Properties = slices.DeleteFunc(slices.Clone(s.Properties), func(p model.Property) bool {
		return p.Kind.Liveness() || p.Kind == model.KindAtEnd || p.Kind == model.KindStep && slices.Contains(reduce, explorer.Minimal)
	})
	return s
}

// compareTables searches a system in reduced form and compares what it finds
// with what there is; the report is nil where something reads the network.
func compareTables(t *testing.T, sys model.System, want counts, depth int, reduce []explorer.Reduction) *explorer.Report {
	t.Helper()
	o := explorer.Options{KeepGoing: true, Workers: 1, Reduce: reduce}
	if depth != never {
		o.Depth = &depth
	}
	if r, err := explorer.ExploreCold(t.Context(), sys, o); err == nil {
		comparePaths(t, sys, r)
		compareFindings(t, r, want)
	}
	r, err := explorer.Explore(t.Context(), sys, o)
	if err != nil {
		if !strings.Contains(err.Error(), "reads the network") || !readsNetwork(&sys, want) {
			t.Error(err)
		}
		return nil
	}
	comparePaths(t, sys, r)
	compareFindings(t, r, want)
	o.Workers = 3
	if a, b := render(t, r), render(t, explore(t, sys, o)); a != b {
		t.Errorf("with three workers it is another report:\n%s\n%s", a, b)
	}
	if r.LabelNodes != nil && (*r.LabelNodes != want.LabelNodes || *r.LabelEdges != want.LabelEdges) {
		t.Errorf("%d labels with %d arrows, want %d with %d", *r.LabelNodes, *r.LabelEdges, want.LabelNodes, want.LabelEdges)
	}
	compareEarly(t, sys, want, depth, o)
	o.KeepGoing = false
	first := explore(t, sys, o)
	comparePaths(t, sys, first)
	if moves := violationMoves(first); moves != want.ShortestViolation {
		t.Errorf("the first violation is after %d moves, want %d", moves, want.ShortestViolation)
	}
	return r
}

// compareEarly ends a search early, perhaps in the middle of a round: what it
// says must be so.
func compareEarly(t *testing.T, sys model.System, want counts, depth int, o explorer.Options) {
	t.Helper()
	o.MaxStates = 1 + int64(want.States)/3
	r := explore(t, sys, o)
	comparePaths(t, sys, r)
	for _, p := range r.Properties {
		_, reached := want.Sometimes[p.Name]
		_, violated := want.Violations[p.Name]
		sometimes := p.Kind == model.KindSometimes.String()
		if p.Verdict == explorer.Violated && !violated || p.Verdict == explorer.NotReached && reached ||
			p.Verdict == explorer.Holds && depth == never && (sometimes && !reached || violated) {
			t.Errorf("%q is %q in a search that ended early", p.Name, p.Verdict)
		}
	}
}

func violationMoves(r *explorer.Report) int {
	if r.Violation == nil {
		return never
	}
	return r.Violation.Moves
}

// readsNetwork says whether a reduction may be refused because of that.
func readsNetwork(s *model.System, want counts) bool {
	return s.Boundary != nil || slices.ContainsFunc(s.Properties, func(p model.Property) bool {
		return p.Kind != model.KindSometimes && want.ReadNetwork[p.Name]
	})
}

// compareFindings compares verdicts, and the lengths of shortest paths.
func compareFindings(t *testing.T, r *explorer.Report, want counts) {
	t.Helper()
	if r.Complete != (want.Cut == 0) && !(r.Complete && want.Cut > 0) {
		t.Errorf("complete is %t with %d states cut in the whole system", r.Complete, want.Cut)
	}
	for _, p := range r.Properties {
		length, reached := want.Sometimes[p.Name]
		_, violated := want.Violations[p.Name]
		verdict := explorer.Holds
		switch {
		case violated:
			verdict = explorer.Violated
		case reached:
			if p.Verdict == explorer.Incomplete && want.ReadNetwork[p.Name] {
				continue
			}
			if got := len(p.Witness); got != length && !(want.ReadNetwork[p.Name] && got > length) {
				t.Errorf("%q is reached after %d moves, want %d", p.Name, got, length)
			}
		case !r.Complete || want.ReadNetwork[p.Name]:
			verdict = explorer.Incomplete
		case p.Kind == model.KindSometimes.String():
			verdict = explorer.NotReached
		}
		if p.Verdict != verdict {
			t.Errorf("%q, %s, is %q, want %q", p.Name, p.Kind, p.Verdict, verdict)
		}
	}
	if moves := violationMoves(r); moves != want.ShortestViolation {
		t.Errorf("a violation after %d moves, want %d", moves, want.ShortestViolation)
	}
	halt := never
	if r.ShortestHalt != nil {
		halt = *r.ShortestHalt
	}
	if halt != want.ShortestHalt {
		t.Errorf("an agent halts after %d moves, want %d", halt, want.ShortestHalt)
	}
}
