package sequence

import (
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/caulk-go/caulk/model"
)

// Text draws the chart with characters, a line for each move: who acts is an o,
// an arrow goes from the sender's line to the receiver's in the row in which the
// message arrives. What was sent and does not arrive is listed at the end.
func (c *Chart) Text() string {
	t := text{c: c, width: 8}
	for i := range c.Agents {
		t.width = max(t.width, utf8.RuneCountInString(c.name(i))+2)
	}
	for _, r := range c.Rows {
		t.label = max(t.label, utf8.RuneCountInString(r.Label))
	}
	t.line("", t.heads(), "")
	t.line("", t.rail(0, 0, ' '), c.Start)
	for i, r := range c.Rows {
		if c.Loops && i == c.LoopFrom {
			t.line("", t.rail(0, 0, ' '), "and then for ever:")
		}
		t.line(r.Label, t.row(i, r), r.State)
	}
	if c.Loops && c.LoopFrom == len(c.Rows) {
		t.line("", t.rail(0, 0, ' '), "and stays there for ever")
	}
	for _, a := range c.Sends {
		switch {
		case a.Lost >= 0:
			fmt.Fprintf(&t.b, "lost: %s\n", a.Label)
		case a.Arrives < 0:
			fmt.Fprintf(&t.b, "still on its way: %s\n", a.Label)
		}
	}
	if c.End != "" {
		fmt.Fprintf(&t.b, "%s\n", c.End)
	}
	return t.b.String()
}

type text struct {
	c            *Chart
	width, label int
	b            strings.Builder
}

func (t *text) line(label, rail, after string) {
	pad := strings.Repeat(" ", t.label-utf8.RuneCountInString(label))
	t.b.WriteString(strings.TrimRight(label+pad+"  "+rail+"  "+after, " ") + "\n")
}

func (t *text) heads() string {
	var b strings.Builder
	for i := range t.c.Agents {
		name := t.c.name(i)
		b.WriteString(name + strings.Repeat(" ", t.width-utf8.RuneCountInString(name)))
	}
	return b.String()
}

// row is the lines of all agents, and what a move draws over them.
func (t *text) row(i int, r Row) string {
	for _, a := range t.c.Sends {
		if a.Arrives == i {
			return t.rail(a.From, a.To, 'o')
		}
	}
	mark := 'o'
	if r.Fault {
		mark = 'x'
	}
	return t.rail(r.Agent, r.Agent, mark)
}

// rail draws the lines, an arrow between two of them, and a mark at its end.
func (t *text) rail(from, to model.ID, mark rune) string {
	columns := []rune(strings.Repeat(" ", len(t.c.Agents)*t.width))
	for i := range t.c.Agents {
		columns[i*t.width] = '|'
	}
	if to == 0 {
		return string(columns)
	}
	a, b := (int(from)-1)*t.width, (int(to)-1)*t.width
	for x := min(a, b) + 1; x < max(a, b); x++ {
		columns[x] = '-'
	}
	switch {
	case a < b:
		columns[b-1] = '>'
	case a > b:
		columns[b+1] = '<'
	}
	columns[b] = mark
	return string(columns)
}
