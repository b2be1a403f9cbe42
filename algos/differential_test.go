package algos_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/caulk-go/caulk/algos"
	"github.com/caulk-go/caulk/explorer"
	"github.com/caulk-go/caulk/model"
)

// smallEnough is up to how many states an algorithm is compared.
const smallEnough = 6_000

// Every algorithm that is small enough, on every network, with every reduction
// and several workers, is judged as it is without.
func TestReductionsAgree(t *testing.T) {
	var compared, refused, smaller int
	for _, a := range algos.All() {
		for _, network := range []model.Network{model.Bag, model.Set, model.Fifo} {
			sys, err := a.System(model.Config{})
			if err != nil {
				t.Fatal(err)
			}
			sys.Network = network
			if sys.Check() != nil {
				continue // budgets of what this network does not do
			}
			limit := smallEnough
			if testing.Short() {
				limit /= 6
			}
			whole, err := explorer.Explore(t.Context(), sys, explorer.Options{MaxStates: int64(limit)})
			if err != nil {
				t.Fatal(err)
			}
			if len(whole.Bounds) > 0 && whole.Bounds[0].Name != "boundary" {
				continue
			}
			for _, reduce := range reductions() {
				t.Run(fmt.Sprint(a.Name, " on a ", network, " ", reduce), func(t *testing.T) {
					var reports []*explorer.Report
					for _, workers := range []int{1, 3} {
						r, err := explorer.Explore(t.Context(), sys, explorer.Options{Reduce: reduce, Workers: workers})
						if err != nil {
							if why := refusal(&sys, reduce); why == "" || !strings.Contains(err.Error(), why) {
								t.Errorf("%v; it should be because of %q", err, why)
							}
							refused++
							return
						}
						if why := refusal(&sys, reduce); why != "" && why != readsIt {
							t.Errorf("it is not refused, although %s", why)
						}
						compareReports(t, r, whole)
						reports = append(reports, r)
					}
					compared++
					if reports[0].States != reports[1].States || reports[0].Transitions != reports[1].Transitions {
						t.Errorf("one worker finds %d states, three %d", reports[0].States, reports[1].States)
					}
					if reports[0].States < whole.States {
						smaller++
					}
				})
			}
		}
	}
	t.Logf("%d compared, %d of them with fewer states; %d refused", compared, smaller, refused)
	if compared < 50 || smaller < 10 || refused < 50 {
		t.Error("the test no longer tests everything")
	}
}

func reductions() [][]explorer.Reduction {
	return [][]explorer.Reduction{
		{explorer.Ignored}, {explorer.Dead}, {explorer.Minimal}, {explorer.Ignored, explorer.Dead, explorer.Minimal},
		{explorer.Symmetry},
	}
}

// readsIt is why a reduction is refused in the middle of a search.
const readsIt = "reads the network"

// refusal is why a reduction must be refused, or in the last case may be; empty
// where it must not.
func refusal(sys *model.System, reduce []explorer.Reduction) string {
	if slices.Contains(reduce, explorer.Symmetry) {
		return whyNoSymmetry(sys)
	}
	ignored, minimal := slices.Contains(reduce, explorer.Ignored), slices.Contains(reduce, explorer.Minimal)
	if sys.Network == model.Fifo && (!ignored || len(reduce) > 1) {
		return "on a fifo network"
	}
	for _, p := range sys.Properties {
		switch {
		case p.Kind.Liveness():
			return "about whole runs"
		case p.Kind == model.KindAtEnd:
			return "about ends"
		case p.Kind == model.KindStep && minimal:
			return "about steps"
		}
	}
	switch {
	case sys.Network == model.Fifo:
		return "on a fifo network"
	case sys.Network == model.Set && ignored:
		return "it is for a bag"
	case ignored && len(reduce) == 1:
		return ""
	}
	return readsIt
}

func whyNoSymmetry(sys *model.System) string {
	for _, p := range sys.Properties {
		if p.Kind.Liveness() {
			return "about whole runs"
		}
	}
	if len(sys.Alike) == 0 {
		return "does not say which of its agents are alike"
	}
	return ""
}

// compareReports compares verdicts and the lengths of shortest paths.
func compareReports(t *testing.T, r, whole *explorer.Report) {
	t.Helper()
	moves := func(r *explorer.Report) int {
		if r.Violation == nil {
			return -1
		}
		return r.Violation.Moves
	}
	if moves(r) != moves(whole) || r.Violation != nil && r.Violation.Property != whole.Violation.Property {
		t.Errorf("the violation is after %d moves, and without the reduction after %d", moves(r), moves(whole))
	}
	for i, p := range r.Properties {
		want := whole.Properties[i]
		if p.Verdict == explorer.Incomplete && want.Verdict != explorer.Incomplete && slices.ContainsFunc(r.Notes, func(note string) bool {
			return strings.Contains(note, fmt.Sprintf("%q reads the network", p.Name))
		}) {
			continue
		}
		if p.Verdict != want.Verdict || len(p.Witness) != len(want.Witness) {
			t.Errorf("%q is %q after %d moves, and without the reduction %q after %d", p.Name, p.Verdict, len(p.Witness), want.Verdict, len(want.Witness))
		}
	}
}
