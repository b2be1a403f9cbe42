package paxossynod

import (
	"fmt"
	"maps"

	"github.com/caulk-go/caulk/model"
)

// Acceptor is the state of an acceptor: all of it is on disk.
type Acceptor struct {
	Promised int      // the latest ballot that it has promised, or accepted in; 0: none
	Accepted Proposal // its latest vote

	// Votes are all that it ever accepted. That is for the properties: what a
	// majority has accepted is chosen, whatever becomes of those acceptors. No
	// handler reads it.
	Votes map[Proposal]bool
}

// acceptor is the behaviour of an acceptor, and what the broken twins get wrong:
// each hole is read in one place.
type acceptor struct {
	belowPromise bool // paxossynod-belowpromise
	promiseOnly  bool // paxossynod-promiseonly
	oneBallot    bool // paxossynod-oneballot
}

func (acceptor) Fresh(model.ID, []model.ID, int) (Acceptor, []Message) {
	return Acceptor{Votes: map[Proposal]bool{}}, nil
}

// Persist keeps all.
func (acceptor) Persist(s Acceptor) Acceptor { return s }

// Restart goes on where it was.
func (acceptor) Restart(_ model.ID, _ []model.ID, _ int, kept Acceptor) (Acceptor, []Message) {
	return kept, nil
}

func (r acceptor) Receive(s Acceptor, m Message) (Acceptor, []Message) {
	switch b := m.Body.(type) {
	case Prepare:
		return r.promise(s, m.From, b)
	case Accept:
		return r.accept(s, m.From, Proposal(b))
	}
	return s, nil
}

// promise is phase 1b: for a ballot later than any before, the acceptor promises
// to accept in no earlier one, and says what it has accepted.
func (r acceptor) promise(s Acceptor, proposer model.ID, b Prepare) (Acceptor, []Message) {
	if b.Ballot <= s.Promised {
		return s, nil
	}
	report := s.Accepted
	if r.oneBallot && report != (Proposal{}) {
		report.Ballot = s.Promised // the hole: not the ballot in which it accepted
	}
	s.Promised = b.Ballot
	return s, []Message{{To: proposer, Body: Promise{b.Ballot, report}}}
}

// accept is phase 2b: the acceptor accepts, unless it has promised a later
// ballot. To accept in a ballot is to promise it, too.
func (r acceptor) accept(s Acceptor, proposer model.ID, p Proposal) (Acceptor, []Message) {
	if p.Ballot < s.Promised && !r.belowPromise {
		return s, nil
	}
	if !r.promiseOnly {
		s.Promised = p.Ballot
	}
	s.Accepted = p
	s.Votes = maps.Clone(s.Votes)
	s.Votes[p] = true
	return s, []Message{{To: proposer, Body: Accepted{p.Ballot}}}
}

// Label is A, the ballot promised, and the proposal accepted: A2, A3(1a).
func (acceptor) Label(s Acceptor) string {
	if s.Accepted == (Proposal{}) {
		return fmt.Sprintf("A%d", s.Promised)
	}
	return fmt.Sprintf("A%d(%s)", s.Promised, s.Accepted)
}
