package graphviz_test

import (
	"github.com/caulk-go/caulk/explorer"
	"github.com/caulk-go/caulk/model"
)

// labels is a small diagram of labels with everything that one can have.
func labels() *explorer.Diagram {
	return &explorer.Diagram{
		Starts: []int{4},
		Nodes: []explorer.Node{
			{Name: "H1I0", Label: "H1I0", Halted: true},
			{Name: "H1P1", Label: "H1P1", Halted: true, Inconsistent: true},
			{Name: "I1I1", Label: "I1I1", Terminal: true},
			{Name: "L1I0", Label: "L1I0", Inconsistent: true, OnPath: true},
			{Name: "R1I0", Label: "R1I0", OnPath: true},
			{Name: "R1P1", Label: "R1P1", OnPath: true},
		},
		Edges: []explorer.Edge{
			{From: 4, To: 0, Label: "{Accept;1->2;n=1}"},
			{From: 4, To: 5, Label: "{Prepare;1->2;n=1}", OnPath: true},
			{From: 5, To: 1, Label: "{Accept;1->2;n=1}"},
			{From: 5, To: 2, Label: "give up 1", Kind: model.Act},
			{From: 5, To: 2, Label: "{Promise;2->1;n=1}"},
			{From: 5, To: 3, Label: "Wipe 2", Kind: model.Wipe, OnPath: true},
			{From: 5, To: 4, Label: "Wipe 2", Kind: model.Wipe},
		},
	}
}

// states is a small diagram of states.
func states() *explorer.Diagram {
	return &explorer.Diagram{
		Nodes: []explorer.Node{
			{Name: "s0", Label: "R1I0", InFlight: []string{"{Prepare;1->2;n=1}", "{Prepare;1->3;n=1}"}, OnPath: true},
			{Name: "s1", Label: "R1P1", InFlight: []string{"{Prepare;1->3;n=1}", "{Promise;2->1;n=1}"}, Halted: true},
			{Name: "s2", Label: "R1I0", InFlight: []string{"{Prepare;1->3;n=1}"}, OnPath: true},
			{Name: "s3", Label: "R1I0", Terminal: true},
		},
		Edges: []explorer.Edge{
			{From: 0, To: 1, Label: "{Prepare;1->2;n=1}"},
			{From: 0, To: 2, Label: "{Prepare;1->2;n=1}", OnPath: true},
			{From: 2, To: 0, Label: "Wipe 2", Kind: model.Wipe},
			{From: 2, To: 3, Label: "{Prepare;1->3;n=1}"},
		},
	}
}
