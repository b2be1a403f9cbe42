package algos_test

import (
	"fmt"
	"math"
	"testing"

	"github.com/caulk-go/caulk/algos"
	"github.com/caulk-go/caulk/explorer"
	"github.com/caulk-go/caulk/model"
	"github.com/caulk-go/caulk/scenario"
)

func twoPhase(t *testing.T, managers int, wipe ...model.ID) model.System {
	t.Helper()
	a, err := model.FindAlgorithm(algos.All(), "twophase")
	if err != nil {
		t.Fatal(err)
	}
	s, err := a.System(model.Config{Params: map[string]int{"managers": managers}})
	if err != nil {
		t.Fatal(err)
	}
	s.Wipe = wipe
	return s
}

// TestTwoPhase has the counts that other checkers agree on, 6^N + 4^N + 2^N
// states to a depth of 3N+1, and the twin that forgets what it decided.
func TestTwoPhase(t *testing.T) {
	cases := []scenario.Case{{
		Name:   "the transaction manager forgets",
		System: twoPhase(t, 2, 3),
		Want:   scenario.Want{Verdict: explorer.Violated, Property: "consistent", Moves: new(9)},
	}}
	most := 7
	if testing.Short() {
		most = 5
	}
	for n := 1; n <= most; n++ {
		power := func(base float64) int { return int(math.Pow(base, float64(n))) }
		cases = append(cases, scenario.Case{
			Name:   fmt.Sprintf("%d managers", n),
			System: twoPhase(t, n),
			Want: scenario.Want{
				Verdict: explorer.Holds,
				States:  power(6) + power(4) + power(2),
				Depth:   new(3*n + 1),
				Halted:  new(0),
				Properties: map[string]explorer.Verdict{
					"consistent": explorer.Holds, "all aborted": explorer.Holds, "all committed": explorer.Holds,
				},
			},
		})
	}
	scenario.Run(t, cases)
}
