package paxoslog

import (
	"fmt"

	"github.com/caulk-go/caulk/model"
)

// Client is the state of a client.
type Client struct {
	Self  model.ID
	Calls int // that it has made
	Waits bool
	Read  string // what its last call has read
}

// call is the client's last. The first client appends, then reads, and so on; the
// second reads first; the third puts, then reads.
func (s Client) call() Call {
	n := int(s.Self) - servers
	if (s.Calls+n)%2 != 0 {
		return Call{}
	}
	return Call{[]Op{Append, Append, Put}[n-1], "", string(rune('a' + n - 1))}
}

// asked are the servers that clients call: two are enough to compete.
const asked = 2

type client struct{ calls int }

func (client) Fresh(self model.ID, _ []model.ID, _ int) (Client, []Message) {
	return Client{Self: self}, nil
}

// Actions: a client makes its next call at any server.
func (c client) Actions() []model.Action[Client, Body] {
	var actions []model.Action[Client, Body]
	for id := model.ID(1); id <= asked; id++ {
		actions = append(actions, model.Action[Client, Body]{Name: fmt.Sprintf("call %d by", id), Kind: model.Input, Do: func(s Client) (Client, []Message, bool) {
			enabled := !s.Waits && s.Calls < c.calls
			s = Client{Self: s.Self, Calls: s.Calls + 1, Waits: true}
			return s, []Message{{To: id, Body: Ask{s.Calls, s.call()}}}, enabled
		}})
	}
	return actions
}

// Receive takes the answer to the call that it waits for.
func (client) Receive(s Client, m Message) (Client, []Message) {
	if b, ok := m.Body.(Answer); ok && s.Waits && b.Number == s.Calls {
		s.Waits, s.Read = false, b.Read
	}
	return s, nil
}

// Label is what the client waits for, + to append, = to put, ? to read; or a dot.
func (client) Label(s Client) string {
	switch {
	case !s.Waits:
		return "."
	case s.call().Op == Read:
		return "?"
	case s.call().Op == Put:
		return "="
	}
	return "+"
}

// Ask has a client from outside call a server.
func (server) Ask(q model.Request) Body {
	c := Call{Read, q.Key, ""}
	if q.Put {
		c = Call{Put, q.Key, q.Value}
	}
	return Ask{q.Number, c}
}

// Answer is what the client is told.
func (server) Answer(b Body) (model.Answer, bool) {
	a, ok := b.(Answer)
	return model.Answer{Number: a.Number, Value: a.Read}, ok
}

func errorf(a, b model.ID, slot int) error {
	return fmt.Errorf("servers %d and %d have different batches in slot %d", a, b, slot)
}
