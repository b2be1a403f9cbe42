package synod

import (
	"fmt"
	"reflect"
	"testing"

	"github.com/caulk-go/caulk/model"
)

// Agent 1 of three leads round 1, with agent 3; agent 2 begins round 2, learns of
// the vote from agent 3, and proposes what agent 1 had.
func Example() {
	r := mark4{crowd: crowd{acceptors: 3}}
	one, _ := r.Fresh(1, nil, 0)
	two, _ := r.Fresh(2, nil, 0)
	three, _ := r.Fresh(3, nil, 0)
	ask := func(from model.ID, sent []Message) (answer Body) { // agent 3
		three, sent = r.Receive(three, Message{From: from, To: 3, Body: sent[1].Body})
		return sent[0].Body
	}

	one, sent := r.Start(one, "x")
	one, sent = r.Receive(one, Message{From: 3, Body: ask(1, sent)})
	ask(1, sent)

	two, sent = r.Start(two, "y")
	two, sent = r.Receive(two, Message{From: 3, Body: ask(2, sent)})
	fmt.Println(r.Label(one), r.Label(two), r.Label(three), sent[1].Body)
	two, _ = r.Receive(two, Message{From: 3, Body: ask(2, sent)})
	fmt.Println(r.Label(two), r.Label(three))
	// Output:
	// L1 L2 P2 {2 x}
	// Dx A2
}

// What an acceptor that has accepted x in round 1 and promised round 2 answers;
// each twin differs in one line.
func TestAcceptor(t *testing.T) {
	given := Agent{Self: 3, Promised: 2, Accepted: Proposal{1, "x"}}
	for _, tt := range []struct {
		r      mark4
		body   Body
		label  string
		answer Body
	}{
		{mark4{}, Prepare{3}, "P3", Promise{3, Proposal{1, "x"}}},
		{mark4{forgets: true}, Prepare{3}, "P3", Promise{3, Proposal{}}},
		{mark4{}, Prepare{1}, "P2", Outdated{1, 2}},
		{mark4{}, Accept{2, "y"}, "A2", Accepted{2}},
		{mark4{}, Accept{1, "y"}, "P2", Outdated{1, 2}},
		{mark4{belowPromise: true}, Accept{1, "y"}, "P2", Accepted{1}},
	} {
		tt.r.crowd = crowd{acceptors: 3}
		after, sent := tt.r.Receive(given, Message{From: 1, To: 3, Body: tt.body})
		if want := []Message{{To: 1, Body: tt.answer}}; tt.r.Label(after) != tt.label || !reflect.DeepEqual(sent, want) {
			t.Errorf("%+v given %#v: %s sends %v; want %s, %v", tt.r, tt.body, tt.r.Label(after), sent, tt.label, want)
		}
	}
}

// Rounds are dealt out in turn, and each agent takes its first after another.
func TestRounds(t *testing.T) {
	c := crowd{acceptors: 3}
	for _, tt := range []struct {
		self        model.ID
		after, want int
	}{{1, 0, 1}, {3, 0, 3}, {1, 1, 4}, {2, 1, 2}, {2, 2, 5}, {1, 5, 7}, {3, 7, 9}} {
		if got := c.next(tt.self, tt.after); got != tt.want {
			t.Errorf("agent %d's first round after %d is %d, want %d", tt.self, tt.after, got, tt.want)
		}
	}
}

// A proposer that hears that an acceptor was wiped forgets its answer; what the
// former incarnation has sent counts no more.
func TestWipedAnswersDoNotCount(t *testing.T) {
	r := mark6{mark4: mark4{crowd: crowd{3, 1}}, promises: true, votes: true}
	s, _ := r.Fresh(4, nil, 0)
	s, _ = r.Start(s, "x")
	promise := func(from model.ID, known Incarnations) {
		s, _ = r.Receive(s, model.Message[Stamped]{From: from, To: 4, Body: Stamped{known, Promise{N: s.Round}}})
	}
	promise(1, nil)
	if promise(2, Incarnations{1: 1}); r.Label(s) != "R4" || len(s.Answers) != 1 {
		t.Errorf("after agent 1 was wiped its promise counts: %s, %v", r.Label(s), s.Answers)
	}
	if promise(1, nil); r.Label(s) != "R4" {
		t.Errorf("a promise of agent 1 before it was wiped counts: %s", r.Label(s))
	}
	if promise(1, Incarnations{1: 1}); r.Label(s) != "L4" {
		t.Errorf("a promise of agent 1 as it is now does not count: %s", r.Label(s))
	}
}
