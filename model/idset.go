package model

import "maps"

// IDSet is a set of agents: those that are there are true. It is a value: With
// gives another one. As a map it is the same whatever the order in which agents
// came, and where agents are renamed, so are its elements. The zero IDSet is empty.
type IDSet map[ID]bool

// With is the set with one more element.
func (s IDSet) With(id ID) IDSet {
	t := make(IDSet, len(s)+1)
	maps.Copy(t, s)
	t[id] = true
	return t
}
