// Package synod holds the later marks: the Mark series of package paxos goes on
// where the article leaves off, with its question what happens when two agents
// start at the same time.
//
//   - mark4 lets any number of agents start: rounds that belong to one proposer,
//     promises that report what was accepted, and an answer to every message.
//     Wiping an agent breaks it
//   - mark5 has an agent restart with what must persist
//   - mark6 has a wiped agent recover from the others
//
// Package paxoslog ends the series, with mark7: many values.
//
// It is the synod of Leslie Lamport, "The part-time parliament", ACM TOCS 16
// (1998), section 2, with all roles in one agent. The file of a mark shows only
// what it adds to the mark before.
package synod

import (
	"fmt"

	"github.com/caulk-go/caulk/model"
)

const parliament = `Lamport, "The part-time parliament" (1998), section 2`

// Algorithms lists the marks from the fourth, each with its broken twins after
// it.
func Algorithms() []model.Algorithm {
	return []model.Algorithm{
		Mark4(), Mark4Forgets(), Mark4BelowPromise(),
		Mark5(), Mark5ForgetsPromise(), Mark5ForgetsVote(),
		Mark6(), Mark6Promises(), Mark6Nonce(),
	}
}

// Agent is what an agent knows: as an acceptor, a proposer and a learner.
type Agent struct {
	Self model.ID

	Promised int      // the latest round that it takes part in; 0: none yet
	Accepted Proposal // the latest proposal that it has accepted

	Wish    string      // the value that it was started with; empty: none
	Retries int         // rounds that it may still begin
	Round   int         // the round that it leads; 0: none
	Best    Proposal    // phase 1: the latest proposal that a promise reports
	Value   string      // phase 2: what it proposes; empty in phase 1
	Answers model.IDSet // who has promised; in phase 2, who has accepted

	Decided string // empty: it knows of no decision
}

// label is a letter for what the agent is doing, and the round in which: D
// decided, R requesting, L leading, P promised, A accepted, I idle.
func (a Agent) label() string {
	switch {
	case a.Decided != "":
		return "D" + a.Decided
	case a.Round > 0 && a.Value == "":
		return fmt.Sprintf("R%d", a.Round)
	case a.Round > 0:
		return fmt.Sprintf("L%d", a.Round)
	case a.Promised == 0:
		return "I0"
	case a.Promised == a.Accepted.N:
		return fmt.Sprintf("A%d", a.Promised)
	}
	return fmt.Sprintf("P%d", a.Promised)
}

// acceptors are how many agents accept, the first ones; proposers how many
// others there are, that only propose and learn.
type crowd struct{ acceptors, proposers int }

func (c crowd) majority(answers model.IDSet) bool { return len(answers) > c.acceptors/2 }

func (c crowd) accepts(id model.ID) bool { return int(id) <= c.acceptors }

// askAcceptors sends a body to all acceptors but the agent itself.
func (c crowd) askAcceptors(self model.ID, body Body) []Message {
	var sent []Message
	for id := model.ID(1); c.accepts(id); id++ {
		if id != self {
			sent = append(sent, Message{To: id, Body: body})
		}
	}
	return sent
}

// next is the agent's first round after another. Rounds are dealt out in turn,
// so that no two agents have one in common.
func (c crowd) next(self model.ID, after int) int {
	all := c.acceptors + c.proposers
	return after + 1 + ((int(self)-1-after)%all+all)%all
}
