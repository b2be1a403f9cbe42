package model

import "reflect"

// Observer is a state machine that sees every move and remembers what the
// agents do not: the history of calls and returns, say. Its state is part of
// the system state, so that two states with different pasts stay apart. Observe
// makes one; properties read its state by ObserverOf.
type Observer interface {
	StateType() reflect.Type
	Start() any
	See(state any, e Event) any
}

// Event is one move as an observer sees it.
type Event struct {
	Move          Move
	Agent         ID  // that made the move, or suffered it; of a message that is lost or doubled, its receiver
	Before, After any // the agent's states; Before is nil where the agent begins
	Sent          []Message[any]
}

// Observe makes an observer whose states are of type O, a plain value. At the
// start it sees every agent begin, in order of ID: a move of kind Beginning. The
// function is pure, as a handler is: it is given private copies, and its answer
// is remembered.
func Observe[O any](start O, see func(state O, e Event) O) Observer {
	return observer[O]{start, see}
}

type observer[O any] struct {
	start O
	see   func(state O, e Event) O
}

func (o observer[O]) StateType() reflect.Type    { return reflect.TypeFor[O]() }
func (o observer[O]) Start() any                 { return o.start }
func (o observer[O]) See(state any, e Event) any { return o.see(as[O](state), e) }

// ObserverOf is the observer's state, which is of type O.
func ObserverOf[O any](v View) O { return as[O](v.Observer()) }
