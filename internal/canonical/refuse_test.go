package canonical

//lint:file-ignore U1000 fields are there to be encoded, not to be read

import (
	"errors"
	"math"
	"math/rand/v2"
	"reflect"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"
	"unsafe"
)

type waiting struct {
	name  string
	queue []struct{ done chan int }
}

type mutex sync.Mutex

type stamp time.Time

func TestTypesThatAreNotPlain(t *testing.T) {
	for _, test := range []struct {
		typ    reflect.Type
		path   string
		reason string // how it begins
	}{
		{reflect.TypeFor[waiting](), "waiting.queue[].done", "is a channel, and a channel cannot be part of a state or a message: keep plain values only (structs, slices, maps, pointers to values)"},
		{reflect.TypeFor[*waiting](), "waiting.queue[].done", "is a channel"},
		{reflect.TypeFor[chan int](), "chan int", "is a channel"},
		{reflect.TypeFor[struct{ f func() }](), "struct.f", "is a function"},
		{reflect.TypeFor[map[string]struct{ a uintptr }](), "map[string]struct[].a", "is a uintptr"},
		{reflect.TypeFor[struct{ a *unsafe.Pointer }](), "struct.a(*)", "is an unsafe.Pointer"},
		{reflect.TypeFor[struct{ a [0]chan int }](), "struct.a[]", "is a channel"},
		{reflect.TypeFor[struct{ a *struct{ b *chan int } }](), "struct.a.b(*)", "is a channel"},
		{reflect.TypeFor[struct{ a sync.Mutex }](), "struct.a", "is a sync.Mutex, and a sync.Mutex cannot"},
		{reflect.TypeFor[struct{ a *sync.Map }](), "struct.a(*)", "is a sync.Map"},
		{reflect.TypeFor[struct{ a atomic.Int64 }](), "struct.a", "is an atomic.Int64"},
		{reflect.TypeFor[struct{ a atomic.Pointer[int] }](), "struct.a", "is an atomic.Pointer[int]"},
		{reflect.TypeFor[mutex](), "mutex.mu", "is a sync.Mutex"},
		{reflect.TypeFor[struct{ a time.Time }](), "struct.a", "is a time.Time, and a time.Time cannot"},
		{reflect.TypeFor[stamp](), "stamp.loc(*)", "is a time.Location"},
		{reflect.TypeFor[struct{ a time.Timer }](), "struct.a.C", "is a channel"},
		{reflect.TypeFor[struct{ a map[*int]bool }](), "struct.a[key]", "is a pointer in a map key"},
		{reflect.TypeFor[struct {
			a map[[2]struct{ b *int }]bool
		}](), "struct.a[key][].b", "is a pointer in a map key"},
		{reflect.TypeFor[map[chan int]bool](), "map[chan int]bool[key]", "is a channel"},
		{reflect.TypeFor[map[*chain]chan int](), "map[*chain]chan int[key]", "is a pointer in a map key"},
	} {
		t.Run(test.path, func(t *testing.T) {
			ts := NewTypes()
			for range 2 { // a refused type must leave nothing half done
				_, err := ts.Codec(test.typ)
				checkNotPlain(t, err, test.path, test.reason)
			}
			checkNotPlain(t, ts.Register(test.typ), test.path, test.reason)
		})
	}
}

func checkNotPlain(t *testing.T, err error, path, reason string) {
	t.Helper()
	var e *NotPlainError
	if !errors.As(err, &e) {
		t.Fatalf("got %v, want a NotPlainError at %s", err, path)
	}
	if e.Path != path || !strings.HasPrefix(e.Reason, reason) {
		t.Errorf("got  %q %q\nwant %q %q", e.Path, e.Reason, path, reason)
	}
	if e.Error() != e.Path+" "+e.Reason || strings.Contains(e.Error(), "\n") {
		t.Errorf("not a line: %q", e.Error())
	}
}

func TestTypesThatArePlain(t *testing.T) {
	for _, typ := range append([]reflect.Type{
		reflect.TypeFor[time.Duration](),
		reflect.TypeFor[rand.PCG](),
		reflect.TypeFor[error](),
		reflect.TypeFor[struct{ _ chan int }](),
		reflect.TypeFor[struct{ _ [0]func() }](),
		reflect.TypeFor[map[struct{ _ *int }]bool](),
		reflect.TypeFor[map[any]bool](),
	}, staticTypes...) {
		if _, err := NewTypes().Codec(typ); err != nil {
			t.Errorf("%v: %v", typ, err)
		}
	}
}

func TestValuesThatAreNotPlain(t *testing.T) {
	ring := &chain{}
	ring.next = &chain{next: ring}
	inSlice := chain{kids: make([]chain, 2)}
	inSlice.kids[1].kids = inSlice.kids
	inMap := map[string]any{}
	inMap["a"], inMap["b"] = 1, []any{nil, inMap}
	long := &chain{}
	for range 100 {
		long = &chain{next: long}
	}
	ringAfterMuch := &chain{next: long}
	for long.next != nil {
		long = long.next
	}
	long.next = ringAfterMuch
	deep := &chain{}
	for range 2 * maxDepth {
		deep = &chain{next: deep}
	}
	deepInInterfaces := any(1)
	for range maxDepth {
		deepInInterfaces = [1]any{deepInInterfaces}
	}
	type holder struct {
		v any
		m map[any]int
		f []float32
		c map[string]complex128
	}
	nan := math.NaN()
	for _, test := range []struct {
		name   string
		v      any
		path   string
		reason string
	}{
		{"channel", holder{v: make(chan int)}, "holder.v.(chan int)", "is a channel"},
		{"nil channel", holder{v: (chan int)(nil)}, "holder.v.(chan int)", "is a channel"},
		{"inside what an interface holds", holder{v: []any{0, waiting{}}}, "holder.v.([]any)[1].(waiting).queue[].done", "is a channel"},
		{"time in an interface", holder{v: &[]any{time.Time{}}}, "holder.v.(*[]any)(*)[0].(Time)", "is a time.Time"},
		{"pointer as key", holder{m: map[any]int{&ring: 1}}, "holder.m[key].(**chain)", "is a pointer in a map key"},
		{"pointer in key", holder{m: map[any]int{[1]any{struct{ p *int }{}}: 1}}, "holder.m[key].([1]any)[0].(struct).p", "is a pointer in a map key"},
		{"channel as key", holder{m: map[any]int{make(chan int): 1}}, "holder.m[key].(chan int)", "is a channel"},
		{"NaN", holder{f: []float32{1, float32(nan)}}, "holder.f[1]", "is NaN"},
		{"NaN in complex", holder{c: map[string]complex128{"a": 1, "b": complex(0, nan), "c": complex(nan, 0)}}, `holder.c["b"]`, "is NaN"},
		{"NaN in complex64", [2]complex64{1, complex(float32(nan), 0)}, "[2]complex64[1]", "is NaN"},
		{"NaN imaginary in complex64", [2]complex64{1, complex(0, float32(nan))}, "[2]complex64[1]", "is NaN"},
		{"NaN in key", holder{m: map[any]int{nan: 1, 2.0: 1}}, "holder.m[key].(float64)", "is NaN"},
		{"two faulty keys", map[any]int{nan: 1, float32(nan): 1, [1]float64{nan}: 1}, "map[any]int[key].([1]float64)[0]", "is NaN"},
		{"two faulty values", map[vote]float64{4: nan, 3: nan, 5: nan, 2: 1}, "map[vote]float64[3]", "is NaN"},
		{"NaN in an array in a key", map[[2]float64]int{{1, nan}: 0}, "map[[2]float64]int[key][1]", "is NaN"},
		{"ring", ring, "chain.next.next", "leads back to a value that contains it"},
		{"slice", inSlice, "chain.kids[1].kids", "leads back to a value that contains it"},
		{"map", inMap, `map[string]any["b"].([]any)[1].(map[string]any)`, "leads back to a value that contains it"},
		{"long ring", ringAfterMuch, "chain" + strings.Repeat(".next", 15) + "…" + strings.Repeat(".next", 8), "leads back to a value that contains it"},
		{"deep", deep, "chain" + strings.Repeat(".next", 15) + "…" + strings.Repeat(".next", 8), "is nested more than 10000 deep"},
		{"deep in interfaces", holder{v: deepInInterfaces}, "holder.v" + strings.Repeat(".([1]any)[0]", 7) + "…" + strings.Repeat("[0].([1]any)", 3) + "[0].(int)", "is nested more than 10000 deep"},
	} {
		t.Run(test.name, func(t *testing.T) {
			c := codecOf(t, NewTypes(), reflect.TypeOf(test.v))
			times := 20 // maps have many orders
			if strings.HasPrefix(test.name, "deep") {
				times = 1 // these take long, and have no maps
			}
			for range times {
				_, err := c.Append(nil, test.v)
				checkNotPlain(t, err, test.path, test.reason)
			}
		})
	}
}

// In a dense graph of maps there are more ways than time to try them all.
func TestDenseCycleIsFoundSoon(t *testing.T) {
	type node struct{ peers map[int]*node }
	nodes := make([]*node, 40)
	for i := range nodes {
		nodes[i] = &node{peers: map[int]*node{}}
	}
	for _, n := range nodes {
		for i, peer := range nodes {
			n.peers[i] = peer
		}
	}
	c := codecOf(t, NewTypes(), reflect.TypeFor[*node]())
	_, err := c.Append(nil, nodes[0])
	checkNotPlain(t, err, "node.peers[0]", "leads back to a value that contains it")
}

func TestDepthUpToTheLimitIsFine(t *testing.T) {
	c := codecOf(t, NewTypes(), reflect.TypeFor[*chain]())
	v := &chain{}
	for range maxDepth - 1 {
		v = &chain{next: v}
	}
	b := encode(t, c, v)
	if again := encode(t, c, decode(t, c, b)); string(again) != string(b) {
		t.Error("the deepest value does not come back")
	}
	if _, err := c.Append(nil, &chain{next: v}); err == nil {
		t.Error("one level more was not refused")
	}
}
