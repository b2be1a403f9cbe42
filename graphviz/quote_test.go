package graphviz

import (
	"bytes"
	"encoding/xml"
	"flag"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/caulk-go/caulk/explorer"
	"github.com/caulk-go/caulk/graphviz/internal/layout"
)

// awkward are strings that DOT or Graphviz could take for something else.
var awkward = []string{
	"", " ", "  two  spaces  ", "node", "graph", "n1", "1", "-", "%0", "_", "\\N",
	`"`, `""`, `\`, `\\`, `a\`, `a\\`, `\"`, `\n`, `\l`, `\G`, `a\nb`, `\"; x [`,
	"a\nb", "\n", "a\n", "\n\na", "a\r\nb", "a\tb", "\x00", "a\x01", `a\x01`, `"a\x01"`, `"\"a\\x01\""`, "\x7f", "\xff", "a\xc3",
	"<b>bold</b>", "<", "<>", "-->", "<!--", "]]>", "&", "&&", "&amp;", "&lt;b&gt;", "&#65;", "&#x41;", "&;", "a & b; c", "&amp", "&amp;amp;",
	"a->b", "a;b", "a[b]", "{a|b}", "a:b:c", "//", "/* */", "#", "# a",
	"ä", "✓", "日本", "e\u0301", "\u00a0", "\u200b", "\u202e", "\u2028", "\U0001f600", "\ufeff", "\ufffd",
}

func TestVisible(t *testing.T) {
	for s, want := range map[string]string{
		"R1I0":    "R1I0",
		`a\b`:     `a\b`,
		"a\nb":    "a\nb",
		`"a"`:     `"a"`,
		"a\tb":    `"a\tb"`,
		`"a\tb"`:  `"\"a\\tb\""`,
		"\xff":    `"\xff"`,
		"a\u00a0": `"a\u00a0"`,
	} {
		if got := visible(s); got != want {
			t.Errorf("visible(%q) = %s, want %s", s, got, want)
		}
	}
}

func TestAwkwardNamesStayApart(t *testing.T) {
	seen := map[string]string{}
	for _, s := range awkward {
		if other, ok := seen[quote(s)]; ok {
			t.Errorf("%q and %q are both written as %s", s, other, quote(s))
		}
		seen[quote(s)] = s
	}
}

func TestAwkwardNamesAreSeenInTheDrawing(t *testing.T) {
	if raceEnabled {
		t.Skip("it takes half a minute with the race detector, and races nothing")
	}
	checkDrawing(t, open(t, layout.Interpret), awkward)
}

// FuzzQuote draws two nodes with an arrow between, and looks for their labels
// in the drawing.
func FuzzQuote(f *testing.F) {
	f.Add("R1I0", "{Prepare;1->2;n=1}")
	f.Add("a\nb", "\\")
	f.Add("\"", "&lt;")
	f.Add("%", "\xff\x00")
	speed := layout.Interpret
	if flag.Lookup("test.fuzz").Value.String() != "" {
		speed = layout.Compile
	}
	engine := open(f, speed)
	f.Fuzz(func(t *testing.T, a, b string) {
		if a == b || len(a)+len(b) > 200 { // two nodes of one name are refused, and long ones take long
			t.Skip()
		}
		if quote(a) == quote(b) {
			t.Fatalf("%q and %q are both written as %s", a, b, quote(a))
		}
		checkDrawing(t, engine, []string{a, b})
	})
}

func open(t testing.TB, s layout.Speed) *layout.Engine {
	t.Helper()
	e, err := layout.Open(t.Context(), s)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := e.Close(); err != nil {
			t.Error(err)
		}
	})
	return e
}

// checkDrawing draws a node for each name, the last with all names in flight
// too, and an arrow with that label from the first node to each other one.
func checkDrawing(t *testing.T, engine *layout.Engine, names []string) {
	t.Helper()
	d := &explorer.Diagram{}
	var nodes, edges [][]string // what must be seen
	for i, name := range names {
		d.Nodes = append(d.Nodes, explorer.Node{Name: name, Label: name})
		nodes = append(nodes, shown(name))
		if i > 0 {
			d.Edges = append(d.Edges, explorer.Edge{To: i, Label: name})
			edges = append(edges, shown(name))
		}
	}
	last := len(names) - 1
	d.Nodes[last].InFlight = names
	nodes[last] = append(nodes[last], shown(names...)...)

	var dot bytes.Buffer
	if err := DOT(&dot, d); err != nil {
		t.Fatal(err)
	}
	const others = 5 // lines: the first and the last, and the defaults
	if got, want := bytes.Count(dot.Bytes(), []byte("\n")), len(d.Nodes)+len(d.Edges)+others; got != want {
		t.Errorf("%d lines, want %d:\n%s", got, want, dot.Bytes())
	}
	svg, err := engine.Render(t.Context(), dot.Bytes(), "svg")
	if err != nil {
		t.Fatalf("%v:\n%s", err, dot.Bytes())
	}
	gotNodes, gotEdges := texts(t, bare(svg))
	sortLines := func(a, b []string) int { return slices.Compare(a, b) } // Graphviz goes by nearness
	for _, x := range [][][]string{nodes, edges, gotNodes, gotEdges} {
		slices.SortFunc(x, sortLines)
	}
	if diff := cmp.Diff(nodes, gotNodes, cmpopts.EquateEmpty()); diff != "" {
		t.Errorf("the nodes show (-want +got)\n%s\n%s", diff, dot.Bytes())
	}
	if diff := cmp.Diff(edges, gotEdges, cmpopts.EquateEmpty()); diff != "" {
		t.Errorf("the edges show (-want +got)\n%s\n%s", diff, dot.Bytes())
	}
}

// shown is what a drawing shows of texts below each other, line by line.
func shown(texts ...string) []string {
	var lines []string
	for _, s := range texts {
		for line := range strings.SplitSeq(visible(s), "\n") {
			if line != "" { // an empty line is left empty
				lines = append(lines, line)
			}
		}
	}
	return lines
}

// texts reads the lines of text in each node of a drawing, and in each edge.
func texts(t *testing.T, svg []byte) (nodes, edges [][]string) {
	t.Helper()
	var drawing struct {
		Graph struct {
			Shapes []struct {
				Class string   `xml:"class,attr"`
				Text  []string `xml:"text"`
			} `xml:"g"`
		} `xml:"g"`
	}
	if err := xml.Unmarshal(svg, &drawing); err != nil {
		t.Fatalf("the drawing is not XML: %v\n%s", err, svg)
	}
	for _, s := range drawing.Graph.Shapes {
		var lines []string
		for _, line := range s.Text {
			lines = append(lines, strings.ReplaceAll(line, "\u00a0", " ")) // for the spaces that XML would drop
		}
		if s.Class == "node" {
			nodes = append(nodes, lines)
		} else {
			edges = append(edges, lines)
		}
	}
	return nodes, edges
}
