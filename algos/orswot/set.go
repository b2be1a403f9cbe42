// Package orswot is the observed-remove set without tombstones: Annette Bieniusa
// et al., "An optimized conflict-free replicated set", INRIA RR-8083, 2012, as in
// Riak's data types; with deltas after Paulo Almeida, Ali Shoker and Carlos
// Baquero, "Delta state replicated data types", JPDC 111, 2018, section 7.
package orswot

import (
	"cmp"
	"maps"
	"slices"
	"strings"

	"github.com/caulk-go/caulk/model"
)

// Dot names one add: the n-th of a replica, from 1.
type Dot struct {
	Replica model.ID
	N       int
}

func (d Dot) compare(e Dot) int {
	return cmp.Or(cmp.Compare(d.Replica, e.Replica), cmp.Compare(d.N, e.N))
}

// Set is what a replica holds: the elements, each by the dots of the adds that
// put it there, and all adds that the replica has seen. Whatever it has seen and
// does not hold was removed: so no tombstones are needed. The zero Set is empty;
// a Set is never modified.
type Set struct {
	Holds map[Dot]string
	Seen  Context
}

// Context is a set of adds: all of each replica up to a number and, beyond
// that, those in Cloud, ascending.
type Context struct {
	UpTo  map[model.ID]int
	Cloud []Dot
}

// Has says whether an add is in the context.
func (c Context) Has(d Dot) bool {
	if d.N <= c.UpTo[d.Replica] {
		return true
	}
	_, found := slices.BinarySearchFunc(c.Cloud, d, Dot.compare)
	return found
}

// union is what is in either context.
func (c Context) union(d Context) Context {
	u := Context{UpTo: map[model.ID]int{}, Cloud: slices.Concat(c.Cloud, d.Cloud)}
	maps.Copy(u.UpTo, c.UpTo)
	for _, id := range slices.Sorted(maps.Keys(d.UpTo)) {
		u.UpTo[id] = max(u.UpTo[id], d.UpTo[id])
	}
	slices.SortFunc(u.Cloud, Dot.compare)
	beyond := []Dot{}
	for _, dot := range slices.Compact(u.Cloud) {
		switch at := u.UpTo[dot.Replica]; {
		case dot.N == at+1:
			u.UpTo[dot.Replica] = dot.N // no gap any more
		case dot.N > at:
			beyond = append(beyond, dot)
		}
	}
	u.Cloud = beyond
	return u
}

// Elements are those that the set has, in order.
func (s Set) Elements() []string {
	return slices.Compact(slices.Sorted(maps.Values(s.Holds)))
}

// Add is what a replica sends when it adds an element: the delta that, joined
// to a set, makes it so. The new dot takes the place of those that the replica
// knows of the element.
func (s Set) Add(self model.ID, element string) Set {
	dot := Dot{self, s.Seen.UpTo[self] + 1}
	delta := s.Remove(element)
	delta.Holds = map[Dot]string{dot: element}
	delta.Seen.Cloud = append(delta.Seen.Cloud, dot)
	slices.SortFunc(delta.Seen.Cloud, Dot.compare)
	return delta
}

// Remove is the delta of a remove: what the replica has seen of the element,
// which it holds no more. An add that it has not seen is not touched: it wins.
func (s Set) Remove(element string) Set {
	return s.remove(func(e string) bool { return e == element })
}

// RemoveKey is the delta that removes, of elements key=value, all of a key.
func (s Set) RemoveKey(key string) Set {
	return s.remove(func(e string) bool { return strings.HasPrefix(e, key+"=") })
}

func (s Set) remove(which func(element string) bool) Set {
	var seen []Dot
	for dot, e := range s.Holds { //tidy:unordered sorted below
		if which(e) {
			seen = append(seen, dot)
		}
	}
	slices.SortFunc(seen, Dot.compare)
	return Set{Seen: Context{Cloud: seen}}
}

// Join is the least set that has seen what both have: an element stays by a dot
// that both hold, or that one holds and the other has not seen. It takes time in
// proportion to what the two hold.
func Join(a, b Set) Set {
	j := Set{Holds: make(map[Dot]string, len(a.Holds)), Seen: a.Seen.union(b.Seen)}
	for dot, element := range a.Holds { //tidy:unordered each dot is judged by itself
		if _, both := b.Holds[dot]; both || !b.Seen.Has(dot) {
			j.Holds[dot] = element
		}
	}
	for dot, element := range b.Holds { //tidy:unordered each dot is judged by itself
		if !a.Seen.Has(dot) {
			j.Holds[dot] = element
		}
	}
	return j
}
