package algos_test

import "github.com/caulk-go/caulk/model"

func orswotRows() []row {
	on := func(n model.Network, lossy bool) func(*model.System) {
		return func(s *model.System) { s.Network, s.Lossy = n, lossy }
	}
	param := func(name string, value int) map[string]int { return map[string]int{name: value} }
	return []row{
		{algo: "orswot", want: holds(4_923)},                                 // reordering
		{algo: "orswot", setting: on(model.Set, false), want: holds(6_769)},  // repetition
		{algo: "orswot", setting: on(model.Fifo, true), want: holds(11_375)}, // loss
		{algo: "orswot", agents: 3, params: param("updates", 1), want: holds(5_464)},
		{algo: "ormap", want: holds(4_093)},
		{algo: "ormap", setting: on(model.Set, false), want: holds(5_577)},
		{algo: "ormap", setting: on(model.Fifo, true), want: holds(8_875)},
		{algo: "orswot-vector", want: violated("replicas converge", 4)},
		{algo: "orswot-vector", setting: on(model.Set, false), want: violated("replicas converge", 4)},
		{algo: "orswot-vector", setting: on(model.Fifo, true), want: holds(11_375)}, // nothing overtakes
		{algo: "orswot-vector", params: param("elements", 1), want: holds(1_053)},   // the later add stands for the earlier
	}
}
