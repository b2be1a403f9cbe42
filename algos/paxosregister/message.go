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

// Put is a client's request to write a value.
type Put struct {
	Request int
	Value   string
}

// PutOk tells the client that its value, or the one chosen before, is chosen.
type PutOk struct{ Request int }

// Get is a client's request to read.
type Get struct{ Request int }

// GetOk tells the client the value that is chosen.
type GetOk struct {
	Request int
	Value   string
}

// Prepare begins a ballot (phase 1a).
type Prepare struct{ Ballot Ballot }

// Prepared promises to accept nothing below the ballot, and tells what was
// accepted last (phase 1b).
type Prepared struct {
	Ballot Ballot
	Last   Accept
}

// AcceptThis asks to accept a proposal (phase 2a).
type AcceptThis struct {
	Ballot   Ballot
	Proposal Proposal
}

// Accepted says that the ballot's proposal is accepted (phase 2b).
type Accepted struct{ Ballot Ballot }

// DecidedThat tells what was chosen.
type DecidedThat struct {
	Ballot   Ballot
	Proposal Proposal
}

func (Put) body()         {}
func (PutOk) body()       {}
func (Get) body()         {}
func (GetOk) body()       {}
func (Prepare) body()     {}
func (Prepared) body()    {}
func (AcceptThis) body()  {}
func (Accepted) body()    {}
func (DecidedThat) body() {}
