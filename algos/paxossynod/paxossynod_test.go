package paxossynod

import (
	"fmt"
	"reflect"
	"testing"

	"github.com/caulk-go/caulk/model"
)

// One proposer, agent 4, has its value accepted by agents 1 and 2.
func Example() {
	a, p := acceptor{}, proposer{acceptors: 3, proposers: 1, ballots: 1, learns: true}
	one, _ := a.Fresh(1, nil, 0)
	two, _ := a.Fresh(2, nil, 0)
	four, _ := p.Fresh(4, nil, 0)

	four, sent, _ := p.prepare(four)
	for range 2 { // the phases
		var answers1, answers2 []Message
		one, answers1 = a.Receive(one, Message{From: 4, To: 1, Body: sent[0].Body})
		two, answers2 = a.Receive(two, Message{From: 4, To: 2, Body: sent[1].Body})
		four, _ = p.Receive(four, Message{From: 1, To: 4, Body: answers1[0].Body})
		four, sent = p.Receive(four, Message{From: 2, To: 4, Body: answers2[0].Body})
		fmt.Println(a.Label(one), a.Label(two), p.Label(four))
	}
	// Output:
	// A1 A1 P1a
	// A1(1a) A1(1a) P1a*
}

// What an acceptor answers, and its label then; each twin differs in one line.
func TestAcceptor(t *testing.T) {
	fresh := Acceptor{}
	promised3 := Acceptor{Promised: 3}
	voted1 := Acceptor{Promised: 1, Accepted: Proposal{1, "a"}}
	voted1promised3 := Acceptor{Promised: 3, Accepted: Proposal{1, "a"}}
	below, only, one := acceptor{belowPromise: true}, acceptor{promiseOnly: true}, acceptor{oneBallot: true}
	for _, tt := range []struct {
		given  Acceptor
		body   Body
		label  string
		answer Body
		twin   acceptor // differs, in this way
		tLabel string
		tSays  Body
	}{
		{fresh, Prepare{2}, "A2", Promise{2, Proposal{}}, one, "A2", Promise{2, Proposal{}}},
		{promised3, Prepare{2}, "A3", nil, below, "A3", nil},
		{promised3, Prepare{3}, "A3", nil, only, "A3", nil},
		{voted1, Prepare{2}, "A2(1a)", Promise{2, Proposal{1, "a"}}, one, "A2(1a)", Promise{2, Proposal{1, "a"}}},
		{voted1promised3, Prepare{4}, "A4(1a)", Promise{4, Proposal{1, "a"}}, one, "A4(1a)", Promise{4, Proposal{3, "a"}}},
		{promised3, Accept{3, "b"}, "A3(3b)", Accepted{3}, only, "A3(3b)", Accepted{3}},
		{promised3, Accept{4, "b"}, "A4(4b)", Accepted{4}, only, "A3(4b)", Accepted{4}},
		{promised3, Accept{2, "b"}, "A3", nil, below, "A2(2b)", Accepted{2}},
		{promised3, Accepted{3}, "A3", nil, below, "A3", nil},
	} {
		tt.given.Votes = map[Proposal]bool{}
		for _, want := range []struct {
			r      acceptor
			label  string
			answer Body
		}{{acceptor{}, tt.label, tt.answer}, {tt.twin, tt.tLabel, tt.tSays}} {
			s, sent := want.r.Receive(tt.given, Message{From: 4, To: 1, Body: tt.body})
			var answers []Message
			if want.answer != nil {
				answers = []Message{{To: 4, Body: want.answer}}
			}
			if label := want.r.Label(s); label != want.label || !reflect.DeepEqual(sent, answers) {
				t.Errorf("%+v: %+v receives %+v: %s sending %v, want %s sending %v", want.r, tt.given, tt.body, label, sent, want.label, answers)
			}
			if voted := s.Votes[s.Accepted]; s.Accepted != tt.given.Accepted && !voted {
				t.Errorf("%+v: %+v receives %+v: the vote is not among %v", want.r, tt.given, tt.body, s.Votes)
			}
		}
	}
}

// A majority's latest proposal is proposed, and only without one the own value.
func TestPromised(t *testing.T) {
	p := proposer{acceptors: 3, proposers: 2, ballots: 9}
	for _, tt := range []struct {
		first, second Proposal
		want          string
	}{
		{Proposal{}, Proposal{}, "b"},
		{Proposal{1, "a"}, Proposal{}, "a"},
		{Proposal{}, Proposal{1, "a"}, "a"},
		{Proposal{2, "b"}, Proposal{3, "a"}, "a"},
		{Proposal{3, "a"}, Proposal{2, "b"}, "a"},
	} {
		s := Proposer{Self: 5, Begun: 4, Ballot: 4, Answers: map[model.ID]bool{}}
		s, early := p.Receive(s, Message{From: 1, To: 5, Body: Promise{4, tt.first}})
		s, again := p.Receive(s, Message{From: 1, To: 5, Body: Promise{4, tt.first}})
		s, stale := p.Receive(s, Message{From: 3, To: 5, Body: Promise{2, tt.second}})
		if early != nil || again != nil || stale != nil {
			t.Errorf("%v: proposes without a majority", tt)
		}
		s, sent := p.Receive(s, Message{From: 2, To: 5, Body: Promise{4, tt.second}})
		if s.Proposed != tt.want || len(sent) != 3 || sent[0].Body != Body(Accept{4, tt.want}) {
			t.Errorf("%v: proposes %q, sending %v", tt, s.Proposed, sent)
		}
	}
}

// Ballots are dealt out in turn, up to the last.
func TestPrepare(t *testing.T) {
	p := proposer{acceptors: 3, proposers: 2, ballots: 4}
	for self, want := range map[model.ID][]int{4: {1, 3}, 5: {2, 4}} {
		s, _ := p.Fresh(self, nil, 0)
		var ballots []int
		for {
			next, sent, enabled := p.prepare(s)
			if !enabled {
				break
			}
			if len(sent) != 3 || sent[2] != (Message{To: 3, Body: Prepare{next.Ballot}}) {
				t.Errorf("agent %d begins ballot %d by sending %v", self, next.Ballot, sent)
			}
			s, ballots = next, append(ballots, next.Ballot)
		}
		if !reflect.DeepEqual(ballots, want) {
			t.Errorf("agent %d begins ballots %v, not %v", self, ballots, want)
		}
	}
	if _, _, enabled := p.prepare(Proposer{Self: 4, Begun: 1, Ballot: 1, Learned: true}); enabled {
		t.Error("a proposer that knows what is chosen begins a ballot")
	}
}

func TestRestart(t *testing.T) {
	a := Acceptor{Promised: 3, Accepted: Proposal{1, "a"}, Votes: map[Proposal]bool{{1, "a"}: true}}
	if kept, sent := (acceptor{}).Restart(1, nil, 0, acceptor{}.Persist(a)); !reflect.DeepEqual(kept, a) || sent != nil {
		t.Errorf("an acceptor restarts as %+v, sending %v", kept, sent)
	}
	p := Proposer{Self: 4, Begun: 3, Ballot: 3, Proposed: "a", Learned: true}
	if kept, sent := (proposer{}).Restart(4, nil, 0, proposer{}.Persist(p)); !reflect.DeepEqual(kept, Proposer{Self: 4, Begun: 3}) || sent != nil {
		t.Errorf("a proposer restarts as %+v, sending %v", kept, sent)
	}
	// It must not count who promised the ballot before: it may have proposed in it.
	s, sent := (proposer{acceptors: 1, proposers: 1, ballots: 9}).Receive(Proposer{Self: 4, Begun: 3}, Message{From: 1, To: 4, Body: Promise{Ballot: 3}})
	if s.Proposed != "" || sent != nil {
		t.Errorf("a restarted proposer proposes %q, sending %v", s.Proposed, sent)
	}
}
