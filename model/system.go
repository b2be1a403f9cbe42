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
	Bag Network = iota // unordered; each copy sent is delivered at most once
	Set                // unordered; what was sent once can be delivered again and again
)

var networkNames = []string{"bag", "set"}

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

	Network    Network
	Starts     map[ID]string // agents started from outside, in order of ID, each with its value
	Wipe       []ID          // agents that may be wiped, at any time and any number of times
	Properties []Property
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
	for _, id := range s.StartOrder() {
		if err := s.Has(id); err != nil {
			return fmt.Errorf("cannot start agent %d: %w", id, err)
		}
		if !s.Node(id).CanStart() {
			return fmt.Errorf("cannot start agent %d: its agent has no method %s", id, s.Node(id).startSignature())
		}
	}
	for _, id := range s.Wipe {
		if err := s.Has(id); err != nil {
			return fmt.Errorf("cannot wipe agent %d: %w", id, err)
		}
	}
	return checkProperties(s.Properties)
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
