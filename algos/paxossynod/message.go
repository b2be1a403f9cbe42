package paxossynod

import (
	"cmp"
	"fmt"

	"github.com/caulk-go/caulk/model"
)

// Message is a message between a proposer and an acceptor.
type Message = model.Message[Body]

// Body is what a message says.
type Body interface{ body() }

// The messages of the two phases, each with its answer. Who would refuse says nothing.
type (
	// Prepare asks an acceptor to promise a ballot.
	Prepare struct{ Ballot int }

	// Promise is the answer, with what the acceptor has accepted, if anything.
	Promise struct {
		Ballot   int
		Accepted Proposal
	}

	// Accept asks an acceptor to accept a proposal.
	Accept Proposal

	// Accepted is the answer.
	Accepted struct{ Ballot int }
)

// Proposal is a value that is proposed in a ballot. The zero proposal is none.
type Proposal struct {
	Ballot int
	Value  string
}

func (Prepare) body()  {}
func (Promise) body()  {}
func (Accept) body()   {}
func (Accepted) body() {}

// Detail is the ballot: n=2.
func (m Prepare) Detail() string { return fmt.Sprintf("n=%d", m.Ballot) }

// Detail is the ballot, and the proposal that was accepted: n=3 1x.
func (m Promise) Detail() string { return fmt.Sprintf("n=%d %s", m.Ballot, m.Accepted) }

// Detail is the ballot and the value: n=2 x.
func (m Accept) Detail() string { return fmt.Sprintf("n=%d %s", m.Ballot, m.Value) }

// Detail is the ballot: n=2.
func (m Accepted) Detail() string { return fmt.Sprintf("n=%d", m.Ballot) }

// compare orders proposals by ballot, then by value.
func (p Proposal) compare(q Proposal) int {
	return cmp.Or(cmp.Compare(p.Ballot, q.Ballot), cmp.Compare(p.Value, q.Value))
}

// String is the ballot and the value, 2x; a dash for none.
func (p Proposal) String() string {
	if p == (Proposal{}) {
		return "-"
	}
	return fmt.Sprintf("%d%s", p.Ballot, p.Value)
}
