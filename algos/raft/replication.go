package raft

import (
	"maps"
	"slices"

	"github.com/caulk-go/caulk/model"
)

// request appends what a client wants to the leader's log, and replicates it
// (5.3).
func (r server) request(s Server) (Server, []Message, bool) {
	enabled := s.Role == Leader && len(s.Log) < r.entries
	s.Log = append(slices.Clone(s.Log), Entry{Term: s.Term})
	return s, r.replicate(s), enabled
}

// replicate sends the log, if there is any.
func (r server) replicate(s Server) []Message {
	if len(s.Log) == 0 {
		return nil
	}
	return r.tell(s, AppendEntries{s.Term, s.Log, s.Commit})
}

// follow takes over the leader's log. Where the two conflict, its own ends;
// what the leader has not sent stays, for the message may be an old one (5.3).
func (s Server) follow(leader model.ID, b AppendEntries) (Server, []Message) {
	if s.Role == Leader {
		return s, nil // two leaders in a term: election safety is lost already
	}
	s.Role, s.Votes = Follower, nil
	if !begins(s.Log, b.Log) {
		s.Log = b.Log
	}
	s.Commit = max(s.Commit, b.Commit)
	return s, []Message{{To: leader, Body: Appended{s.Term, len(b.Log)}}}
}

// stored counts the servers that an entry is on. On a majority it is committed,
// and so are all before it; but only if it is of the leader's own term (5.4.2).
func (r server) stored(s Server, from model.ID, b Appended) Server {
	if s.Role != Leader || b.Match <= s.Match[from] {
		return s
	}
	s.Match = maps.Clone(s.Match)
	s.Match[from] = b.Match
	for n := s.Commit + 1; n <= len(s.Log); n++ {
		onMost := r.majority(s.Log, func(id model.ID) bool { return id == s.Self || s.Match[id] >= n })
		if onMost && (s.Log[n-1].Term == s.Term || r.countsOldTerms) {
			s.Commit = n
		}
	}
	return s
}
