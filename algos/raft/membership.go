package raft

import (
	"slices"

	"github.com/caulk-go/caulk/model"
)

// members are those of the log's last change, committed or not; without a
// change, all agents.
func (r server) members(log []Entry) []model.ID {
	if at := lastChange(log); at > 0 {
		return log[at-1].Members
	}
	all := make([]model.ID, r.agents)
	for i := range all {
		all[i] = model.ID(i + 1)
	}
	return all
}

// lastChange is the index of a log's last change of members, 0 if there is none.
func lastChange(log []Entry) int {
	at := len(log)
	for at > 0 && log[at-1].Members == nil {
		at--
	}
	return at
}

// majority says whether most of the members belong.
func (r server) majority(log []Entry, belongs func(model.ID) bool) bool {
	members, n := r.members(log), 0
	for _, id := range members {
		if belongs(id) {
			n++
		}
	}
	return n > len(members)/2
}

// remove takes another server out of the members.
func (r server) remove(id model.ID) func(Server) (Server, []Message, bool) {
	return func(s Server) (Server, []Message, bool) {
		members := slices.Clone(r.members(s.Log))
		at, there := slices.BinarySearch(members, id)
		if !there || id == s.Self || !r.mayChange(s) {
			return s, nil, false
		}
		return r.change(s, slices.Delete(members, at, at+1))
	}
}

// add takes a server into the members again.
func (r server) add(id model.ID) func(Server) (Server, []Message, bool) {
	return func(s Server) (Server, []Message, bool) {
		members := slices.Clone(r.members(s.Log))
		at, there := slices.BinarySearch(members, id)
		if there || !r.mayChange(s) {
			return s, nil, false
		}
		return r.change(s, slices.Insert(members, at, id))
	}
}

// mayChange says whether a leader may change the members: when the change before
// is committed, and an entry of its own term is.
func (r server) mayChange(s Server) bool {
	if s.Role != Leader || len(s.Log) == r.entries || lastChange(s.Log) > s.Commit {
		return false
	}
	ownTerm := s.Commit > 0 && s.Log[s.Commit-1].Term == s.Term
	return ownTerm || r.changesEarly
}

// change appends the new members, who count from here on.
func (r server) change(s Server, members []model.ID) (Server, []Message, bool) {
	s.Log = append(slices.Clone(s.Log), Entry{s.Term, members})
	return s, r.replicate(s), true
}
