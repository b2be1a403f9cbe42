package raster

import (
	"image"
	"math"
)

// flatten makes a line of a curve: cubic Bézier pieces, each beginning where
// the one before it ends.
func flatten(curve []point) []point {
	const stretches = 16 // for each piece
	line := curve[:1:1]
	for i := 0; i+3 < len(curve); i += 3 {
		a, b, c, d := curve[i], curve[i+1], curve[i+2], curve[i+3]
		for k := 1; k <= stretches; k++ {
			t := float64(k) / stretches
			u := 1 - t
			wa, wb, wc, wd := u*u*u, 3*u*u*t, 3*u*t*t, t*t*t
			line = append(line, point{
				wa*a[0] + wb*b[0] + wc*c[0] + wd*d[0],
				wa*a[1] + wb*b[1] + wc*c[1] + wd*d[1],
			})
		}
	}
	return line
}

// closed is a polygon as a line that comes back to where it begins.
func closed(polygon []point) []point {
	return append(polygon[:len(polygon):len(polygon)], polygon[0])
}

// disc is a polygon that looks like one, and runs around as a stroke's
// rectangles do.
func disc(center point, radius float64) []point {
	const corners = 16
	polygon := make([]point, corners)
	for i := range polygon {
		sin, cos := math.Sincos(2 * math.Pi * float64(i) / corners)
		polygon[i] = point{center[0] + radius*cos, center[1] + radius*sin}
	}
	return polygon
}

// bounds is the smallest rectangle of whole dots around all the polygons.
func bounds(polygons [][]point) image.Rectangle {
	low, high := point{math.Inf(1), math.Inf(1)}, point{math.Inf(-1), math.Inf(-1)}
	for _, polygon := range polygons {
		for _, p := range polygon {
			for i := range p {
				low[i], high[i] = min(low[i], p[i]), max(high[i], p[i])
			}
		}
	}
	if low[0] > high[0] {
		return image.Rectangle{}
	}
	return image.Rect(int(math.Floor(low[0])), int(math.Floor(low[1])), int(math.Ceil(high[0])), int(math.Ceil(high[1])))
}
