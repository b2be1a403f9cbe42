package synod

import (
	"slices"

	"github.com/caulk-go/caulk/model"
)

// entry is what the marks have in common: three agents on a bag, the first of
// them started with "x".
func entry(name, summary, doc string) model.Algorithm {
	return model.Algorithm{
		Name: name, Summary: summary, Doc: doc,
		Source:    parliament,
		Agents:    3,
		MinAgents: 1,
		Params:    []model.Param{{Name: "retries", Doc: retriesDoc, Default: 1, Min: 0, Max: 99}},
		Starts:    map[model.ID]string{1: "x"},
	}
}

const retriesDoc = "how often an agent whose round is outdated begins another"

// twoStart has two agents propose.
func twoStart() map[model.ID]string { return map[model.ID]string{1: "x", 2: "y"} }

// system makes a system of so many agents that behave alike.
func system(node model.Node, agents int, history model.Observer) model.System {
	s := model.System{
		Agents:     slices.Repeat([]model.Node{node}, agents),
		Network:    model.Bag,
		Observer:   history,
		Properties: properties(),
		Bodies:     bodies(),
	}
	s.Alike = [][]model.ID{s.Population()} // but for those who start: rounds are by ID
	return s
}

// bodies has one of each kind of message of a round.
func bodies() []any { return []any{Prepare{}, Promise{}, Accept{}, Accepted{}, Outdated{}} }
