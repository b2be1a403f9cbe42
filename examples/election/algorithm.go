package main

import "github.com/caulk-go/caulk/model"

// algorithm is the election's entry in a list of algorithms.
func algorithm() model.Algorithm {
	return model.Algorithm{
		Name:    "election",
		Summary: "two candidates, and one who votes",
		Starts:  map[model.ID]string{1: "", 2: ""},
		Make:    func(model.Config) model.System { return system() },
	}
}
