package paxoslog

import (
	"fmt"

	"github.com/caulk-go/caulk/model"
)

// Message is a message between servers and clients.
type Message = model.Message[Body]

// Body is what a message says.
type Body interface{ model.Detailer }

// Request is a client's Number-th call.
type Request struct {
	Client model.ID
	Number int
	Call   Call
}

// Call is what a client asks of the store: to read the value of a key, to append to
// it, or to put another in its place.
type Call struct {
	Op         Op
	Key, Value string
}

// Op is what a call does.
type Op int

// The operations.
const (
	Read Op = iota
	Append
	Put
)

func (c Call) String() string {
	return []string{"read", "append " + c.Value, "put " + c.Value}[c.Op]
}

// Batch is what one slot of the log holds: the calls of several clients.
type Batch []Request

// Proposal is a batch that is proposed for a slot in a round. Without a round it is
// none.
type Proposal struct {
	N     int
	Batch Batch
}

// The messages.
type (
	// Ask is its sender's Number-th call.
	Ask struct {
		Number int
		Call   Call
	}

	// Answer is what the client gets: what it has read.
	Answer struct {
		Number int
		Read   string
	}

	// Prepare asks a server to take part in a round, and in none before it. The
	// sender knows so many slots.
	Prepare struct{ N, Slots int }

	// Promise says that it does: with the slots that the other lacks, and what it
	// has accepted for the slot after its own.
	Promise struct {
		N        int
		Missed   Missed
		Accepted Proposal
	}

	// Missed brings slots that another lacks.
	Missed struct {
		Store Store // what came before them, if that is in no log any more
		First int   // of the slots that follow, counted from 0
		Log   []Batch
	}

	// Lack asks for what was decided from that slot on.
	Lack struct{ Slots int }

	// Accept asks a server to accept a batch for a slot.
	Accept struct {
		N, Slot int
		Batch   Batch
	}

	// Accepted says that it has.
	Accepted struct{ N, Slot int }

	// Decided tells the others what a slot holds.
	Decided struct {
		Slot  int
		Batch Batch
	}
)

// Detail is the client's number of the call: r=1.
func (m Ask) Detail() string { return fmt.Sprintf("r=%d", m.Number) }

// Detail is the client's number of the call: r=1.
func (m Answer) Detail() string { return fmt.Sprintf("r=%d", m.Number) }

// Detail is the round: n=1.
func (m Prepare) Detail() string { return fmt.Sprintf("n=%d", m.N) }

// Detail is the round: n=1.
func (m Promise) Detail() string { return fmt.Sprintf("n=%d", m.N) }

// Detail is the round and the slot: n=1 s=0.
func (m Accept) Detail() string { return fmt.Sprintf("n=%d s=%d", m.N, m.Slot) }

// Detail is the round and the slot: n=1 s=0.
func (m Accepted) Detail() string { return fmt.Sprintf("n=%d s=%d", m.N, m.Slot) }

// Detail is the first slot: s=0.
func (m Missed) Detail() string { return fmt.Sprintf("s=%d", m.First) }

// Detail is the first slot that is asked for: s=0.
func (m Lack) Detail() string { return fmt.Sprintf("s=%d", m.Slots) }

// Detail is the slot: s=0.
func (m Decided) Detail() string { return fmt.Sprintf("s=%d", m.Slot) }
