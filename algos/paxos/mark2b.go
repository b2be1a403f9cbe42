package paxos

// Mark2b caulks the hole of Mark2: who accepts is in the round.
var Mark2b = Mark2.with(Variant{
	Name:    "mark2b",
	Summary: "mark2 whose agents enter the round they accept for: halts on a late Prepare",
	Hole:    "a late Prepare halts whoever is idle",
	Doc: `Mark2, and the hole that wiping an agent showed is caulked: an agent that
accepts when Idle enters the round that it accepts for.

Now a Prepare that was overtaken by its Accept meets an agent that is done with
the round, and halts it. Mark3 caulks that.

Labels: H halted, I idle, R requesting, P promised, L leading; then the round.`,
	Twins:  []string{"mark2"},
	Accept: acceptWhenIdleToo(enterRound),
})

func enterRound(a Agent, n int) Agent {
	a.N = n
	return a
}
