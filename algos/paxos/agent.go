package paxos

import (
	"fmt"
	"slices"

	"github.com/caulk-go/caulk/model"
)

// Agent is what one agent knows: who it is, its round, what was accepted, and
// what it is doing.
type Agent struct {
	Self       model.ID
	Population []model.ID
	N          int     // the round it is in; 0 before the first
	Store      []Entry // newest first
	State      State
}

// Entry is a value that was accepted in a round.
type Entry struct {
	N     int
	Value string
}

// State is what an agent is doing: Halted, Idle, Request, Promised or Lead.
type State interface {
	letter() string
}

// The states of an agent.
type (
	// Halted: it met something that nobody thought of.
	Halted struct{}

	// Idle: it takes part in no round.
	Idle struct{}

	// Request: it proposes a value, and collects promises.
	Request struct {
		Value  string
		Ballot Ballot
	}

	// Promised: it takes part in its round, and waits for the value.
	Promised struct {
		Value *string // what it had accepted before; nil for nothing
	}

	// Lead: its value won, and is being accepted.
	Lead struct {
		Value       string
		Outstanding int // acknowledgements that it still waits for
	}
)

func (Halted) letter() string   { return "H" }
func (Idle) letter() string     { return "I" }
func (Request) letter() string  { return "R" }
func (Promised) letter() string { return "P" }
func (Lead) letter() string     { return "L" }

func (a Agent) label() string { return fmt.Sprintf("%s%d", a.State.letter(), a.N) }

// halt gives up: the round and the store stay, nothing is sent.
func (a Agent) halt() (Agent, []Message) {
	a.State = Halted{}
	return a, nil
}

// remember puts a value on top of the store.
func (a Agent) remember(n int, value string) Agent {
	a.Store = slices.Concat([]Entry{{n, value}}, a.Store)
	return a
}

// others lists everybody else, in order of ID.
func (a Agent) others() []model.ID {
	var ids []model.ID
	for _, id := range a.Population {
		if id != a.Self {
			ids = append(ids, id)
		}
	}
	return ids
}

// answer is a message to one agent.
func (a Agent) answer(to model.ID, body Body) []Message {
	return []Message{{To: to, Body: body}}
}

// broadcast is a message to each of the others.
func (a Agent) broadcast(body Body) []Message {
	var sent []Message
	for _, id := range a.others() {
		sent = append(sent, Message{To: id, Body: body})
	}
	return sent
}
