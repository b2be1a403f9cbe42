// Package raft is Raft: Diego Ongaro and John Ousterhout, "In Search of an
// Understandable Consensus Algorithm (Extended Version)" (2014), section 5; and
// its change of membership by one server at a time: Diego Ongaro, "Consensus:
// Bridging Theory and Practice" (2014), section 4.1.
//
// Servers elect a leader for a term; the leader appends entries to its log and
// replicates them; what is on a majority is committed. A state machine that
// applies the committed entries is left out, and so are snapshots.
//
// The granularity is coarser than the paper's in four places. None adds a
// behaviour that Raft has not:
//
//   - AppendEntries carries the leader's whole log. In the paper the leader finds
//     out by trial, in nextIndex, where the follower's log departs from its own;
//     here the follower compares. So none is refused for what is missing before
//     it.
//   - A server that would answer no says nothing. The paper's "false" tells an
//     outdated sender of the newer term; here it learns that by the next request.
//   - Heartbeats are left out: they keep others from standing for election, and
//     here an election timeout comes at any time. How much is committed is told
//     by the next AppendEntries that has a log to carry.
//   - A timeout leads to the next term in which the server may stand, by the
//     parameter rivals: with fewer rivals than candidates that skips terms, as
//     several timeouts would.
//
// The network is a set: RPCs are repeated, and may be lost, delayed, and
// delivered in any order, more than once.
package raft

import "github.com/caulk-go/caulk/model"

const raftSource = `Ongaro and Ousterhout, "In Search of an Understandable Consensus Algorithm" (2014), section 5`

// deployed are the bounds of servers that run: a log is sent as a whole.
var deployed = map[string]int{"candidates": 9, "rivals": 9, "terms": 1_000_000, "entries": 1000}

// Algorithms lists Raft and its change of members, each before its broken twins.
func Algorithms() []model.Algorithm {
	return []model.Algorithm{Algorithm(), OldTerm(), ForgetsVote(), Membership(), Reconfig()}
}

// Algorithm is Raft with fixed members.
func Algorithm() model.Algorithm {
	return model.Algorithm{
		Name:      "raft",
		Summary:   "Raft: leaders are elected, and replicate a log",
		Doc:       raftDoc,
		Source:    raftSource,
		Twins:     []string{"raft-oldterm", "raft-forgetsvote"},
		Agents:    3,
		MinAgents: 2,
		Params:    bounds{candidates: 2, rivals: 2, terms: 2, entries: 2}.params(),
		Deployed:  deployed,
		Make:      holes{}.system,
	}
}

const raftDoc = `Raft, on a set network. A server whose election timeout runs out enters the
next term, votes for itself and asks the others for their votes; with those of
a majority it leads in that term. A leader appends what clients ask for to its
log and sends the log to the others. What is on a majority is committed, if it
is of the leader's own term; then so is all before it.

A server keeps its term, its vote and its log over a restart. AppendEntries
carries the whole log; nobody answers no; heartbeats are left out, since
timeouts come at any time.

Labels: F C L for a follower, candidate or leader; its term; its log by the
terms of the entries, with a star behind the last that it knows to be
committed: L3[1,3*].

All bounds are parameters. Try
--param terms=4 --param rivals=1 --param entries=1
where raft-oldterm is broken; --restart 3 --max-restarts 1, where
raft-forgetsvote is; and --wipe 3 --max-wipes 1: no Raft survives a server that
forgets its vote.`

// OldTerm is Raft that commits entries of earlier terms like its own.
func OldTerm() model.Algorithm {
	return model.Algorithm{
		Name:      "raft-oldterm",
		Summary:   "Raft that commits an entry of an earlier term as soon as it is on a majority",
		Doc:       oldTermDoc,
		Source:    raftSource + ".4.2, figure 8",
		Twins:     []string{"raft"},
		Hole:      "counts replicas of an entry of an earlier term: it is committed, and a later leader lacks it",
		Agents:    3,
		MinAgents: 2,
		Params:    bounds{candidates: 2, rivals: 1, terms: 4, entries: 1}.params(),
		Deployed:  deployed,
		Make:      holes{countsOldTerms: true}.system,
	}
}

const oldTermDoc = `Raft whose leaders commit whatever is on a majority, also an entry of an
earlier term: the paper's figure 8, on three servers.

One server leads in term 1 and appends an entry, another does in term 2, each
without replicating it. The first leads again in term 3, by the vote of the
third server, and replicates its entry of term 1 to it: now that is on a
majority, and counted as committed. But the second server's entry is of term 2,
so that its log is more up-to-date than theirs, and either's vote makes it lead
in term 4: without the committed entry, and about to overwrite it. The shortest
path has the same moves in another order, since messages are delayed.

A majority with an entry of term 3 would have refused that vote: so raft commits
the old entry only together with one of its own term. It holds at these bounds,
and with three terms raft-oldterm does, too: --param terms=3.

Seen in goraft/raft, pull request 27.`

// ForgetsVote is Raft whose vote does not survive a restart.
func ForgetsVote() model.Algorithm {
	return model.Algorithm{
		Name:      "raft-forgetsvote",
		Summary:   "Raft that does not keep on disk whom it voted for",
		Doc:       forgetsVoteDoc,
		Source:    raftSource + ".2, figure 2",
		Twins:     []string{"raft"},
		Hole:      "the vote is not on disk: a server restarts, votes again, and a term has two leaders",
		Agents:    3,
		MinAgents: 2,
		Params:    bounds{candidates: 2, rivals: 2, terms: 1, entries: 1}.params(),
		Deployed:  deployed,
		Make:      holes{forgetsVote: true}.system,
	}
}

const forgetsVoteDoc = `Raft whose servers keep their term and their log over a restart, but not their
vote: with --restart 3 --max-restarts 1 server 3 votes for one candidate,
restarts, and votes for the other in the same term. Both lead, after seven
moves.

Without a restart it holds, and so does raft with one. A wipe does the same to
raft, in as many moves: --algo raft --wipe 3 --max-wipes 1.

Seen in hashicorp/raft, issue 661, and ktoso/akka-raft, issue 62.`

// params are the parameters of a variant with fixed members, and their defaults.
func (b bounds) params() []model.Param {
	return []model.Param{
		{Name: "candidates", Doc: "agents 1 to so many stand for election", Default: b.candidates, Min: 1, Max: 9},
		{Name: "rivals", Doc: "so many of them may stand in one term, taking turns", Default: b.rivals, Min: 1, Max: 9},
		{Name: "terms", Doc: "the last term that anybody begins", Default: b.terms, Min: 1, Max: deployed["terms"]},
		{Name: "entries", Doc: "the most entries of a log", Default: b.entries, Min: 1, Max: deployed["entries"]},
	}
}

// system makes a system of servers that have the holes.
func (h holes) system(c model.Config) model.System {
	r := server{holes: h, bounds: bounds{
		agents:     c.Agents,
		candidates: min(c.Params["candidates"], c.Agents),
		rivals:     c.Params["rivals"],
		terms:      c.Params["terms"],
		entries:    c.Params["entries"],
		removable:  min(c.Params["removable"], c.Agents),
	}}
	s := model.System{Network: model.Set, Properties: r.properties()}
	for range c.Agents {
		s.Agents = append(s.Agents, model.Of(r))
	}
	return s
}
