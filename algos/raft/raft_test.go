package raft

import (
	"fmt"
	"reflect"
	"testing"

	"github.com/caulk-go/caulk/model"
)

// three is Raft on three servers, with room for what the tests do.
func three(h holes) server {
	return server{holes: h, bounds: bounds{agents: 3, candidates: 3, rivals: 3, terms: 9, entries: 9}}
}

// entries is a log of entries of these terms.
func entries(terms ...int) []Entry {
	var log []Entry
	for _, term := range terms {
		log = append(log, Entry{Term: term})
	}
	return log
}

// Server 1 is elected by server 2, and commits an entry.
func Example() {
	r := three(holes{})
	one, _ := r.Fresh(1, nil, 0)
	two, _ := r.Fresh(2, nil, 0)

	one, sent, _ := r.timeout(one)
	two, answers := r.Receive(two, Message{From: 1, To: 2, Body: sent[0].Body})
	fmt.Println(r.Label(one), r.Label(two))

	one, _ = r.Receive(one, Message{From: 2, To: 1, Body: answers[0].Body})
	one, sent, _ = r.request(one)
	two, answers = r.Receive(two, Message{From: 1, To: 2, Body: sent[0].Body})
	one, _ = r.Receive(one, Message{From: 2, To: 1, Body: answers[0].Body})
	fmt.Println(r.Label(one), r.Label(two))
	// Output:
	// C1[] F1[]
	// L1[1*] F1[1]
}

// A server votes once in a term, and for whose log is not behind its own.
func TestVote(t *testing.T) {
	for _, tt := range []struct {
		given   Server
		request RequestVote
		granted bool
	}{
		{Server{}, RequestVote{1, 0, 0}, true},
		{Server{Term: 2}, RequestVote{1, 0, 0}, false},
		{Server{Term: 2, VotedFor: 3}, RequestVote{2, 0, 0}, false},
		{Server{Term: 2, VotedFor: 3}, RequestVote{3, 0, 0}, true},
		{Server{Term: 2, VotedFor: 1}, RequestVote{2, 0, 0}, true},
		{Server{Term: 2, Log: entries(1, 1)}, RequestVote{3, 1, 1}, false},
		{Server{Term: 2, Log: entries(1, 1)}, RequestVote{3, 2, 1}, true},
		{Server{Term: 2, Log: entries(1, 1)}, RequestVote{3, 1, 2}, true},
		{Server{Term: 2, Log: entries(2)}, RequestVote{3, 2, 1}, false},
		{Server{Term: 2, Role: Leader, VotedFor: 2}, RequestVote{2, 0, 0}, false},
	} {
		s, sent := three(holes{}).Receive(tt.given, Message{From: 1, To: 2, Body: tt.request})
		if granted := len(sent) == 1 && sent[0] == (Message{To: 1, Body: Vote{tt.request.Term}}); granted != tt.granted || len(sent) > 1 {
			t.Errorf("%v asked %v: sends %v", tt.given, tt.request, sent)
		}
		if granted := s.VotedFor == 1; granted != tt.granted {
			t.Errorf("%v asked %v: has voted for %d", tt.given, tt.request, s.VotedFor)
		}
		if want := max(tt.given.Term, tt.request.Term); s.Term != want {
			t.Errorf("%v asked %v: in term %d", tt.given, tt.request, s.Term)
		}
	}
}

// A log ends where it conflicts with the leader's; an old message takes nothing
// away.
func TestFollow(t *testing.T) {
	for _, tt := range []struct {
		own, leaders, want []Entry
	}{
		{nil, entries(1, 2), entries(1, 2)},
		{entries(1), entries(1, 2), entries(1, 2)},
		{entries(1, 2, 2), entries(1), entries(1, 2, 2)},
		{entries(1, 1, 1), entries(1, 2), entries(1, 2)},
		{entries(1, 1), entries(1, 2, 2), entries(1, 2, 2)},
	} {
		given := Server{Term: 2, Role: Candidate, VotedFor: 2, Votes: model.IDSet{2: true}, Log: tt.own}
		got, sent := three(holes{}).Receive(given, Message{From: 1, To: 2, Body: AppendEntries{2, tt.leaders, 1}})
		if want := (Server{Term: 2, VotedFor: 2, Log: tt.want, Commit: 1}); !reflect.DeepEqual(got, want) {
			t.Errorf("%v receives %v: %v, want %v", tt.own, tt.leaders, got, want)
		}
		if want := []Message{{To: 1, Body: Appended{2, len(tt.leaders)}}}; !reflect.DeepEqual(sent, want) {
			t.Errorf("%v receives %v: sends %v, want %v", tt.own, tt.leaders, sent, want)
		}
	}
}

// A leader commits what is on a majority up to an entry of its own term, and
// raft-oldterm without one.
func TestStored(t *testing.T) {
	for _, tt := range []struct {
		log        []Entry
		match      int
		raft, hole int // what is committed
	}{
		{entries(1), 1, 0, 1},
		{entries(1, 3), 1, 0, 1},
		{entries(1, 3), 2, 2, 2},
		{entries(1, 3, 3), 2, 2, 2},
		{entries(3), 1, 1, 1},
	} {
		for h, want := range map[holes]int{{}: tt.raft, {countsOldTerms: true}: tt.hole} {
			s, _ := three(h).Receive(Server{Self: 1, Term: 3, Role: Leader, Log: tt.log, Match: map[model.ID]int{}}, Message{From: 2, To: 1, Body: Appended{3, tt.match}})
			if s.Commit != want {
				t.Errorf("%+v: of %v, %d on a majority: %d committed, want %d", h, tt.log, tt.match, s.Commit, want)
			}
		}
	}
}

func TestPersist(t *testing.T) {
	s := Server{Self: 2, Term: 3, VotedFor: 1, Log: entries(1), Commit: 1, Role: Leader, Match: map[model.ID]int{1: 1}}
	for h, want := range map[holes]Server{
		{}:                  {Self: 2, Term: 3, VotedFor: 1, Log: entries(1)},
		{forgetsVote: true}: {Self: 2, Term: 3, Log: entries(1)},
	} {
		r := three(h)
		got, sent := r.Restart(2, nil, 0, r.Persist(s))
		if !reflect.DeepEqual(got, want) || sent != nil {
			t.Errorf("%+v: restarts as %v sending %v, want %v", h, got, sent, want)
		}
	}
}

// Candidates take turns where a term has fewer rivals.
func TestTimeout(t *testing.T) {
	for _, tt := range []struct {
		candidates, rivals int
		self               model.ID
		term, want         int // 0: no election
	}{
		{3, 3, 1, 0, 1},
		{3, 3, 3, 1, 2},
		{2, 1, 1, 0, 1},
		{2, 1, 1, 1, 3},
		{2, 1, 2, 0, 2},
		{2, 1, 2, 1, 2},
		{3, 2, 1, 1, 3},
		{2, 2, 3, 0, 0},
		{3, 3, 1, 9, 0},
	} {
		r := three(holes{})
		r.candidates, r.rivals = tt.candidates, tt.rivals
		s, sent, enabled := r.timeout(Server{Self: tt.self, Term: tt.term})
		if enabled != (tt.want > 0) {
			t.Errorf("%v: enabled is %t", tt, enabled)
		}
		if enabled && (s.Term != tt.want || s.Role != Candidate || s.VotedFor != tt.self || len(sent) != 2) {
			t.Errorf("%v: %v, sending %v", tt, s, sent)
		}
	}
}

// The members change one at a time, by a leader that has committed an entry of
// its own term; raft-reconfig does not wait for that.
func TestChange(t *testing.T) {
	without2 := Entry{Term: 2, Members: []model.ID{1, 3}}
	for _, tt := range []struct {
		leader     Server
		raft, hole bool // whether it may remove server 3
	}{
		{Server{Log: entries(2), Commit: 1}, true, true},
		{Server{Log: entries(2)}, false, true},
		{Server{Log: entries(1), Commit: 1}, false, true},
		{Server{Log: append(entries(2), without2), Commit: 1}, false, false},
		{Server{Log: append(entries(2), without2), Commit: 2}, true, true},
		{Server{Log: []Entry{{2, nil}, {2, []model.ID{1, 2}}}, Commit: 2}, false, false},
		{Server{Log: entries(2, 2, 2, 2, 2, 2, 2, 2, 2), Commit: 9}, false, false},
	} {
		tt.leader.Self, tt.leader.Term, tt.leader.Role = 1, 2, Leader
		for h, want := range map[holes]bool{{}: tt.raft, {changesEarly: true}: tt.hole} {
			r := three(h)
			before := r.members(tt.leader.Log)
			s, sent, enabled := r.remove(3)(tt.leader)
			if enabled != want {
				t.Errorf("%+v: %v may remove server 3: %t", h, tt.leader.Log, enabled)
			}
			if after := r.members(s.Log); enabled && (len(after) != len(before)-1 || len(sent) != len(after)-1) {
				t.Errorf("%+v: from members %v to %v, telling %v", h, before, after, sent)
			}
		}
	}
	r := three(holes{})
	s, _, enabled := r.add(2)(Server{Self: 1, Term: 2, Role: Leader, Log: append(entries(2), without2), Commit: 2})
	if !enabled || !reflect.DeepEqual(r.members(s.Log), []model.ID{1, 2, 3}) {
		t.Errorf("adding server 2: %t, %v", enabled, s.Log)
	}
	if _, _, enabled := r.remove(1)(s); enabled {
		t.Error("a leader removes itself")
	}
}
