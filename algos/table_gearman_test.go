package algos_test

import "github.com/caulk-go/caulk/model"

func gearmanRows() []row {
	with := func(servers, workers int) map[string]int {
		return map[string]int{"servers": servers, "workers": workers}
	}
	nobodyDies := func(s *model.System) { s.Budgets[model.Wipes] = 0 }
	return []row{
		{algo: "gearman", want: holds(1_790)},
		{algo: "gearman", params: with(2, 2), want: holds(31_553)},
		{algo: "gearman-unordered", want: violated("a prefix", 8)},
		{algo: "gearman-unordered", params: with(2, 1), want: violated("a prefix", 6)},
		{algo: "gearman-unordered", params: with(1, 1), want: holds(198)}, // one after the other
		{algo: "gearman-twice", want: violated("a prefix", 9)},
		{algo: "gearman-twice", setting: nobodyDies, want: holds(28)},
	}
}
