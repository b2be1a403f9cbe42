package graphviz_test

import (
	"bytes"
	"context"
	"encoding/xml"
	"errors"
	"fmt"
	"image"
	"image/color"
	"image/png"
	"io"
	"strings"
	"sync"
	"testing"

	"github.com/caulk-go/caulk/explorer"
	"github.com/caulk-go/caulk/graphviz"
)

// The golden drawings hold SVG to the byte, from one machine and year to the
// next.
func TestSVG(t *testing.T) {
	for file, d := range map[string]*explorer.Diagram{"labels.svg": labels(), "states.svg": states(), "empty.svg": {}} {
		t.Run(file, func(t *testing.T) {
			got := svg(t, d)
			golden(t, file, got)
			if err := xml.Unmarshal([]byte(got), new(struct{})); err != nil {
				t.Error(err)
			}
			for _, chatter := range []string{"<!--", "<!DOCTYPE", "12.1.2"} {
				if strings.Contains(got, chatter) {
					t.Errorf("%s is in the drawing", chatter)
				}
			}
		})
	}
}

func svg(t testing.TB, d *explorer.Diagram) string {
	t.Helper()
	var b bytes.Buffer
	if err := graphviz.SVG(t.Context(), &b, d); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// ring is a diagram of n nodes and edges.
func ring(n int) *explorer.Diagram {
	d := &explorer.Diagram{}
	for i := range n {
		name := fmt.Sprintf("N%03d", i)
		d.Nodes = append(d.Nodes, explorer.Node{Name: name, Label: name})
		d.Edges = append(d.Edges, explorer.Edge{From: i, To: (i + 1) % n, Label: "next"})
	}
	return d
}

func TestPNG(t *testing.T) {
	var once, again bytes.Buffer
	for _, b := range []*bytes.Buffer{&once, &again} {
		if err := graphviz.PNG(t.Context(), b, labels()); err != nil {
			t.Fatal(err)
		}
	}
	if !bytes.Equal(once.Bytes(), again.Bytes()) {
		t.Error("drawn again it differs")
	}
	picture, err := png.Decode(&once)
	if err != nil {
		t.Fatal(err)
	}
	for what, c := range map[string]color.RGBA{
		"the background":       {255, 255, 255, 255},
		"the borders":          {0, 0, 0, 255},
		"halted nodes' tint":   {255, 228, 181, 255}, // moccasin
		"inconsistent ones'":   {178, 34, 34, 255},   // firebrick
		"wipes":                {205, 0, 0, 255},     // red3
		"the border of a halt": {255, 140, 0, 255},   // darkorange
	} {
		if !has(picture, c) {
			t.Errorf("%s, %v, is nowhere in the picture", what, c)
		}
	}
}

func has(picture image.Image, want color.RGBA) bool {
	for y := range picture.Bounds().Dy() {
		for x := range picture.Bounds().Dx() {
			if color.RGBAModel.Convert(picture.At(x, y)) == want {
				return true
			}
		}
	}
	return false
}

func TestPNGOfNothing(t *testing.T) {
	var b bytes.Buffer
	if err := graphviz.PNG(t.Context(), &b, &explorer.Diagram{}); err != nil {
		t.Fatal(err)
	}
	if _, err := png.Decode(&b); err != nil {
		t.Error(err)
	}
}

func TestTooLarge(t *testing.T) {
	manyEdges := ring(2)
	for range graphviz.MaxEdges {
		manyEdges.Edges = append(manyEdges.Edges, explorer.Edge{From: 0, To: 1})
	}
	for _, test := range []struct {
		d    *explorer.Diagram
		want graphviz.TooLargeError
	}{
		{ring(graphviz.MaxNodes + 1), graphviz.TooLargeError{Nodes: 301, Edges: 301}},
		{manyEdges, graphviz.TooLargeError{Nodes: 2, Edges: 1002}},
	} {
		for format, draw := range formats {
			var b bytes.Buffer
			var tooLarge *graphviz.TooLargeError
			if err := draw(t.Context(), &b, test.d); !errors.As(err, &tooLarge) || *tooLarge != test.want {
				t.Errorf("%s: error %v, want %+v", format, err, test.want)
			}
			if b.Len() > 0 {
				t.Errorf("%s: something is written", format)
			}
		}
	}
	const want = "the diagram has 301 nodes and 301 edges, and SVG and PNG are drawn up to 300 and 1000: " +
		"write it with --dot and lay it out with Graphviz's sfdp, or draw less of it with --graph labels or --depth"
	if got := (&graphviz.TooLargeError{Nodes: 301, Edges: 301}).Error(); got != want {
		t.Errorf("it says %q", got)
	}
}

var formats = map[string]func(context.Context, io.Writer, *explorer.Diagram) error{"SVG": graphviz.SVG, "PNG": graphviz.PNG}

func TestDrawingGivesOthersErrors(t *testing.T) {
	cancelled, cancel := context.WithCancel(t.Context())
	cancel()
	for format, draw := range formats {
		if err := draw(cancelled, io.Discard, labels()); !errors.Is(err, context.Canceled) {
			t.Errorf("%s: error %v, want that the context was cancelled", format, err)
		}
		if err := draw(t.Context(), brokenWriter{}, labels()); !errors.Is(err, errBroken) {
			t.Errorf("%s: error %v, want %v", format, err, errBroken)
		}
	}
}

func TestSeveralGoroutinesDraw(t *testing.T) {
	want := svg(t, states())
	var wg sync.WaitGroup
	for range 2 {
		wg.Go(func() {
			var b bytes.Buffer
			if err := graphviz.SVG(t.Context(), &b, states()); err != nil || b.String() != want {
				t.Errorf("a drawing at the same time differs: %v", err)
			}
		})
	}
	wg.Wait()
}

func BenchmarkSVG(b *testing.B) {
	d := labels()
	for b.Loop() {
		svg(b, d)
	}
}

func BenchmarkPNG(b *testing.B) {
	d := labels()
	for b.Loop() {
		if err := graphviz.PNG(b.Context(), io.Discard, d); err != nil {
			b.Fatal(err)
		}
	}
}
