package paxosregister

import "github.com/caulk-go/caulk/model"

// Client is the state of a client: the request that it waits for, 0 for none.
type Client struct {
	Self   model.ID
	Awaits int
}

// client puts a value, then gets one from another server.
type client struct{}

func (client) Fresh(self model.ID, _ []model.ID, _ int) (Client, []Message) {
	request := number(self)
	return Client{self, request}, []Message{{To: serverFor(self, 0), Body: Put{request, value(self)}}}
}

func (client) Receive(s Client, m Message) (Client, []Message) {
	switch b := m.Body.(type) {
	case PutOk:
		if b.Request == s.Awaits {
			s.Awaits = 2 * number(s.Self)
			return s, []Message{{To: serverFor(s.Self, 1), Body: Get{s.Awaits}}}
		}
	case GetOk:
		if b.Request == s.Awaits {
			s.Awaits = 0
		}
	}
	return s, nil
}

// number is what a client numbers its requests by: agents counted from 0.
func number(id model.ID) int { return int(id) - 1 }

// value is what a client puts: the first A, the next B.
func value(id model.ID) string { return string(rune('A' + number(id) - servers)) }

// serverFor is the server that a client asks; the next is for its next request.
func serverFor(id model.ID, next int) model.ID { return model.ID((number(id)+next)%servers + 1) }

// Label is w while the client writes, r while it reads, and a dot when it is
// done.
func (client) Label(s Client) string {
	switch s.Awaits {
	case number(s.Self):
		return "w"
	case 0:
		return "."
	}
	return "r"
}
