package algos_test

func rsyncRows() []row {
	with := func(length, block int) map[string]int { return map[string]int{"length": length, "block": block} }
	return []row{
		{algo: "rsync", want: holds(1_032)},
		{algo: "rsync", params: with(5, 3), want: holds(17_732)},
		{algo: "rsync-weak", want: violated("the copy is the file", 2)},
		{algo: "rsync-weak", params: with(3, 1), want: holds(479)}, // a block of one letter does not collide
		{algo: "rsync-edited", want: violated("the copy is the file", 3)},
	}
}
