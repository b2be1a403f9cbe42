// Package twophase is two-phase commit, after Lamport's specification TwoPhase:
// Jim Gray and Leslie Lamport, "Consensus on Transaction Commit", ACM
// Transactions on Database Systems 31 (2006), section 3 and appendix.
//
// Resource managers, agents 1 to N, each prepare or abort on their own. The
// transaction manager, agent N+1, counts who is prepared. Once all are it may
// commit; until it has decided it may abort. What it decides they obey.
//
// A message that was sent can be delivered again and again, as in the
// specification: the network is a set.
package twophase

import (
	"fmt"

	"github.com/caulk-go/caulk/model"
)

const doc = `Two-phase commit, after Lamport's TwoPhase, on a set network.

Managers 1 to N each prepare or abort on their own. The transaction manager,
agent N+1, counts who is prepared. Once all are it may commit; until it has
decided it may abort. What it decides the managers obey.

There are 6^N + 4^N + 2^N states. Labels: W P C A for a manager that is
working, prepared, committed or aborted; I and a number for a transaction
manager that has counted so many, C or A for one that has decided.

Managers are alike: --reduce symmetry explores one state of those that differ by
who is who, 314 for five managers in place of 8832.

It holds as long as the transaction manager remembers. With two managers and
--wipe 3 it forgets that it committed, and presumes abort: nine moves.`

// Algorithm is the entry in the list of algorithms.
func Algorithm() model.Algorithm {
	return model.Algorithm{
		Name:    "twophase",
		Summary: "two-phase commit: all managers commit, or all abort",
		Doc:     doc,
		Source:  `Gray and Lamport, "Consensus on Transaction Commit" (2006), section 3`,
		Params: []model.Param{
			{Name: "managers", Doc: "resource managers; the transaction manager comes after them", Default: 3, Min: 1, Max: 16},
		},
		Make: func(c model.Config) model.System { return system(c.Params["managers"]) },
	}
}

func system(managers int) model.System {
	s := model.System{
		Network: model.Set,
		Properties: []model.Property{
			consistent(),
			model.Sometimes("all aborted", all(Aborted)),
			model.Sometimes("all committed", all(Committed)),
		},
		Bodies: []any{Prepared{}, Commit{}, Abort{}},
	}
	tm := model.ID(managers + 1)
	for range managers {
		s.Agents = append(s.Agents, model.Of(manager{tm}))
	}
	s.Alike = [][]model.ID{s.Population()}
	s.Agents = append(s.Agents, model.Of(coordinator{managers}))
	return s
}

// consistent is the specification's TCConsistent.
func consistent() model.Property {
	p := model.Always("consistent", func(v model.View) error {
		var aborted, committed model.ID
		for id, s := range model.StatesOf[Manager](v) {
			switch {
			case s == Aborted && aborted == 0:
				aborted = id
			case s == Committed && committed == 0:
				committed = id
			}
		}
		if aborted != 0 && committed != 0 {
			return fmt.Errorf("manager %d has aborted while manager %d has committed", aborted, committed)
		}
		return nil
	})
	p.Doc = "no manager has aborted while another has committed"
	return p
}

// all says whether every manager is in one state.
func all(want Manager) func(model.View) bool {
	return func(v model.View) bool {
		for _, s := range model.StatesOf[Manager](v) {
			if s != want {
				return false
			}
		}
		return true
	}
}
