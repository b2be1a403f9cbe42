package paxossynod

import (
	"fmt"
	"maps"
	"slices"

	"github.com/caulk-go/caulk/model"
)

func (r proposer) properties() []model.Property {
	list := []model.Property{
		r.agreement(),
		model.Sometimes("chosen", func(v model.View) bool { return len(r.chosen(v)) > 0 }),
	}
	if r.ballots > 1 && r.proposers > 1 {
		list = append(list, model.Sometimes("another's value proposed", func(v model.View) bool {
			for id, s := range model.StatesOf[Proposer](v) {
				if s.Proposed != "" && s.Proposed != r.value(id) {
					return true
				}
			}
			return false
		}))
	}
	return list
}

// chosen lists, by ballot, the proposals that a majority has accepted, and those
// that a proposer has learned.
func (r proposer) chosen(v model.View) []Proposal {
	votes := map[Proposal]int{}
	for _, s := range model.StatesOf[Acceptor](v) {
		for p := range s.Votes { //tidy:unordered a sum for each
			votes[p]++
		}
	}
	maps.DeleteFunc(votes, func(_ Proposal, n int) bool { return n <= r.acceptors/2 })
	if r.learns { // else the proposers' states need not be read for nothing
		for _, s := range model.StatesOf[Proposer](v) {
			if s.Learned {
				votes[Proposal{s.Ballot, s.Proposed}]++
			}
		}
	}
	return slices.SortedFunc(maps.Keys(votes), Proposal.compare)
}

func (r proposer) agreement() model.Property {
	p := model.Always("agreement", func(v model.View) error {
		chosen := r.chosen(v)
		for _, p := range chosen {
			if first := chosen[0]; p.Value != first.Value {
				return fmt.Errorf("%s is chosen in ballot %d, and %s in ballot %d", first.Value, first.Ballot, p.Value, p.Ballot)
			}
		}
		return nil
	})
	p.Doc = "no two different values are chosen: accepted in a ballot by a majority, or learned"
	return p
}
