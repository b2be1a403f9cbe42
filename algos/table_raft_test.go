package algos_test

import (
	"github.com/caulk-go/caulk/explorer"
	"github.com/caulk-go/caulk/model"
)

// raftRows has each hole of Raft on both sides: the bound at which it shows, the
// one below, and the correct algorithm at the bound at which it shows.
func raftRows() []row {
	onBag := func(s *model.System) { s.Network = model.Bag }
	return []row{
		{algo: "raft", want: holds(32_755)},
		{algo: "raft", params: map[string]int{"terms": 3, "entries": 1}, want: holds(41_574)},
		{algo: "raft", params: map[string]int{"candidates": 3, "rivals": 3, "entries": 1}, want: holds(8_865)},
		{algo: "raft", params: map[string]int{"terms": 1}, setting: onBag, want: holds(4_045)},
		{algo: "raft", params: map[string]int{"terms": 3}, want: holds(820_676), long: true},
		{algo: "raft", params: map[string]int{"terms": 4, "rivals": 1}, want: holds(3_689_407), long: true},

		// Figure 8.
		{algo: "raft-oldterm", want: violated("leader completeness", 18)},
		{algo: "raft-oldterm", options: explorer.Options{Properties: []string{"committed stays"}}, want: violated("committed stays", 19)},
		{algo: "raft-oldterm", params: map[string]int{"terms": 3}, want: holds(11_754)},
		{algo: "raft", params: map[string]int{"terms": 4, "rivals": 1, "entries": 1}, want: holds(134_201)},

		// The vote is not durable.
		{algo: "raft-forgetsvote", setting: restarts(1, 3), want: violated("election safety", 7)},
		{algo: "raft-forgetsvote", want: holds(92)},
		{algo: "raft", setting: restarts(1, 3), want: holds(70_770)},
		{algo: "raft", setting: wipe(1, 3), want: violated("election safety", 7)},

		// Changes of membership.
		{algo: "raftmembership", want: holds(294_015)},
		{algo: "raftmembership", params: map[string]int{"terms": 2, "entries": 3}, want: holds(115_957)},
		{algo: "raft-reconfig", want: violated("leader completeness", 18)},
		{algo: "raft-reconfig", params: map[string]int{"terms": 2}, want: holds(31_877)},
		{algo: "raft-reconfig", agents: 3, want: holds(23_626)},
	}
}

// restarts lets agents restart, at most so many times together.
func restarts(most int, ids ...model.ID) func(*model.System) {
	return func(s *model.System) {
		s.Restart = ids
		s.Budgets = map[model.Budget]int{model.Restarts: most}
	}
}
