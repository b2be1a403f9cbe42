package algos_test

func twoPhaseRows() []row {
	return []row{
		{algo: "twophase", want: holds(288)},
		{algo: "twophase", params: map[string]int{"managers": 2}, setting: wipe(1, 3), want: violated("consistent", 9)},
	}
}
