package graphviz

import (
	"bytes"
	"fmt"
	"testing"

	"github.com/caulk-go/caulk/explorer"
	"github.com/caulk-go/caulk/graphviz/internal/layout"
)

// A small diagram is drawn by an interpreter and a larger one by a compiler;
// nobody may be able to tell from the drawing.
func TestEverySpeedDrawsTheSame(t *testing.T) {
	if testing.Short() || raceEnabled {
		t.Skip("compiling Graphviz takes a second, and with the race detector half a minute")
	}
	d := &explorer.Diagram{}
	for i := range 30 {
		name := fmt.Sprintf("N%02d", i)
		d.Nodes = append(d.Nodes, explorer.Node{Name: name, Label: name})
		d.Edges = append(d.Edges, explorer.Edge{From: i, To: i * i % 30, Label: "squared"})
	}
	if speed(len(d.Nodes), len(d.Edges)) != layout.Compile {
		t.Fatal("the diagram is too small to be compiled")
	}
	var source, compiled bytes.Buffer
	if err := SVG(t.Context(), &compiled, d); err != nil {
		t.Fatal(err)
	}
	if err := DOT(&source, d); err != nil {
		t.Fatal(err)
	}
	interpreted, err := open(t, layout.Interpret).Render(t.Context(), source.Bytes(), "svg")
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(compiled.Bytes(), bare(interpreted)) {
		t.Errorf("compiled, Graphviz draws\n%s\ninterpreted\n%s", compiled.Bytes(), bare(interpreted))
	}
}
