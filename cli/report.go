package cli

import (
	"cmp"
	"fmt"
	"strings"

	"github.com/caulk-go/caulk/explorer"
	"github.com/caulk-go/caulk/internal/printable"
	"github.com/caulk-go/caulk/internal/walk"
	"github.com/caulk-go/caulk/model"
)

// What reports call some of the bounds, and the property that every handler
// must have.
const (
	boundDepth    = "depth"
	boundBoundary = "boundary"
	boundWalks    = "walks"
	noPanic       = "no panic"
)

// report writes what a search found, for people. The verdict stands last, so
// that it is what a terminal, or tail, shows. The walk is along the violating
// path; listing is the command that lists what goes awry.
func (p *page) report(r *explorer.Report, sys *model.System, w walk.Walk, listing string) {
	p.line("%s", p.paint(bold, describe(sys)))
	p.line("")
	p.counts(r)
	p.properties(r, sys.Properties)
	if r.Coverage != nil {
		p.coverage(r.Coverage)
	}
	for _, note := range r.Notes {
		p.line("")
		p.WriteString(wrap("Note: "+printable.Line(note), 0))
	}
	if r.Halted > 0 {
		p.line("")
		p.line("%s: %s", awryPairs(r), listing)
	}
	if v := r.Violation; v != nil {
		p.line("")
		p.line("%s", p.pathTitle(r))
		p.line("")
		loop := noLoop
		if v.LoopFrom != nil {
			loop = *v.LoopFrom
		}
		p.lasso(v.Path, loop, w)
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
	v := r.Violation
	title := "A path to the violation"
	switch {
	case v.LoopFrom != nil:
		title = "A run that violates it"
	case r.Search == explorer.BFS.String():
		title = "The shortest path to the violation"
	}
	title += ", " + length(v)
	if v.Start != nil {
		title += ", where " + cmp.Or(printable.Line(startText(v.Start)), "no agent is started")
	}
	return title + ":"
}

// length is how long a path is, the loop of a lasso apart.
func length(v *explorer.Violation) string {
	if v.LoopFrom == nil {
		return plural(int64(v.Moves), "move")
	}
	text := plural(int64(*v.LoopFrom), "move")
	if loop := len(v.Path) - *v.LoopFrom; loop > 0 {
		text += " and a loop of " + fmt.Sprint(loop)
	}
	return text
}

// counts writes what was explored.
func (p *page) counts(r *explorer.Report) {
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
		{"states", grouped(r.States), exploredText(r), true},
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

// exploredText says how the states were found.
func exploredText(r *explorer.Report) string {
	text := "explored " + orderText(r.Search)
	if r.Walks != nil {
		text = "seen on " + plural(*r.Walks, "random walk")
	}
	if r.Seed != nil {
		text += fmt.Sprintf(", seed %d", *r.Seed)
	}
	if len(r.Reduce) > 0 {
		text += ", reduced by " + enumerate(r.Reduce, "and")
	}
	return text + ", to a depth of " + plural(int64(r.Depth), "move")
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
		names, kinds, verdicts = append(names, printable.Line(q.Name)), append(kinds, q.Kind), append(verdicts, string(q.Verdict))
	}
	for _, q := range r.Properties {
		note := testedText(q)
		switch {
		case q.Tested == 0:
			note = p.paint(yellow, "never put to the test")
		case q.Witness != nil:
			note = "reached after " + plural(int64(len(q.Witness)), "move")
		}
		p.line("  %s  %s  %s  %s", pad(printable.Line(q.Name), widest(names...)), pad(q.Kind, widest(kinds...)),
			p.paint(verdictColour(q.Verdict), pad(string(q.Verdict), widest(verdicts...))), note)
		if doc := docOf(q, properties); doc != "" {
			p.WriteString(wrap(printable.Line(doc), 4+widest(names...)))
		}
	}
}

// testedText says where a property was put to the test, and how often.
func testedText(q explorer.PropertyReport) string {
	switch q.Kind {
	case model.KindStep.String():
		return "tested on " + plural(q.Tested, "move")
	case model.KindAtEnd.String():
		return "tested at " + plural(q.Tested, "end")
	case model.KindLeadsTo.String():
		return "tested from " + plural(q.Tested, "state")
	}
	return "tested in " + plural(q.Tested, "state")
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
