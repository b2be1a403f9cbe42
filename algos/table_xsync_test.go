package algos_test

import "github.com/caulk-go/caulk/model"

func xsyncRows() []row {
	const seen, shown = "nothing seen is taken back", "nothing shown was but a guess"
	neverCrashes := func(s *model.System) { s.Budgets = map[model.Budget]int{model.Restarts: 0} }
	return []row{
		{algo: "xsync", want: holds(34_432)},
		{algo: "xsync-early", want: violated(seen, 6)},
		{algo: "xsync-early", setting: neverCrashes, want: holds(1_342)},
		{algo: "xsync-read", want: violated(seen, 7)},
		{algo: "xsync-lock", want: violated(seen, 8)},
		{algo: "xsync-lock", setting: neverCrashes, want: holds(1_249)},
		{algo: "speculator", want: holds(495)},
		{algo: "speculator", params: map[string]int{"opens": 3, "changes": 2}, want: holds(9_058)},
		{algo: "speculator-leak", want: violated(shown, 3)},
		{algo: "speculator-pipe", want: violated(shown, 4)},
	}
}
