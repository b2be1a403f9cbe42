// Package tracelog is the format of what a node did: it writes and reads the
// traces of running agents, and knows nothing of what they mean.
//
// A node writes JSON, an object a line, to agent-N.jsonl in its trace folder.
// When that file is full, and whenever the node starts, the file is renamed to
// agent-N.K.jsonl, with a K greater than any before, and a new one begins. So
// the files of an agent in order of K, and then the one without K, are its
// lives in order; the oldest files are removed as new ones come.
//
// # Steps
//
// Each start of a node's process is one incarnation, counted from 0 and never
// used twice by an agent. The steps of an incarnation are numbered 1, 2, 3 and
// so on: its seq. The first is how the agent came into the world: begin, wipe or
// restart. Every step is one atomic move of the model, and is followed by the
// next without a gap; a file that lacks one was tampered with.
//
// Steps may be undone. A step is done if a [Commit] of its incarnation says its
// seq or a greater one, or if a restart that follows says so in Durable. All
// others were rolled back: the process died before they were durable. For
// everybody else they did not happen, since what a step sends leaves the node
// only after a Commit line that covers it was written. A done step is never
// undone later. A step that is not yet done is in flight only: at the end of a
// trace that breaks off, it may or may not have been done.
//
// # References
//
// A message has a name: the agent, incarnation and seq of the step that sent
// it, and its index among what that step sent, counted from 0. A delivery says
// the name of what was delivered, so that it can be checked that it was sent,
// to whom and how often. A message from a client, an ID outside the population,
// has none: nobody recorded its sending. Messages to such an ID are answers to
// clients, and no step receives them.
//
// # Bytes
//
// States and bodies are in the canonical encoding, as base64. A state is
// told apart by its [Digest], which depends on the fingerprint of its type, too.
//
// Names are a contract: fields are added, never renamed; a reader ignores what
// it does not know.
package tracelog

import (
	"crypto/sha256"
	"encoding/hex"

	"github.com/caulk-go/caulk/model"
	"github.com/caulk-go/caulk/trace"
)

// Schema is the name of the format.
const Schema = "caulk/trace/v1"

// Line is one line of a trace. Exactly one field is set.
type Line struct {
	Head   *Head   `json:"head,omitempty"`
	Step   *Step   `json:"step,omitempty"`
	Commit *Commit `json:"commit,omitempty"`
	Stop   *Stop   `json:"stop,omitempty"`
	Panic  *Panic  `json:"panic,omitempty"`
}

// Point is a place in the life of an agent: the steps of the incarnation up to
// and including seq. A Seq of 0 is before its first step.
type Point struct {
	Agent       model.ID `json:"agent"`
	Incarnation int      `json:"incarnation"`
	Seq         int      `json:"seq"`
}

// Head is the first line of each file, and no other: which system this is, and
// where the agent was when the file began. The next Step is that of Seq+1.
type Head struct {
	Schema  string        `json:"schema"`
	Setting trace.Setting `json:"setting"` // faults are those that this run permits
	Point
	States   string `json:"states"`   // fingerprint of the type of the agent's states
	Messages string `json:"messages"` // fingerprint of the type of the messages' bodies

	// State is the agent's whole state after Seq. It is empty if Seq is 0: then
	// the next step makes a new one.
	State []byte `json:"state,omitempty"`

	// Kept is what the node found on its disk, if the next step is a restart:
	// what the agent persisted, as a state. It is empty otherwise.
	Kept []byte `json:"kept,omitempty"`

	At int64 `json:"at"` // by the node's clock, in microseconds since 1970; of no consequence
}

// The moves of steps. Begin, Wipe and Restart are the first of an incarnation,
// and nothing else is.
const (
	Begin   = "begin"   // a new agent: Fresh with incarnation 0, and then Start with Value, if there is one
	Wipe    = "wipe"    // an agent that lost everything: Fresh with the incarnation, if it asks for it
	Restart = "restart" // an agent anew from what it kept: Restart with the incarnation, if it asks for it
	Start   = "start"   // an agent handed Value from outside, later than at its beginning
	Deliver = "deliver" // Message is received
	Act     = "act"     // the own action named Action
)

// Step is one step that an agent made, and all that came of it.
type Step struct {
	Point
	Move    string    `json:"move"`
	Action  string    `json:"action,omitempty"`  // of an act
	Value   *string   `json:"value,omitempty"`   // of a start; of a begin, if the agent was started
	Message *Received `json:"message,omitempty"` // of a deliver

	// Kept is, of a restart, the digest of what the node found on its disk;
	// Durable is the last step of which its disk knew. Steps of that incarnation
	// up to Durable are done, even without a Commit. Commits may cover later
	// steps: those changed nothing that persists.
	Kept    string `json:"kept,omitempty"`
	Durable *Point `json:"durable,omitempty"`

	Before string `json:"before,omitempty"` // digest of the state before; empty for the first of an incarnation
	After  string `json:"after"`            // digest of the state after
	Sent   []Sent `json:"sent,omitempty"`   // in the order of sending; the sender is the agent

	At int64 `json:"at"` // as in Head
}

// Received is a message that was delivered.
type Received struct {
	From model.ID `json:"from"`          // beyond the population: a client
	Ref  *Ref     `json:"ref,omitempty"` // nil from a client
	Body []byte   `json:"body"`
	Text string   `json:"text"` // the message's label, for readers; of no consequence
}

// Sent is a message that was sent.
type Sent struct {
	To   model.ID `json:"to"` // beyond the population: an answer to a client
	Body []byte   `json:"body"`
	Text string   `json:"text"` // as in Received
}

// Ref names a message by its sending: the Index-th, from 0, that the step at
// the Point sent.
type Ref struct {
	Point
	Index int `json:"index"`
}

// Commit says that the steps of the incarnation up to Seq are durable, and that
// what they sent may leave. It stands after all of them.
type Commit struct {
	Point
	At int64 `json:"at"` // as in Head
}

// Stop is the last line of a node that was stopped in good order: all its steps
// are done.
type Stop struct {
	Point
	At int64 `json:"at"` // as in Head
}

// Panic is the last line of a crash log: the step after Seq, in which the
// agent's code panicked, or another panic that ended the process.
type Panic struct {
	Point
	Move    string    `json:"move,omitempty"` // empty if no handler panicked
	Action  string    `json:"action,omitempty"`
	Value   *string   `json:"value,omitempty"`
	Message *Received `json:"message,omitempty"`
	Reason  string    `json:"reason"`
	Stack   string    `json:"stack"`
	At      int64     `json:"at"` // as in Head
}

// At is where in the agent's life a line belongs. Of a Line without any field
// set it is zero.
func (l Line) At() Point {
	switch {
	case l.Head != nil:
		return l.Head.Point
	case l.Step != nil:
		return l.Step.Point
	case l.Commit != nil:
		return l.Commit.Point
	case l.Stop != nil:
		return l.Stop.Point
	case l.Panic != nil:
		return l.Panic.Point
	}
	return Point{}
}

// First says whether a move is how an agent comes into the world: the first
// step of an incarnation.
func First(move string) bool { return move == Begin || move == Wipe || move == Restart }

// Digest tells a state apart: the first 128 bits, in hexadecimal, of the
// SHA-256 of the fingerprint of its type, a newline, and its canonical encoding.
func Digest(fingerprint string, encoding []byte) string {
	h := sha256.New()
	h.Write([]byte(fingerprint + "\n"))
	h.Write(encoding)
	var sum [sha256.Size]byte
	return hex.EncodeToString(h.Sum(sum[:0])[:16])
}
