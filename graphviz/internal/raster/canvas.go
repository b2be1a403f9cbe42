package raster

import (
	"fmt"
	"image"
	"image/color"
	"image/draw"
	"math"

	"golang.org/x/image/font"
	"golang.org/x/image/font/gofont/goregular"
	"golang.org/x/image/font/opentype"
	"golang.org/x/image/math/fixed"
	"golang.org/x/image/vector"
)

const (
	maxDots = 16e6
	padding = 4 // points of white around the diagram
)

// canvas is a picture that is being drawn.
type canvas struct {
	picture *image.RGBA
	left    float64 // in points, where the picture begins
	top     float64
	scale   float64 // dots in a point
	shape   vector.Rasterizer
	letters *opentype.Font
}

// pen is what to draw with.
type pen struct {
	line, fill color.RGBA
	width      float64 // of lines, in points
	size       float64 // of letters, in points
}

var black = color.RGBA{A: 0xff}

// newCanvas is white. The box is left, bottom, right and top, in points.
func newCanvas(box [4]float64) (*canvas, error) {
	letters, err := opentype.Parse(goregular.TTF)
	if err != nil {
		return nil, err
	}
	width, height := box[2]-box[0]+2*padding, box[3]-box[1]+2*padding
	scale := min(2, math.Sqrt(maxDots/(width*height)))
	c := &canvas{
		picture: image.NewRGBA(image.Rect(0, 0, int(math.Ceil(width*scale)), int(math.Ceil(height*scale)))),
		left:    box[0] - padding, top: box[3] + padding,
		scale:   scale,
		letters: letters,
	}
	draw.Draw(c.picture, c.picture.Bounds(), image.White, image.Point{}, draw.Src)
	return c, nil
}

// dot is where a point is in the picture.
func (c *canvas) dot(p point) point {
	return point{(p[0] - c.left) * c.scale, (c.top - p[1]) * c.scale}
}

func (c *canvas) dots(points []point) []point {
	dots := make([]point, len(points))
	for i, p := range points {
		dots[i] = c.dot(p)
	}
	return dots
}

func (c *canvas) fill(polygon []point, with color.RGBA) {
	c.paint([][]point{c.dots(polygon)}, with)
}

// stroke draws a line through points: a rectangle for each stretch of it, and
// a disc where two of them meet.
func (c *canvas) stroke(line []point, with pen) {
	radius := with.width * c.scale / 2
	line = c.dots(line)
	var parts [][]point
	for i := 1; i < len(line); i++ {
		a, b := line[i-1], line[i]
		length := math.Hypot(b[0]-a[0], b[1]-a[1])
		if length == 0 {
			continue
		}
		x, y := (b[0]-a[0])/length*radius, (b[1]-a[1])/length*radius
		parts = append(parts, []point{{a[0] - y, a[1] + x}, {a[0] + y, a[1] - x}, {b[0] + y, b[1] - x}, {b[0] - y, b[1] + x}})
		if i > 1 || line[0] == line[len(line)-1] {
			parts = append(parts, disc(a, radius))
		}
	}
	c.paint(parts, with.line)
}

// paint fills polygons that run the same way around, as one shape: where they
// overlap they are not painted twice.
func (c *canvas) paint(polygons [][]point, with color.RGBA) {
	box := bounds(polygons).Intersect(c.picture.Bounds())
	if box.Empty() {
		return
	}
	c.shape.Reset(box.Dx(), box.Dy())
	for _, polygon := range polygons {
		for i, p := range polygon {
			x, y := float32(p[0]-float64(box.Min.X)), float32(p[1]-float64(box.Min.Y))
			if i == 0 {
				c.shape.MoveTo(x, y)
			} else {
				c.shape.LineTo(x, y)
			}
		}
		c.shape.ClosePath()
	}
	c.shape.Draw(c.picture, box, image.NewUniform(with), image.Point{})
}

// text writes one line of text, a little smaller where Graphviz thought it
// narrower than it is.
func (c *canvas) text(o op, with pen) error {
	face, wide, err := c.face(with.size, o.Text)
	if err != nil {
		return err
	}
	if room := o.Width * c.scale; wide > room {
		const smallest = 0.8
		if face, wide, err = c.face(with.size*max(smallest, room/wide), o.Text); err != nil {
			return err
		}
	}
	at := c.dot(o.At)
	switch o.Align {
	case "c":
		at[0] -= wide / 2
	case "r":
		at[0] -= wide
	}
	d := font.Drawer{Dst: c.picture, Src: image.NewUniform(with.line), Face: face,
		Dot: fixed.Point26_6{X: fixed.Int26_6(math.Round(at[0] * 64)), Y: fixed.Int26_6(math.Round(at[1] * 64))}}
	d.DrawString(o.Text)
	return nil
}

// face gives letters of a size in points, and how many dots wide a text is in
// them.
func (c *canvas) face(size float64, text string) (font.Face, float64, error) {
	face, err := opentype.NewFace(c.letters, &opentype.FaceOptions{Size: size * c.scale, DPI: 72})
	if err != nil {
		return nil, 0, err
	}
	return face, float64(font.MeasureString(face, text)) / 64, nil
}

// parseColor reads #rrggbb and #rrggbbaa.
func parseColor(s string) (color.RGBA, error) {
	c := color.NRGBA{A: 0xff}
	if n, _ := fmt.Sscanf(s, "#%02x%02x%02x%02x", &c.R, &c.G, &c.B, &c.A); n < 3 {
		return color.RGBA{}, fmt.Errorf("cannot read the colour %q", s)
	}
	return color.RGBAModel.Convert(c).(color.RGBA), nil
}
