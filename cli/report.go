package cli

import (
	"fmt"
	"strings"

	"github.com/caulk-go/caulk/explorer"
	"github.com/caulk-go/caulk/model"
)

// What reports call the bound on the depth, and the property that every
// handler must have.
const (
	boundDepth = "depth"
	noPanic    = "no panic"
)

// report writes what a search found, for people. The verdict stands last, so
// that it is what a terminal, or tail, shows. The walk is along the violating
// path; listing is the command that lists what goes awry; the properties are
// the system's.
func (p *page) report(r *explorer.Report, properties []model.Property, w walk, listing string) {
	p.line("%s", p.paint(bold, describe(r.Setting)))
	p.line("")
	p.counts(r)
	p.properties(r, properties)
	if r.Halted > 0 {
		p.line("")
		p.line("%s: %s", awryPairs(r), listing)
	}
	if v := r.Violation; v != nil {
		p.line("")
		p.line("%s", p.pathTitle(r))
		p.line("")
		p.path(v.Path, w)
		if _, stack, more := strings.Cut(strings.TrimSpace(v.Reason), "\n"); more {
			p.line("")
			p.line("%s", stack)
		}
	}
	p.line("")
	p.bounds(r)
	p.verdict(r)
}

func (p *page) pathTitle(r *explorer.Report) string {
	title := "A path to the violation"
	if r.Search == explorer.BFS.String() {
		title = "The shortest path to the violation"
	}
	return title + ", " + plural(int64(r.Violation.Moves), "move") + ":"
}

// counts writes what was explored.
func (p *page) counts(r *explorer.Report) {
	order := "breadth first"
	if r.Search != explorer.BFS.String() {
		order = "depth first"
	}
	speed := []string{"on " + plural(int64(r.Workers), "worker"), bytesText(r.PeakMemoryBytes)}
	if r.Seconds >= 0.1 { // below, it would measure how long it takes to get going
		speed[0] = grouped(int64(r.StatesPerSecond)) + " states/s " + speed[0]
	}
	if r.States >= 100_000 { // below, the program itself weighs more than its states
		speed = append(speed, fmt.Sprintf("%.1f bytes/state", r.BytesPerState))
	}
	halted := ""
	if r.ShortestHalt != nil {
		halted = "with a halted agent, the nearest after " + plural(int64(*r.ShortestHalt), "move")
	}
	deliveries := grouped(r.HandlerCalls) + " distinct deliveries"
	if r.HandlerCalls == 1 {
		deliveries = "1 distinct delivery"
	}
	rows := []struct {
		name, count, note string
		show              bool
	}{
		{"states", grouped(r.States), "explored " + order + ", to a depth of " + plural(int64(r.Depth), "move"), true},
		{"transitions", grouped(r.Transitions), "from " + deliveries, true},
		{"awry", grouped(r.Halted), halted, r.Halted > 0},
		{"inconsistent", grouped(r.Inconsistent), "in which a property fails", r.Inconsistent > 0},
		{"ends", grouped(r.Terminal), "in which nothing more can happen", r.Terminal > 0},
		{"time", secondsText(r.Seconds), strings.Join(speed, ", "), true},
	}
	width := 0
	for _, row := range rows {
		width = max(width, columns(row.count))
	}
	for _, row := range rows {
		if row.show {
			p.line("%s", strings.TrimRight(fmt.Sprintf("  %-12s  %*s  %s", row.name, width, row.count, p.paint(faint, row.note)), " "))
		}
	}
}

// properties writes the verdict on each, and where it was put to the test.
// Beneath one that fails stands what it means.
func (p *page) properties(r *explorer.Report, properties []model.Property) {
	if len(r.Properties) == 0 {
		return
	}
	p.line("")
	var names, kinds, verdicts []string
	for _, q := range r.Properties {
		names, kinds, verdicts = append(names, printable(q.Name)), append(kinds, q.Kind), append(verdicts, string(q.Verdict))
	}
	for _, q := range r.Properties {
		note := "tested in " + plural(q.Tested, "state")
		switch {
		case q.Tested == 0:
			note = p.paint(yellow, "never put to the test")
		case q.Witness != nil:
			note = "reached after " + plural(int64(len(q.Witness)), "move")
		}
		p.line("  %s  %s  %s  %s", pad(printable(q.Name), widest(names...)), pad(q.Kind, widest(kinds...)),
			p.paint(verdictColour(q.Verdict), pad(string(q.Verdict), widest(verdicts...))), note)
		if doc := docOf(q, properties); doc != "" {
			p.WriteString(wrap(printable(doc), 4+widest(names...)))
		}
	}
}

// docOf is what a property that fails means; empty where nothing is said.
func docOf(q explorer.PropertyReport, properties []model.Property) string {
	if q.Verdict != explorer.Violated && q.Verdict != explorer.NotReached {
		return ""
	}
	for _, p := range properties {
		if p.Name == q.Name {
			return p.Doc
		}
	}
	return ""
}

func (p *page) bounds(r *explorer.Report) {
	for _, b := range r.Bounds {
		why := ""
		if b.Name == "memory" && r.States == 1 {
			why = ": the program alone takes " + bytesText(r.PeakMemoryBytes)
		}
		p.line("%s left %s unexpanded%s.", boundText(b), plural(b.Cut, "state"), why)
	}
}

// boundText names a bound as the user set it.
func boundText(b explorer.Bound) string {
	switch b.Name {
	case boundDepth:
		return fmt.Sprintf("--depth %v", b.Limit)
	case "states":
		return fmt.Sprintf("--max-states %v", b.Limit)
	case "time":
		return fmt.Sprintf("--max-time %vs", b.Limit)
	case "memory":
		return "--max-memory " + sizeText(b.Limit.(int64))
	case "interrupted":
		return "The interrupt"
	}
	return "The bound on " + b.Name
}

func awryPairs(r *explorer.Report) string {
	if r.Awry == nil {
		return plural(r.Halted, "state") + " went awry"
	}
	if len(*r.Awry) == 1 {
		return "1 pair goes awry"
	}
	return plural(int64(len(*r.Awry)), "pair") + " go awry"
}

// verdict writes the last line: the verdict, and why in one sentence.
func (p *page) verdict(r *explorer.Report) {
	p.line("%s: %s", p.paint(verdictColour(r.Verdict), string(r.Verdict)), verdictText(r))
}

func verdictText(r *explorer.Report) string {
	switch {
	case r.Violation != nil:
		sentence, _, _ := strings.Cut(strings.TrimSpace(r.Violation.Reason), "\n")
		return fmt.Sprintf("%s, after %s: %s", printable(r.Violation.Property), plural(int64(r.Violation.Moves), "move"), printable(sentence))
	case r.Verdict == explorer.Violated:
		return unreached(r) + ": not reached in any of " + plural(r.States, "state")
	case r.Verdict == explorer.Incomplete:
		return "no violation in " + plural(r.States, "state") + ", but not all was explored"
	case len(r.Properties) == 0:
		return "there is no property to check, in " + plural(r.States, "state")
	}
	text := "every property, in all " + plural(r.States, "state")
	if r.States == 1 {
		text = "every property, in the only state"
	}
	if r.Halted > 0 {
		text += "; but " + awryPairs(r)
	}
	return text
}

// unreached names the properties that no state had.
func unreached(r *explorer.Report) string {
	var names []string
	for _, q := range r.Properties {
		if q.Verdict == explorer.NotReached {
			names = append(names, printable(q.Name))
		}
	}
	return enumerate(names, "and")
}

func verdictColour(v explorer.Verdict) string {
	switch v {
	case explorer.Holds:
		return green
	case explorer.Incomplete:
		return yellow
	}
	return red
}

// bytesText is a memory size in the units of --max-memory: MB are 10^6.
func bytesText(n int64) string {
	switch {
	case n >= 10_000_000_000:
		return fmt.Sprintf("%.1f GB", float64(n)/1e9)
	case n >= 1_000_000:
		return fmt.Sprintf("%d MB", n/1_000_000)
	}
	return fmt.Sprintf("%d kB", n/1000)
}

func secondsText(s float64) string {
	if s < 10 {
		return fmt.Sprintf("%.2f s", s)
	}
	return fmt.Sprintf("%.0f s", s)
}
