package canonical

import (
	"errors"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strconv"
	"sync"
	"sync/atomic"
)

// Types holds the compiled plans of types, and the dynamic types of interface
// values: those that were met while encoding, and those that were registered.
// It may be used by several goroutines at once.
//
// A dynamic type's tag is its name with package paths, in every process the
// same. Only types that are declared inside functions can share one; the second
// that is met or registered is then tagged `name#2`, and so on. Whoever needs
// the same tags elsewhere registers such types first, in a fixed order: order of
// meeting is the order of the calls, and varies if goroutines race, or if two
// that share a name are first met as keys of one map. (As type arguments they have
// a number from the compiler in their name, which an edit of the source may change.)
type Types struct {
	adding   sync.Mutex             // held while known is replaced
	known    atomic.Pointer[tables] // replaced, never modified, so that readers need no lock
	encoders sync.Pool              // of *encoder
}

type tables struct {
	plans   map[reflect.Type]*plan
	dynamic map[reflect.Type]*dynamicType
	tags    map[string]*dynamicType
}

// dynamicType is a type that an interface value may have.
type dynamicType struct {
	tag  string
	plan *plan
}

// NewTypes gives Types that know nothing yet.
func NewTypes() *Types {
	ts := &Types{}
	ts.known.Store(&tables{})
	return ts
}

// Codec gives the codec of t, which it compiles the first time. The error is a
// *[NotPlainError]: the type shows that it has values, or parts even of an empty
// value, that are not plain. Interfaces show nothing: what they hold is judged
// when it is met.
func (ts *Types) Codec(t reflect.Type) (*Codec, error) {
	p, r := ts.planOf(t)
	if r != nil {
		return nil, r.at(rootName(t)).report()
	}
	return &Codec{types: ts, plan: p}, nil
}

// Register makes t known as the dynamic type of interface values, so that they
// can be decoded before one was encoded. What t itself holds in interfaces is to
// be registered, too. Again is harmless. The error is a
// *[NotPlainError], or says that t is nil or an interface type, which no
// interface value has as its dynamic type.
func (ts *Types) Register(t reflect.Type) error {
	if t == nil {
		return errors.New("cannot register the type of nil: give a value of the type")
	}
	if t.Kind() == reflect.Interface {
		return fmt.Errorf("cannot register %s, an interface: register the types that it may hold", baseName(t))
	}
	if _, r := ts.meet(t); r != nil {
		return r.at(rootName(t)).report()
	}
	return nil
}

// Dynamic lists the types that are known as dynamic types of interface values,
// by their tags.
func (ts *Types) Dynamic() []reflect.Type {
	known := ts.known.Load().tags
	types := make([]reflect.Type, 0, len(known))
	for _, tag := range slices.Sorted(maps.Keys(known)) {
		types = append(types, known[tag].plan.typ)
	}
	return types
}

func (ts *Types) planOf(t reflect.Type) (*plan, *refusal) {
	if p := ts.known.Load().plans[t]; p != nil {
		return p, nil
	}
	ts.adding.Lock()
	defer ts.adding.Unlock()
	next, p, r := ts.known.Load().withPlan(t)
	if r != nil {
		return nil, r
	}
	ts.known.Store(next)
	return p, nil
}

// meet gives what is known of the dynamic type t, and makes it known.
func (ts *Types) meet(t reflect.Type) (*dynamicType, *refusal) {
	if d := ts.known.Load().dynamic[t]; d != nil {
		return d, nil
	}
	ts.adding.Lock()
	defer ts.adding.Unlock()
	next, d, r := ts.known.Load().withDynamic(t)
	if r != nil {
		return nil, r
	}
	ts.known.Store(next)
	return d, nil
}

// tagged gives the dynamic type of that tag, or nil.
func (ts *Types) tagged(tag []byte) *dynamicType { return ts.known.Load().tags[string(tag)] }

func (ta *tables) withPlan(t reflect.Type) (*tables, *plan, *refusal) {
	if p := ta.plans[t]; p != nil {
		return ta, p, nil
	}
	c := compiler{known: ta.plans, built: map[reflect.Type]*plan{}}
	p, r := c.plan(t)
	if r != nil {
		return nil, nil, r
	}
	maps.Copy(c.built, ta.plans)
	return &tables{plans: c.built, dynamic: ta.dynamic, tags: ta.tags}, p, nil
}

func (ta *tables) withDynamic(t reflect.Type) (*tables, *dynamicType, *refusal) {
	if d := ta.dynamic[t]; d != nil {
		return ta, d, nil
	}
	next, p, r := ta.withPlan(t)
	if r != nil {
		return nil, nil, r
	}
	name := fullName(t)
	d := &dynamicType{tag: name, plan: p}
	for n := 2; ta.tags[d.tag] != nil; n++ {
		d.tag = name + "#" + strconv.Itoa(n)
	}
	dynamic, tags := map[reflect.Type]*dynamicType{t: d}, map[string]*dynamicType{d.tag: d}
	maps.Copy(dynamic, ta.dynamic)
	maps.Copy(tags, ta.tags)
	return &tables{plans: next.plans, dynamic: dynamic, tags: tags}, d, nil
}
