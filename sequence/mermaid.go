package sequence

import (
	"fmt"
	"strings"
)

// Mermaid draws the chart as a Mermaid sequence diagram, whose arrows stand in the
// row in which a message arrives.
func (c *Chart) Mermaid() string {
	var b strings.Builder
	b.WriteString("sequenceDiagram\n")
	for i := range c.Agents {
		fmt.Fprintf(&b, "  participant a%d as %s\n", i+1, escapeMermaid(c.name(i)))
	}
	if c.Start != "" && len(c.Agents) > 0 {
		fmt.Fprintf(&b, "  Note over a1,a%d: %s\n", len(c.Agents), escapeMermaid(c.Start))
	}
	indent := "  "
	for i, r := range c.Rows {
		if c.Loops && i == c.LoopFrom {
			b.WriteString("  loop for ever\n")
			indent = "    "
		}
		c.mermaidRow(&b, indent, i, r)
	}
	if indent != "  " {
		b.WriteString("  end\n")
	}
	for _, a := range c.Sends {
		if a.Arrives < 0 && a.Lost < 0 {
			fmt.Fprintf(&b, "  a%d--xa%d: %s still on its way\n", a.From, a.To, escapeMermaid(a.Label))
		}
	}
	if c.End != "" && len(c.Agents) > 0 {
		fmt.Fprintf(&b, "  Note over a1,a%d: %s\n", len(c.Agents), escapeMermaid(c.End))
	}
	return b.String()
}

func (c *Chart) mermaidRow(b *strings.Builder, indent string, i int, r Row) {
	text := escapeMermaid(r.Label)
	if r.State != "" {
		text += " → " + escapeMermaid(r.State)
	}
	for _, a := range c.Sends {
		if a.Arrives == i {
			fmt.Fprintf(b, "%sa%d->>a%d: %s\n", indent, a.From, a.To, text)
			return
		}
		if a.Lost == i {
			fmt.Fprintf(b, "%sa%d-xa%d: %s\n", indent, a.From, a.To, text)
			return
		}
	}
	fmt.Fprintf(b, "%sNote over a%d: %s\n", indent, r.Agent, text)
}

// escapeMermaid is text for behind a colon: Mermaid takes entities by their
// names or numbers, with # for &.
func escapeMermaid(s string) string {
	return strings.NewReplacer("#", "#35;", ";", "#59;", "\n", " ", "<", "#lt;", ">", "#gt;", ":", "#58;").Replace(s)
}
