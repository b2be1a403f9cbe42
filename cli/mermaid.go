package cli

import (
	"fmt"
	"slices"
	"strings"

	"github.com/caulk-go/caulk/explorer"
	"github.com/caulk-go/caulk/internal/printable"
)

// A Mermaid diagram in a page is drawn by the browser: beyond this size nobody
// would make head or tail of it, and only the path is drawn.
const (
	mostMermaidNodes = 40
	mostMermaidEdges = 90
)

// mermaid is a diagram as a Mermaid flowchart; whole says whether all of it is
// there, or only the violating path. It is empty where there is nothing to draw.
func mermaid(d *explorer.Diagram) (chart string, whole bool) {
	whole = len(d.Nodes) <= mostMermaidNodes && len(d.Edges) <= mostMermaidEdges
	m := &mermaidChart{d: d, numbers: map[int]int{}}
	for _, start := range d.Starts {
		if whole || d.Nodes[start].OnPath {
			m.node(start)
		}
	}
	for i, n := range d.Nodes {
		if whole || n.OnPath {
			m.node(i)
		}
	}
	if len(m.numbers) == 0 {
		return "", whole
	}
	m.edges(func(e *explorer.Edge) bool { return whole || e.OnPath })
	m.classes()
	return "flowchart LR\n" + m.text.String(), whole
}

type mermaidChart struct {
	d       *explorer.Diagram
	numbers map[int]int // by node of the diagram
	drawn   []int       // nodes of the diagram, by number
	text    strings.Builder
}

func (m *mermaidChart) node(i int) {
	if _, there := m.numbers[i]; there {
		return
	}
	m.numbers[i] = len(m.drawn)
	m.drawn = append(m.drawn, i)
	n := &m.d.Nodes[i]
	lines := []string{n.Label}
	if n.Name != n.Label {
		lines = []string{n.Name, n.Label}
	}
	left, right := "[", "]"
	if n.Terminal {
		left, right = "[[", "]]"
	}
	fmt.Fprintf(&m.text, "  n%d%s\"%s\"%s\n", m.numbers[i], left, mermaidText(append(lines, n.InFlight...)), right)
}

// edges draws one arrow for all moves of a kind between two nodes.
func (m *mermaidChart) edges(wanted func(*explorer.Edge) bool) {
	type arrow struct {
		from, to int
		style    string
	}
	var arrows []arrow
	labels := map[arrow][]string{}
	for i := range m.d.Edges {
		e := &m.d.Edges[i]
		if !wanted(e) {
			continue
		}
		style := "-->"
		switch {
		case e.OnPath:
			style = "==>"
		case e.Kind.Fault():
			style = "-.->"
		}
		a := arrow{m.numbers[e.From], m.numbers[e.To], style}
		if len(labels[a]) == 0 {
			arrows = append(arrows, a)
		}
		labels[a] = append(labels[a], e.Label)
	}
	for _, a := range arrows {
		fmt.Fprintf(&m.text, "  n%d %s|\"%s\"| n%d\n", a.from, a.style, mermaidText(labels[a]), a.to)
	}
}

// classes colours the nodes as other diagrams do.
func (m *mermaidChart) classes() {
	for _, c := range []struct {
		name, style string
		has         func(n *explorer.Node) bool
	}{
		{"awry", "fill:#ffe4b5,color:#000,stroke:#ff8c00", func(n *explorer.Node) bool { return n.Halted && !n.Inconsistent }},
		{"inconsistent", "fill:#b22222,color:#fff", func(n *explorer.Node) bool { return n.Inconsistent }},
		{"path", "stroke-width:3px", func(n *explorer.Node) bool { return n.OnPath }},
	} {
		var names []string
		for number, i := range m.drawn {
			if c.has(&m.d.Nodes[i]) {
				names = append(names, fmt.Sprintf("n%d", number))
			}
		}
		if len(names) > 0 {
			fmt.Fprintf(&m.text, "  classDef %s %s\n  class %s %s\n", c.name, c.style, strings.Join(names, ","), c.name)
		}
	}
}

// mermaidText is lines for between double quotes: Mermaid takes entities by
// their names or numbers, with # for &.
func mermaidText(lines []string) string {
	escape := strings.NewReplacer("#", "#35;", `"`, "#quot;", "<", "#lt;", ">", "#gt;", "&", "#amp;", "`", "#96;", `\`, "#92;")
	escaped := slices.Clone(lines)
	for i, line := range escaped {
		escaped[i] = escape.Replace(printable.Line(line))
	}
	return strings.Join(escaped, "<br>")
}
