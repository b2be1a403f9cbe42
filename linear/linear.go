// Package linear judges histories of calls and returns: is what the clients
// saw what one copy of the object, asked one call at a time, could have
// answered? (Maurice Herlihy and Jeannette Wing, "Linearizability: A Correctness
// Condition for Concurrent Objects", ACM TOPLAS 12, 1990.)
//
// An observer keeps a History: it invokes and returns as clients do. Property
// asks about it, once for each distinct history.
package linear

import (
	"fmt"
	"reflect"
	"slices"
	"strings"

	"github.com/anishathalye/porcupine"

	"github.com/caulk-go/caulk/internal/canonical"
	"github.com/caulk-go/caulk/model"
)

// History is what clients called and what they got, as far as linearizability
// depends on it: for each call, which calls of others had returned by then. Two
// runs that differ only in the order of what overlaps have the same history. It
// is a value: Invoke and Return give another one. C is a call, R what it
// returns; both are plain values.
type History[C, R any] struct {
	Calls []Call[C, R] // by client, each client's in order
}

// Call is one call of a client.
type Call[C, R any] struct {
	Client   model.ID
	What     C
	Returned bool
	Result   R // zero until it has returned

	// After is how many calls of each other client had returned when this one
	// was made; who is missing had none.
	After map[model.ID]int
}

// Invoke is the history with one more call. A client makes one at a time.
func (h History[C, R]) Invoke(client model.ID, what C) History[C, R] {
	after := map[model.ID]int{}
	end := 0 // of the client's calls
	for i, c := range h.Calls {
		if c.Client != client && c.Returned {
			after[c.Client]++
		}
		if c.Client <= client {
			end = i + 1
		}
	}
	return History[C, R]{slices.Insert(slices.Clone(h.Calls), end, Call[C, R]{Client: client, What: what, After: after})}
}

// Return is the history in which the client's last call has returned. A client
// that has none open changes nothing.
func (h History[C, R]) Return(client model.ID, result R) History[C, R] {
	calls := slices.Clone(h.Calls)
	for i := range calls {
		if c := &calls[i]; c.Client == client && !c.Returned {
			c.Returned, c.Result = true, result
		}
	}
	return History[C, R]{calls}
}

// Spec is the object, as one copy that is asked one call at a time. Step is
// pure; states are compared deeply.
type Spec[S, C, R any] struct {
	Start S
	Step  func(s S, what C) (next S, result R)
}

// Property says that the observer's state, a History, is linearizable. A call
// that has not returned may have taken effect or not. A history with very many
// overlapping calls takes long to judge.
func Property[S, C, R any](name string, spec Spec[S, C, R]) model.Property {
	return model.Always(name, func(v model.View) error { return spec.Check(model.ObserverOf[History[C, R]](v)) })
}

// Check answers nil if the history is linearizable, and otherwise a sentence.
func (s Spec[S, C, R]) Check(h History[C, R]) error {
	if s.explains(h.Calls) {
		return nil
	}
	var all []string
	for _, c := range h.Calls {
		all = append(all, c.String())
	}
	for i := len(h.Calls) - 1; i >= 0; i-- {
		if c := h.Calls[i]; c.Returned && s.explains(without(h.Calls, i)) {
			return fmt.Errorf("%s cannot be explained: %s", c, strings.Join(all, ", "))
		}
	}
	return fmt.Errorf("no order of the calls explains what they returned: %s", strings.Join(all, ", "))
}

// without is the calls less what one of them returned: as if it were still
// open.
func without[C, R any](calls []Call[C, R], i int) []Call[C, R] {
	rest := slices.Clone(calls)
	rest[i].Returned = false
	return rest
}

func (c Call[C, R]) String() string {
	if !c.Returned {
		return fmt.Sprintf("client %d calls %v", c.Client, c.What)
	}
	return fmt.Sprintf("client %d calls %v and gets %s", c.Client, c.What, canonical.Format(c.Result))
}

// explains asks porcupine.
func (s Spec[S, C, R]) explains(calls []Call[C, R]) bool {
	return porcupine.CheckOperations(porcupine.Model{
		Init: func() any { return box[S]{s.Start} },
		Step: func(state, input, output any) (bool, any) {
			next, result := s.Step(state.(box[S]).v, input.(box[C]).v)
			got, returned := output.(box[R])
			return !returned || reflect.DeepEqual(got.v, result), box[S]{next}
		},
		Equal: func(a, b any) bool { return reflect.DeepEqual(a, b) },
	}, operations(calls))
}

// box holds a value that may be a nil interface.
type box[T any] struct{ v T }

// operations gives the calls times that overlap exactly as the history says.
//
// How many calls of every client had returned is, from one call to the next, a
// chain: it only grows. So calls take place at the places of that chain, and a
// call returns just before the first place at which it counts as returned.
func operations[C, R any](calls []Call[C, R]) []porcupine.Operation {
	index := make([]int, len(calls)) // of a call among its client's
	for i := 1; i < len(calls); i++ {
		if calls[i].Client == calls[i-1].Client {
			index[i] = index[i-1] + 1
		}
	}
	place := func(i int) int64 { // how many had returned: the place in the chain
		n := index[i]
		for _, m := range calls[i].After {
			n += m
		}
		return int64(n)
	}
	var list []porcupine.Operation
	for i, c := range calls {
		end := int64(2*len(calls) + 1)
		o := porcupine.Operation{ClientId: int(c.Client), Input: box[C]{c.What}, Call: 2 * place(i), Return: end}
		if c.Returned {
			o.Output = box[R]{c.Result}
			for j, d := range calls {
				counted := d.After[c.Client] > index[i] || d.Client == c.Client && j > i
				if counted {
					o.Return = min(o.Return, 2*place(j)-1)
				}
			}
		}
		list = append(list, o)
	}
	return list
}
