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
	KindAlways    PropertyKind = iota // in every reachable state
	KindSometimes                     // in at least one: it shows that the system does something at all
)

func (k PropertyKind) String() string { return [...]string{"always", "sometimes"}[k] }

// Property is something that must hold of a system. It is a value: Always and
// Sometimes make one.
//
// Its functions are pure, and read the system through the View only: caulk
// remembers their answer for what they read, and does not ask twice.
type Property struct {
	Name string
	Doc  string // what it means, in a sentence; may be empty
	Kind PropertyKind

	// Check answers nil where the property holds, and otherwise a sentence
	// that names the culprits: "agents 1 and 3 are idle at n=1 with different
	// stores". For KindSometimes the sentence says what is still missing; it
	// is never shown.
	Check func(v View) error

	// Applies says where the property is put to the test; nil means
	// everywhere. Where it does not apply, it holds.
	Applies func(v View) bool
}

// Always is a property that must hold in every reachable state. The check
// answers nil, or a sentence that names the culprits.
func Always(name string, check func(v View) error) Property {
	return Property{Name: name, Kind: KindAlways, Check: check}
}

// Sometimes is a property that some reachable state must have.
func Sometimes(name string, reached func(v View) bool) Property {
	return Property{Name: name, Kind: KindSometimes, Check: func(v View) error {
		if reached(v) {
			return nil
		}
		return errNotHere
	}}
}

var errNotHere = errors.New("not here")

// When is the property put to the test only where applies says so.
func (p Property) When(applies func(v View) bool) Property {
	p.Applies = applies
	return p
}

// View is what a property sees of a system state. What it reads is recorded.
// A state read from it is shared: it must not be modified.
type View interface {
	// Population lists the agents in order of ID. Reading it reads no state.
	Population() []ID
	// StateType is the type of an agent's state. It reads no state.
	StateType(id ID) reflect.Type
	// State is an agent's state.
	State(id ID) any
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
		case p.Check == nil:
			return fmt.Errorf("property %q has no check", p.Name)
		case seen[p.Name]:
			return fmt.Errorf("two properties are called %q", p.Name)
		}
		seen[p.Name] = true
	}
	return nil
}
