package canonical

import (
	"fmt"
	"reflect"
)

// maxDepth is how deep pointers, slices, maps and interfaces may nest. The walk
// is recursive, and Go cannot recover from a stack overflow. encoding/json has
// the same limit.
const maxDepth = 10_000

func refuseDepth() *refusal {
	return refuse(fmt.Sprintf("is nested more than %d deep, which is too deep for a state or a message: keep long lists in a slice", maxDepth))
}

// ancestors are the pointers, slices, maps and interfaces on the way down to
// where a walk is. Their zero value is the top.
type ancestors struct {
	stack []visit
	deep  map[visit]struct{} // those of the stack from scanned on
}

// visit is a part of a value that other parts may refer to. The address is a
// uintptr so that an idle stack keeps no user's value alive.
type visit struct {
	typ     reflect.Type
	address uintptr
	length  int // of a slice: its parts may begin where it does
}

// Up to here looking through the stack beats a map.
const scanned = 32

// enter goes down into v: a pointer, a non-empty map, or a slice of something
// that takes memory. It refuses v if the walk is inside v already; it has then not
// been entered.
func (a *ancestors) enter(v reflect.Value) *refusal {
	at := visit{typ: v.Type(), address: uintptr(v.UnsafePointer())}
	if v.Kind() == reflect.Slice {
		at.length = v.Len()
	}
	for i := range min(len(a.stack), scanned) {
		if a.stack[i] == at {
			return refuseCycle()
		}
	}
	if _, inside := a.deep[at]; inside {
		return refuseCycle()
	}
	return a.push(at)
}

// enterInterface goes down into an interface value. It refers to nothing by
// itself, but it is a level.
func (a *ancestors) enterInterface() *refusal { return a.push(visit{}) }

func (a *ancestors) push(at visit) *refusal {
	if len(a.stack) == maxDepth {
		return refuseDepth()
	}
	if len(a.stack) >= scanned {
		if a.deep == nil {
			a.deep = map[visit]struct{}{}
		}
		a.deep[at] = struct{}{}
	}
	a.stack = append(a.stack, at)
	return nil
}

// leave goes up one level.
func (a *ancestors) leave() {
	last := len(a.stack) - 1
	if last >= scanned {
		delete(a.deep, a.stack[last])
	}
	a.stack = a.stack[:last]
}

// leaveTo goes up until this many levels are left.
func (a *ancestors) leaveTo(level int) {
	for len(a.stack) > level {
		a.leave()
	}
}

func (a *ancestors) reset() {
	a.leaveTo(0)
}

func refuseCycle() *refusal {
	return refuse("leads back to a value that contains it, and a cyclic value cannot be part of a state or a message: refer to the others by their IDs")
}
