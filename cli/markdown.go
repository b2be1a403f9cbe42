package cli

import (
	"fmt"
	"strings"

	"github.com/caulk-go/caulk/explorer"
	"github.com/caulk-go/caulk/internal/printable"
	"github.com/caulk-go/caulk/model"
	"github.com/caulk-go/caulk/trace"
)

// markdown is a report as a summary for a pull request: the verdict, the
// counts, the properties, the path, what goes awry and, as Mermaid, the diagram.
// It holds nothing that differs from run to run.
func markdown(r *explorer.Report, sys *model.System) []byte {
	m := &sheet{}
	m.line("## caulk: %s %s", proseOf(r.Algo), r.Verdict)
	m.line("")
	m.line("%s", proseOf(describe(sys)))
	m.line("")
	m.line("**%s**: %s", r.Verdict, proseOf(verdictText(r)))
	for _, note := range r.Notes {
		m.line("")
		m.line("%s", proseOf(note))
	}
	m.counts(r)
	m.properties(r)
	if v := r.Violation; v != nil {
		m.heading("A path to the violation: %s", length(v))
		m.path(v.Path, v.LoopFrom)
	}
	m.awry(r)
	if r.Coverage != nil {
		m.coverage(r.Coverage)
	}
	m.diagram(r.Diagram)
	return []byte(m.String())
}

// sheet is Markdown that grows line by line.
type sheet struct{ strings.Builder }

func (m *sheet) line(format string, args ...any) { fmt.Fprintf(m, format+"\n", args...) }

func (m *sheet) heading(format string, args ...any) { m.line("\n### "+format+"\n", args...) }

func (m *sheet) counts(r *explorer.Report) {
	m.line("")
	m.line("| states | transitions | depth | awry states | ends |")
	m.line("|--:|--:|--:|--:|--:|")
	m.line("| %s | %s | %d | %s | %s |", grouped(r.States), grouped(r.Transitions), r.Depth, grouped(r.Halted), grouped(r.Terminal))
	for _, b := range r.Bounds {
		m.line("")
		m.line("%s left %s unexpanded.", proseOf(boundText(b)), plural(b.Cut, "state"))
	}
}

func (m *sheet) properties(r *explorer.Report) {
	if len(r.Properties) == 0 {
		return
	}
	m.line("")
	m.line("| property | kind | verdict | |")
	m.line("|---|---|---|---|")
	for _, q := range r.Properties {
		verdict, note := string(q.Verdict), testedText(q)
		if q.Verdict != explorer.Holds {
			verdict = "**" + verdict + "**"
		}
		if q.Tested == 0 {
			note = "never put to the test"
		}
		m.line("| %s | %s | %s | %s |", proseOf(q.Name), q.Kind, verdict, note)
	}
}

func (m *sheet) path(path []trace.Step, loopFrom *int) {
	if len(path) == 0 {
		m.line("The start itself.")
		return
	}
	m.line("| | move | state |")
	m.line("|--:|---|---|")
	for i, s := range path {
		number := fmt.Sprint(i + 1)
		if loopFrom != nil && i >= *loopFrom {
			number += " ↺"
		}
		m.line("| %s | %s | %s |", number, codeOf(s.Label), codeOf(s.State))
	}
	if loopFrom != nil {
		m.line("")
		if *loopFrom == len(path) {
			m.line("It stays there for ever.")
		} else {
			m.line("The moves marked ↺ repeat for ever.")
		}
	}
}

func (m *sheet) awry(r *explorer.Report) {
	if r.Awry == nil || len(*r.Awry) == 0 {
		return
	}
	m.heading("%s", strings.ToUpper(awryPairs(r)[:1])+awryPairs(r)[1:])
	m.line("| state | message | moves |")
	m.line("|---|---|--:|")
	for _, a := range *r.Awry {
		m.line("| %s | %s | %d |", codeOf(a.AgentState), codeOf(a.Message), a.Moves)
	}
}

func (m *sheet) coverage(c *explorer.Coverage) {
	m.heading("Coverage")
	for _, line := range coverageLines(c) {
		if len(line.items) == 0 {
			m.line("- %s", line.title)
			continue
		}
		items := make([]string, len(line.items))
		for i, item := range line.items {
			items[i] = codeOf(item)
		}
		m.line("- %s: %s", line.title, strings.Join(items, ", "))
	}
}

func (m *sheet) diagram(d *explorer.Diagram) {
	if d == nil {
		return
	}
	chart, whole := mermaid(d)
	if chart == "" {
		m.heading("Diagram")
		m.line("It has %s: too many to show here.", plural(int64(len(d.Nodes)), "node"))
		return
	}
	title := "Diagram"
	if !whole {
		title = "The path in the diagram"
	}
	m.heading("%s", title)
	m.line("```mermaid\n%s```", chart)
}

// proseOf keeps Markdown from taking a text for its own.
func proseOf(text string) string {
	var b strings.Builder
	for _, r := range printable.Line(text) {
		if strings.ContainsRune("\\`*_[]<>|#~&", r) {
			b.WriteByte('\\')
		}
		b.WriteRune(r)
	}
	return b.String()
}

// codeOf is a text as code, in a table too; empty for none.
func codeOf(text string) string {
	if text == "" {
		return ""
	}
	escape := strings.NewReplacer("&", "&amp;", "<", "&lt;", ">", "&gt;", "|", "&#124;", "`", "&#96;", "*", "&#42;", "_", "&#95;", "\\", "&#92;", "[", "&#91;", "]", "&#93;", "~", "&#126;")
	return "<code>" + escape.Replace(printable.Line(text)) + "</code>"
}
