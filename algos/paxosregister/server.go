package paxosregister

import (
	"fmt"
	"maps"
	"slices"

	"github.com/caulk-go/caulk/model"
)

// Server is the state of a server: proposer, acceptor and learner in one.
type Server struct {
	Self     model.ID
	Ballot   Ballot              // the greatest that it has seen
	Proposal Proposal            // as proposer: what it tries to have chosen
	Prepares map[model.ID]Accept // who has prepared its ballot, and what they had accepted before
	Accepts  model.IDSet         // who has accepted its proposal
	Accepted Accept              // as acceptor: what it accepted last
	Decided  bool
}

// server is one of three.
type server struct{}

const (
	servers  = 3
	majority = 2
)

func (server) Fresh(self model.ID, _ []model.ID, _ int) (Server, []Message) {
	return Server{Self: self}, nil
}

func (server) Receive(s Server, m Message) (Server, []Message) {
	if s.Decided {
		if get, ok := m.Body.(Get); ok {
			return s, []Message{{To: m.From, Body: GetOk{get.Request, s.Accepted.Proposal.Value}}}
		}
		return s, nil
	}
	switch b := m.Body.(type) {
	case Put:
		return s.propose(m.From, b)
	case Prepare:
		if s.Ballot.compare(b.Ballot) < 0 {
			s.Ballot = b.Ballot
			return s, []Message{{To: m.From, Body: Prepared{b.Ballot, s.Accepted}}}
		}
	case Prepared:
		if s.Ballot == b.Ballot {
			return s.prepared(m.From, b.Last)
		}
	case AcceptThis:
		if s.Ballot.compare(b.Ballot) <= 0 {
			s.Ballot = b.Ballot
			s.Accepted = Accept(b)
			return s, []Message{{To: m.From, Body: Accepted{b.Ballot}}}
		}
	case Accepted:
		if s.Ballot == b.Ballot {
			return s.accepted(m.From)
		}
	case DecidedThat:
		s.Ballot, s.Accepted, s.Decided = b.Ballot, Accept(b), true
	}
	return s, nil
}

// propose begins phase 1 for a client's value, unless it has begun already.
func (s Server) propose(client model.ID, put Put) (Server, []Message) {
	if s.Proposal != (Proposal{}) {
		return s, nil
	}
	s.Proposal = Proposal{put.Request, client, put.Value}
	s.Ballot = Ballot{s.Ballot.Round + 1, s.Self}
	s.Prepares = map[model.ID]Accept{s.Self: s.Accepted} // it prepares its own ballot at once
	s.Accepts = nil
	return s, s.tellPeers(Prepare{s.Ballot})
}

// prepared counts who has prepared. A majority begins phase 2, with what was
// accepted by the greatest ballot, or else its own proposal.
func (s Server) prepared(from model.ID, last Accept) (Server, []Message) {
	s.Prepares = maps.Clone(s.Prepares)
	s.Prepares[from] = last
	if len(s.Prepares) != majority {
		return s, nil
	}
	accepted := slices.SortedFunc(maps.Values(s.Prepares), Accept.compare)
	best := accepted[len(accepted)-1]
	if best != (Accept{}) {
		s.Proposal = best.Proposal
	}
	s.Accepted = Accept{s.Ballot, s.Proposal} // it accepts its own proposal at once
	s.Accepts = s.Accepts.With(s.Self)
	return s, s.tellPeers(AcceptThis{s.Ballot, s.Proposal})
}

// accepted counts who has accepted. A majority has chosen.
func (s Server) accepted(from model.ID) (Server, []Message) {
	s.Accepts = s.Accepts.With(from)
	if len(s.Accepts) != majority {
		return s, nil
	}
	s.Decided = true
	sent := s.tellPeers(DecidedThat{s.Ballot, s.Proposal})
	return s, append(sent, Message{To: s.Proposal.Client, Body: PutOk{s.Proposal.Request}})
}

func (s Server) tellPeers(body Body) []Message {
	var sent []Message
	for id := model.ID(1); id <= servers; id++ {
		if id != s.Self {
			sent = append(sent, Message{To: id, Body: body})
		}
	}
	return sent
}

// Label is the round, with p while the server has a proposal, a once it has
// accepted something, and d once it knows what was chosen: 1pa.
func (server) Label(s Server) string {
	label := fmt.Sprint(s.Ballot.Round)
	switch {
	case s.Decided:
		return label + "d"
	case s.Proposal != (Proposal{}):
		label += "p"
	}
	if s.Accepted != (Accept{}) {
		label += "a"
	}
	return label
}
