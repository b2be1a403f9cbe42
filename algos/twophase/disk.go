package twophase

import (
	"fmt"

	"github.com/caulk-go/caulk/model"
)

// Variants lists two-phase commit whose transaction manager has a disk, and its
// broken twins after it.
func Variants() []model.Algorithm {
	return []model.Algorithm{
		variant("twophase-log", "two-phase commit whose transaction manager restarts, and finds its decision on disk", logDoc, "",
			disk{logs: true}, "twophase-nolog", "twophase-blocking"),
		variant("twophase-nolog", "two-phase commit whose transaction manager restarts, and presumes abort", noLogDoc,
			"the transaction manager forgets that it committed, and presumes abort: one commits, another aborts",
			disk{}, "twophase-log"),
		variant("twophase-blocking", "two-phase commit whose transaction manager may crash for good", blockingDoc,
			"the transaction manager crashes for good: who is prepared waits for ever",
			disk{logs: true, crashes: true}, "twophase-log"),
	}
}

const logDoc = `Two-phase commit, on a bag, whose transaction manager writes its decision to
disk before it tells anybody. When it restarts, once, it tells what it decided
again; if it has decided nothing it aborts.

Managers that are prepared learn the decision in the end: the transaction
manager does what it can do, and every message arrives.

Labels: W P C A for a manager that is working, prepared, committed or aborted; I
and a number for a transaction manager that has counted so many, C or A for one
that has decided.`

const noLogDoc = `Two-phase commit whose transaction manager writes nothing to disk. It decides to
commit, restarts, knows of no decision, and aborts: eight moves, one less than
twophase with --wipe 3, where to presume abort is a move of its own.

Without a restart it holds: --max-restarts 0.`

const blockingDoc = `Two-phase commit whose transaction manager may crash for good. That breaks no
promise between managers; but one that is prepared may neither commit nor abort
by itself, and waits for ever: two moves, for a crash is one, and nobody needs
to have been counted. (Models in which it must have been take five.)

Without a crash it holds: --max-crashes 0. What caulks it is a transaction
manager that is replicated: Gray and Lamport, "Consensus on Transaction Commit",
section 4.`

func variant(name, summary, doc, hole string, d disk, twins ...string) model.Algorithm {
	a := Algorithm()
	a.Name, a.Summary, a.Doc, a.Hole, a.Twins = name, summary, doc, hole, twins
	a.Params[0].Default = 2
	a.Make = func(c model.Config) model.System { return d.system(c.Params["managers"]) }
	return a
}

// disk is the transaction manager with a disk.
type disk struct {
	coordinator
	logs    bool // false is the hole of twophase-nolog
	crashes bool // the hole of twophase-blocking
}

// Actions are those of the transaction manager, which it takes in the end.
func (d disk) Actions() []model.Action[Coordinator, Body] {
	actions := d.coordinator.Actions()
	for i := range actions {
		actions[i].Fair = true
	}
	return actions
}

// Persist gives the decision.
func (d disk) Persist(s Coordinator) Coordinator {
	if !d.logs {
		return Coordinator{}
	}
	return Coordinator{Decision: s.Decision}
}

// Restart tells the decision again, and aborts if there was none.
func (d disk) Restart(_ model.ID, _ []model.ID, _ int, kept Coordinator) (Coordinator, []Message) {
	if kept.Decision == ToCommit {
		return kept, d.tellAll(Commit{})
	}
	return Coordinator{Decision: ToAbort}, d.tellAll(Abort{})
}

func (d disk) system(managers int) model.System {
	d.managers = managers
	s := system(managers)
	tm := s.Population()[managers]
	s.Network = model.Bag
	s.Agents[managers] = model.Of(d)
	s.Restart, s.Budgets = []model.ID{tm}, map[model.Budget]int{model.Restarts: 1}
	if d.crashes {
		s.Restart, s.Crash, s.Budgets = nil, []model.ID{tm}, map[model.Budget]int{model.Crashes: 1}
	}
	for id := model.ID(1); id < tm; id++ {
		s.Properties = append(s.Properties, model.LeadsTo(fmt.Sprintf("manager %d learns", id),
			func(v model.View) bool { return model.StateOf[Manager](v, id) == ReadyToCommit },
			func(v model.View) bool { return model.StateOf[Manager](v, id) > ReadyToCommit }))
	}
	return s
}
