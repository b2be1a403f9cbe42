package raft

import (
	"slices"

	"github.com/caulk-go/caulk/model"
)

// timeout begins an election (5.2): the server enters a new term, votes for
// itself, and asks the other members to.
func (r server) timeout(s Server) (Server, []Message, bool) {
	term := s.Term + 1
	for !r.stands(s.Self, term) {
		term++
	}
	enabled := s.Role != Leader && term <= r.terms && int(s.Self) <= r.candidates && slices.Contains(r.members(s.Log), s.Self)
	s = s.enter(term)
	s.Role, s.VotedFor, s.Votes = Candidate, s.Self, model.IDSet{s.Self: true}
	return s, r.tell(s, RequestVote{term, len(s.Log), lastTerm(s.Log)}), enabled
}

// stands says whether an agent is among the rivals of a term: they take turns.
// It is a bound, not part of Raft, in which any server may stand in any term.
func (r server) stands(id model.ID, term int) bool {
	return (int(id)+r.candidates*term-term)%r.candidates < r.rivals
}

// vote gives its one vote of the term (5.2) to a candidate whose log is at least
// as up-to-date as its own (5.4.1).
func (s Server) vote(candidate model.ID, b RequestVote) (Server, []Message) {
	free := s.VotedFor == 0 || s.VotedFor == candidate
	upToDate := b.LastTerm > lastTerm(s.Log) || b.LastTerm == lastTerm(s.Log) && b.LastIndex >= len(s.Log)
	if !free || !upToDate {
		return s, nil
	}
	s.VotedFor = candidate
	return s, []Message{{To: candidate, Body: Vote{s.Term}}}
}

// count counts a vote. By those of a majority the candidate leads.
func (r server) count(s Server, from model.ID) (Server, []Message) {
	if s.Role != Candidate {
		return s, nil
	}
	s.Votes = s.Votes.With(from)
	if !r.majority(s.Log, func(id model.ID) bool { return s.Votes[id] }) {
		return s, nil
	}
	s.Role, s.Votes, s.Match = Leader, nil, map[model.ID]int{}
	if r.removable > 0 && len(s.Log) < r.entries {
		s.Log = append(slices.Clone(s.Log), Entry{Term: s.Term}) // the no-op of section 8
	}
	return s, r.replicate(s)
}

func lastTerm(log []Entry) int {
	if len(log) == 0 {
		return 0
	}
	return log[len(log)-1].Term
}
