package paxoslog

import (
	"fmt"
	"strings"
	"testing"
)

var appendA, appendB = Call{Append, "", "a"}, Call{Append, "", "b"}

// Server 1 becomes the master for the call of client 4, with server 3.
func Example() {
	r := server{servers: 3, rounds: 9}
	one, _ := r.Fresh(1, nil, 0)
	three, _ := r.Fresh(3, nil, 0)
	one, sent := r.Receive(one, Message{From: 4, To: 1, Body: Ask{1, appendA}})
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
	s := r.decided(r.decided(Server{Self: 1}, Batch{{4, 1, appendA}, {5, 1, appendB}}), Batch{{4, 1, appendA}})
	if s.Store.Values[""] != "ab" || s.Store.Applied != 2 {
		t.Errorf("the store is %+v", s.Store)
	}
	if _, sent := r.Receive(s, Message{From: 4, To: 1, Body: Ask{1, appendA}}); len(sent) != 1 || sent[0].To != 4 {
		t.Errorf("a call that was done is answered by %v", sent)
	}
	again, _ := r.Restart(1, nil, 0, r.Persist(s))
	if again.Store.Values[""] != "ab" || len(again.Log) != 2 {
		t.Errorf("after a restart the store is %+v", again.Store)
	}
	r.forgetsIndex = true
	if again, _ := r.Restart(1, nil, 0, r.Persist(s)); again.Store.Values[""] != "abab" {
		t.Errorf("the broken twin's store is %+v", again.Store)
	}
}

// A new master proposes what may have been decided, and learns what was.
func TestPromisesBringTheLog(t *testing.T) {
	r := server{servers: 3, rounds: 9}
	old := r.decided(Server{Self: 2}, Batch{{4, 1, appendA}})
	old.Promised, old.Accepted = 1, Proposal{1, Batch{{5, 1, appendB}}}
	_, sent := r.promise(old, 3, Prepare{3, 0})
	fresh, _ := r.campaign(Server{Self: 3})
	fresh, asked := r.promised(fresh, 2, sent[0].Body.(Promise))
	if fresh.Store.Values[""] != "a" || !fresh.Leads || len(asked) != 2 || asked[0].Body.(Accept).Slot != 1 || asked[0].Body.(Accept).Batch[0].Call != appendB {
		t.Errorf("it is %+v, and asks %v", fresh, asked)
	}
}

// A server that lacks slots which are in no log any more is given the store.
func TestWhatIsInNoLogComesAsTheStore(t *testing.T) {
	r := server{servers: 3, rounds: 9, keep: 1}
	ahead := r.decided(r.decided(Server{Self: 1}, Batch{{4, 1, appendA}}), Batch{{5, 1, appendB}})
	if len(ahead.Log) != 1 || ahead.slots() != 2 {
		t.Errorf("the log is %v after slot %d", ahead.Log, ahead.Base)
	}
	for slots := range 2 {
		behind := Server{Self: 2}
		if slots == 1 {
			behind = r.decided(behind, Batch{{4, 1, appendA}})
		}
		_, sent := r.Receive(ahead, Message{From: 2, To: 1, Body: Lack{slots}})
		behind, _ = r.Receive(behind, Message{From: 1, To: 2, Body: sent[0].Body})
		if behind.Store.Values[""] != "ab" || behind.slots() != 2 {
			t.Errorf("who knew %d slots comes to %+v", slots, behind)
		}
	}
}
