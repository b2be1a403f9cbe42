package sequence

import (
	"fmt"
	"html"
	"strings"
	"unicode/utf8"

	"github.com/caulk-go/caulk/model"
)

// The measures of a drawing, in pixels.
const (
	laneGap   = 170
	rowGap    = 34
	top       = 46
	margin    = 90
	charWidth = 7 // of a letter, about
)

// SVG draws the chart as an SVG element, which is a file of its own as well as a
// part of an HTML page. Lines and texts have the current colour, on a page that is
// light or dark.
func (c *Chart) SVG() string {
	d := drawing{c: c}
	states := 0
	for _, r := range c.Rows {
		states = max(states, utf8.RuneCountInString(r.State))
	}
	d.right = margin + laneGap*len(c.Agents) - laneGap/2
	width := d.right + max(states, utf8.RuneCountInString(c.Start))*charWidth + 20
	width = max(width, utf8.RuneCountInString(c.End)*(charWidth+1)+20)
	bottom := d.y(len(c.Rows)) + rowGap/2
	height := bottom + 30
	fmt.Fprintf(&d.b, `<svg xmlns="http://www.w3.org/2000/svg" width="%d" height="%d" viewBox="0 0 %d %d" font-family="ui-monospace, monospace" font-size="12" color="#444" fill="currentColor" role="img">`+"\n", width, height, width, height)
	fmt.Fprintf(&d.b, "<title>%s</title>\n", html.EscapeString(c.title()))
	d.b.WriteString(`<defs><marker id="caulk-arrow" viewBox="0 0 10 10" refX="10" refY="5" markerWidth="8" markerHeight="8" orient="auto"><path d="M0 0L10 5L0 10z" fill="#2563eb"/></marker></defs>` + "\n")
	for i := range c.Agents {
		x := d.x(model.ID(i + 1))
		d.text(x, 20, "middle", "font-weight='bold'", c.name(i))
		fmt.Fprintf(&d.b, `<line x1="%d" y1="30" x2="%d" y2="%d" stroke="currentColor" stroke-opacity="0.4"/>`+"\n", x, x, bottom)
	}
	d.text(d.right, d.y(-1)+4, "start", "opacity='0.8'", c.Start)
	for _, a := range c.Sends {
		d.arrow(a)
	}
	for i, r := range c.Rows {
		d.row(i, r)
	}
	if c.Loops {
		d.text(8, d.y(c.LoopFrom)-rowGap/2+4, "start", "font-style='italic'", "for ever:")
		fmt.Fprintf(&d.b, `<line x1="4" y1="%d" x2="4" y2="%d" stroke="#b45309" stroke-width="3"/>`+"\n", d.y(c.LoopFrom)-rowGap/2, bottom)
	}
	if c.End != "" {
		d.text(8, bottom+18, "start", "fill='#dc2626' font-weight='bold'", c.End)
	}
	d.b.WriteString("</svg>\n")
	return d.b.String()
}

func (c *Chart) title() string {
	return fmt.Sprintf("sequence diagram of %d moves of %d agents", len(c.Rows), len(c.Agents))
}

type drawing struct {
	c     *Chart
	right int // where the labels of states begin
	b     strings.Builder
}

func (d *drawing) x(id model.ID) int { return margin + laneGap*(int(id)-1) }

// y is where a row is; -1 is the start.
func (d *drawing) y(row int) int { return top + rowGap*(row+1) }

func (d *drawing) text(x, y int, anchor, attributes, s string) {
	if s == "" {
		return
	}
	fmt.Fprintf(&d.b, `<text x="%d" y="%d" text-anchor="%s" %s>%s</text>`+"\n", x, y, anchor, attributes, html.EscapeString(s))
}

// row marks who acts, and says what it is.
func (d *drawing) row(i int, r Row) {
	x, y := d.x(r.Agent), d.y(i)
	colour := "#2563eb"
	if r.Fault {
		colour = "#dc2626"
	}
	fmt.Fprintf(&d.b, `<circle cx="%d" cy="%d" r="4" fill="%s"/>`+"\n", x, y, colour)
	if !r.Deliver {
		d.text(x+8, y-6, "start", fmt.Sprintf("fill='%s'", colour), r.Label)
	}
	d.text(d.right, y+4, "start", "opacity='0.8'", r.State)
}

// arrow draws a message from where it is sent to where it arrives, or a part of
// the way.
func (d *drawing) arrow(a Arrow) {
	x1, y1 := d.x(a.From), d.y(a.Sent)
	x2, y2, style := d.x(a.To), d.y(a.Arrives), `stroke="#2563eb" marker-end="url(#caulk-arrow)"`
	if a.Arrives < 0 {
		until := len(d.c.Rows)
		style = `stroke="currentColor" stroke-dasharray="3 3" stroke-opacity="0.6"`
		if a.Lost >= 0 {
			until = a.Lost
			style = `stroke="#dc2626" stroke-dasharray="3 3"`
		}
		x2, y2 = x1+(x2-x1)/3, min(d.y(until), y1+rowGap/2)
		d.text(x2, y2+4, "middle", "opacity='0.6'", "×")
	}
	fmt.Fprintf(&d.b, `<line x1="%d" y1="%d" x2="%d" y2="%d" %s/>`+"\n", x1, y1, x2, y2, style)
	if a.Arrives >= 0 {
		anchor, x := "end", x2-10
		if x2 < x1 {
			anchor, x = "start", x2+10
		}
		d.text(x, y2-5, anchor, "", a.Label)
	} else if a.Lost >= 0 || len(d.c.Sends) <= mostLabelled {
		anchor := "start"
		if x2 < x1 {
			anchor = "end"
		}
		d.text(x2, y2+14, anchor, "opacity='0.6' font-size='10'", a.Label)
	}
}

// mostLabelled is up to how many messages those that do not arrive are labelled.
const mostLabelled = 40
