package raft

import (
	"fmt"
	"slices"
	"strings"

	"github.com/caulk-go/caulk/model"
)

// Server is the state of a server: the paper's figure 2. Entry i of the log is
// Log[i-1]; there is no entry 0.
type Server struct {
	Self model.ID

	// On disk.
	Term     int
	VotedFor model.ID // in this term; 0: nobody
	Log      []Entry

	// In memory.
	Role   Role
	Commit int              // so many entries are known to be committed
	Votes  model.IDSet      // a candidate's: who votes for it
	Match  map[model.ID]int // a leader's: how much of its log is known to be on another
}

// Entry is one of a log. What a client wants done is left out: since a term has
// one leader, index and term tell entries apart.
type Entry struct {
	Term    int
	Members []model.ID // where the entry changes who the members are: the new ones
}

// Role is what a server is in its term.
type Role int

// The roles.
const (
	Follower Role = iota
	Candidate
	Leader
)

// server is the behaviour of a server.
type server struct {
	bounds
	holes
}

// bounds are what makes the system finite.
type bounds struct {
	agents     int
	candidates int // agents 1 to so many stand for election
	rivals     int // so many of them in one term
	terms      int // nobody begins a later one
	entries    int // no log grows longer
	removable  int // agents 1 to so many can be removed and added again; 0: the members are fixed
}

// holes are what the broken twins get wrong; each is read in one place.
type holes struct {
	countsOldTerms bool // raft-oldterm
	forgetsVote    bool // raft-forgetsvote
	changesEarly   bool // raft-reconfig
}

func (server) Fresh(self model.ID, _ []model.ID, _ int) (Server, []Message) {
	return Server{Self: self}, nil
}

// Persist keeps what must be on disk before a server answers.
func (r server) Persist(s Server) Server {
	kept := Server{Self: s.Self, Term: s.Term, VotedFor: s.VotedFor, Log: s.Log}
	if r.forgetsVote {
		kept.VotedFor = 0 // the hole: it can vote again, in the same term
	}
	return kept
}

// Restart begins as a follower.
func (server) Restart(_ model.ID, _ []model.ID, _ int, kept Server) (Server, []Message) {
	return kept, nil
}

// Receive enters the message's term if that is later than the server's, and
// ignores a message of an earlier one (5.1).
func (r server) Receive(s Server, m Message) (Server, []Message) {
	if term := m.Body.term(); term > s.Term {
		s = s.enter(term)
	} else if term < s.Term {
		return s, nil
	}
	switch b := m.Body.(type) {
	case RequestVote:
		return s.vote(m.From, b)
	case Vote:
		return r.count(s, m.From)
	case AppendEntries:
		return s.follow(m.From, b)
	case Appended:
		return r.stored(s, m.From, b), nil
	}
	return s, nil
}

// enter begins a term, as a follower that has not voted.
func (s Server) enter(term int) Server {
	return Server{Self: s.Self, Term: term, Log: s.Log, Commit: s.Commit}
}

// Actions are an election timeout and, for a leader, what it is asked to do.
func (r server) Actions() []model.Action[Server, Body] {
	actions := []model.Action[Server, Body]{{Name: "timeout", Kind: model.Timer, Do: r.timeout}}
	if r.removable == 0 {
		return append(actions, model.Action[Server, Body]{Name: "request", Kind: model.Input, Do: r.request})
	}
	for id := model.ID(1); int(id) <= r.removable; id++ {
		actions = append(actions,
			model.Action[Server, Body]{Name: fmt.Sprintf("remove(%d)", id), Kind: model.Input, Do: r.remove(id)},
			model.Action[Server, Body]{Name: fmt.Sprintf("add(%d)", id), Kind: model.Input, Do: r.add(id)})
	}
	return actions
}

// tell sends to every other member.
func (r server) tell(s Server, body Body) []Message {
	var sent []Message
	for _, id := range r.members(s.Log) {
		if id != s.Self {
			sent = append(sent, Message{To: id, Body: body})
		}
	}
	return sent
}

// Label is the role, the term, and the log: L3[1,3*].
func (server) Label(s Server) string {
	return fmt.Sprintf("%c%d%s", "FCL"[s.Role], s.Term, show(s.Log, s.Commit))
}

// show is a log by its entries' terms, with a star behind the last that is known
// to be committed, and the members where they change: [1,2:134*].
func show(log []Entry, commit int) string {
	var b strings.Builder
	for i, e := range log {
		if i > 0 {
			b.WriteByte(',')
		}
		fmt.Fprint(&b, e.Term)
		if e.Members != nil {
			b.WriteByte(':')
		}
		for _, id := range e.Members {
			fmt.Fprint(&b, id)
		}
		if i+1 == commit {
			b.WriteByte('*')
		}
	}
	return "[" + b.String() + "]"
}

// begins says whether a log begins with another.
func begins(log, other []Entry) bool {
	return len(log) >= len(other) && slices.EqualFunc(log[:len(other)], other, func(a, b Entry) bool {
		return a.Term == b.Term && slices.Equal(a.Members, b.Members)
	})
}
