package graphviz_test

import (
	"fmt"
	"os"

	"github.com/caulk-go/caulk/explorer"
	"github.com/caulk-go/caulk/graphviz"
	"github.com/caulk-go/caulk/model"
)

// A light that can be switched, until somebody wipes its memory.
func ExampleDOT() {
	d := &explorer.Diagram{
		Starts: []int{0},
		Nodes: []explorer.Node{
			{Name: "Off", Label: "Off"},
			{Name: "On", Label: "On", Terminal: true},
		},
		Edges: []explorer.Edge{
			{From: 0, To: 1, Label: "{Switch;1->2}"},
			{From: 1, To: 0, Label: "Wipe 2", Kind: model.Wipe},
		},
	}
	if err := graphviz.DOT(os.Stdout, d); err != nil {
		fmt.Println(err)
	}
	// Output:
	// digraph caulk {
	// 	graph [nodesep=0.2,rankdir=LR,ranksep=0.35];
	// 	node [fillcolor=white,fontname="Helvetica,Arial,sans-serif",fontsize=12,height=0.3,margin="0.1,0.05",shape=box,style=filled];
	// 	edge [arrowsize=0.7,fontname="Helvetica,Arial,sans-serif",fontsize=10];
	// 	"Off";
	// 	"On" [peripheries=2];
	// 	"Off" -> "On" [label="{Switch;1->2}"];
	// 	"On" -> "Off" [color=red3,constraint=false,fontcolor=red3,label="Wipe 2"];
	// }
}
