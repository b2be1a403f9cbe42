package cli

import (
	"fmt"
	"strings"

	"github.com/caulk-go/caulk/explorer"
	"github.com/caulk-go/caulk/internal/printable"
)

func (p *page) bounds(r *explorer.Report) {
	for _, b := range r.Bounds {
		why := ""
		if b.Name == "memory" && r.States == 1 {
			why = ": the program alone takes " + bytesText(r.PeakMemoryBytes)
		}
		if b.Name == boundWalks {
			p.line("%s walks in a row met nothing new.", grouped(int64(b.Limit.(int))))
			continue
		}
		if r.Walks != nil && b.Cut == 0 {
			p.line("%s ended the walks.", boundText(b))
			continue
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
	case boundBoundary:
		return "The boundary"
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
		return fmt.Sprintf("%s, after %s: %s", printable.Line(r.Violation.Property), length(r.Violation), printable.Line(sentence))
	case r.Verdict == explorer.Violated:
		return unreached(r) + ": not reached in any of " + plural(r.States, "state")
	case r.Verdict == explorer.Incomplete && r.Walks != nil:
		return fmt.Sprintf("no violation on %s through %s, which proves nothing", plural(*r.Walks, "walk"), plural(r.States, "state"))
	case r.Verdict == explorer.Incomplete && only(r.Bounds, boundBoundary):
		return "no violation in " + plural(r.States, "state") + ", but nothing beyond the boundary was explored"
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
			names = append(names, printable.Line(q.Name))
		}
	}
	return enumerate(names, "and")
}

// only says whether a bound of that name, and no other, cut the search.
func only(bounds []explorer.Bound, name string) bool {
	return len(bounds) == 1 && bounds[0].Name == name
}
