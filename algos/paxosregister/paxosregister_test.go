package paxosregister

import (
	"testing"

	"github.com/caulk-go/caulk/explorer"
	"github.com/caulk-go/caulk/model"
	"github.com/caulk-go/caulk/scenario"
)

func with(t *testing.T, clients int) model.System {
	t.Helper()
	a := Algorithm()
	sys, err := a.System(model.Config{Params: map[string]int{"clients": clients}})
	if err != nil {
		t.Fatal(err)
	}
	return sys
}

// The counts are those of Stateright 0.31, examples/paxos.rs.
func TestCounts(t *testing.T) {
	reduced := explorer.Options{Reduce: []explorer.Reduction{explorer.Ignored}}
	holds := map[string]explorer.Verdict{"linearizable": explorer.Holds, "value chosen": explorer.Holds}
	cases := []scenario.Case{
		{Name: "one client", System: with(t, 1), Options: reduced,
			Want: scenario.Want{Verdict: explorer.Holds, States: 265, Transitions: new(481), Properties: holds}},
		{Name: "two clients", System: with(t, 2), Options: reduced,
			Want: scenario.Want{Verdict: explorer.Holds, States: 16_668, Transitions: new(32_970), Properties: holds}},
		{Name: "two clients, everything delivered", System: with(t, 2),
			Want: scenario.Want{Verdict: explorer.Holds, States: 301_099, Properties: holds}},
	}
	tables := explorer.Options{Reduce: []explorer.Reduction{explorer.Dead, explorer.Minimal}}
	cases = append(cases,
		scenario.Case{Name: "one client, by tables", System: with(t, 1), Options: tables, Want: scenario.Want{Verdict: explorer.Holds, States: 57, Properties: holds}},
		scenario.Case{Name: "two clients, by tables", System: with(t, 2), Options: tables, Want: scenario.Want{Verdict: explorer.Holds, States: 994, Properties: holds}},
		scenario.Case{Name: "two clients, dead messages removed", System: with(t, 2), Options: explorer.Options{Reduce: []explorer.Reduction{explorer.Ignored, explorer.Dead}},
			Want: scenario.Want{Verdict: explorer.Holds, States: 6_038, Properties: holds}})
	if !testing.Short() {
		cases = append(cases, scenario.Case{Name: "three clients, by tables", System: with(t, 3), Options: tables,
			Want: scenario.Want{Verdict: explorer.Holds, States: 28_744, Properties: holds}})
		cases = append(cases, scenario.Case{Name: "three clients", System: with(t, 3), Options: reduced,
			Want: scenario.Want{Verdict: explorer.Holds, States: 1_194_428, Transitions: new(2_420_476), HandlerCalls: new(15_606), Properties: holds}})
	}
	scenario.Run(t, cases)
}

// Four clients send so many messages that states are packed as lists.
func TestManyClientsByTables(t *testing.T) {
	for _, reduce := range [][]explorer.Reduction{{explorer.Dead}, {explorer.Ignored, explorer.Dead}, {explorer.Dead, explorer.Minimal}} {
		r, err := explorer.Explore(t.Context(), with(t, 4), explorer.Options{Reduce: reduce, MaxStates: 6_000})
		if err != nil || r.Verdict != explorer.Incomplete {
			t.Errorf("%v: %+v, %v", reduce, r, err)
		}
	}
}

// A register whose servers forget is none: the history shows it.
func TestAWipedServerBreaksTheRegister(t *testing.T) {
	sys := with(t, 2)
	sys.Wipe = []model.ID{1, 2, 3}
	sys.Budgets = map[model.Budget]int{model.Wipes: 2}
	scenario.Run(t, []scenario.Case{{
		Name: "two wipes", System: sys, Options: explorer.Options{Reduce: []explorer.Reduction{explorer.Ignored}},
		Want: scenario.Want{Verdict: explorer.Violated, Property: "linearizable"},
	}})
}
