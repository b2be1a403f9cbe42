package algos_test

import (
	"github.com/caulk-go/caulk/explorer"
	"github.com/caulk-go/caulk/model"
)

// classicRows has the textbook's algorithms, each hole on both sides: the setting
// that shows it, and the one that hides it.
func classicRows() []row {
	param := func(name string, value int) map[string]int { return map[string]int{name: value} }
	budget := func(b model.Budget, most int) func(*model.System) {
		return func(s *model.System) { s.Budgets = map[model.Budget]int{b: most} }
	}
	network := func(n model.Network) func(*model.System) { return func(s *model.System) { s.Network = n } }
	lossy := func(s *model.System) { s.Lossy = true }
	ignored := explorer.Options{Reduce: []explorer.Reduction{explorer.Ignored}}
	return []row{
		{algo: "twophase-log", want: holds(184)},
		{algo: "twophase-log", params: param("managers", 3), want: holds(1_312)},
		{algo: "twophase-nolog", want: violated("consistent", 8)},
		{algo: "twophase-nolog", setting: budget(model.Restarts, 0), want: holds(84)},
		{algo: "twophase-blocking", want: violated("manager 1 learns", 2)},
		{algo: "twophase-blocking", options: explorer.Options{Properties: []string{"consistent"}}, want: holds(168)},
		{algo: "twophase-blocking", setting: budget(model.Crashes, 0), want: holds(84)},

		{algo: "abd", want: holds(18_040)},
		{algo: "abd", params: param("writes", 2), options: ignored, want: holds(285_679)},
		{algo: "abd", params: param("readers", 2), options: ignored, want: holds(12_613_195), long: true},
		{algo: "abd-nowriteback", want: violated("linearizable", 12)},
		{algo: "abd-nowriteback", params: param("readers", 1), want: holds(2_498)},

		{algo: "lamportmutex", want: holds(1_403)},
		{algo: "lamportmutex", agents: 3, params: param("entries", 1), want: holds(706_662), long: true},
		{algo: "lamportmutex", setting: lossy, want: violated("mutual exclusion", 10)},
		{algo: "lamportmutex-bag", want: violated("mutual exclusion", 6)},
		{algo: "lamportmutex-bag", agents: 3, params: param("entries", 1), want: violated("mutual exclusion", 10)},
		{algo: "ricartagrawala", want: holds(150)},
		{algo: "ricartagrawala", agents: 3, params: param("entries", 1), want: holds(3_234)},
		{algo: "ricartagrawala", setting: wipe(1, 1), want: violated("mutual exclusion", 7)},
		{algo: "ricartagrawala", setting: budget(model.Duplicates, 1), want: violated("mutual exclusion", 10)},
		{algo: "ricartagrawala-tie", want: violated("mutual exclusion", 6)},

		{algo: "chandylamport", want: holds(416)},
		{algo: "chandylamport", agents: 3, params: param("payments", 1), want: holds(20_712)},
		{algo: "chandylamport", setting: lossy, want: violated("no money is lost", 5)},
		{algo: "chandylamport-bag", want: violated("no money is lost", 4)},
		{algo: "chandylamport-bag", params: param("payments", 0), want: holds(4)},

		{algo: "alternatingbit", want: holds(73)},
		{algo: "alternatingbit", params: param("resends", 2), setting: budget(model.Drops, 2), want: holds(315)},
		{algo: "alternatingbit", setting: budget(model.Drops, 2), want: violated("everything is confirmed", 3)},
		{algo: "alternatingbit", params: param("resends", 0), want: violated("everything is confirmed", 4)},
		{algo: "alternatingbit-bag", want: violated("delivered once, in order", 5)},
		{algo: "alternatingbit-bag", setting: network(model.Set), want: violated("delivered once, in order", 4)},
		{algo: "alternatingbit-bag", params: param("data", 1), want: holds(8)},
		{algo: "alternatingbit-nobit", want: violated("delivered once, in order", 3)},

		{algo: "lww", want: holds(195)},
		{algo: "lww", params: param("replicas", 3), want: holds(4_096)},
		{algo: "lww", setting: network(model.Set), want: holds(103)},
		{algo: "lww-skew", want: violated("no acknowledged write is lost", 6)},
		{algo: "lww-skew", params: param("skew", 1), want: holds(195)},

		{algo: "orset", want: holds(81_827)},
		{algo: "orset", agents: 2, params: param("operations", 3), want: holds(1_856)},
		{algo: "orset-eager", want: violated("replicas converge", 4)},
		{algo: "orset-eager", setting: network(model.Fifo), want: violated("replicas converge", 5)},
		{algo: "orset-eager", agents: 2, setting: network(model.Fifo), want: holds(110)},
	}
}
