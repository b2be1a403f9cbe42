package graphviz

import (
	"bufio"
	"cmp"
	"context"
	"io"
	"slices"

	"github.com/emicklei/dot"

	"github.com/caulk-go/caulk/explorer"
)

// DiffDOT writes two diagrams laid over each other, for instance of an
// algorithm and of its mended variant, as one digraph. What is in both is
// black, what only the newer has is green and thick, and what only the older
// has is red and dashed. Boxes are filled as DOT fills them, by the newer
// diagram where it has the box. Arrows of faults have an empty head.
//
// Boxes and arrows are the same where their names, and their ends and labels,
// are. It is as deterministic as DOT, panics where DOT does, and the error is
// the writer's.
func DiffDOT(w io.Writer, older, newer *explorer.Diagram) error {
	checkNames(older)
	checkNames(newer)
	o := lay(older, newer)
	s := newSheet()
	nodes := make([]dot.Node, len(o.Nodes))
	for _, i := range order(&o.Diagram) {
		nodes[i] = s.statement(quote(o.Nodes[i].Name))
		drawNode(nodes[i], &o.Nodes[i])
		o.nodeIn[i].paint(nodes[i].AttributesMap, "filled,")
	}
	for i := range o.Edges {
		e := &o.Edges[i]
		a := s.graph.Edge(nodes[e.From], nodes[e.To])
		drawEdge(a, e)
		if e.Kind.Fault() {
			a.Delete("color")
			a.Delete("fontcolor")
			a.Attr("arrowhead", word("empty"))
		}
		o.edgeIn[i].paint(a.AttributesMap, "")
	}
	out := bufio.NewWriterSize(w, 1<<16)
	s.writeTo(out)
	return out.Flush()
}

// DiffSVG draws what DiffDOT writes, as SVG draws what DOT writes.
func DiffSVG(ctx context.Context, w io.Writer, older, newer *explorer.Diagram) error {
	return svg(ctx, w, diffDrawing(older, newer))
}

// DiffPNG draws what DiffDOT writes, as PNG draws what DOT writes.
func DiffPNG(ctx context.Context, w io.Writer, older, newer *explorer.Diagram) error {
	return png(ctx, w, diffDrawing(older, newer))
}

func diffDrawing(older, newer *explorer.Diagram) drawing {
	o := lay(older, newer)
	return drawing{len(o.Nodes), len(o.Edges), func(w io.Writer) error { return DiffDOT(w, older, newer) }}
}

// origin says which of two diagrams something is in.
type origin int

const (
	inOlder origin = 1 << iota
	inNewer
)

// paint gives what is in one diagram only its colour. A node's style keeps
// what it begins with.
func (o origin) paint(a dot.AttributesMap, style string) {
	colour, width := "green4", "2"
	switch o {
	case inOlder | inNewer:
		return
	case inOlder:
		colour, width = "red3", "1"
		a.Attr("style", dot.Literal(`"`+style+`dashed"`))
	}
	a.Attr("color", word(colour))
	a.Attr("penwidth", word(width))
	if a.Value("fontcolor") == nil { // else the font must be read on a dark ground
		a.Attr("fontcolor", word(colour))
	}
}

// overlay is two diagrams in one. No path is marked in it.
type overlay struct {
	explorer.Diagram
	nodeIn, edgeIn []origin
}

// arrow is what tells edges apart in both diagrams.
type arrow struct{ from, to, label string }

func lay(older, newer *explorer.Diagram) *overlay {
	nodes := map[string]origin{}
	arrows := map[arrow]origin{}
	o := &overlay{}
	for _, d := range []struct {
		*explorer.Diagram
		origin
	}{{newer, inNewer}, {older, inOlder}} {
		for _, n := range d.Nodes {
			if n.OnPath = false; nodes[n.Name] == 0 {
				o.Nodes = append(o.Nodes, n)
			}
			nodes[n.Name] |= d.origin
		}
		for _, e := range d.Edges {
			arrows[arrowOf(d.Diagram, &e)] |= d.origin
		}
	}
	slices.SortFunc(o.Nodes, func(a, b explorer.Node) int { return cmp.Compare(a.Name, b.Name) })
	index := make(map[string]int, len(o.Nodes))
	for i, n := range o.Nodes {
		index[n.Name] = i
		o.nodeIn = append(o.nodeIn, nodes[n.Name])
	}
	o.Starts = startsIn(index, older, newer)
	done := map[arrow]bool{}
	for _, d := range []*explorer.Diagram{newer, older} {
		for _, e := range d.Edges {
			if a := arrowOf(d, &e); !done[a] {
				done[a] = true
				o.Edges = append(o.Edges, explorer.Edge{From: index[a.from], To: index[a.to], Label: e.Label, Kind: e.Kind})
			}
		}
	}
	slices.SortFunc(o.Edges, func(a, b explorer.Edge) int {
		return cmp.Or(cmp.Compare(a.From, b.From), cmp.Compare(a.To, b.To), cmp.Compare(a.Label, b.Label))
	})
	for _, e := range o.Edges {
		o.edgeIn = append(o.edgeIn, arrows[arrowOf(&o.Diagram, &e)])
	}
	return o
}

func arrowOf(d *explorer.Diagram, e *explorer.Edge) arrow {
	return arrow{d.Nodes[e.From].Name, d.Nodes[e.To].Name, e.Label}
}

func startsIn(index map[string]int, diagrams ...*explorer.Diagram) []int {
	var starts []int
	for _, d := range diagrams {
		for _, s := range d.Starts {
			if i := index[d.Nodes[s].Name]; !slices.Contains(starts, i) {
				starts = append(starts, i)
			}
		}
	}
	return starts
}
