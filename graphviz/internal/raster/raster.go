// Package raster turns a diagram that Graphviz has laid out into a PNG.
package raster

import (
	"encoding/json"
	"fmt"
	"image/png"
	"io"
)

// drawing is what package raster reads of Graphviz's json format: where
// everything is, and by which strokes it is drawn.
type drawing struct {
	Box   string  `json:"bb"` // left, bottom, right and top of it all, in points
	Nodes []shape `json:"objects"`
	Edges []shape `json:"edges"`
}

// shape is a node or an edge.
type shape struct {
	Outline []op `json:"_draw_"`
	Head    []op `json:"_hdraw_"` // of an arrow
	Label   []op `json:"_ldraw_"`
}

// op is one instruction for drawing. Which fields count depends on Op.
type op struct {
	Op     string  `json:"op"`
	Color  string  `json:"color"`
	Style  string  `json:"style"`
	Points []point `json:"points"`
	Size   float64 `json:"size"`
	At     point   `json:"pt"`
	Align  string  `json:"align"`
	Width  float64 `json:"width"`
	Text   string  `json:"text"`
}

// point is a place, in points of 1/72 inch; y grows upwards.
type point [2]float64

// PNG draws a diagram, given in Graphviz's json format, at 144 dots per inch,
// or fewer where the picture would have more than 16 million dots.
//
// Text is set in Go Regular, whatever font the diagram names: it has the Latin,
// Greek and Cyrillic letters, and shows others as empty boxes.
func PNG(w io.Writer, laidOut []byte) error {
	var d drawing
	if err := json.Unmarshal(laidOut, &d); err != nil {
		return fmt.Errorf("cannot read what Graphviz laid out: %w", err)
	}
	var box [4]float64
	if _, err := fmt.Sscanf(d.Box, "%g,%g,%g,%g", &box[0], &box[1], &box[2], &box[3]); err != nil {
		return fmt.Errorf("cannot read the size of the diagram: %w", err)
	}
	c, err := newCanvas(box)
	if err != nil {
		return err
	}
	for _, shapes := range [][]shape{d.Edges, d.Nodes} { // nodes on top
		for _, s := range shapes {
			for _, ops := range [][]op{s.Outline, s.Head, s.Label} {
				if err := c.draw(ops); err != nil {
					return err
				}
			}
		}
	}
	return png.Encode(w, c.picture)
}

// draw follows instructions. Each list of them starts with a thin black pen.
func (c *canvas) draw(ops []op) (err error) {
	pen := pen{line: black, fill: black, width: 1}
	for _, o := range ops {
		switch o.Op {
		case "c":
			pen.line, err = parseColor(o.Color)
		case "C":
			pen.fill, err = parseColor(o.Color)
		case "S":
			fmt.Sscanf(o.Style, "setlinewidth(%g)", &pen.width) // other styles draw solid lines
		case "F":
			pen.size = o.Size
		case "P":
			c.fill(o.Points, pen.fill)
			c.stroke(closed(o.Points), pen)
		case "p":
			c.stroke(closed(o.Points), pen)
		case "L":
			c.stroke(o.Points, pen)
		case "b":
			c.stroke(flatten(o.Points), pen)
		case "T":
			err = c.text(o, pen)
		default:
			err = fmt.Errorf("cannot draw Graphviz's instruction %q", o.Op)
		}
		if err != nil {
			return err
		}
	}
	return nil
}
