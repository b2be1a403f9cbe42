// Package paxosregister is a register that three servers keep by single-decree
// Paxos: Leslie Lamport, "Paxos Made Simple", ACM SIGACT News 32 (2001), section
// 2. What is chosen first stays.
//
// Servers are agents 1 to 3; clients, which each put a value and then get one,
// come after them.
package paxosregister

import (
	"github.com/caulk-go/caulk/linear"
	"github.com/caulk-go/caulk/model"
)

const doc = `A register kept by single-decree Paxos: three servers, agents 1 to 3, and
clients after them. Each client puts a value of its own at one server, and when
that is confirmed gets the value from the next. The server that is asked to put
becomes a proposer; what a majority accepts is chosen, and is what every get
returns.

An observer keeps the history of calls and returns, which must be linearizable.

Labels: a server's round, with p while it proposes, a once it has accepted, d
once it knows what was chosen; w and r for a client that writes or reads, a dot
for one that is done.

Most deliveries come late and change nothing: --reduce ignored leaves them out.`

// Algorithm is the entry in the list of algorithms.
func Algorithm() model.Algorithm {
	return model.Algorithm{
		Name:    "paxosregister",
		Summary: "a register kept by Paxos, and clients whose history must be linearizable",
		Doc:     doc,
		Source:  `Lamport, "Paxos Made Simple" (2001), section 2`,
		Params: []model.Param{
			{Name: "clients", Doc: "clients; each puts a value, then gets one", Default: 2, Min: 1, Max: 4},
		},
		Make: func(c model.Config) model.System { return system(c.Params["clients"]) },
	}
}

func system(clients int) model.System {
	s := model.System{
		Properties: []model.Property{linearizable(), model.Sometimes("value chosen", chosen)},
		Bodies:     []any{Put{}, PutOk{}, Get{}, GetOk{}, Prepare{}, Prepared{}, AcceptThis{}, Accepted{}, DecidedThat{}},
	}
	for range servers {
		s.Agents = append(s.Agents, model.Of(server{}))
	}
	var callers []model.ID
	for range clients {
		s.Agents = append(s.Agents, model.Of(client{}))
		callers = append(callers, model.ID(len(s.Agents)))
	}
	s.Observer = model.Observe(History{}, observe, callers...)
	return s
}

// History is what the clients called, and what they got.
type History = linear.History[linear.RegisterCall[string], string]

// observe records a return where a client got what it waited for, and what a
// client sends as a call.
func observe(h History, e model.Event) History {
	if after, ok := e.After.(Client); ok && e.Before != nil && e.Before != after {
		if got, ok := e.Move.Body.(GetOk); ok {
			h = h.Return(e.Agent, got.Value)
		} else {
			h = h.Return(e.Agent, "")
		}
	}
	for _, m := range e.Sent {
		switch b := m.Body.(type) {
		case Put:
			h = h.Invoke(e.Agent, linear.Write(b.Value))
		case Get:
			h = h.Invoke(e.Agent, linear.Read[string]())
		}
	}
	return h
}

func linearizable() model.Property {
	p := linear.Property("linearizable", linear.Register(""))
	p.Doc = "what the clients get is what one register, asked one call at a time, could have answered"
	return p
}

// chosen says whether a server answers with a value that was put.
func chosen(v model.View) bool {
	for _, m := range model.InFlightOf[Body](v) {
		if got, ok := m.Body.(GetOk); ok && got.Value != "" {
			return true
		}
	}
	return false
}
