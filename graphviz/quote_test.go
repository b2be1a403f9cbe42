package graphviz

import (
	"bytes"
	"encoding/xml"
	"flag"
	"slices"
	"strings"
	"testing"

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

// FuzzQuote draws two nodes with an arrow between, and looks for their labels
// in the drawing.
func FuzzQuote(f *testing.F) {
	for i, s := range awkward {
		f.Add(s, awkward[(i+1)%len(awkward)])
	}
	speed := layout.Interpret
	if flag.Lookup("test.fuzz").Value.String() != "" {
		speed = layout.Compile
	}
	engine, err := layout.Open(f.Context(), speed)
	if err != nil {
		f.Fatal(err)
	}
	f.Cleanup(func() {
		if err := engine.Close(); err != nil {
			f.Error(err)
		}
	})
	f.Fuzz(func(t *testing.T, a, b string) {
		if a == b {
			t.Skip()
		}
		if quote(a) == quote(b) {
			t.Fatalf("%q and %q are both written as %s", a, b, quote(a))
		}
		var dot bytes.Buffer
		if err := DOT(&dot, &explorer.Diagram{
			Nodes: []explorer.Node{{Name: a, Label: a}, {Name: b, Label: b, InFlight: []string{a, b}}},
			Edges: []explorer.Edge{{From: 0, To: 1, Label: b}},
		}); err != nil {
			t.Fatal(err)
		}
		if n := bytes.Count(dot.Bytes(), []byte("\n")); n != 8 {
			t.Errorf("%d lines, want 8:\n%s", n, dot.Bytes())
		}
		svg, err := engine.Render(t.Context(), dot.Bytes(), "svg")
		if err != nil {
			t.Fatalf("%v:\n%s", err, dot.Bytes())
		}
		want := [][]string{shown(a), shown(b, a, b), shown(b)}
		if got := texts(t, bare(svg)); !slices.EqualFunc(got, want, slices.Equal) {
			t.Errorf("the drawing of %q and %q shows %q, want %q\n%s", a, b, got, want, dot.Bytes())
		}
	})
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

// texts reads the lines of text in each node of a drawing, and then in each
// edge.
func texts(t *testing.T, svg []byte) [][]string {
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
	var nodes, edges [][]string
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
	return append(nodes, edges...)
}
