// Package stepper steps through a system one move at a time.
//
// It is the slow, simple and obviously right executor: nothing is packed and
// nothing is remembered. Package explorer shows no path before the stepper has
// made its moves again; replay and the readable reports walk with it.
//
// Errors come from the user's code, which runs on private copies, twice and
// within a time limit: a handler that is not pure, that does not return, or
// whose values are not plain. A handler that panics is no error but a Choice
// that says so, since a path may lead there.
package stepper

import (
	"cmp"
	"time"

	"github.com/caulk-go/caulk/internal/call"
	"github.com/caulk-go/caulk/model"
)

// Stepper walks through one system. It is not for concurrent use.
type Stepper struct {
	sys     *model.System
	call    *call.Caller
	limit   time.Duration
	numbers numbers
}

// New prepares to walk through a system, which must not be modified
// afterwards. It refuses, in one line, a system that fails its Check and types
// that show that their values are not plain. Limit is how long one call of the
// user's code may take; 0 is 10 s.
func New(sys *model.System, limit time.Duration) (*Stepper, error) {
	c, err := call.New(sys, limit)
	if err != nil {
		return nil, err
	}
	s := &Stepper{sys: sys, call: c, limit: cmp.Or(limit, call.DefaultLimit)}
	s.numbers = numbers{map[string]int{}, map[string]string{}}
	return s, nil
}

// System is the system that it walks through: to be read only.
func (s *Stepper) System() *model.System { return s.sys }

// Start is the system as it starts: every agent is made, in order of ID, and
// those that are started from outside are at once handed their values. Unlike
// later moves, a Fresh or Start that panics is an error: a *call.PanicError.
func (s *Stepper) Start() (State, error) {
	var st State
	for _, id := range s.sys.Population() {
		o, err := s.call.Begin(id)
		if err != nil {
			return State{}, err
		}
		st.locals = append(st.locals, o.Next)
		st.network = s.send(st.network, o.Sent)
	}
	s.Label(st) // so that numbers begin here, whatever is asked for first
	return st, nil
}
