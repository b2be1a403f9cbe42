package paxosregister

import (
	"cmp"

	"github.com/caulk-go/caulk/model"
)

// Message is a message between clients and servers.
type Message = model.Message[Body]

// Body is what a message says.
type Body interface{ body() }

// Ballot orders attempts: by round, then by the server that makes them. The
// zero ballot is before all.
type Ballot struct {
	Round int
	ID    model.ID
}

func (b Ballot) compare(c Ballot) int {
	return cmp.Or(cmp.Compare(b.Round, c.Round), cmp.Compare(b.ID, c.ID))
}

// Proposal is a client's request to put a value. The zero proposal is none.
type Proposal struct {
	Request int
	Client  model.ID
	Value   string
}

func (p Proposal) compare(q Proposal) int {
	return cmp.Or(cmp.Compare(p.Request, q.Request), cmp.Compare(p.Client, q.Client), cmp.Compare(p.Value, q.Value))
}

// Accept is what a server has accepted. The zero Accept is nothing.
type Accept struct {
	Ballot   Ballot
	Proposal Proposal
}

func (a Accept) compare(b Accept) int {
	return cmp.Or(a.Ballot.compare(b.Ballot), a.Proposal.compare(b.Proposal))
}

// The messages between a client and a server.
type (
	Put struct {
		Request int
		Value   string
	} // a client asks to write
	PutOk struct{ Request int }
	Get   struct{ Request int } // a client asks to read
	GetOk struct {
		Request int
		Value   string
	}
)

// The messages between servers.
type (
	Prepare  struct{ Ballot Ballot } // phase 1a
	Prepared struct {
		Ballot Ballot
		Last   Accept
	} // phase 1b
	AcceptThis struct {
		Ballot   Ballot
		Proposal Proposal
	} // phase 2a
	Accepted    struct{ Ballot Ballot } // phase 2b
	DecidedThat struct {
		Ballot   Ballot
		Proposal Proposal
	} // what was chosen
)

func (Put) body()         {}
func (PutOk) body()       {}
func (Get) body()         {}
func (GetOk) body()       {}
func (Prepare) body()     {}
func (Prepared) body()    {}
func (AcceptThis) body()  {}
func (Accepted) body()    {}
func (DecidedThat) body() {}
