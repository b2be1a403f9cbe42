package algos_test

import "github.com/caulk-go/caulk/explorer"

func registerRows() []row {
	return []row{
		{algo: "paxosregister", options: explorer.Options{Reduce: []explorer.Reduction{explorer.Ignored}}, want: holds(16_668)},
	}
}
