package synod

import (
	"cmp"
	"fmt"

	"github.com/caulk-go/caulk/model"
)

// Message is a message of a round between two agents.
type Message = model.Message[Body]

// Body is what a message says.
type Body interface {
	model.Detailer // the round, as in n=1
}

// The messages, in the order in which a round sends them.
type (
	// Prepare asks an acceptor to take part in a round, and in none before it.
	Prepare struct{ N int }

	// Promise says that it does, and what it has accepted, if anything.
	Promise struct {
		N        int
		Accepted Proposal
	}

	// Accept asks an acceptor to accept a proposal.
	Accept Proposal

	// Accepted says that it has.
	Accepted struct{ N int }

	// Outdated refuses a Prepare or an Accept: the acceptor takes part in a later
	// round by now.
	Outdated struct{ N, Latest int }
)

// Proposal is a value that is proposed in a round. The zero proposal is none.
type Proposal struct {
	N     int
	Value string
}

// Detail is the round, as in n=1.
func (m Prepare) Detail() string { return round(m.N) }

// Detail is the round, as in n=1.
func (m Promise) Detail() string { return round(m.N) }

// Detail is the round, as in n=1.
func (m Accept) Detail() string { return round(m.N) }

// Detail is the round, as in n=1.
func (m Accepted) Detail() string { return round(m.N) }

// Detail is the round that is refused, as in n=1.
func (m Outdated) Detail() string { return round(m.N) }

func round(n int) string { return fmt.Sprintf("n=%d", n) }

// later is the proposal of the later round. Two of one round are equal, unless
// an acceptor is broken; then it is the value that is later in the alphabet.
func later(p, q Proposal) Proposal {
	if cmp.Or(cmp.Compare(p.N, q.N), cmp.Compare(p.Value, q.Value)) < 0 {
		return q
	}
	return p
}
