package graphviz

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"regexp"

	"github.com/caulk-go/caulk/explorer"
	"github.com/caulk-go/caulk/graphviz/internal/layout"
	"github.com/caulk-go/caulk/graphviz/internal/raster"
)

// SVG and PNG draw diagrams up to this size. At the limit a layout takes
// seconds to a minute, by how tangled the diagram is, and beyond it soon hours.
const (
	MaxNodes = 300
	MaxEdges = 1000
)

// TooLargeError says that a diagram is too large to be drawn.
type TooLargeError struct {
	Nodes, Edges int
}

func (e *TooLargeError) Error() string {
	return fmt.Sprintf("the diagram has %d nodes and %d edges, and SVG and PNG are drawn up to %d and %d: "+
		"write it with --dot and lay it out with Graphviz's sfdp, or draw less of it with --graph labels or --depth",
		e.Nodes, e.Edges, MaxNodes, MaxEdges)
}

// SVG draws the diagram as an SVG element, which is a file of its own as well
// as a part of an HTML page. The same diagram gives the same bytes.
//
// A first drawing takes some tenths of a second, mostly to get Graphviz ready;
// nothing is kept for the next. The error is a *TooLargeError, the context's
// when that ends first, or the writer's; w is written to when all is drawn.
// Several goroutines may draw at once.
func SVG(ctx context.Context, w io.Writer, d *explorer.Diagram) error {
	return svg(ctx, w, drawingOf(d))
}

// PNG draws the diagram as a PNG picture, 144 dots to the inch or fewer where
// it would be larger than 16 million dots. It is drawn as SVG is, with the
// same errors; but letters other than Latin, Greek and Cyrillic ones are shown
// as empty boxes, and another processor may round a dot another way.
func PNG(ctx context.Context, w io.Writer, d *explorer.Diagram) error {
	return png(ctx, w, drawingOf(d))
}

// drawing is what is to be drawn: how large it is, and how it is written as
// DOT.
type drawing struct {
	nodes, edges int
	dot          func(w io.Writer) error
}

func drawingOf(d *explorer.Diagram) drawing {
	return drawing{len(d.Nodes), len(d.Edges), func(w io.Writer) error { return DOT(w, d) }}
}

func svg(ctx context.Context, w io.Writer, d drawing) error {
	drawn, err := layOut(ctx, d, "svg")
	if err != nil {
		return err
	}
	_, err = w.Write(bare(drawn))
	return err
}

func png(ctx context.Context, w io.Writer, d drawing) error {
	drawn, err := layOut(ctx, d, "json")
	if err != nil {
		return err
	}
	var picture bytes.Buffer
	if err := raster.PNG(&picture, drawn); err != nil {
		return err
	}
	_, err = picture.WriteTo(w)
	return err
}

// layOut gives what Graphviz makes of the diagram in one of its formats.
func layOut(ctx context.Context, d drawing, format string) (drawn []byte, err error) {
	if d.nodes > MaxNodes || d.edges > MaxEdges {
		return nil, &TooLargeError{d.nodes, d.edges}
	}
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	var source bytes.Buffer
	if err := d.dot(&source); err != nil {
		return nil, err
	}
	engine, err := layout.Open(ctx, speed(d.nodes, d.edges))
	if err != nil {
		return nil, err
	}
	defer func() {
		if e := engine.Close(); err == nil {
			err = e
		}
	}()
	return engine.Render(ctx, source.Bytes(), format)
}

// speed is whichever is done sooner, by measurement: compiling pays off from
// about so many nodes and edges on.
func speed(nodes, edges int) layout.Speed {
	if nodes+edges < 60 {
		return layout.Interpret
	}
	return layout.Compile
}

var xmlComment = regexp.MustCompile(`(?s)<!--.*?-->\n?`)

// bare takes away what Graphviz puts around a drawing and into comments: its
// version among other things, which would make a drawing change with it.
func bare(svg []byte) []byte {
	start := max(0, bytes.Index(svg, []byte("<svg")))
	return xmlComment.ReplaceAll(svg[start:], nil)
}
