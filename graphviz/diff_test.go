package graphviz_test

import (
	"bytes"
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/caulk-go/caulk/explorer"
	"github.com/caulk-go/caulk/graphviz"
	"github.com/caulk-go/caulk/model"
)

// mended is labels without what it halts on, with one more box, and with an
// arrow that leads elsewhere.
func mended() *explorer.Diagram {
	return &explorer.Diagram{
		Starts: []int{2},
		Nodes: []explorer.Node{
			{Name: "I1I1", Label: "I1I1", Terminal: true},
			{Name: "L1I0", Label: "L1I0"},
			{Name: "R1I0", Label: "R1I0"},
			{Name: "R1P1", Label: "R1P1"},
			{Name: "R2P1", Label: "R2P1", Inconsistent: true},
		},
		Edges: []explorer.Edge{
			{From: 2, To: 3, Label: "{Prepare;1->2;n=1}"},
			{From: 3, To: 0, Label: "{Promise;2->1;n=1}"},
			{From: 3, To: 1, Label: "Wipe 2", Kind: model.Wipe},
			{From: 3, To: 4, Label: "give up 1", Kind: model.Act},
			{From: 4, To: 2, Label: "Wipe 2", Kind: model.Wipe},
		},
	}
}

func diffDOT(t *testing.T, older, newer *explorer.Diagram) string {
	t.Helper()
	var b bytes.Buffer
	if err := graphviz.DiffDOT(&b, older, newer); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

func TestDiffDOT(t *testing.T) {
	got := diffDOT(t, labels(), mended())
	golden(t, "diff.dot", got)
	if again := diffDOT(t, labels(), mended()); again != got {
		t.Errorf("written again it differs:\n%s", cmp.Diff(got, again))
	}
	for _, line := range []string{
		`"H1P1" [color=red3,fillcolor=firebrick,fontcolor=white,penwidth=1,style="filled,dashed"];`,
		`"R2P1" [color=green4,fillcolor=firebrick,fontcolor=white,penwidth=2];`,
		`"L1I0";`, // it is inconsistent in the older one only, and so no more
		`"R1P1" -> "R2P1" [color=green4,fontcolor=green4,label="give up 1",penwidth=2];`,
		`"R1P1" -> "L1I0" [arrowhead=empty,constraint=false,label="Wipe 2"];`,
	} {
		if !strings.Contains(got, "\t"+line+"\n") {
			t.Errorf("there is no line\n\t%s", line)
		}
	}
}

// A diagram laid over itself is drawn without a colour or a path.
func TestDiffOfTheSame(t *testing.T) {
	d := labels()
	got := diffDOT(t, d, d)
	for _, mark := range []string{"green4", "red3", "dashed", "penwidth"} {
		if strings.Contains(got, mark) {
			t.Errorf("there is %s in\n%s", mark, got)
		}
	}
	if !d.Nodes[3].OnPath {
		t.Error("the diagram was changed")
	}
}

func TestDiffDrawn(t *testing.T) {
	var svg, png bytes.Buffer
	if err := graphviz.DiffSVG(t.Context(), &svg, labels(), mended()); err != nil || !strings.Contains(svg.String(), `stroke="#008b00"`) {
		t.Errorf("%v: nothing green in\n%s", err, svg.String())
	}
	if err := graphviz.DiffPNG(t.Context(), &png, labels(), mended()); err != nil || !strings.HasPrefix(png.String(), "\x89PNG") {
		t.Errorf("%v: no picture, %d bytes", err, png.Len())
	}
	large := &explorer.Diagram{Nodes: make([]explorer.Node, graphviz.MaxNodes+1)}
	for i := range large.Nodes {
		large.Nodes[i].Name = strings.Repeat("x", i+1)
	}
	var tooLarge *graphviz.TooLargeError
	if err := graphviz.DiffSVG(t.Context(), &svg, labels(), large); !errors.As(err, &tooLarge) {
		t.Errorf("%d boxes: %v", graphviz.MaxNodes+1, err)
	}
}
