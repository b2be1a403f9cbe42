package paxos

import "github.com/caulk-go/caulk/model"

// Mark3 caulks what Mark2b's diagram showed: a Prepare that comes late.
var Mark3 = Mark2b.with(Variant{
	Name:    "mark3",
	Summary: "mark2b with late Prepares ignored: one proposer holds, two do not",
	Doc: `Mark2b, and what its diagram showed is caulked:

    Prepare  when Idle, for a round that is over:  ignore it
    Prepare  when Idle, for the next round:        promise
    Prepare  when Idle, for a round further ahead: halt

With one proposer nothing goes awry, not even when one of the others is wiped.
Here the article leaves off, with a question: what if two agents start at the
same time? They go awry at the first move, and with a wipe of agent 3 they
store different values in the same round, after eight.

Labels: H halted, I idle, R requesting, P promised, L leading; then the round.`,
	Twins:   []string{"mark2"},
	Prepare: promiseNextRound,
})

// promiseNextRound joins the next round, and no other.
func promiseNextRound(a Agent, from model.ID, m Prepare) (Agent, []Message) {
	_, idle := a.State.(Idle)
	switch {
	case idle && m.N <= a.N:
		return a, nil
	case idle && m.N == a.N+1:
		return promiseWhenIdle(a, from, m)
	}
	return a.halt()
}
