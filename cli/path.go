package cli

import (
	"fmt"
	"strings"

	"github.com/caulk-go/caulk/internal/diff"
	"github.com/caulk-go/caulk/internal/printable"
	"github.com/caulk-go/caulk/internal/walk"
	"github.com/caulk-go/caulk/trace"
)

// path writes the moves of a path: number, label, the label of the state after
// it, and beneath what it changed.
//
//	1  {Prepare;1->3;n=1}  R1I0P1
//	   agent 3  N      0 → 1
//	            State  Idle{} → Promised{}
//	            sends  {Promise;3->1;n=1}
//
// The walk is along the path, and may end early.
func (p *page) path(steps []trace.Step, w walk.Walk) { p.lasso(steps, noLoop, w) }

const noLoop = -1

// lasso writes a path whose moves from one on, counted from 0, are made for
// ever; from the number of moves on, none is.
func (p *page) lasso(steps []trace.Step, loop int, w walk.Walk) {
	number := widest(fmt.Sprint(len(steps))) + 2
	label := widest("the start")
	for _, s := range steps {
		label = max(label, columns(printable.Line(s.Label)))
	}
	if w.Begun {
		p.line("%s", strings.TrimRight(fmt.Sprintf("%*d  %s  %s", number, 0, p.paint(faint, pad("the start", label)), printable.Line(w.Start)), " "))
	}
	for i, s := range steps {
		if i == loop {
			p.line("%*s  and then for ever:", number, "")
		}
		text, colour := printable.Line(s.Label), ""
		if s.State != "" {
			text = pad(text, label)
		}
		if i == len(steps)-1 {
			colour = bold
		}
		p.line("%*d  %s%s", number, i+1, p.paint(colour, text), after(printable.Line(s.State)))
		if i < len(w.Effects) {
			p.effect(w.Effects[i], strings.Repeat(" ", number+2))
		}
	}
	if loop == len(steps) {
		p.line("%*s  and stays there for ever", number, "")
	}
}

// after is a column that may be empty.
func after(text string) string {
	if text == "" {
		return ""
	}
	return "  " + text
}

func (p *page) effect(e walk.Effect, indent string) {
	agent := fmt.Sprintf("agent %d  ", e.Agent)
	margin := indent + strings.Repeat(" ", columns(agent))
	rows := p.effectRows(e, margin)
	if len(rows) == 0 && !e.Idle {
		rows = []string{"does nothing"}
	}
	p.rows(rows, agent, indent)
	const observer = "observer  "
	margin = indent + strings.Repeat(" ", columns(observer))
	p.rows(p.effectRows(walk.Effect{Changes: e.Observes}, margin), observer, indent)
}

// rows writes the lines of who the first of them names.
func (p *page) rows(rows []string, who, indent string) {
	margin := indent + strings.Repeat(" ", columns(who))
	for i, row := range rows {
		lead := indent + who
		if i > 0 {
			lead = margin
		}
		p.WriteString(p.paint(faint, lead) + row + "\n")
	}
}

// effectRows are the lines of an effect without their margin.
func (p *page) effectRows(e walk.Effect, margin string) []string {
	if e.Panics {
		return []string{p.paint(red, "panics")}
	}
	field := 0
	if len(e.Sends) > 0 {
		field = columns("sends")
	}
	for _, c := range e.Changes {
		field = max(field, columns(fieldName(c)))
	}
	room := max(p.width-columns(margin)-field-2, 20)
	var rows []string
	add := func(name string, lines []string) {
		for i, line := range lines {
			if i > 0 {
				name = ""
			}
			rows = append(rows, strings.TrimRight(pad(name, field)+"  "+line, " "))
		}
	}
	for _, c := range e.Changes {
		if columns(c.Old)+columns(c.New)+3 <= room {
			add(fieldName(c), []string{c.Old + " → " + c.New})
		} else {
			add(fieldName(c), append(value(c.Old, "", room), value(c.New, "→ ", room)...))
		}
	}
	add("sends", fill(labelsOf(e.Sends), " ", room))
	return rows
}

// value breaks a rendered value after its commas where it is too long; what
// follows the first line is indented.
func value(text, lead string, room int) []string {
	lines := fill(strings.SplitAfter(text, ", "), "", room-columns(lead)-2)
	for i := range lines {
		lines[i] = strings.TrimRight(lines[i], " ")
		if i == 0 {
			lines[i] = lead + lines[i]
		} else {
			lines[i] = strings.Repeat(" ", columns(lead)+2) + lines[i]
		}
	}
	return lines
}

func fieldName(c diff.Change) string {
	if c.Field == "" {
		return "state"
	}
	return c.Field
}

// fill sets words in lines of at most so many columns; a longer word has a
// line of its own.
func fill(words []string, separator string, room int) []string {
	var lines []string
	for _, w := range words {
		last := len(lines) - 1
		if last >= 0 && columns(lines[last]+separator+strings.TrimRight(w, " ")) <= room {
			lines[last] += separator + w
		} else {
			lines = append(lines, w)
		}
	}
	return lines
}

func labelsOf(sent []walk.Sent) []string {
	labels := make([]string, len(sent))
	for i, m := range sent {
		labels[i] = m.Label
	}
	return labels
}
