// Package paxos holds the Mark series: basic Paxos, caulked step by step.
//
// The story is that of the article "Caulking your distributed algorithm
// implementation" (2012). It starts from an agent that foresees nothing and
// halts on any message, mark0, and from one consistent state. It delivers
// every message in every order, looks at the diagram for what goes awry,
// patches that, and looks again:
//
//   - mark1 covers the happy path, and halts on whatever comes early or late
//   - mark2 caulks that, and has a hole that wiping an agent shows
//   - mark2b mends the hole, and halts on a Prepare that comes late
//   - mark3 caulks that too; it is where the article leaves off, with the
//     question what happens when two agents start at the same time
//
// A proposer asks the others to Prepare for a round; they Promise to take part,
// and with a majority of them it asks them to Accept a value, which they say
// they have Accepted.
//
// The file of a mark shows only how it differs from the mark before.
package paxos

import (
	"slices"

	"github.com/caulk-go/caulk/model"
)

const article = `"Caulking your distributed algorithm implementation" (2012)`

// Variant is a variant of the algorithm: one handler for each kind of message.
// A kind that has none halts the agent.
type Variant struct {
	Name, Summary, Doc string
	Twins              []string
	Hole               string

	Prepare  Handler[Prepare]
	Promise  Handler[Promise]
	Accept   Handler[Accept]
	Accepted Handler[Accepted]
}

// Handler handles one kind of message.
type Handler[B Body] func(a Agent, from model.ID, m B) (Agent, []Message)

// with is v with the texts of another variant, and with those handlers that
// the other has.
func (v Variant) with(other Variant) Variant {
	if other.Prepare == nil {
		other.Prepare = v.Prepare
	}
	if other.Promise == nil {
		other.Promise = v.Promise
	}
	if other.Accept == nil {
		other.Accept = v.Accept
	}
	if other.Accepted == nil {
		other.Accepted = v.Accepted
	}
	return other
}

// Fresh is an agent that has heard and stored nothing.
func (v Variant) Fresh(self model.ID, population []model.ID, _ int) (Agent, []Message) {
	return Agent{Self: self, Population: population, State: Idle{}}, nil
}

// Start makes an idle agent propose a value; any other stays as it is.
func (v Variant) Start(a Agent, value string) (Agent, []Message) {
	if _, idle := a.State.(Idle); !idle {
		return a, nil
	}
	a.N++
	a.State = Request{Value: value, Ballot: newBallot(a.Self, a.others(), value)}
	return a, a.broadcast(Prepare{N: a.N})
}

// Receive hands a message to the handler for its kind.
func (v Variant) Receive(a Agent, m Message) (Agent, []Message) {
	switch body := m.Body.(type) {
	case Prepare:
		return v.Prepare.or(halt)(a, m.From, body)
	case Promise:
		return v.Promise.or(halt)(a, m.From, body)
	case Accept:
		return v.Accept.or(halt)(a, m.From, body)
	case Accepted:
		return v.Accepted.or(halt)(a, m.From, body)
	}
	return a.halt()
}

func (h Handler[B]) or(other Handler[B]) Handler[B] {
	if h == nil {
		return other
	}
	return h
}

// halt is what a mark makes of a message that it did not foresee.
func halt[B Body](a Agent, _ model.ID, _ B) (Agent, []Message) { return a.halt() }

// Halted says whether the agent gave up.
func (v Variant) Halted(a Agent) bool {
	_, halted := a.State.(Halted)
	return halted
}

// Label is a letter for what the agent is doing, and its round: R1.
func (v Variant) Label(a Agent) string { return a.label() }

// Algorithm is the variant's entry in the list of algorithms: three agents on
// a bag, the first of them started with "x".
func (v Variant) Algorithm() model.Algorithm {
	return model.Algorithm{
		Name:      v.Name,
		Summary:   v.Summary,
		Doc:       v.Doc,
		Source:    article,
		Twins:     slices.Clone(v.Twins),
		Hole:      v.Hole,
		Agents:    3,
		MinAgents: 1,
		Starts:    map[model.ID]string{1: "x"},
		Make: func(c model.Config) model.System {
			return model.System{
				Agents:     slices.Repeat([]model.Node{model.Of(v)}, c.Agents),
				Network:    model.Bag,
				Properties: []model.Property{consistent()},
				Bodies:     []any{Prepare{}, Promise{}, Accept{}, Accepted{}},
			}
		},
	}
}
