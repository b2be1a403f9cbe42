package algos_test

func masterRows() []row {
	param := func(name string, value int) map[string]int { return map[string]int{name: value} }
	return []row{
		{algo: "master", want: holds(467_434)},
		{algo: "master-drift", want: violated("one master", 13)},
		{algo: "master-drift", params: param("drift", 0), want: holds(335_127)}, // perfect clocks
		{algo: "master-oracle", want: holds(2_492)},
		{algo: "master-duel", want: violated("a master at last", 15)},
		{algo: "master-duel", params: param("nodes", 2), want: violated("a master at last", 6)},
	}
}
