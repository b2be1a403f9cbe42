package cli

import (
	"errors"
	"fmt"

	"github.com/caulk-go/caulk/explorer"
)

// The exit statuses. Scripts and git bisect depend on them.
const (
	statusOK       = 0
	statusViolated = 1
	statusBad      = 2
	statusEnded    = 3   // early: interrupted, or a limit
	statusDiverged = 125 // what git bisect skips
)

// statusOf is the exit status that a report calls for.
func statusOf(r *explorer.Report) int {
	switch {
	case r.Verdict == explorer.Violated:
		return statusViolated
	case endedEarly(r):
		return statusEnded
	}
	return statusOK
}

// endedEarly says whether anything but a bound that the user set on what is to
// be explored, on the depth or a boundary, cut the search.
func endedEarly(r *explorer.Report) bool {
	for _, b := range r.Bounds {
		if b.Name != boundDepth && b.Name != boundBoundary {
			return !r.Complete
		}
	}
	return false
}

// usageError is a mistake on the command line: one line, and where to look.
type usageError struct {
	text string
	hint string // empty: the help of the command
}

func (e *usageError) Error() string { return e.text }

func usagef(format string, args ...any) error {
	return &usageError{text: fmt.Sprintf(format, args...)}
}

// explain is what the user is told of an error.
func (p *program) explain(err error) string {
	var usage *usageError
	if !errors.As(err, &usage) {
		return err.Error()
	}
	hint := usage.hint
	switch {
	case hint != "":
	case p.command != "" && p.command != helpName && p.command != versionName:
		hint = fmt.Sprintf("see %s %s --help", p.name, p.command)
	default:
		hint = fmt.Sprintf("see %s help", p.name)
	}
	return fmt.Sprintf("%s (%s)", usage.text, hint)
}

// each lists what errors.Join joined.
func each(err error) []error {
	if joined, ok := err.(interface{ Unwrap() []error }); ok {
		return joined.Unwrap()
	}
	return []error{err}
}
