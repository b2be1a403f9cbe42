// Package scenario checks tables of systems in go test.
//
//	func TestElection(t *testing.T) {
//		scenario.Run(t, []scenario.Case{{
//			Name:   "two candidates",
//			System: election(2),
//			Want: scenario.Want{
//				Verdict: explorer.Violated,
//				Path:    []string{"campaign 1", "campaign 2"},
//			},
//		}})
//	}
//
// A case that fails prints what differs from what was wanted, the path to the
// violation, and the command that shows the same. A system that never ends is
// cut a little before the deadline of go test, and fails.
package scenario

import (
	"context"
	"errors"
	"fmt"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/caulk-go/caulk/explorer"
	"github.com/caulk-go/caulk/model"
	"github.com/caulk-go/caulk/trace"
)

// Case is a system, how to search it, and what must come of it.
type Case struct {
	Name    string // of the subtest; empty: the command line's words for the system
	System  model.System
	Options explorer.Options // the zero value searches everything, up to the first violation
	Want    Want
}

// Want is what a search must say. What is left at its zero value is not
// checked, so that a case says as much as it means; a number that may be 0 is
// a pointer: Halted: new(0). A Want that says nothing at all fails: it could
// not do otherwise than pass.
//
// The counts are those of the whole system only if the search was not cut
// short: where there is a violation, ask for Options.KeepGoing.
type Want struct {
	Verdict explorer.Verdict

	// Of the search.
	States       int // distinct system states
	Transitions  *int
	Depth        *int
	Halted       *int // states with a halted agent
	Inconsistent *int // states in which some always fails
	Terminal     *int // states in which nothing more can happen
	ShortestHalt *int // moves to the nearest halted state
	HandlerCalls *int // distinct (agent state, message) pairs delivered

	// Of the diagram.
	LabelNodes     int
	LabelEdges     *int
	LabelWipeEdges *int // those of wipes alone

	// Awry is each pair that goes awry, "I0 Accept n=1", with the moves of its
	// shortest path. Empty but not nil wants none.
	Awry map[string]int

	// Properties has the verdict of each property named here.
	Properties map[string]explorer.Verdict

	// Of the nearest violation.
	Property string   // which property fails
	Reason   string   // the property's sentence
	Moves    *int     // the length of the shortest path
	Path     []string // the labels of its moves; empty but not nil: the start itself fails
	LoopFrom *int     // the moves of Path from this one on, counted from 0, repeat for ever
	EndsIn   string   // the label of the state it leads to

	// Error is a part of the error with which the search must be refused: a
	// handler is not pure, a state is no plain value. Then there is no report,
	// and nothing else is checked. A handler that panics is no such error: it
	// violates the property "no panic".
	Error string

	// Check looks at the report itself, for what no field above can say; nil
	// looks at nothing. It may be called from another goroutine than Run.
	Check func(r *explorer.Report) error
}

// Run checks each case in a subtest of its own. The subtests run in parallel,
// so that cases must not share what they change; Run returns before they do.
//
// Where a case sets no Options.MaxTime, its search ends with nine tenths of
// what then is left of go test's -timeout. A case that this cuts fails,
// whatever it wants.
func Run(t *testing.T, cases []Case) {
	t.Helper()
	for _, c := range cases {
		name := c.Name
		if name == "" {
			name = strings.Join(trace.SettingOf(&c.System).Flags()[1:], " ")
		}
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if failure := check(t.Context(), c, allowed(t.Deadline())); failure != "" {
				t.Error(failure)
			}
		})
	}
}

// check says what is wrong with a case, in several lines, or "". A limit other
// than 0 is for a case that has none of its own.
func check(ctx context.Context, c Case, limit time.Duration) string {
	options := c.Options
	if options.MaxTime > 0 {
		limit = 0
	} else {
		options.MaxTime = limit
	}
	report, err := explorer.Explore(ctx, c.System, options)
	failure := judge(c.Want, report, err)
	if limit > 0 && cutByTime(report) {
		failure = strings.TrimSuffix(endless(limit)+"\n"+failure, "\n")
	}
	if failure == "" {
		return ""
	}
	return failure + "\n" + shown(report) + advice(&c.System, c.Options)
}

// advice is how to see the same outside of the test; empty for a system
// without a name, which no command line can ask for.
func advice(s *model.System, o explorer.Options) string {
	if s.Name == "" {
		return ""
	}
	return "To see it, in caulk or a program of your own that gives cli.Main this algorithm:\n    " + Command(s, o)
}

// judge says how a report, or an error in its place, differs from what was
// wanted, or "".
func judge(w Want, r *explorer.Report, err error) string {
	switch {
	case err != nil && w.Error == "":
		return "the search was refused: " + err.Error()
	case err != nil && !strings.Contains(err.Error(), w.Error):
		return fmt.Sprintf("the search was refused, but not for %q: %s", w.Error, err)
	case err != nil:
		return ""
	case w.Error != "":
		return fmt.Sprintf("the search should have been refused with %q", w.Error)
	}
	if w.isEmpty() {
		return "Nothing is wanted of this case, so that nothing could be wrong with it: set Want.Verdict at least, or Want.Check."
	}
	failure := difference(w, r)
	if w.Check != nil {
		failure = errors.Join(failure, w.Check(r))
	}
	if failure == nil {
		return ""
	}
	return failure.Error()
}

// isEmpty says whether there is nothing that a report could fail.
func (w Want) isEmpty() bool {
	if len(w.Properties) == 0 {
		w.Properties = nil
	}
	return reflect.ValueOf(w).IsZero()
}

// shown is the verdict and the path that the search found, a line for each
// move; empty without a report.
func shown(r *explorer.Report) string {
	if r == nil {
		return ""
	}
	v := r.Violation
	if v == nil {
		return fmt.Sprintf("The verdict is %s, in %s; there is no path to show.\n", r.Verdict, plural(r.States, "state"))
	}
	return fmt.Sprintf("%s is violated after %s, in %s: %s\n", v.Property, plural(int64(v.Moves), "move"), v.State, strings.TrimSpace(v.Reason)) +
		pathText(v.Path, v.LoopFrom)
}

// pathText is a path, a line for each move; the moves from one on, if any,
// repeat for ever.
func pathText(path []trace.Step, loopFrom *int) string {
	var b strings.Builder
	width := 0
	for _, s := range path {
		width = max(width, len(s.Label))
	}
	for i, s := range path {
		if loopFrom != nil && i == *loopFrom {
			b.WriteString("       and then for ever:\n")
		}
		line := fmt.Sprintf("%5d  %-*s  %s", i+1, width, s.Label, s.State)
		b.WriteString(strings.TrimRight(line, " ") + "\n") // where a handler panics there is no state
	}
	if loopFrom != nil && *loopFrom == len(path) {
		b.WriteString("       and stays there for ever\n")
	}
	return b.String()
}

func plural(n int64, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return fmt.Sprintf("%d %ss", n, noun)
}
