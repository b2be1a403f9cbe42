package algos_test

import "github.com/caulk-go/caulk/model"

func searchRows() []row {
	dies := func(s *model.System) {
		s.Crash = []model.ID{2}
		s.Budgets = map[model.Budget]int{model.Crashes: 1}
	}
	param := func(name string, value int) map[string]int { return map[string]int{name: value} }
	return []row{
		{algo: "search", want: holds(9_532)},
		{algo: "search", setting: dies, want: holds(19_064)},
		{algo: "search", params: param("window", 2), want: holds(143_010)},
		{algo: "search-arrival", want: violated("the same pages", 6)},
		{algo: "search-arrival", params: param("servers", 1), want: holds(22)}, // no two have the same rank
		{algo: "search-silent", want: violated("whole, or said to be partial", 3)},
		{algo: "search-flood", want: violated("bounded", 3)},
		{algo: "search-flood", params: param("results", 1), want: holds(12_769)}, // no more than the window
	}
}
