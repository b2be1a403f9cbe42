// Package mutex is mutual exclusion by messages alone: Lamport's algorithm, with
// which he introduced logical clocks, and that of Ricart and Agrawala, which needs
// fewer messages and no order among them.
package mutex

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/caulk-go/caulk/model"
)

// Algorithms lists the two, each with its broken twin after it.
func Algorithms() []model.Algorithm {
	return []model.Algorithm{Lamport(), LamportBag(), RicartAgrawala(), RicartAgrawalaTie()}
}

// Message is a message between two processes.
type Message = model.Message[Body]

// Body is what a message says.
type Body interface{ body() }

// The messages.
type (
	// Request asks for the critical section, at a time of the sender's clock.
	Request struct{ Time int }

	// Ack says that the request has arrived.
	Ack struct{ Time int }

	// Release says that the sender has left the critical section.
	Release struct{ Time int }

	// Reply says that the sender lets the receiver in.
	Reply struct{}
)

func (Request) body() {}
func (Ack) body()     {}
func (Release) body() {}
func (Reply) body()   {}

// earlier orders requests by time, then by who made them.
func earlier(time int, by model.ID, time2 int, by2 model.ID) bool {
	return cmp.Or(cmp.Compare(time, time2), cmp.Compare(by, by2)) < 0
}

// process is a process of either algorithm, as properties see it.
type process interface {
	waiting() bool // it has requested the critical section
	inside() bool  // it is in it
}

func entry(name, summary, doc, source string) model.Algorithm {
	return model.Algorithm{
		Name: name, Summary: summary, Doc: doc, Source: source,
		Agents: 2, MinAgents: 2,
		Params: []model.Param{{Name: "entries", Doc: "how often each process requests the critical section", Default: 2, Min: 1, Max: 9}},
	}
}

// system makes a system of processes that behave alike.
func system[S process](c model.Config, node model.Node, n model.Network) model.System {
	exclusion := model.Always("mutual exclusion", func(v model.View) error {
		var first model.ID
		for id, p := range model.StatesOf[S](v) {
			switch {
			case p.inside() && first != 0:
				return fmt.Errorf("processes %d and %d are in the critical section", first, id)
			case p.inside():
				first = id
			}
		}
		return nil
	})
	exclusion.Doc = "no two processes are in the critical section"
	s := model.System{
		Agents:     slices.Repeat([]model.Node{node}, c.Agents),
		Network:    n,
		Properties: []model.Property{exclusion},
	}
	for _, id := range s.Population() {
		s.Properties = append(s.Properties, model.LeadsTo(fmt.Sprintf("request of %d granted", id),
			func(v model.View) bool { return model.StateOf[S](v, id).waiting() },
			func(v model.View) bool { return model.StateOf[S](v, id).inside() }))
	}
	s.Properties = append(s.Properties, model.Sometimes("two wait", func(v model.View) bool {
		waiting := 0
		for _, p := range model.StatesOf[S](v) {
			if p.waiting() {
				waiting++
			}
		}
		return waiting > 1
	}))
	return s
}

// label is W waiting, C in the critical section, or a dot, and what time it is.
func label(p process, clock int) string {
	letter := "."
	switch {
	case p.inside():
		letter = "C"
	case p.waiting():
		letter = "W"
	}
	return fmt.Sprintf("%s%d", letter, clock)
}
