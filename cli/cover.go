package cli

import (
	"fmt"
	"slices"

	"github.com/caulk-go/caulk/explorer"
	"github.com/caulk-go/caulk/internal/printable"
)

// coverageLine is one thing that --cover tells.
type coverageLine struct {
	title string
	items []string
}

// coverageLines tell what was met, and what never happened. Types of agents are
// named where there are several.
func coverageLines(c *explorer.Coverage) []coverageLine {
	agents := map[string]bool{}
	for _, p := range c.NeverMet {
		agents[p.Agent] = true
	}
	var never []string
	for _, p := range c.NeverMet {
		text := p.State + " " + p.Message
		if len(agents) > 1 {
			text = p.Agent + " " + text
		}
		never = append(never, text)
	}
	lines := []coverageLine{{
		fmt.Sprintf("%s of %s of a kind of state and a kind of message met", grouped(int64(c.Pairs-len(c.NeverMet))), plural(int64(c.Pairs), "pair")), nil,
	}}
	add := func(title string, items []string) {
		if len(items) > 0 {
			lines = append(lines, coverageLine{title, items})
		}
	}
	add("never met", never)
	switch {
	case c.NeverSent == nil:
		lines = append(lines, coverageLine{"whether any kind of message is never sent is not known: System.Bodies does not say which there are", nil})
	case len(*c.NeverSent) > 0:
		add("never sent", *c.NeverSent)
	default:
		lines = append(lines, coverageLine{"every kind of message is sent", nil})
	}
	add("never taken", c.NeverTaken)
	add("never put to the test", c.NeverTested)
	return lines
}

// coverage writes it for people: items in lines of the page's width.
func (p *page) coverage(c *explorer.Coverage) {
	p.line("")
	p.line("%s", p.paint(bold, "Coverage:"))
	for _, line := range coverageLines(c) {
		if len(line.items) == 0 {
			p.WriteString(wrap(line.title, 2))
			continue
		}
		p.line("  %s", p.paint(yellow, line.title))
		for _, text := range list(line.items, p.width-4) {
			p.line("    %s", text)
		}
	}
}

// list sets items, parted by commas, in lines of at most so many columns.
func list(items []string, room int) []string {
	items = slices.Clone(items)
	for i := range items {
		items[i] = printable.Line(items[i])
		if i < len(items)-1 {
			items[i] += ","
		}
	}
	return fill(items, " ", room)
}
