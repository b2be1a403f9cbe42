// Package paxossynod is the synod of single-decree Paxos with proposers apart
// from acceptors, and ballots that are fixed beforehand: Leslie Lamport, "Paxos
// Made Simple", ACM SIGACT News 32 (2001), section 2.2.
//
// A value is chosen when a majority has accepted it in one ballot, whoever comes
// to know. That proposers learn it is a parameter: it makes five times the states
// and no difference, as long as no acceptor is wiped.
//
// The network is a set: messages may be lost, delayed, repeated, and delivered
// in any order.
package paxossynod

import "github.com/caulk-go/caulk/model"

const source = `Lamport, "Paxos Made Simple" (2001), section 2.2`

// Algorithms lists the synod, and its broken twins after it.
func Algorithms() []model.Algorithm {
	return []model.Algorithm{Algorithm(), BelowPromise(), PromiseOnly(), OneBallot()}
}

// Algorithm is the synod as it should be.
func Algorithm() model.Algorithm {
	return model.Algorithm{
		Name:    "paxossynod",
		Summary: "single-decree Paxos: proposers, acceptors, and ballots fixed beforehand",
		Doc:     doc,
		Source:  source,
		Twins:   []string{"paxossynod-belowpromise", "paxossynod-promiseonly", "paxossynod-oneballot"},
		Params:  params(3),
		Make:    acceptor{}.system,
	}
}

const doc = `Single-decree Paxos, on a set network. Acceptors come first, proposers after
them. Ballots are dealt out in turn: of two proposers the first has 1 and 3, the
second 2 and 4.

Phase 1: a proposer asks all acceptors to promise its ballot. An acceptor
promises if it has promised no later one, and reports what it has accepted.
Phase 2: with the promises of a majority the proposer proposes the value that
was accepted in the latest ballot, or its own, a or b, if none was. An acceptor
accepts unless it has promised a later ballot. What a majority accepts in one
ballot is chosen. A proposer may give up at any time, and begin its next ballot.
With --param learn=1 it learns what its ballot has chosen, and then stops.

Labels: A, the ballot promised and the proposal accepted, for an acceptor:
A3(1a). I, then P and the ballot, and the value once it proposes, for a
proposer; a star once it has learned: P3a*.

It holds with the 2, 3 and 4 ballots that the broken twins need. Over a restart
an acceptor keeps what it has promised and accepted, and a proposer which ballot
was its latest, so that it proposes in none twice. An acceptor that is wiped
loses that, and its vote with it; two values are seen to be chosen if proposers
learn: --param ballots=2 --param learn=1 --wipe 1 --max-wipes 1.`

// BelowPromise is the synod whose acceptors do not keep their promise.
func BelowPromise() model.Algorithm {
	a := Algorithm()
	a.Name = "paxossynod-belowpromise"
	a.Summary = "single-decree Paxos whose acceptors accept in a ballot below the one promised"
	a.Doc = belowPromiseDoc
	a.Twins = []string{"paxossynod"}
	a.Hole = "an acceptor accepts in a ballot below its promise: two values are chosen"
	a.Params = params(2)
	a.Make = acceptor{belowPromise: true}.system
	return a
}

const belowPromiseDoc = `Single-decree Paxos whose acceptors answer every Accept by accepting.

Two ballots are enough. A majority promises ballot 1 and has accepted nothing; a
majority promises ballot 2 and has accepted nothing either. Both proposers
propose values of their own, and the acceptor that has promised both accepts
both.

Seen in Marc Brooker's blog, brooker.co.za, 2021. With one ballot it holds:
--param ballots=1.`

// PromiseOnly is the synod whose acceptors accept without promising.
func PromiseOnly() model.Algorithm {
	a := Algorithm()
	a.Name = "paxossynod-promiseonly"
	a.Summary = "single-decree Paxos whose acceptors do not raise their promise by accepting"
	a.Doc = promiseOnlyDoc
	a.Twins = []string{"paxossynod"}
	a.Hole = "accepting does not raise the promise: an older proposal replaces a newer one, and two values are chosen"
	a.Params = params(3)
	a.Make = acceptor{promiseOnly: true}.system
	return a
}

const promiseOnlyDoc = `Single-decree Paxos whose acceptors check an Accept against what they have
promised, and do not raise the promise by accepting.

An acceptor that was asked for no promise accepts b in ballot 2. Then a late
Accept of ballot 1 comes: it is not below its promise, so that it accepts a
instead. Asked for ballot 3 it reports a, which is proposed and chosen; but in
ballot 2 it was one of the majority that has chosen b.

With two ballots it holds: nobody asks any more. Seen in apache/cassandra, pull
request 1327.`

// OneBallot is the synod whose acceptors have one variable for two ballots.
func OneBallot() model.Algorithm {
	a := Algorithm()
	a.Name = "paxossynod-oneballot"
	a.Summary = "single-decree Paxos whose acceptors have one ballot: promised or accepted, it is the same"
	a.Doc = oneBallotDoc
	a.Twins = []string{"paxossynod"}
	a.Hole = "a promise reports the ballot promised as if it were that of the vote: an old value wins, and two are chosen"
	a.Params = params(4)
	a.Make = acceptor{oneBallot: true}.system
	return a
}

const oneBallotDoc = `Single-decree Paxos whose acceptors have one variable for the ballot: what they
report as the ballot in which they accepted is the one that they promised last.

An acceptor accepts b in ballot 2, and promises ballot 3, in which the others
choose a. Asked for ballot 4 it reports b as if accepted in ballot 3: as late as
a, and the proposer takes the value that is later in the alphabet. In longer
paths the old value is reported with the later ballot.

With three ballots it holds, by luck: then only the value a can be old, reported
with the very ballot in which b was chosen, and b is taken. Were the first
report taken, three ballots would do, by a path of 21 moves.

Seen in efficient/epaxos, issue 20; Pierre Sutra, "On the correctness of
Egalitarian Paxos", arXiv 1906.10917.`

// params are the parameters, and how many ballots there are by default.
func params(ballots int) []model.Param {
	return []model.Param{
		{Name: "acceptors", Doc: "acceptors; the proposers come after them", Default: 3, Min: 1, Max: 9},
		{Name: "proposers", Doc: "proposers, each with a value of its own", Default: 2, Min: 1, Max: 9},
		{Name: "ballots", Doc: "ballots, dealt out in turn", Default: ballots, Min: 1, Max: 99},
		{Name: "learn", Doc: "1: proposers learn what is chosen", Default: 0, Min: 0, Max: 1},
	}
}

// system makes a system of acceptors that have the holes.
func (r acceptor) system(c model.Config) model.System {
	p := proposer{c.Params["acceptors"], c.Params["proposers"], c.Params["ballots"], c.Params["learn"] == 1}
	s := model.System{Network: model.Set, Properties: p.properties()}
	for range p.acceptors {
		s.Agents = append(s.Agents, model.Of(r))
	}
	s.Alike = [][]model.ID{s.Population()} // the acceptors
	for range p.proposers {
		s.Agents = append(s.Agents, model.Of(p))
	}
	return s
}
