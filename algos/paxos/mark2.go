package paxos

import "github.com/caulk-go/caulk/model"

// Mark2 caulks what Mark1's diagram showed: messages that come early or late.
var Mark2 = Mark1.with(Variant{
	Name:    "mark2",
	Summary: "mark1 with early and late messages caulked: wiping an agent breaks it",
	Hole:    "who accepts early stays in the round before: with an agent wiped, two are idle there with different stores",
	Doc: `Mark1, and what its diagram showed is caulked:

    Accept    when Idle in the round before: accept it after all
    Accepted  when Idle in that round:       ignore it
    Promise   when Lead or Idle in it:       ignore it

With one proposer among three agents nothing goes awry any more. But it leaves
a hole of its own: an agent that accepts when Idle stays in the round before,
and so it is idle there with a value stored. An agent that is wiped is idle in
round 0 with nothing stored: with --wipe 3 four moves lead there. On a set
network the search has no end either: each time the Accept is delivered again
the value is stored once more. Mark2b caulks it.

Labels: H halted, I idle, R requesting, P promised, L leading; then the round.`,
	Twins:    []string{"mark2b", "mark3"},
	Promise:  ignoreLatePromise(leadOnMajority),
	Accept:   acceptWhenIdleToo(keepRound),
	Accepted: ignoreLateAccepted(countAcknowledgement),
})

func ignoreLatePromise(next Handler[Promise]) Handler[Promise] {
	return func(a Agent, from model.ID, m Promise) (Agent, []Message) {
		switch a.State.(type) {
		case Lead, Idle:
			if m.N == a.N {
				return a, nil
			}
		}
		return next(a, from, m)
	}
}

func ignoreLateAccepted(next Handler[Accepted]) Handler[Accepted] {
	return func(a Agent, from model.ID, m Accepted) (Agent, []Message) {
		if _, idle := a.State.(Idle); idle && m.N == a.N {
			return a, nil
		}
		return next(a, from, m)
	}
}

// acceptWhenIdleToo accepts for the next round as well; enter says how an
// agent enters the round that it accepts for.
func acceptWhenIdleToo(enter func(Agent, int) Agent) Handler[Accept] {
	return func(a Agent, from model.ID, m Accept) (Agent, []Message) {
		if _, idle := a.State.(Idle); idle && m.N == a.N+1 {
			a = enter(a, m.N).remember(m.N, m.Value)
			return a, a.answer(from, Accepted{N: m.N})
		}
		return acceptWhenPromised(a, from, m)
	}
}

// keepRound is the hole.
func keepRound(a Agent, _ int) Agent { return a }
