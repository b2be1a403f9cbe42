package explorer

import (
	"fmt"
	"strings"

	"github.com/caulk-go/caulk/internal/call"
	"github.com/caulk-go/caulk/internal/canonical"
	"github.com/caulk-go/caulk/internal/diff"
	"github.com/caulk-go/caulk/model"
	"github.com/caulk-go/caulk/trace"
)

// HandlerError says that the user's code misbehaves in a way that leaves
// nothing to explore: it is not pure, does not return, or gives a value that is
// not plain. Err says what and where.
type HandlerError struct {
	Err  error
	Path []trace.Step // the moves to the state in which it does, and the fatal one last
}

func (e *HandlerError) Error() string {
	var b strings.Builder
	b.WriteString(strings.TrimRight(e.Err.Error(), "\n"))
	b.WriteString("\nIt happens on this path:")
	for i, step := range e.Path {
		fmt.Fprintf(&b, "\n%4d  %s", i+1, step.Label)
	}
	return b.String()
}

func (e *HandlerError) Unwrap() error { return e.Err }

// handlerError adds the path to what went wrong.
func (s *search) handlerError(all found, m *misbehaved) error {
	names := newLabels(s.tables)
	var path []trace.Step
	for _, c := range append(all.path(m.at, m.depth).moves, m.move) {
		path = append(path, names.step(c))
	}
	return &HandlerError{m.err, path}
}

// modifiedError says that a property changed what it read.
func (s *search) modifiedError(a int, state uint32) error {
	t := s.tables
	site := call.Site{What: "a property that reads the observer"}
	var was, is any
	if a == len(t.agents) {
		was, is = t.caller.Memory(t.observer.states[state]), t.observer.values[state]
	} else {
		site.What, site.Agent = "a property that reads the state", model.ID(a+1)
		was, is = t.caller.Local(site.Agent, t.agents[a].states[state].bytes).State, t.agents[a].states[state].value
	}
	site.State = canonical.Format(was)
	return &call.ImpureError{Site: site, Why: "it changes the state that it reads", Changes: diff.Fields(was, is)}
}
