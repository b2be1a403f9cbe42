package paxoslog

import (
	"fmt"
	"strings"
	"testing"
)

// Server 1 becomes the master for the call of client 4, with server 3.
func Example() {
	r := server{servers: 3, rounds: 9}
	one, _ := r.Fresh(1, nil, 0)
	three, _ := r.Fresh(3, nil, 0)
	one, sent := r.Receive(one, Message{From: 4, To: 1, Body: Ask{4, 1, "a"}})
	for range 2 { // the phases
		var answer []Message
		three, answer = r.Receive(three, Message{From: 1, To: 3, Body: sent[1].Body})
		one, sent = r.Receive(one, Message{From: 3, To: 1, Body: answer[0].Body})
		fmt.Println(strings.Fields(r.Label(one)), strings.Fields(r.Label(three)))
	}
	fmt.Println(sent[len(sent)-1])
	// Output:
	// [1M[]] [1[]]
	// [1M[a]] [1[]]
	// {0 4 {1 }}
}

// A call that was done is not done again: not when it is asked again, not when it is
// in a second slot, and not over a restart.
func TestNothingIsDoneTwice(t *testing.T) {
	r := server{servers: 3, rounds: 9}
	s := Server{Self: 1}.decided(Batch{{4, 1, "a"}, {5, 1, "b"}}).decided(Batch{{4, 1, "a"}})
	if s.Store.Value != "ab" || s.Store.Applied != 2 {
		t.Errorf("the store is %+v", s.Store)
	}
	if _, sent := r.Receive(s, Message{From: 4, To: 1, Body: Ask{4, 1, "a"}}); len(sent) != 1 || sent[0].To != 4 {
		t.Errorf("a call that was done is answered by %v", sent)
	}
	again, _ := r.Restart(1, nil, 0, r.Persist(s))
	if again.Store.Value != "ab" || len(again.Log) != 2 {
		t.Errorf("after a restart the store is %+v", again.Store)
	}
	r.forgetsIndex = true
	if again, _ := r.Restart(1, nil, 0, r.Persist(s)); again.Store.Value != "abab" {
		t.Errorf("the broken twin's store is %+v", again.Store)
	}
}

// A new master proposes what may have been decided, and learns what was.
func TestPromisesBringTheLog(t *testing.T) {
	r := server{servers: 3, rounds: 9}
	old := Server{Self: 2}.decided(Batch{{4, 1, "a"}})
	old.Promised, old.Accepted = 1, Proposal{1, Batch{{5, 1, "b"}}}
	_, sent := r.promise(old, 3, Prepare{3, 0})
	fresh, _ := r.campaign(Server{Self: 3})
	fresh, asked := r.promised(fresh, 2, sent[0].Body.(Promise))
	if fresh.Store.Value != "a" || !fresh.Leads || len(asked) != 2 || asked[0].Body.(Accept).Slot != 1 || asked[0].Body.(Accept).Batch[0].Append != "b" {
		t.Errorf("it is %+v, and asks %v", fresh, asked)
	}
}
