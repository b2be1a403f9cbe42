package paxos

import (
	"reflect"
	"testing"

	"github.com/caulk-go/caulk/model"
)

// ballotOf is the ballot of agent 1's proposal "x" among so many agents.
func ballotOf(agents int) Ballot {
	var voters []model.ID
	for id := 2; id <= agents; id++ {
		voters = append(voters, model.ID(id))
	}
	return newBallot(1, voters, "x")
}

func value(v string) *string { return &v }

func TestQuorum(t *testing.T) {
	for agents, want := range map[int]int{1: 1, 2: 1, 3: 2, 4: 2, 5: 3, 6: 3, 7: 4} {
		if got := ballotOf(agents).quorum(); got != want {
			t.Errorf("the quorum of %d agents is %d, want %d", agents, got, want)
		}
	}
}

func TestMajority(t *testing.T) {
	type vote struct {
		from  model.ID
		value *string
	}
	for _, tt := range []struct {
		name     string
		agents   int
		votes    []vote
		majority bool
		pick     string
	}{
		{"alone, the own vote is one", 1, nil, true, "x"},
		{"of two, the own vote is one, as published", 2, nil, true, "x"},
		{"of three, the own vote is none", 3, nil, false, "x"},
		{"of three, one blank vote makes it", 3, []vote{{2, nil}}, true, "x"},
		{"of three, one vote for another value does not", 3, []vote{{2, value("y")}}, false, "x"},
		{"of three, two votes for another value win", 3, []vote{{2, value("y")}, {3, value("y")}}, true, "y"},
		{"of five, one blank vote does not", 5, []vote{{2, nil}}, false, "x"},
		{"of five, two blank votes make it", 5, []vote{{2, nil}, {3, nil}}, true, "x"},
		{"of five, one voter counts once", 5, []vote{{2, nil}, {2, nil}}, false, "x"},
		{"of five, who voted blank does not vote again", 5, []vote{{2, nil}, {2, value("y")}}, false, "x"},
		{"of five, who voted does not vote blank again", 5, []vote{{2, value("x")}, {2, nil}}, false, "x"},
		{"of five, nor for something else", 5, []vote{{2, value("y")}, {2, value("z")}, {3, value("z")}}, false, "x"},
		{"of five, the proposer has voted", 5, []vote{{1, nil}, {1, value("x")}}, false, "x"},
		{"of five, a stranger may not vote", 5, []vote{{6, nil}, {7, value("x")}, {0, nil}}, false, "x"},
		{"of five, a blank vote goes to the most popular", 5, []vote{{2, value("y")}, {3, value("y")}, {4, nil}}, true, "y"},
		{"of five, on a tie to the proposer's own", 5, []vote{{2, value("y")}, {3, nil}, {4, nil}}, true, "x"},
		{"of five, on a tie to the first", 5, []vote{{2, value("z")}, {3, value("y")}, {4, value("y")}, {5, value("z")}}, false, "z"},
	} {
		b := ballotOf(tt.agents)
		for _, v := range tt.votes {
			b = b.vote(v.from, v.value)
		}
		if b.majority() != tt.majority || b.pick() != tt.pick {
			t.Errorf("%s: majority %t for %q, want %t for %q", tt.name, b.majority(), b.pick(), tt.majority, tt.pick)
		}
	}
}

func TestVoteChangesNoOtherBallot(t *testing.T) {
	one := ballotOf(5).vote(2, value("x")).vote(3, nil)
	want := ballotOf(5).vote(2, value("x")).vote(3, nil)
	one.vote(4, value("x"))
	one.vote(4, value("y"))
	one.vote(4, nil)
	if !reflect.DeepEqual(one, want) {
		t.Errorf("voting turned %v into %v", want, one)
	}
}

func TestBlankVotesHaveNoOrder(t *testing.T) {
	one, other := ballotOf(5).vote(2, nil).vote(4, nil), ballotOf(5).vote(4, nil).vote(2, nil)
	if !reflect.DeepEqual(one, other) {
		t.Errorf("%v and %v are two ballots", one, other)
	}
}
