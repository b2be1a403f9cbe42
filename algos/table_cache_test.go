package algos_test

func cacheRows() []row {
	with := func(readers, reads int) map[string]int { return map[string]int{"readers": readers, "reads": reads} }
	return []row{
		{algo: "cache", want: holds(2_343)},
		{algo: "cache", params: with(2, 2), want: holds(263_154)},
		{algo: "cache-refused", want: violated("fresh", 14)},
		{algo: "cache-late", want: violated("fresh", 14)},
		{algo: "cache-late", params: with(1, 1), want: holds(494)}, // nobody reads after the late fill
		{algo: "cache-late", params: with(2, 1), want: violated("fresh", 14)},
		{algo: "cache-noreply", want: violated("fresh", 10)},
	}
}
