package algos_test

// synodRows has each hole at the number of ballots that shows it, and at one
// fewer; and the correct algorithm at all of them.
func synodRows() []row {
	ballots := func(n int) map[string]int { return map[string]int{"ballots": n} }
	learning := map[string]int{"ballots": 2, "learn": 1}
	return []row{
		{algo: "paxossynod", want: holds(119_865)},
		{algo: "paxossynod", params: ballots(2), want: holds(2_905)},
		{algo: "paxossynod", params: ballots(4), want: holds(4_990_041), long: true},
		{algo: "paxossynod", params: map[string]int{"learn": 1}, want: holds(600_921)},
		{algo: "paxossynod", params: ballots(2), setting: restarts(1, 1, 2, 3, 4, 5), want: holds(10_242)},
		{algo: "paxossynod", params: learning, setting: wipe(1, 1), want: violated("agreement", 15)},

		{algo: "paxossynod-belowpromise", want: violated("agreement", 14)},
		{algo: "paxossynod-belowpromise", params: ballots(1), want: holds(53)},

		{algo: "paxossynod-promiseonly", want: violated("agreement", 20)},
		{algo: "paxossynod-promiseonly", params: ballots(2), want: holds(5_797)},

		{algo: "paxossynod-oneballot", want: violated("agreement", 22)},
		{algo: "paxossynod-oneballot", params: ballots(3), want: holds(119_865)},
	}
}
