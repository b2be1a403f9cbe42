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
	budgets []model.Budget // those that are limited
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
	for _, b := range model.AllBudgets() {
		if _, limited := sys.Budgets[b]; limited {
			s.budgets = append(s.budgets, b)
		}
	}
	s.numbers = numbers{map[string]int{}, map[string]string{}}
	return s, nil
}

// System is the system that it walks through: to be read only.
func (s *Stepper) System() *model.System { return s.sys }

// Start is the system as it starts: the first of Starts.
func (s *Stepper) Start() (State, error) {
	st, err := s.start(0)
	if err != nil {
		return State{}, err
	}
	s.Label(st) // so that numbers begin here, whatever is asked for first
	return st, nil
}

// Starts is the system as it may start, a state for each of its AllStarts:
// every agent is made, in order of ID, and those that are started from outside
// are at once handed their values. Unlike later moves, a Fresh or Start that
// panics is an error: a *call.PanicError.
func (s *Stepper) Starts() ([]State, error) {
	var all []State
	for i := range s.sys.AllStarts() {
		st, err := s.start(i)
		if err != nil {
			return nil, err
		}
		s.Label(st)
		all = append(all, st)
	}
	return all, nil
}

func (s *Stepper) start(number int) (State, error) {
	var st State
	for _, b := range s.budgets {
		st.left = append(st.left, s.sys.Budgets[b])
	}
	if s.sys.Observer != nil {
		memory, err := s.call.ObserverStart()
		if err != nil {
			return State{}, err
		}
		st.memory = memory
	}
	var begun []call.Outcome
	for _, id := range s.sys.Population() {
		o, err := s.call.Begin(number, id)
		if err != nil {
			return State{}, err
		}
		begun = append(begun, o)
		st.locals = append(st.locals, o.Next)
		st.network = s.send(st.network, o.Sent)
	}
	for i, o := range begun {
		var err error
		e := call.Event{Kind: model.Beginning, Agent: model.ID(i + 1), After: o.Next, Sent: o.Sent}
		if st.memory, err = s.observe(st.memory, e); err != nil {
			return State{}, err
		}
	}
	return st, nil
}

// observe is what the observer remembers after a move; nothing if there is
// none.
func (s *Stepper) observe(memory string, e call.Event) (string, error) {
	if s.sys.Observer == nil {
		return "", nil
	}
	return s.call.Observe(memory, e)
}
