package main

import (
	"testing"

	"github.com/caulk-go/caulk/explorer"
	"github.com/caulk-go/caulk/model"
	"github.com/caulk-go/caulk/scenario"
)

func Example() {
	check()
	// Output:
	// wipe []: holds, 9 states
	// wipe [3]: violated, 28 states
	// agents 1 and 2 both lead
	//   {Ask;1->3}
	//   {Vote;3->1}
	//   Wipe 3
	//   {Ask;2->3}
	//   {Vote;3->2}
}

// The command line asks for the same system as the tests.
func TestAlgorithm(t *testing.T) {
	a := algorithm()
	s, err := a.System(model.Config{})
	if err != nil {
		t.Fatal(err)
	}
	s.Wipe = []model.ID{3}
	scenario.Run(t, []scenario.Case{{System: s, Want: scenario.Want{Verdict: explorer.Violated, Moves: new(5)}}})
}

func TestElection(t *testing.T) {
	scenario.Run(t, []scenario.Case{
		{
			Name:   "nobody forgets",
			System: system(),
			Want:   scenario.Want{Verdict: explorer.Holds},
		},
		{
			Name:   "agent 3 forgets whom it voted for",
			System: system(3),
			Want:   scenario.Want{Verdict: explorer.Violated, Moves: new(5), Reason: "agents 1 and 2 both lead"},
		},
	})
}
