package raft

import "github.com/caulk-go/caulk/model"

const membershipSource = `Ongaro, "Consensus: Bridging Theory and Practice" (2014), section 4.1`

// Membership is Raft whose members change, one at a time.
func Membership() model.Algorithm {
	a := Algorithm()
	a.Name = "raftmembership"
	a.Summary = "Raft whose members change, one server at a time"
	a.Doc = membershipDoc
	a.Source = membershipSource
	a.Twins = []string{"raft-reconfig"}
	a.Agents, a.MinAgents = 4, 3
	a.Params = bounds{candidates: 2, rivals: 1, terms: 3, entries: 2, removable: 2}.membershipParams()
	return a
}

const membershipDoc = `Raft, on a set network, whose members change: a leader is asked to remove
another server, or to add it again. The change is an entry of the log, and
counts for a server as soon as it has it, committed or not. The members before
and after differ by one server, so that a majority of one meets each majority
of the other.

That is not enough for two changes that know nothing of each other. So a leader
begins with a no-op, an entry of its own term that changes nothing, and changes
the members only once that is committed, and the change before.

Labels as those of raft; an entry that changes the members lists them, here
servers 1, 3 and 4: L1[1*,1:134]. A server that is not a member does not stand
for election.`

// Reconfig is Membership without waiting for an entry of the own term.
func Reconfig() model.Algorithm {
	a := Membership()
	a.Name = "raft-reconfig"
	a.Summary = "Raft whose leaders change the members before they have committed anything"
	a.Doc = reconfigDoc
	a.Twins = []string{"raftmembership"}
	a.Hole = "changes the members with no entry of the own term committed: a leader without a committed change"
	a.Make = holes{changesEarly: true}.system
	return a
}

const reconfigDoc = `Raft whose leaders change the members at once, as the dissertation's section 4
had it at first: found by its author, and told to the list raft-dev in 2015.

Of servers 1 to 4, server 1 leads in term 1 and removes server 2, but nobody
hears of it. Server 2 leads in term 2 and removes server 1: members 2, 3 and 4,
on two of which that is committed. For server 1 the members are still 1, 3 and
4. With the vote of the one of them that has heard of nothing it leads in term
3, without the committed change. Each change removes one server from the same
four, but the two majorities do not meet. (In the shortest path the last vote
for server 2 comes late, when server 1 leads already.)

Had server 2 first had an entry of its own on three of the four, no majority of
1, 3 and 4 would have made server 1 lead: raftmembership holds at these bounds.
With two terms, or three servers, raft-reconfig does, too: --param terms=2,
--agents 3.

Seen in atomix/copycat, issue 23, and baidu/braft, issue 182.`

// membershipParams are those of a variant whose members change.
func (b bounds) membershipParams() []model.Param {
	params := b.params()
	params[len(params)-1].Min = 2 // a no-op and a change
	return append(params, model.Param{
		Name: "removable", Doc: "agents 1 to so many can be removed from the members, and added again", Default: b.removable, Min: 1, Max: 9,
	})
}
