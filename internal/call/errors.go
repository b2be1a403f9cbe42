package call

import (
	"fmt"
	"time"

	"github.com/caulk-go/caulk/internal/diff"
	"github.com/caulk-go/caulk/model"
)

// Site says which call of the user's code went wrong.
type Site struct {
	Agent   model.ID // 0 if it is no agent's
	State   string   // rendered; empty before there is one
	Message string   // rendered with its sender; empty if none was delivered
	What    string   // what was called: "Receive", "Label"
}

func (s Site) String() string {
	text := s.What
	if s.Agent != 0 {
		text += fmt.Sprintf(" of agent %d", s.Agent)
	}
	if s.State != "" {
		text += " in state " + s.State
	}
	if s.Message != "" {
		text += " given " + s.Message
	}
	return text
}

// itself is the site, where it can be told beforehand.
func (s Site) itself() Site { return s }

// located says of an error of this package where it happened. Rendering states
// takes longer than most handlers do, so it is done for errors alone.
func located(err error, where func() Site) error {
	switch e := err.(type) {
	case *PanicError:
		e.Site = where()
	case *ImpureError:
		e.Site = where()
	case *TimeoutError:
		e.Site = where()
	case *ValueError:
		e.Site = where()
	}
	return err
}

// PanicError says that the user's code panicked.
type PanicError struct {
	Site
	Value string // what it panicked with
	Stack string // the user's frames, innermost first, one "function (file:line)" a line
}

func (e *PanicError) Error() string {
	return fmt.Sprintf("%s panics: %s\n%s", e.Site, e.Value, e.Stack)
}

// ImpureError says that a handler is not a pure function.
type ImpureError struct {
	Site
	Why     string        // what it did
	Changes []diff.Change // how the argument or the answer changed
}

func (e *ImpureError) Error() string {
	return fmt.Sprintf("%s is not pure: %s\n%s%s", e.Site, e.Why, diff.Lines(e.Changes, "    "),
		"Work on copies (slices.Clone, maps.Clone), and keep clocks, chance and package variables out of handlers.")
}

// TimeoutError says that the user's code does not return.
type TimeoutError struct {
	Site
	Limit time.Duration
}

func (e *TimeoutError) Error() string {
	return fmt.Sprintf("%s did not return within %s", e.Site, e.Limit)
}

// ValueError says that what a handler gave cannot be used.
type ValueError struct {
	Site
	Err error
}

func (e *ValueError) Error() string {
	return fmt.Sprintf("%s gives what cannot be used: %s", e.Site, e.Err)
}
func (e *ValueError) Unwrap() error { return e.Err }
