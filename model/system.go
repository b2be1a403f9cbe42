package model

import (
	"errors"
	"fmt"
	"maps"
	"reflect"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// Network says what happens to a message between its sending and its delivery.
type Network int

// The networks. On all of them a message may be delayed for ever.
const (
	Bag  Network = iota // unordered; each copy sent is delivered at most once
	Set                 // unordered; what was sent once can be delivered again and again
	Fifo                // a queue for each ordered pair of agents
)

var networkNames = []string{"bag", "set", "fifo"}

func (n Network) String() string { return networkNames[n] }

// ParseNetwork is the inverse of String.
func ParseNetwork(s string) (Network, error) {
	if i := slices.Index(networkNames, s); i >= 0 {
		return Network(i), nil
	}
	return 0, fmt.Errorf("there is no network %q: it is one of %s", s, strings.Join(networkNames, ", "))
}

// System is one setting of an algorithm: who takes part, how it starts, what
// may go wrong and what must hold. It is a value: copy it and change a field
// to get another setting.
type System struct {
	Name   string         // the algorithm's
	Params map[string]int // what it was made with, for reports; beyond the number of agents
	Agents []Node         // the agent at index i has ID i+1

	Network Network
	Lossy   bool // the network may lose a message: on fifo the head of a queue, else any

	Starts map[ID]string // agents started from outside, in order of ID, each with its value

	// OtherStarts are further start states: each is what Starts would be in
	// another. All are explored together.
	OtherStarts []map[ID]string

	Wipe    []ID           // agents that may lose everything and start afresh, at any time
	Restart []ID           // agents that may start anew with what they persisted
	Crash   []ID           // agents that may crash for good
	Budgets map[Budget]int // how often, over all agents; what is not here is not limited

	// Values are examples of what an interface in a state or a message may hold,
	// one of each type. A process that takes such values from others has to know
	// their types. Most are found without being told, by trying the system out;
	// those that are met after long runs only belong here. The explorer needs none.
	Values []any

	// Snapshot is the state to begin in, whatever Starts say; nil for the
	// agents' own beginning.
	Snapshot *Snapshot

	// Alike lists agents that may be renamed to each other, where the algorithm says
	// so, for the reduction by symmetry: in each list the agents behave in the same way,
	// and wherever a state or a message names one of them it does so by an ID. What the
	// code does with IDs must not depend on their order or value. No agent is in two lists.
	Alike [][]ID

	// Observer remembers what the agents do not; nil for none.
	Observer Observer

	Properties []Property

	// Bodies holds a body of each kind that agents may send, in any order, so that
	// coverage can tell which are never sent; nil where nothing is said.
	Bodies []any

	// Boundary says which states are within: those beyond are judged, but not
	// expanded, and counted as cut. It is pure and reads the View only. Nil means
	// all.
	Boundary func(v View) bool
}

// Population lists the agents in order of ID. It is a fresh slice.
func (s *System) Population() []ID {
	ids := make([]ID, len(s.Agents))
	for i := range ids {
		ids[i] = ID(i + 1)
	}
	return ids
}

// Node is the behaviour of an agent of the population.
func (s *System) Node(id ID) Node { return s.Agents[id-1] }

// StartOrder lists the agents that are started, in the order in which they
// are: by ID.
func (s *System) StartOrder() []ID { return slices.Sorted(maps.Keys(s.Starts)) }

// AllStarts lists Starts, then OtherStarts.
func (s *System) AllStarts() []map[ID]string {
	return append([]map[ID]string{s.Starts}, s.OtherStarts...)
}

// At is the system with one start state, of AllStarts. It shares the rest.
func (s *System) At(start int) System {
	one := *s
	one.Starts, one.OtherStarts = s.AllStarts()[start], nil
	return one
}

// Check says what is wrong with a system, in one line, or nil.
func (s *System) Check() error {
	if len(s.Agents) == 0 {
		return errors.New("a system needs at least one agent")
	}
	for i, n := range s.Agents {
		if n == nil {
			return fmt.Errorf("agent %d is nil: make it with model.Of", i+1)
		}
		if err := n.check(ID(i + 1)); err != nil {
			return err
		}
		if body := s.Agents[0].BodyType(); n.BodyType() != body {
			return fmt.Errorf("agent %d speaks %s but agent 1 speaks %s: the agents of a system share one message type", i+1, typeName(n.BodyType()), typeName(body))
		}
	}
	for _, check := range []func() error{s.checkStarts, s.checkFaults, s.checkAlike, s.checkBudgets, s.checkObserver, s.checkSnapshot} {
		if err := check(); err != nil {
			return err
		}
	}
	return checkProperties(s.Properties)
}

func (s *System) checkStarts() error {
	for _, starts := range s.AllStarts() {
		for _, id := range slices.Sorted(maps.Keys(starts)) {
			if err := s.Has(id); err != nil {
				return fmt.Errorf("cannot start agent %d: %w", id, err)
			}
			if !s.Node(id).CanStart() {
				return fmt.Errorf("cannot start agent %d: its agent has no method %s", id, s.Node(id).startSignature())
			}
		}
	}
	return nil
}

func (s *System) checkFaults() error {
	for _, fault := range []struct {
		verb string
		ids  []ID
	}{{"wipe", s.Wipe}, {"restart", s.Restart}, {"crash", s.Crash}} {
		for _, id := range fault.ids {
			if err := s.Has(id); err != nil {
				return fmt.Errorf("cannot %s agent %d: %w", fault.verb, id, err)
			}
		}
	}
	for _, id := range s.Restart {
		if !s.Node(id).Persists() {
			return fmt.Errorf("cannot restart agent %d: nothing of it persists (its agent has no methods Persist and Restart); to lose everything is a wipe", id)
		}
	}
	return nil
}

func (s *System) checkAlike() error {
	listed := map[ID]bool{}
	for _, alike := range s.Alike {
		for _, id := range alike {
			if err := s.Has(id); err != nil {
				return fmt.Errorf("agent %d cannot be alike to others: %w", id, err)
			}
			if listed[id] {
				return fmt.Errorf("agent %d is said to be alike to others twice", id)
			}
			listed[id] = true
			if a, b := s.Node(alike[0]).StateType(), s.Node(id).StateType(); a != b {
				return fmt.Errorf("agents %d and %d are said to be alike, but their states are of types %s and %s", alike[0], id, typeName(a), typeName(b))
			}
		}
	}
	return nil
}

func (s *System) checkObserver() error {
	if s.Observer == nil {
		return nil
	}
	return s.Observer.check(s)
}

// Has is nil if the agent belongs to the population, and otherwise says who
// does.
func (s *System) Has(id ID) error {
	if n := len(s.Agents); id < 1 || int(id) > n {
		return fmt.Errorf("the agents are %s", idRange(n))
	}
	return nil
}

func idRange(n int) string {
	if n == 1 {
		return "1 alone"
	}
	return "1 to " + strconv.Itoa(n)
}

// typeName is a type as its author writes it. In Go's own rendering a type
// argument has its whole import path.
func typeName(t reflect.Type) string { return importPath.ReplaceAllString(t.String(), "") }

var importPath = regexp.MustCompile(`[^\s\[\](),*]+/`)
