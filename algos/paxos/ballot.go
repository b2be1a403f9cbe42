package paxos

import (
	"slices"

	"github.com/caulk-go/caulk/model"
)

// Ballot is how a vote about a proposal stands.
type Ballot struct {
	Voters []model.ID // who may vote: everybody but the proposer
	Blank  []model.ID // who voted without a value, in order of ID
	Tally  []Votes    // the votes for a value, the proposer's own first
}

// Votes are those that a value has.
type Votes struct {
	Value string
	By    []model.ID // in order of ID
}

// newBallot has the proposer's own vote only.
func newBallot(proposer model.ID, voters []model.ID, value string) Ballot {
	return Ballot{
		Voters: voters,
		Tally:  []Votes{{Value: value, By: []model.ID{proposer}}},
	}
}

// vote counts a vote, without a value if that is nil. It ignores who may not
// vote, or has voted.
func (b Ballot) vote(from model.ID, value *string) Ballot {
	if !slices.Contains(b.Voters, from) || b.voted(from) {
		return b
	}
	if value == nil {
		b.Blank = include(b.Blank, from)
		return b
	}
	b.Tally = slices.Clone(b.Tally)
	i := slices.IndexFunc(b.Tally, func(v Votes) bool { return v.Value == *value })
	if i < 0 {
		i = len(b.Tally)
		b.Tally = append(b.Tally, Votes{Value: *value})
	}
	b.Tally[i].By = include(b.Tally[i].By, from)
	return b
}

func (b Ballot) voted(id model.ID) bool {
	return slices.Contains(b.Blank, id) ||
		slices.ContainsFunc(b.Tally, func(v Votes) bool { return slices.Contains(v.By, id) })
}

// quorum is how many votes decide: half of the voters and one more, as
// published. Of three agents that is two and of five three, but of four it is
// two, which is no majority.
func (b Ballot) quorum() int { return len(b.Voters)/2 + 1 }

// majority says whether the most popular value would have a quorum if every
// vote without a value went to it.
func (b Ballot) majority() bool {
	return len(b.mostPopular().By)+len(b.Blank) >= b.quorum()
}

// pick is the most popular value: on a tie the first.
func (b Ballot) pick() string { return b.mostPopular().Value }

func (b Ballot) mostPopular() Votes {
	best := b.Tally[0]
	for _, v := range b.Tally[1:] {
		if len(v.By) > len(best.By) {
			best = v
		}
	}
	return best
}

// include is a sorted slice with one more ID. The order of arrival must not
// tell two states apart.
func include(ids []model.ID, id model.ID) []model.ID {
	ids = append(slices.Clone(ids), id)
	slices.Sort(ids)
	return ids
}
