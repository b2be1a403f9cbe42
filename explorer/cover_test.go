package explorer_test

import (
	"maps"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/caulk-go/caulk/algos/paxos"
	"github.com/caulk-go/caulk/algos/twophase"
	"github.com/caulk-go/caulk/explorer"
	"github.com/caulk-go/caulk/model"
	"github.com/caulk-go/caulk/stepper"
)

func covered(t *testing.T, sys model.System, o explorer.Options) *explorer.Coverage {
	t.Helper()
	o.Cover = true
	r, err := explorer.Explore(t.Context(), sys, o)
	if err != nil {
		t.Fatal(err)
	}
	return r.Coverage
}

func systemFor(t *testing.T, a model.Algorithm, wipe ...model.ID) model.System {
	t.Helper()
	sys, err := a.System(model.Config{})
	if err != nil {
		t.Fatal(err)
	}
	sys.Wipe = wipe
	return sys
}

// delivered is every pair of an agent's label and a message's that one walk
// through all states, move by move, meets.
func delivered(t *testing.T, sys model.System) map[explorer.Pair]bool {
	t.Helper()
	s, err := stepper.New(&sys, 0)
	if err != nil {
		t.Fatal(err)
	}
	start, err := s.Start()
	if err != nil {
		t.Fatal(err)
	}
	met := map[explorer.Pair]bool{}
	known := []stepper.State{start}
	for i := 0; i < len(known); i++ {
		choices, err := s.Moves(known[i])
		if err != nil {
			t.Fatal(err)
		}
		for _, c := range choices {
			if c.Move.Kind == model.Deliver {
				label, _ := sys.Node(c.Move.To).Label(s.Local(known[i], c.Move.To).State)
				met[explorer.Pair{AgentState: label, Message: model.MessageLabel(c.Move.Body)}] = true
			}
			if !slices.ContainsFunc(known, c.Next.Equal) {
				known = append(known, c.Next)
			}
		}
	}
	return met
}

func TestCoverageMeetsWhatIsDelivered(t *testing.T) {
	for name, sys := range map[string]model.System{
		"mark1":        systemFor(t, paxos.Mark1.Algorithm()),
		"mark3 wipe 3": systemFor(t, paxos.Mark3.Algorithm(), 3),
		"twophase":     systemFor(t, twophase.Algorithm()),
	} {
		want := delivered(t, sys)
		for _, o := range []explorer.Options{{Workers: 1}, {Workers: 3}, {Search: explorer.DFS}} {
			o.KeepGoing = true
			got := map[explorer.Pair]bool{}
			for _, p := range covered(t, sys, o).Met {
				got[p] = true
			}
			if !maps.Equal(got, want) {
				t.Errorf("%s, %s: %d pairs were met, not %d:\n%s", name, o.Search, len(got), len(want), cmp.Diff(want, got))
			}
		}
	}
}

func TestCoverageOfKinds(t *testing.T) {
	r, l, p := "R", "L", "P" // requesting, leading, promised; I is idle
	pair := func(state, message string) explorer.KindPair {
		return explorer.KindPair{Agent: "Agent", State: state, Message: message}
	}
	for _, tt := range []struct {
		name string
		sys  model.System
		want explorer.Coverage
	}{
		{"mark0", systemFor(t, paxos.Mark0.Algorithm()), explorer.Coverage{
			Pairs:     2,
			NeverMet:  []explorer.KindPair{pair(r, "Prepare")},
			NeverSent: &[]string{"Accept", "Accepted", "Promise"},
		}},
		{"mark3", systemFor(t, paxos.Mark3.Algorithm()), explorer.Coverage{
			Pairs: 16,
			NeverMet: []explorer.KindPair{
				pair(l, "Accept"), pair(l, "Prepare"), pair(p, "Accepted"), pair(p, "Prepare"), pair(p, "Promise"),
				pair(r, "Accept"), pair(r, "Accepted"), pair(r, "Prepare"),
			},
			NeverSent: &[]string{},
		}},
	} {
		got := covered(t, tt.sys, explorer.Options{})
		got.Met = nil
		tt.want.NeverTaken, tt.want.NeverTested = []string{}, []string{}
		if diff := cmp.Diff(&tt.want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", tt.name, diff)
		}
	}
}

func TestCoverageOfWhatNeverHappens(t *testing.T) {
	a := scripted[int, ticket]{actions: append(
		action("never", func(s int) (int, []model.Message[ticket], bool) { return s, nil, false }),
		action("once", func(s int) (int, []model.Message[ticket], bool) { return 1, send(1, ticket{1}), s == 0 })...)}
	sys := systemOf(model.Of(a))
	sys.Properties = []model.Property{
		model.Always("sure", func(model.View) error { return nil }),
		model.Always("idle", func(model.View) error { return nil }).When(func(model.View) bool { return false }),
	}
	got := covered(t, sys, explorer.Options{})
	want := &explorer.Coverage{
		Met:         []explorer.Pair{{AgentState: "int1", Message: "ticket N=1"}},
		Pairs:       1,
		NeverMet:    []explorer.KindPair{},
		NeverTaken:  []string{"never"},
		NeverTested: []string{"idle"},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if r, err := explorer.Explore(t.Context(), sys, explorer.Options{}); err != nil || r.Coverage != nil {
		t.Errorf("coverage that nobody asked for: %v, %v", r.Coverage, err)
	}
}
