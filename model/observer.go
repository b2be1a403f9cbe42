package model

import (
	"fmt"
	"reflect"
	"slices"
)

// Observer is a state machine that sees every move and remembers what the
// agents do not: the history of calls and returns, say. Its state is part of
// the system state, so that two states with different pasts stay apart. Observe
// makes one; properties read its state by ObserverOf.
type Observer interface {
	StateType() reflect.Type
	Start() any
	// Sees says whether the observer is told of the agent's moves.
	Sees(agent ID) bool
	See(state any, e Event) any

	// check says, in one line, what is wrong with the observer of a system.
	// Only Observe makes an Observer.
	check(s *System) error
}

// Event is one move as an observer sees it.
type Event struct {
	Move          Move
	Agent         ID  // that made the move, or suffered it; of a message that is lost or doubled, its receiver
	Before, After any // the agent's states; Before is nil where the agent begins, but for one that runs and is handed a value: see Observe
	Sent          []Message[any]
}

// Observe makes an observer whose states are of type O, a plain value. At the
// start it sees every agent begin, in order of ID: a move of kind Beginning. The
// function is pure, as a handler is: it is given private copies, and its answer
// is remembered.
//
// Where agents are named, it sees the moves of those only, which saves asking it
// about all others: a history of calls needs but the clients.
//
// On a real network agents may be handed values while they run, and not only when
// they begin. The observer that judges their traces then sees a move of kind
// Beginning with the agent's state before it.
func Observe[O any](start O, see func(state O, e Event) O, only ...ID) Observer {
	return observer[O]{start, see, slices.Clone(only)}
}

type observer[O any] struct {
	start O
	see   func(state O, e Event) O
	only  []ID // empty for all
}

func (o observer[O]) Sees(agent ID) bool { return len(o.only) == 0 || slices.Contains(o.only, agent) }

func (o observer[O]) check(s *System) error {
	for _, id := range o.only {
		if err := s.Has(id); err != nil {
			return fmt.Errorf("the observer cannot see agent %d: %w", id, err)
		}
	}
	return nil
}

func (o observer[O]) StateType() reflect.Type    { return reflect.TypeFor[O]() }
func (o observer[O]) Start() any                 { return o.start }
func (o observer[O]) See(state any, e Event) any { return o.see(as[O](state), e) }

// ObserverOf is the observer's state, which is of type O.
func ObserverOf[O any](v View) O { return as[O](v.Observer()) }
