package paxossynod

import (
	"cmp"
	"fmt"

	"github.com/caulk-go/caulk/model"
)

// Proposer is the state of a proposer.
type Proposer struct {
	Self     model.ID
	Begun    int         // its latest ballot; 0: none. On disk, so that it begins none twice
	Ballot   int         // the same, until a restart; then 0: it is abandoned
	Best     Proposal    // phase 1: the proposal of the latest ballot that a promise reports
	Proposed string      // phase 2: the value that it proposes; empty in phase 1
	Answers  model.IDSet // who has promised; in phase 2, who has accepted
	Learned  bool        // that a majority has
}

// proposer is the behaviour of a proposer. The acceptors are agents 1 to
// acceptors, the proposers those after them.
type proposer struct {
	acceptors, proposers, ballots int
	learns                        bool // it counts who accepts
}

func (proposer) Fresh(self model.ID, _ []model.ID, _ int) (Proposer, []Message) {
	return Proposer{Self: self}, nil
}

// Persist keeps the number of the latest ballot.
func (proposer) Persist(s Proposer) Proposer { return Proposer{Self: s.Self, Begun: s.Begun} }

// Restart abandons the ballot: who promised it, or what was proposed in it, is
// forgotten.
func (proposer) Restart(_ model.ID, _ []model.ID, _ int, kept Proposer) (Proposer, []Message) {
	return kept, nil
}

// Actions are the timer by which a proposer gives up and tries again.
func (r proposer) Actions() []model.Action[Proposer, Body] {
	return []model.Action[Proposer, Body]{{Name: "prepare", Kind: model.Timer, Do: r.prepare}}
}

// prepare is phase 1a: the proposer abandons its ballot, if any, for its next.
// Ballots are dealt out in turn, so that no two proposers have one in common.
func (r proposer) prepare(s Proposer) (Proposer, []Message, bool) {
	next := s.Begun + r.proposers
	if s.Begun == 0 {
		next = r.number(s.Self)
	}
	enabled := !s.Learned && next <= r.ballots
	s = Proposer{Self: s.Self, Begun: next, Ballot: next, Answers: model.IDSet{}}
	return s, r.tell(Prepare{next}), enabled
}

func (r proposer) Receive(s Proposer, m Message) (Proposer, []Message) {
	switch b := m.Body.(type) {
	case Promise:
		if b.Ballot == s.Ballot && s.Proposed == "" {
			return r.promised(s, m.From, b.Accepted)
		}
	case Accepted:
		if b.Ballot == s.Ballot && s.Proposed != "" && r.learns && !s.Learned {
			return r.accepted(s, m.From), nil
		}
	}
	return s, nil
}

// promised counts a promise. With those of a majority the proposer proposes
// (phase 2a): the value that was accepted in the latest ballot, or its own if
// they have accepted nothing.
func (r proposer) promised(s Proposer, from model.ID, reported Proposal) (Proposer, []Message) {
	if reported.compare(s.Best) > 0 { // those of one ballot are equal, unless an acceptor is broken
		s.Best = reported
	}
	s.Answers = s.Answers.With(from)
	if !r.majority(s.Answers) {
		return s, nil
	}
	value := cmp.Or(s.Best.Value, r.value(s.Self))
	s.Best, s.Proposed, s.Answers = Proposal{}, value, model.IDSet{}
	return s, r.tell(Accept{s.Ballot, value})
}

// accepted counts who has accepted, and learns what a majority has.
func (r proposer) accepted(s Proposer, from model.ID) Proposer {
	s.Answers = s.Answers.With(from)
	if s.Learned = r.majority(s.Answers); s.Learned {
		s.Answers = nil
	}
	return s
}

func (r proposer) majority(ids model.IDSet) bool { return len(ids) > r.acceptors/2 }

func (r proposer) tell(body Body) []Message {
	sent := make([]Message, r.acceptors)
	for i := range sent {
		sent[i] = Message{To: model.ID(i + 1), Body: body}
	}
	return sent
}

// number counts proposers from 1.
func (r proposer) number(id model.ID) int { return int(id) - r.acceptors }

// value is a proposer's own: a for the first, b for the second.
func (r proposer) value(id model.ID) string { return string(rune('a' + r.number(id) - 1)) }

// Label is I without a ballot; then P and the ballot, in phase 2 with the
// value, and a star once that is learned to be chosen: P1, P1a, P1a*.
func (proposer) Label(s Proposer) string {
	switch {
	case s.Ballot == 0:
		return "I"
	case s.Learned:
		return fmt.Sprintf("P%d%s*", s.Ballot, s.Proposed)
	}
	return fmt.Sprintf("P%d%s", s.Ballot, s.Proposed)
}
