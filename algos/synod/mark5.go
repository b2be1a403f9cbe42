package synod

import "github.com/caulk-go/caulk/model"

// Mark5 is mark4 with a disk.
func Mark5() model.Algorithm {
	a := entry("mark5", "mark4 whose agents restart with what must persist", mark5Doc)
	a.Twins = []string{"mark5-forgetspromise", "mark5-forgetsvote"}
	a.Make = mark5{keepsPromise: true, keepsVote: true}.system
	return a
}

const mark5Doc = `Mark4 falls to a wipe, because acceptors forget. Here an agent that restarts has
kept two things:

    the latest round that it takes part in
    the latest proposal that it has accepted

All else may be lost: a proposer that restarts leads no more, and an agent that
knew what is decided finds out again if it asks.

Agreement holds however often any agent restarts: --start 1=x --start 2=y
--restart all --max-restarts 1. A wipe still breaks it, as it must:
--start 1=x --start 2=y --wipe 3 --max-wipes 1.

Labels: as in mark4.`

// Mark5ForgetsPromise is mark5 that writes too little to its disk.
func Mark5ForgetsPromise() model.Algorithm {
	a := entry("mark5-forgetspromise", "mark5 whose promises do not persist", mark5ForgetsPromiseDoc)
	a.Twins = []string{"mark5"}
	a.Hole = "a promise does not survive a restart: the acceptor accepts in a round before it, and two values are decided"
	a.Starts = twoStart()
	a.Make = mark5{keepsVote: true}.system
	return a
}

const mark5ForgetsPromiseDoc = `Mark5 whose acceptors write down what they accept, but not what they promise.

One of them promises a later round, restarts, and accepts in an earlier one:
--restart 3 --max-restarts 1. Without a restart it holds.`

// Mark5ForgetsVote is mark5 that writes too little to its disk.
func Mark5ForgetsVote() model.Algorithm {
	a := entry("mark5-forgetsvote", "mark5 whose votes do not persist", mark5ForgetsVoteDoc)
	a.Twins = []string{"mark5"}
	a.Hole = "what an acceptor has accepted does not survive a restart: a later round decides another value"
	a.Starts = twoStart()
	a.Make = mark5{keepsPromise: true}.system
	return a
}

const mark5ForgetsVoteDoc = `Mark5 whose acceptors write down what they promise, but not what they accept.

One of them accepts, restarts, and promises a later round without a word about
it: --restart 3 --max-restarts 1. Without a restart it holds.`

// mark5 is mark4 with a disk, and what the disk keeps.
type mark5 struct {
	mark4
	keepsPromise, keepsVote bool
}

// Persist gives what is on disk.
func (r mark5) Persist(a Agent) Agent {
	var kept Agent
	if r.keepsPromise {
		kept.Promised = a.Promised
	}
	if r.keepsVote {
		kept.Accepted = a.Accepted
	}
	return kept
}

// Restart goes on as an acceptor.
func (r mark5) Restart(self model.ID, population []model.ID, incarnation int, kept Agent) (Agent, []Message) {
	a, sent := r.Fresh(self, population, incarnation)
	a.Promised, a.Accepted = kept.Promised, kept.Accepted
	return a, sent
}

func (r mark5) system(c model.Config) model.System {
	r.crowd, r.retries = crowd{acceptors: c.Agents}, c.Params["retries"]
	return system(model.Of(r), c.Agents, observe(func(a Agent) Agent { return a }))
}
