package raft

import (
	"fmt"

	"github.com/caulk-go/caulk/model"
)

// Message is a message between servers.
type Message = model.Message[Body]

// Body is what a message says. Each carries its sender's term.
type Body interface {
	body()
	term() int
}

// The messages: the two RPCs of the paper's figure 2, each with its answer.
// Who would answer no says nothing.
type (
	// RequestVote is from a candidate: where its log ends.
	RequestVote struct{ Term, LastIndex, LastTerm int }

	// Vote is to a candidate: the sender votes for it.
	Vote struct{ Term int }

	// AppendEntries is from a leader: its log, and how much of it is committed.
	AppendEntries struct {
		Term   int
		Log    []Entry
		Commit int
	}

	// Appended is to a leader: the sender's log begins with so many of the
	// leader's entries.
	Appended struct{ Term, Match int }
)

func (RequestVote) body()   {}
func (Vote) body()          {}
func (AppendEntries) body() {}
func (Appended) body()      {}

func (m RequestVote) term() int   { return m.Term }
func (m Vote) term() int          { return m.Term }
func (m AppendEntries) term() int { return m.Term }
func (m Appended) term() int      { return m.Term }

// Detail is the term: t=2.
func (m RequestVote) Detail() string { return fmt.Sprintf("t=%d", m.Term) }

// Detail is the term: t=2.
func (m Vote) Detail() string { return fmt.Sprintf("t=%d", m.Term) }

// Detail is the term and the log, as a label shows it: t=3 [1,3*].
func (m AppendEntries) Detail() string { return fmt.Sprintf("t=%d %s", m.Term, show(m.Log, m.Commit)) }

// Detail is the term, and how much of the leader's log is there: t=3 match=1.
func (m Appended) Detail() string { return fmt.Sprintf("t=%d match=%d", m.Term, m.Match) }
