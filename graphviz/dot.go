// Package graphviz draws what the explorer observed: as DOT, the language of
// Graphviz, and as SVG and PNG, for which no dot binary is needed.
//
// The diagram is read from left to right. A box is a label of the system (or,
// in a diagram of states, one state with its messages in flight), an arrow an
// observed move. The same diagram gives the same bytes, always and everywhere.
//
//	box                 what it means
//	pale orange         awry: an agent is halted
//	dark red            inconsistent: a property that must always hold fails
//	dark red in orange  some states of this label are the one, some the other
//	double border       ends well: no moves are left, and nothing is wrong
//	thick, arrows too   the path to the violation
//	red arrow           a fault, such as a wipe; it does not pull boxes apart
package graphviz

import (
	"bufio"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/emicklei/dot"

	"github.com/caulk-go/caulk/explorer"
)

// DOT writes the diagram as a digraph, one statement a line: the start, then
// the other nodes in their order, then the edges by where they come from. A
// node goes by its name, so that a node more or less leaves the lines of all
// the others as they were, and a diagram under version control changes only
// where the algorithm did.
//
// The names of the nodes are unique, and the edges' ends are indices into
// them; DOT panics otherwise. The error is the writer's.
func DOT(w io.Writer, d *explorer.Diagram) error {
	checkNames(d)
	s := newSheet()
	nodes := make([]dot.Node, len(d.Nodes))
	for _, i := range order(d) {
		nodes[i] = s.statement(quote(d.Nodes[i].Name))
		drawNode(nodes[i], &d.Nodes[i])
	}
	for i := range d.Edges {
		e := &d.Edges[i]
		drawEdge(s.graph.Edge(nodes[e.From], nodes[e.To]), e)
	}
	out := bufio.NewWriterSize(w, 1<<16)
	s.writeTo(out)
	return out.Flush()
}

// order lists the nodes with the starts in front: Graphviz begins there, and
// turns arrows back that would lead behind it.
func order(d *explorer.Diagram) []int {
	if len(d.Nodes) == 0 {
		return nil
	}
	first := slices.Clone(d.Starts)
	for i := range d.Nodes {
		if !slices.Contains(d.Starts, i) {
			first = append(first, i)
		}
	}
	return first
}

func checkNames(d *explorer.Diagram) {
	seen := make(map[string]bool, len(d.Nodes))
	for i := range d.Nodes {
		name := d.Nodes[i].Name
		if seen[name] {
			panic(fmt.Sprintf("graphviz: two nodes of a diagram are called %q", name))
		}
		seen[name] = true
	}
}

func drawNode(n dot.Node, from *explorer.Node) {
	// Graphviz labels a node with its name unless it is told better; but names
	// that begin with a percent sign it takes for its own, and forgets.
	if label := nodeLabel(from); label != quote(from.Name) || strings.HasPrefix(from.Name, "%") {
		n.Attr("label", dot.Literal(label))
	}
	if from.Inconsistent {
		n.Attr("fillcolor", word("firebrick")).Attr("fontcolor", word("white"))
	}
	if from.Halted {
		n.Attr("color", word("darkorange"))
		if !from.Inconsistent { // else the border alone has to say it
			n.Attr("fillcolor", word("moccasin"))
		}
	}
	if from.Terminal {
		n.Attr("peripheries", word("2"))
	}
	if from.OnPath {
		n.Attr("penwidth", word(bold))
	}
}

func drawEdge(a dot.Edge, from *explorer.Edge) {
	if from.Label != "" {
		a.Attr("label", dot.Literal(quote(from.Label)))
	}
	if from.Kind.Fault() {
		// Without ranking: faults lead back to where things began, and would
		// turn the diagram around.
		a.Attr("color", word("red3")).Attr("fontcolor", word("red3")).Attr("constraint", word("false"))
	}
	if from.OnPath {
		a.Attr("penwidth", word(bold))
	}
}

const bold = "3"

// word is an attribute's value that needs no quotes.
func word(s string) dot.Literal { return dot.Literal(s) }
