package cli

import (
	"fmt"
	"strings"

	"github.com/caulk-go/caulk/explorer"
	"github.com/caulk-go/caulk/internal/printable"
	"github.com/caulk-go/caulk/internal/walk"
)

// comparison writes what a newer variant mends and breaks. What it broke has
// its path, and stands last but for the verdict.
func (p *page) comparison(c *explorer.Comparison, older, newer *variant) {
	p.line("%s", p.paint(bold, "older  "+describe(&older.sys)))
	p.line("%s", p.paint(bold, "newer  "+describe(&newer.sys)))
	p.line("")
	p.sides(c)
	p.changes(c)
	p.changedPairs("fixed", c.Fixed, func(q explorer.PairChange) string {
		if q.Met {
			return fmt.Sprintf("halted after %s; now handled", plural(int64(*q.OlderMoves), "move"))
		}
		return fmt.Sprintf("halted after %s; no longer met", plural(int64(*q.OlderMoves), "move"))
	})
	p.changedPairs("still awry", c.StillAwry, func(q explorer.PairChange) string {
		if *q.OlderMoves == *q.NewerMoves {
			return "halts after " + plural(int64(*q.NewerMoves), "move")
		}
		return fmt.Sprintf("halts after %s, not %d", plural(int64(*q.NewerMoves), "move"), *q.OlderMoves)
	})
	p.plainPairs("newly reachable", c.NewlyReachable)
	p.plainPairs("no longer reachable", c.NoLongerReachable)
	for _, q := range c.NewlyAwry {
		p.line("")
		p.line("%s %s", p.paint(red, "newly awry:"), p.paint(bold, pairTitle(explorer.Awry{
			AgentState: q.AgentState, Message: q.Message, Moves: *q.NewerMoves, Path: q.Path})))
		p.path(q.Path, walk.Walk{})
	}
	if v := newer.report.Violation; v != nil && breaks(c, v.Property) {
		p.line("")
		p.line("%s %s", p.paint(red, "newly violated:"), p.paint(bold, fmt.Sprintf("%s, after %s:", printable.Line(v.Property), length(v))))
		loop := noLoop
		if v.LoopFrom != nil {
			loop = *v.LoopFrom
		}
		p.lasso(v.Path, loop, walk.Along(&newer.sys, v.Start, v.Path, newer.options.HandlerTime))
	}
	p.line("")
	for _, v := range []*variant{older, newer} {
		if len(v.report.Bounds) > 0 {
			p.line("Of %s:", v.sys.Name)
			p.bounds(v.report)
		}
	}
	p.outcome(c)
}

// sides writes the counts of both side by side.
func (p *page) sides(c *explorer.Comparison) {
	a, b := printable.Line(c.Older.Algo), printable.Line(c.Newer.Algo)
	rows := [][3]string{
		{"", a, b},
		{"states", grouped(c.Older.States), grouped(c.Newer.States)},
		{"transitions", grouped(c.Older.Transitions), grouped(c.Newer.Transitions)},
		{"awry pairs", fmt.Sprint(c.Older.AwryPairs), fmt.Sprint(c.Newer.AwryPairs)},
		{"verdict", string(c.Older.Verdict), string(c.Newer.Verdict)},
	}
	var left, right int
	for _, row := range rows {
		left, right = max(left, columns(row[1])), max(right, columns(row[2]))
	}
	for _, row := range rows {
		p.line("  %s  %s%s  %s%s", pad(row[0], 12), strings.Repeat(" ", left-columns(row[1])), row[1], strings.Repeat(" ", right-columns(row[2])), row[2])
	}
}

// changes writes what became of each property.
func (p *page) changes(c *explorer.Comparison) {
	if len(c.Properties) == 0 {
		return
	}
	p.line("")
	var names []string
	for _, q := range c.Properties {
		names = append(names, printable.Line(q.Name))
	}
	for _, q := range c.Properties {
		text := string(q.Newer)
		switch q.Change {
		case explorer.Gone:
			text = fmt.Sprintf("%s → is not there", q.Older)
		case explorer.Added:
			text = fmt.Sprintf("new: %s", q.Newer)
		case explorer.Same:
		default:
			before := string(q.Older)
			if before == "" {
				before = "was not there"
			}
			text = fmt.Sprintf("%s → %s", before, q.Newer)
		}
		p.line("  %s  %s", pad(printable.Line(q.Name), widest(names...)), p.paint(changeColour(q.Change), text))
	}
}

func changeColour(c explorer.Change) string {
	switch c {
	case explorer.Broken:
		return red
	case explorer.Mended:
		return green
	}
	return ""
}

// changedPairs writes pairs that go awry, a line each.
func (p *page) changedPairs(title string, pairs []explorer.PairChange, note func(explorer.PairChange) string) {
	if len(pairs) == 0 {
		return
	}
	p.pairsTitle(title, len(pairs))
	var states, messages []string
	for _, q := range pairs {
		states, messages = append(states, printable.Line(q.AgentState)), append(messages, printable.Line(q.Message))
	}
	for i, q := range pairs {
		p.line("  %s  %s  %s", pad(states[i], widest(states...)), pad(messages[i], widest(messages...)), p.paint(faint, note(q)))
	}
}

// plainPairs writes pairs by state, with what each meets.
func (p *page) plainPairs(title string, pairs []explorer.Pair) {
	if len(pairs) == 0 {
		return
	}
	p.pairsTitle(title, len(pairs))
	var states []string
	met := map[string][]string{}
	for _, q := range pairs {
		state := printable.Line(q.AgentState)
		if len(met[state]) == 0 {
			states = append(states, state)
		}
		met[state] = append(met[state], q.Message)
	}
	width := widest(states...)
	for _, state := range states {
		lead := pad(state, width)
		for _, line := range list(met[state], p.width-width-4) {
			p.line("  %s  %s", lead, line)
			lead = strings.Repeat(" ", width)
		}
	}
}

func (p *page) pairsTitle(title string, n int) {
	p.line("")
	p.line("%s", p.paint(bold, title+": "+plural(int64(n), "pair")))
}

func breaks(c *explorer.Comparison, property string) bool {
	if property == noPanic {
		return c.Older.Violation == nil || c.Older.Violation.Property != noPanic
	}
	for _, q := range c.Properties {
		if q.Name == property {
			return q.Change == explorer.Broken
		}
	}
	return false
}

// outcome writes the last line.
func (p *page) outcome(c *explorer.Comparison) {
	var broken, mended []string
	if n := len(c.NewlyAwry); n > 0 {
		broken = append(broken, plural(int64(n), "pair")+" newly awry")
	}
	if n := len(c.Fixed); n > 0 {
		mended = append(mended, plural(int64(n), "pair")+" fixed")
	}
	for _, q := range c.Properties {
		switch q.Change {
		case explorer.Broken:
			broken = append(broken, printable.Line(q.Name)+" "+string(q.Newer))
		case explorer.Mended:
			mended = append(mended, printable.Line(q.Name)+" no longer "+string(q.Older))
		}
	}
	if c.Broke && len(broken) == 0 {
		broken = []string{"a handler panics"}
	}
	also := ""
	if len(mended) > 0 {
		also = "; " + enumerate(mended, "and")
	}
	if c.Broke {
		p.line("%s: %s%s", p.paint(red, "broken"), enumerate(broken, "and"), also)
		return
	}
	if also == "" {
		also = ", nothing fixed"
	}
	p.line("%s%s", p.paint(green, "nothing broken"), also)
}
