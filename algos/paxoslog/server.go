package paxoslog

import (
	"fmt"
	"slices"

	"github.com/caulk-go/caulk/model"
)

// Server is the state of a server: acceptor, proposer, and the store.
type Server struct {
	Self model.ID

	// On disk.
	Promised int      // the latest round that it takes part in
	Accepted Proposal // for the slot after its log
	Base     int      // slots at the beginning that are in no log any more
	Log      []Batch  // the slots after those that are decided, without gaps
	Store    Store    // what they come to

	// Of the round that it leads or wants to lead; lost when it restarts.
	Round    int         // 0: none
	Best     Proposal    // phase 1: the latest proposal that a promise reports for the next slot
	Leads    bool        // phase 2
	Proposed Batch       // for the next slot; none while there is nothing to do
	Answers  model.IDSet // who has promised, or accepted it
	Waiting  Batch       // calls that are in no slot yet
}

// server is the behaviour of a server, and what the broken twins get wrong.
type server struct {
	servers, rounds int
	keep            int  // slots of the log; 0: all
	timer           bool // it acts when nothing has come for a while

	forgetsIndex bool // mark7-twice
	local        bool // mark7-localread
}

func (server) Fresh(self model.ID, _ []model.ID, _ int) (Server, []Message) {
	return Server{Self: self}, nil
}

// Persist gives what is on disk.
func (r server) Persist(s Server) Server {
	kept := Server{Promised: s.Promised, Accepted: s.Accepted, Base: s.Base, Log: s.Log, Store: s.Store}
	if r.forgetsIndex {
		kept.Store.Applied, kept.Store.Done = s.Base, nil // the hole: the store does not say what is in it
	}
	return kept
}

// Restart brings the store up to the log.
func (r server) Restart(self model.ID, _ []model.ID, _ int, kept Server) (Server, []Message) {
	kept.Self = self
	for kept.Store.Applied < kept.slots() {
		kept.Store = kept.Store.apply(kept.Log[kept.Store.Applied-kept.Base])
	}
	return kept, nil
}

func (r server) Receive(s Server, m Message) (Server, []Message) {
	switch b := m.Body.(type) {
	case Ask:
		return r.ask(s, Request{m.From, b.Number, b.Call})
	case Prepare:
		return r.promise(s, m.From, b)
	case Promise:
		return r.promised(s, m.From, b)
	case Accept:
		return r.accept(s, m.From, b)
	case Accepted:
		return r.accepted(s, m.From, b)
	case Decided:
		if b.Slot == s.slots() {
			return r.decided(s, b.Batch), nil
		}
	case Lack:
		if b.Slots < s.slots() {
			return s, []Message{{To: m.From, Body: s.missed(b.Slots)}}
		}
	case Missed:
		return r.learn(s, b), nil
	}
	return s, nil
}

// ask takes in a client's call: one that was done is answered from memory; any
// other goes into a slot, and a server that does not lead wants to.
func (r server) ask(s Server, q Request) (Server, []Message) {
	if done := s.Store.Done[q.Client]; done.Number >= q.Number {
		return s, []Message{{To: q.Client, Body: done}}
	}
	if r.local && q.Call.Op == Read && s.Leads {
		return s, []Message{{To: q.Client, Body: Answer{q.Number, s.Store.Values[q.Call.Key]}}} // the hole: it may lead no more
	}
	given := func(w Request) bool { return w.Client == q.Client } // up: a client has one call at a time
	s.Waiting = append(slices.DeleteFunc(slices.Clone(s.Waiting), given), q)
	switch {
	case s.Leads:
		return r.propose(s)
	case s.Round == 0:
		return r.campaign(s)
	}
	return s, nil
}

// campaign begins the server's first round after all that it knows of (phase 1).
func (r server) campaign(s Server) (Server, []Message) {
	next := s.Promised + 1 + ((int(s.Self)-1-s.Promised)%r.servers+r.servers)%r.servers
	if next > r.rounds {
		return s, nil
	}
	s = s.join(next)
	s.Round, s.Best = next, s.Accepted
	s.Answers = model.IDSet{s.Self: true}
	return s, r.tell(s.Self, Prepare{next, s.slots()})
}

// Actions: what a server does when nothing has come for a while.
func (r server) Actions() []model.Action[Server, Body] {
	if !r.timer {
		return nil
	}
	return []model.Action[Server, Body]{{Name: "timeout", Kind: model.Timer, Do: func(s Server) (Server, []Message, bool) {
		switch {
		case s.Leads && len(s.Answers) == 0:
			return s, nil, false // there is nothing to do
		case s.Round > 0 || len(s.Waiting) > 0:
			s, sent := r.campaign(s)
			return s, sent, true
		}
		return s, r.tell(s.Self, Lack{s.slots()}), true
	}}}
}

// promise takes part in a round, unless it takes part in a later one.
func (r server) promise(s Server, from model.ID, b Prepare) (Server, []Message) {
	if b.N <= s.Promised {
		return s, nil
	}
	s = s.join(b.N)
	p := Promise{b.N, s.missed(b.Slots), s.Accepted}
	if b.Slots > s.slots() {
		p.Accepted = Proposal{} // of a slot that the other knows
	}
	return s, []Message{{To: from, Body: p}}
}

// promised counts a promise, and learns the slots that it brings. With a majority
// the server leads: it proposes what was accepted in the latest round for the next
// slot, if anything was.
func (r server) promised(s Server, from model.ID, b Promise) (Server, []Message) {
	if b.N != s.Round || s.Leads {
		return s, nil
	}
	s = r.learn(s, b.Missed)
	if b.Missed.First+len(b.Missed.Log) == s.slots() && b.Accepted.N > s.Best.N {
		s.Best = b.Accepted
	}
	s.Answers = s.Answers.With(from)
	if len(s.Answers) <= r.servers/2 {
		return s, nil
	}
	s.Leads, s.Proposed, s.Answers = true, s.Best.Batch, nil
	s.Best = Proposal{}
	return r.propose(s)
}

// propose asks the others to accept a batch for the next slot (phase 2): what
// must be proposed there, or else all calls that wait.
func (r server) propose(s Server) (Server, []Message) {
	if len(s.Answers) > 0 {
		return s, nil // one slot after the other
	}
	if len(s.Proposed) == 0 {
		s.Proposed, s.Waiting = s.Waiting, nil
	}
	if len(s.Proposed) == 0 {
		return s, nil
	}
	s.Accepted, s.Answers = Proposal{s.Round, s.Proposed}, model.IDSet{s.Self: true}
	return s, r.tell(s.Self, Accept{s.Round, s.slots(), s.Proposed})
}

// accept accepts a batch, unless the server takes part in a later round or has
// another slot to fill.
func (r server) accept(s Server, from model.ID, b Accept) (Server, []Message) {
	if b.N < s.Promised || b.Slot != s.slots() {
		return s, nil
	}
	s = s.join(b.N)
	s.Accepted = Proposal{b.N, b.Batch}
	return s, []Message{{To: from, Body: Accepted{b.N, b.Slot}}}
}

// accepted counts who has accepted. What a majority has is decided: it is applied,
// the others are told, and the clients get their answers.
func (r server) accepted(s Server, from model.ID, b Accepted) (Server, []Message) {
	if !s.Leads || b.N != s.Round || b.Slot != s.slots() || len(s.Proposed) == 0 {
		return s, nil
	}
	s.Answers = s.Answers.With(from)
	if len(s.Answers) <= r.servers/2 {
		return s, nil
	}
	batch := s.Proposed
	sent := r.tell(s.Self, Decided{s.slots(), batch})
	s = r.decided(s, batch)
	s.Proposed, s.Answers = nil, nil
	for _, q := range batch {
		if done := s.Store.Done[q.Client]; done.Number == q.Number {
			sent = append(sent, Message{To: q.Client, Body: done})
		}
	}
	s, more := r.propose(s)
	return s, append(sent, more...)
}

// join takes part in a round, and leads no more in one before it.
func (s Server) join(n int) Server {
	if n > s.Promised {
		s.Promised, s.Round, s.Leads, s.Best, s.Proposed, s.Answers = n, 0, false, Proposal{}, nil, nil
	}
	return s
}

func (r server) tell(self model.ID, body Body) []Message {
	var sent []Message
	for id := model.ID(1); int(id) <= r.servers; id++ {
		if id != self {
			sent = append(sent, Message{To: id, Body: body})
		}
	}
	return sent
}

// Label is the round that the server takes part in, M where it is the master and C
// where it wants to be, and its value.
func (server) Label(s Server) string {
	role := ""
	switch {
	case s.Leads:
		role = "M"
	case s.Round > 0:
		role = "C"
	}
	return fmt.Sprintf("%d%s[%s] ", s.Promised, role, s.Store.Values[""])
}
