package model

import (
	"errors"
	"fmt"
	"iter"
	"reflect"
)

// PropertyKind says when a property must hold.
type PropertyKind int

// The kinds of properties.
const (
	KindAlways     PropertyKind = iota // in every reachable state
	KindSometimes                      // in at least one: it shows that the system does something at all
	KindStep                           // over every move that changes what an agent or the observer knows
	KindAtEnd                          // in every state from which no move but a fault leads to another
	KindEventually                     // at some point of every fair run
	KindLeadsTo                        // on every fair run, at or after every state where Applies
)

func (k PropertyKind) String() string {
	return [...]string{"always", "sometimes", "step", "at the end", "eventually", "leads to"}[k]
}

// Liveness says whether a property of this kind is about whole runs.
func (k PropertyKind) Liveness() bool { return k == KindEventually || k == KindLeadsTo }

// Property is something that must hold of a system. It is a value: Always,
// Sometimes, EveryStep, AtEnd, Eventually and LeadsTo make one.
//
// Its functions are pure, and read the system through the View only: caulk
// remembers their answer for what they read, and does not ask twice.
type Property struct {
	Name string
	Doc  string // what it means, in a sentence; may be empty
	Kind PropertyKind

	// Check answers nil where the property holds, and otherwise a sentence
	// that names the culprits: "agents 1 and 3 are idle at n=1 with different
	// stores". For KindSometimes, KindEventually and KindLeadsTo the sentence
	// says what is still missing; it is never shown. KindStep has none.
	Check func(v View) error

	// CheckStep does the same for KindStep, and is nil for all others.
	CheckStep func(before, after View) error

	// Applies says where the property is put to the test; nil means
	// everywhere. Where it does not apply, it holds. A KindStep applies by the
	// state before the move.
	Applies func(v View) bool
}

// Always is a property that must hold in every reachable state. The check
// answers nil, or a sentence that names the culprits.
func Always(name string, check func(v View) error) Property {
	return Property{Name: name, Kind: KindAlways, Check: check}
}

// Sometimes is a property that some reachable state must have.
func Sometimes(name string, reached func(v View) bool) Property {
	return Property{Name: name, Kind: KindSometimes, Check: notYet(reached)}
}

// EveryStep is a property over the states before and after a move: a decision never
// changes, a term never falls. Moves that change no agent's state and not the
// observer's, such as the loss of a message, keep every step property.
func EveryStep(name string, check func(before, after View) error) Property {
	return Property{Name: name, Kind: KindStep, CheckStep: check}
}

// AtEnd is a property of every state in which the system may stay: no move but
// a fault leads to another state.
func AtEnd(name string, check func(v View) error) Property {
	return Property{Name: name, Kind: KindAtEnd, Check: check}
}

// Eventually is a property that every fair run has at some point. A run is
// fair if what stays possible for ever is done: every delivery, and every own
// action that is Fair. Faults and losses are never due. A run that ends, or
// halts, stays where it is.
func Eventually(name string, reached func(v View) bool) Property {
	return Property{Name: name, Kind: KindEventually, Check: notYet(reached)}
}

// LeadsTo is a property of every fair run: in, or at some point after, each
// state that has the first there is one that has the second.
func LeadsTo(name string, from, to func(v View) bool) Property {
	return Property{Name: name, Kind: KindLeadsTo, Check: notYet(to), Applies: from}
}

func notYet(reached func(v View) bool) func(v View) error {
	if reached == nil {
		return nil
	}
	return func(v View) error {
		if reached(v) {
			return nil
		}
		return errNotHere
	}
}

var errNotHere = errors.New("not here")

// When is the property put to the test only where applies says so, too.
func (p Property) When(applies func(v View) bool) Property {
	if old := p.Applies; old != nil && applies != nil {
		p.Applies = func(v View) bool { return old(v) && applies(v) }
	} else if applies != nil {
		p.Applies = applies
	}
	return p
}

// View is what a property sees of a system state. What it reads is recorded.
// A state read from it is shared: it must not be modified.
type View interface {
	// Population lists the agents in order of ID. Reading it reads no state.
	Population() []ID
	// StateType is the type of an agent's state. It reads no state.
	StateType(id ID) reflect.Type
	// State is an agent's state; of a crashed one, its last.
	State(id ID) any
	// Crashed says whether an agent has crashed for good.
	Crashed(id ID) bool
	// Observer is the observer's state; it panics where there is none.
	Observer() any
	// InFlight is what the network holds, as often as there are copies, by
	// sender, receiver and, except on fifo, by body. A property that reads it is
	// asked anew for every content of the network, which is slower.
	InFlight() []Message[any]
}

// InFlightOf is what the network holds, where bodies are of type M.
func InFlightOf[M any](v View) []Message[M] {
	all := v.InFlight()
	list := make([]Message[M], len(all))
	for i, m := range all {
		list[i] = Message[M]{m.From, m.To, as[M](m.Body)}
	}
	return list
}

// StateOf is the state of an agent whose states are of type S.
func StateOf[S any](v View, id ID) S { return as[S](v.State(id)) }

// StatesOf ranges over the agents whose states are of type S, in order of ID.
func StatesOf[S any](v View) iter.Seq2[ID, S] {
	return func(yield func(ID, S) bool) {
		for _, id := range v.Population() {
			if v.StateType(id) == reflect.TypeFor[S]() && !yield(id, StateOf[S](v, id)) {
				return
			}
		}
	}
}

func checkProperties(properties []Property) error {
	seen := map[string]bool{}
	for _, p := range properties {
		switch {
		case p.Name == "":
			return errors.New("a property needs a name")
		case p.Kind == KindStep && p.CheckStep == nil, p.Kind != KindStep && p.Check == nil:
			return fmt.Errorf("property %q has no check", p.Name)
		case seen[p.Name]:
			return fmt.Errorf("two properties are called %q", p.Name)
		}
		seen[p.Name] = true
	}
	return nil
}
