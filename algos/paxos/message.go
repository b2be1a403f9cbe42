package paxos

import (
	"strconv"

	"github.com/caulk-go/caulk/model"
)

// Message is a message of a round between two agents.
type Message = model.Message[Body]

// Body is what a message says: Prepare, Promise, Accept or Accepted.
type Body interface {
	model.Detailer // the round, as in n=1
}

// The messages, in the order in which a round sends them.
type (
	// Prepare asks for a promise to take part in a round.
	Prepare struct{ N int }

	// Promise says that the sender takes part.
	Promise struct {
		N     int
		Value *string // what the sender had accepted before; nil for nothing
	}

	// Accept asks to accept the value that won.
	Accept struct {
		N     int
		Value string
	}

	// Accepted says that the sender has.
	Accepted struct{ N int }
)

// Detail is the round, as in n=1.
func (m Prepare) Detail() string { return round(m.N) }

// Detail is the round, as in n=1.
func (m Promise) Detail() string { return round(m.N) }

// Detail is the round, as in n=1.
func (m Accept) Detail() string { return round(m.N) }

// Detail is the round, as in n=1.
func (m Accepted) Detail() string { return round(m.N) }

func round(n int) string { return "n=" + strconv.Itoa(n) }
