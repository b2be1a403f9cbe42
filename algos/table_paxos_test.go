package algos_test

import (
	"github.com/caulk-go/caulk/explorer"
	"github.com/caulk-go/caulk/model"
	"github.com/caulk-go/caulk/scenario"
)

// paxosRows are the marks of the article; TestMarks has all their settings.
func paxosRows() []row {
	wipe3 := func(s *model.System) { s.Wipe = []model.ID{3} }
	return []row{
		{algo: "mark0", want: scenario.Want{Verdict: explorer.Holds, States: 3, Awry: map[string]int{"I0 Prepare n=1": 1}}},
		{algo: "mark1", want: scenario.Want{Verdict: explorer.Holds, States: 42, Awry: map[string]int{"I0 Accept n=1": 3, "L1 Promise n=1": 4, "I1 Promise n=1": 6, "I1 Accepted n=1": 7}}},
		{algo: "mark2", setting: wipe3, want: violated("consistent", 4)},
		{algo: "mark2", want: holds(73)},
		{algo: "mark2b", setting: wipe3, want: scenario.Want{Verdict: explorer.Holds, States: 123, Awry: map[string]int{"I1 Prepare n=1": 4}}},
		{algo: "mark3", setting: wipe3, want: holds(105)},
	}
}
