package graphviz

import (
	"bytes"
	"fmt"
	"io"
	"strconv"

	"github.com/emicklei/dot"
)

// sheet is a dot.Graph that keeps the names and the order of its nodes.
//
// Package dot numbers nodes as they come and writes n1, n2 and so on, so that
// a new node would rename all that follow it. A sheet puts the names back on
// the way out. And package dot writes the attributes of the whole graph on one
// line, and no defaults for nodes and edges; on a sheet these are statements
// about nodes called graph, node and edge, which to Graphviz are no nodes but
// just that.
type sheet struct {
	graph *dot.Graph
	names []string // by number, as they are written
}

// newSheet begins with how things look unless they say otherwise.
func newSheet() *sheet {
	s := &sheet{graph: dot.NewGraph(dot.Directed), names: []string{0: ""}} // numbers start at 1
	s.graph.ID("caulk")
	// Helvetica is what Graphviz knows the width of when it has no fonts to
	// look it up in; the others are as wide, and are what browsers have.
	font := dot.Literal(`"Helvetica,Arial,sans-serif"`)
	s.statement("graph").Attr("rankdir", word("LR")).Attr("nodesep", word("0.2")).Attr("ranksep", word("0.35"))
	s.statement("node").Attr("shape", word("box")).Attr("style", word("filled")).Attr("fillcolor", word("white")).
		Attr("fontname", font).Attr("fontsize", word("12")).Attr("height", word("0.3")).Attr("margin", dot.Literal(`"0.1,0.05"`))
	s.statement("edge").Attr("fontname", font).Attr("fontsize", word("10")).Attr("arrowsize", word("0.7"))
	return s
}

// statement starts one more statement about a node of this name, which is
// written as it is given.
func (s *sheet) statement(name string) dot.Node {
	n := s.graph.Node(fmt.Sprintf("%09d", len(s.names))) // package dot sorts by this, and writes it nowhere
	n.Delete("label")
	s.names = append(s.names, name)
	return n
}

// writeTo leaves it to the writer to remember errors.
func (s *sheet) writeTo(w io.Writer) {
	s.graph.Write(&namer{to: w, names: s.names})
}

// namer puts names for numbers, at the start of every line where a statement
// begins with one. Nothing on a line but its end is a line feed.
type namer struct {
	to    io.Writer
	names []string
	line  []byte // begun, and not yet written
}

func (n *namer) Write(p []byte) (int, error) {
	n.line = append(n.line, p...)
	for {
		line, rest, ended := bytes.Cut(n.line, []byte{'\n'})
		if !ended {
			return len(p), nil
		}
		if line = bytes.TrimSpace(line); len(line) > 0 {
			if _, err := n.to.Write(n.rename(line)); err != nil {
				return 0, err
			}
		}
		n.line = append(n.line[:0], rest...)
	}
}

func (n *namer) rename(line []byte) []byte {
	from, rest := number(line)
	if from == 0 {
		return append(line[:len(line):len(line)], '\n') // the digraph's own line, or its end
	}
	out := append([]byte{'\t'}, n.names[from]...)
	if after, arrow := bytes.CutPrefix(rest, []byte("->")); arrow {
		to, afterwards := number(after)
		out, rest = append(append(out, " -> "...), n.names[to]...), afterwards
	}
	if rest[0] == '[' {
		out = append(out, ' ')
	}
	return append(append(out, rest...), '\n')
}

// number reads a node's number off the front of a line, or gives 0.
func number(line []byte) (n int, rest []byte) {
	digits := 1
	for digits < len(line) && '0' <= line[digits] && line[digits] <= '9' {
		digits++
	}
	if line[0] != 'n' || digits == 1 {
		return 0, line
	}
	n, err := strconv.Atoi(string(line[1:digits]))
	if err != nil {
		return 0, line
	}
	return n, line[digits:]
}
