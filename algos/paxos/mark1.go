package paxos

import "github.com/caulk-go/caulk/model"

// Mark1 covers the happy path of basic Paxos.
var Mark1 = Mark0.with(Variant{
	Name:    "mark1",
	Summary: "basic Paxos, the happy path: halts on what comes early or late",
	Hole:    "what comes early or late halts whoever receives it",
	Doc: `The happy path of basic Paxos: one proposer, every message on time.

Whatever it did not foresee halts the agent, and the diagram shows what that
is: an Accept that overtakes its Prepare, and promises and acknowledgements
that come after the round was won. Mark2 caulks these.

As published, a vote that makes no majority is forgotten. Among three agents
every promise makes one; among five none ever does.

Labels: H halted, I idle, R requesting, P promised, L leading; then the round.`,
	Prepare:  promiseWhenIdle,
	Promise:  leadOnMajority,
	Accept:   acceptWhenPromised,
	Accepted: countAcknowledgement,
})

// promiseWhenIdle joins a later round, and tells the proposer so.
func promiseWhenIdle(a Agent, from model.ID, m Prepare) (Agent, []Message) {
	if _, idle := a.State.(Idle); !idle || m.N <= a.N {
		return a.halt()
	}
	a.N, a.State = m.N, Promised{}
	return a, a.answer(from, Promise{N: m.N})
}

// leadOnMajority counts a vote; with a majority it stores the value that won
// and asks the others to accept it.
func leadOnMajority(a Agent, from model.ID, m Promise) (Agent, []Message) {
	r, requesting := a.State.(Request)
	if !requesting || m.N != a.N {
		return a.halt()
	}
	ballot := r.Ballot.vote(from, m.Value)
	if !ballot.majority() {
		return a, nil // as published: the vote is forgotten, which three agents never notice
	}
	v := ballot.pick()
	a = a.remember(m.N, v)
	a.State = Lead{Value: v, Outstanding: ballot.quorum() - 1}
	return a, a.broadcast(Accept{N: m.N, Value: v})
}

// acceptWhenPromised stores what it promised to accept.
func acceptWhenPromised(a Agent, from model.ID, m Accept) (Agent, []Message) {
	if _, promised := a.State.(Promised); !promised || m.N != a.N {
		return a.halt()
	}
	a = a.remember(m.N, m.Value)
	a.State = Idle{}
	return a, a.answer(from, Accepted{N: m.N})
}

// countAcknowledgement ends the round with the last one it waits for.
func countAcknowledgement(a Agent, _ model.ID, m Accepted) (Agent, []Message) {
	l, leading := a.State.(Lead)
	if !leading || m.N != a.N {
		return a.halt()
	}
	l.Outstanding--
	a.State = l
	if l.Outstanding <= 0 {
		a.State = Idle{}
	}
	return a, nil
}
