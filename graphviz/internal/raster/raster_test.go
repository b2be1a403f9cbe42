package raster

import (
	"bytes"
	"image"
	"image/color"
	"image/png"
	"strings"
	"testing"
)

func decode(t *testing.T, laidOut string) image.Image {
	t.Helper()
	var b bytes.Buffer
	if err := PNG(&b, []byte(laidOut)); err != nil {
		t.Fatal(err)
	}
	picture, err := png.Decode(&b)
	if err != nil {
		t.Fatal(err)
	}
	return picture
}

func TestPNG(t *testing.T) {
	picture := decode(t, `{"bb": "0,0,100,50",
		"objects": [{"_draw_": [
			{"op": "S", "style": "setlinewidth(3)"},
			{"op": "c", "color": "#0000ff"}, {"op": "C", "color": "#ffe4b5"},
			{"op": "P", "points": [[10,10],[40,10],[40,40],[10,40]]}]}],
		"edges": [{"_draw_": [
			{"op": "c", "color": "#ff0000"},
			{"op": "b", "points": [[50,25],[60,25],[80,25],[90,25]]}],
			"_ldraw_": [{"op": "F", "size": 20}, {"op": "T", "pt": [70, 30], "align": "c", "width": 40, "text": "HHH"}]}]}`)
	if got, want := picture.Bounds(), image.Rect(0, 0, 216, 116); got != want { // with 4 points around, twice as large
		t.Fatalf("the picture is %v, want %v", got, want)
	}
	tests := []struct {
		what string
		x, y float64 // in points, from the lower left
		want color.RGBA
	}{
		{"beside everything", 5, 5, color.RGBA{255, 255, 255, 255}},
		{"within the box", 25, 25, color.RGBA{255, 228, 181, 255}},
		{"the box's thick border, below", 25, 10, color.RGBA{0, 0, 255, 255}},
		{"one of the box's corners", 40, 40, color.RGBA{0, 0, 255, 255}},
		{"just within the border", 25, 12, color.RGBA{255, 228, 181, 255}},
		{"above the arrow", 70, 26.5, color.RGBA{255, 255, 255, 255}},
	}
	for _, test := range tests {
		if got := at(picture, test.x, test.y); got != test.want {
			t.Errorf("%s it is %v, want %v", test.what, got, test.want)
		}
	}
	if c := at(picture, 70, 25); c.R != 255 || c.G > 128 || c.B > 128 {
		t.Errorf("on the arrow it is %v, want it red", c)
	}
	dark := 0
	for x := 50.0; x < 90; x++ {
		if at(picture, x, 35).R < 128 {
			dark++
		}
	}
	if dark == 0 {
		t.Error("there is no text above the arrow")
	}
}

func at(picture image.Image, x, y float64) color.RGBA {
	height := float64(picture.Bounds().Dy())
	return color.RGBAModel.Convert(picture.At(int((x+padding)*2), int(height-(y+padding)*2))).(color.RGBA)
}

func TestLargePicturesAreScaledDown(t *testing.T) {
	c, err := newCanvas([4]float64{0, 0, 20000, 10000})
	if err != nil {
		t.Fatal(err)
	}
	size := c.picture.Bounds().Size()
	if dots := float64(size.X * size.Y); dots < 0.99*maxDots || dots > 1.01*maxDots {
		t.Errorf("the picture is %v: %g dots, want about %g", size, dots, maxDots)
	}
}

func TestPNGRefuses(t *testing.T) {
	for laidOut, want := range map[string]string{
		`{`:         "cannot read what Graphviz laid out",
		`{"bb":""}`: "cannot read the size",
		`{"bb":"0,0,9,9","edges":[{"_draw_":[{"op":"I"}]}]}`:             `cannot draw Graphviz's instruction "I"`,
		`{"bb":"0,0,9,9","edges":[{"_draw_":[{"op":"c","color":"x"}]}]}`: `cannot read the colour "x"`,
	} {
		if err := PNG(&bytes.Buffer{}, []byte(laidOut)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: error %v, want %s", laidOut, err, want)
		}
	}
}
