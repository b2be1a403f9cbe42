package model

import (
	"fmt"
	"maps"
	"slices"
	"strings"
)

// Algorithm is an entry of a list of algorithms: what there is to say about
// one, and how to make a System of it. It is a value and is never modified.
type Algorithm struct {
	Name    string // as --algo takes it
	Summary string // one line
	Doc     string // paragraphs: what it is, what it caulks, what hole it has
	Source  string // paper and section, or article

	// Twins names the broken variants of a correct algorithm, or what a broken
	// one is a variant of.
	Twins []string

	// Hole is, for a broken variant, one line that says what it gets wrong and
	// what comes of it; empty for an algorithm that holds.
	Hole string

	// Agents is the number of agents where none is asked for, MinAgents the
	// least. Agents is 0 where the parameters determine the number: then it
	// cannot be asked for, only confirmed.
	Agents, MinAgents int

	Params []Param // what it has beyond the number of agents

	// Deployed are parameters for agents that run on a network, in place of the
	// defaults: bounds that keep a model finite have no place there.
	Deployed map[string]int

	// Starts are the agents started from outside where nothing is said, each
	// with its value; nil where none can be. A Make whose system has Starts has
	// its own.
	Starts map[ID]string

	// Make builds a system of a complete config: everything is in range and
	// every parameter is there. The system's Name, Params and, if it has none,
	// Starts are filled in by Algorithm.System.
	Make func(c Config) System
}

// Param is a whole number that an algorithm can be made with.
type Param struct {
	Name, Doc         string
	Default, Min, Max int // what may be asked for: Min to Max, both included
}

// Config is what an algorithm is made with. The zero value asks for the
// defaults.
type Config struct {
	Agents int            // 0: the algorithm's default
	Params map[string]int // one that is missing has its default
}

// mostAgents bounds what can be asked for: far above what can be explored, and
// far below what would exhaust memory before anything is said.
const mostAgents = 1000

// System makes the system that a config asks for, with the default Starts. An error is one line: what was asked for, and what there is.
func (a *Algorithm) System(c Config) (System, error) {
	if a.Make == nil {
		return System{}, fmt.Errorf("the algorithm %q has no Make", a.Name)
	}
	c, err := a.complete(c)
	if err != nil {
		return System{}, err
	}
	s := a.Make(c)
	if c.Agents != 0 && c.Agents != len(s.Agents) {
		return System{}, fmt.Errorf("%s has %s%s, not %d", a.Name, agents(len(s.Agents)), a.with(c.Params), c.Agents)
	}
	s.Name, s.Params = a.Name, c.Params
	if s.Starts == nil {
		s.Starts = maps.Clone(a.Starts)
	}
	if err := s.Check(); err != nil {
		return System{}, fmt.Errorf("%s: %w", a.Name, err)
	}
	return s, nil
}

// complete fills in the defaults and says what is out of range. The result
// shares nothing with the argument.
func (a *Algorithm) complete(c Config) (Config, error) {
	if c.Agents == 0 {
		c.Agents = a.Agents
	}
	least := max(a.MinAgents, 1)
	if a.Agents != 0 && (c.Agents < least || c.Agents > mostAgents) {
		return Config{}, fmt.Errorf("%s takes %d to %d agents, not %d", a.Name, least, mostAgents, c.Agents)
	}
	params := map[string]int{}
	for _, p := range a.Params {
		value, given := c.Params[p.Name]
		if !given {
			value = p.Default
		}
		if value < p.Min || value > p.Max {
			return Config{}, fmt.Errorf("parameter %s of %s is %d to %d, not %d", p.Name, a.Name, p.Min, p.Max, value)
		}
		params[p.Name] = value
	}
	for _, name := range slices.Sorted(maps.Keys(c.Params)) {
		if _, known := params[name]; !known {
			return Config{}, fmt.Errorf("%s has no parameter %q: it has %s", a.Name, name, a.paramNames())
		}
	}
	c.Params = params
	return c, nil
}

func agents(n int) string {
	if n == 1 {
		return "1 agent"
	}
	return fmt.Sprintf("%d agents", n)
}

// with shows the parameters in the algorithm's order: " with managers=3".
func (a *Algorithm) with(params map[string]int) string {
	lead, shown := " with ", ""
	for _, p := range a.Params {
		shown += fmt.Sprintf("%s%s=%d", lead, p.Name, params[p.Name])
		lead = " "
	}
	return shown
}

func (a *Algorithm) paramNames() string {
	if len(a.Params) == 0 {
		return "none"
	}
	names := make([]string, len(a.Params))
	for i, p := range a.Params {
		names[i] = p.Name
	}
	return strings.Join(names, ", ")
}

// FindAlgorithm is the entry of that name, or an error that says which there
// are. The entry is shared with the list.
func FindAlgorithm(list []Algorithm, name string) (*Algorithm, error) {
	names := make([]string, len(list))
	for i := range list {
		if list[i].Name == name {
			return &list[i], nil
		}
		names[i] = list[i].Name
	}
	return nil, fmt.Errorf("there is no algorithm %q: there are %s", name, strings.Join(names, ", "))
}
