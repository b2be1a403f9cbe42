package main

import (
	"testing"

	"github.com/caulk-go/caulk/explorer"
	"github.com/caulk-go/caulk/scenario"
)

func Example() {
	main()
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
