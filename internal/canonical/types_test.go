package canonical

import (
	"bytes"
	"reflect"
	"strings"
	"sync"
	"testing"
)

// Two types with one name, and with one structure, too.
func first() any {
	type twin struct{ n int }
	return twin{1}
}

func second() any {
	type twin struct{ n int }
	return twin{1}
}

func TestTypesOfOneNameAreTwo(t *testing.T) {
	ts := NewTypes()
	c := codecOf(t, ts, reflect.TypeFor[any]())
	a, b := encode(t, c, first()), encode(t, c, second())
	if bytes.Equal(a, b) {
		t.Fatalf("both are %q", a)
	}
	const tag = "github.com/caulk-go/caulk/internal/canonical.twin"
	if want := string(rune(len(tag))) + tag + "\x02"; string(a) != want {
		t.Errorf("got %q, want %q", a, want)
	}
	if want := string(rune(len(tag)+2)) + tag + "#2\x02"; string(b) != want {
		t.Errorf("got %q, want %q", b, want)
	}
	if decode(t, c, a) != first() || decode(t, c, b) != second() {
		t.Error("they decode to each other")
	}
	// Registered in that order, they have the same tags elsewhere.
	other := NewTypes()
	for _, v := range []any{first(), second(), first()} {
		if err := other.Register(reflect.TypeOf(v)); err != nil {
			t.Fatal(err)
		}
	}
	if got := decode(t, codecOf(t, other, reflect.TypeFor[any]()), b); got != second() {
		t.Errorf("got %s of another type", Format(got))
	}
}

func TestUnnamedTypesOfClashingTypesAreTwo(t *testing.T) {
	c := codecOf(t, NewTypes(), reflect.TypeFor[any]())
	list := func(v any) any { return reflect.Zero(reflect.SliceOf(reflect.TypeOf(v))).Interface() }
	if a, b := encode(t, c, list(first())), encode(t, c, list(second())); bytes.Equal(a, b) {
		t.Errorf("both are %q", a)
	}
}

func TestTagsDoNotDependOnWhatWasMetBefore(t *testing.T) {
	for _, typ := range dynamicTypes {
		d := draws{}
		v := d.value(typ)
		fresh := codecOf(t, NewTypes(), reflect.TypeFor[any]())
		used := codecOf(t, knowing(t), reflect.TypeFor[any]())
		if a, b := encode(t, fresh, v), encode(t, used, v); !bytes.Equal(a, b) {
			t.Errorf("%v: %q and %q", typ, a, b)
		}
	}
}

func TestInterfacesNeedTheirTypes(t *testing.T) {
	there := codecOf(t, NewTypes(), reflect.TypeFor[role]())
	b := encode(t, there, lead{Outstanding: 2})
	ts := NewTypes()
	here := codecOf(t, ts, reflect.TypeFor[role]())
	if _, err := here.Decode(b); err == nil || !strings.Contains(err.Error(), "caulk/internal/canonical.lead") {
		t.Errorf("got %v", err)
	}
	if err := ts.Register(reflect.TypeFor[lead]()); err != nil {
		t.Fatal(err)
	}
	if got := decode(t, here, b).(lead); got.Outstanding != 2 {
		t.Errorf("got %v", got)
	}
}

func TestRegisterRefusesWhatNoInterfaceHolds(t *testing.T) {
	ts := NewTypes()
	for _, typ := range []reflect.Type{nil, reflect.TypeFor[any](), reflect.TypeFor[role]()} {
		if err := ts.Register(typ); err == nil {
			t.Errorf("registered %v", typ)
		}
	}
}

func TestNilInInterfaces(t *testing.T) {
	c := codecOf(t, NewTypes(), reflect.TypeFor[any]())
	seen := map[string]any{}
	for _, v := range []any{nil, (*int)(nil), (*string)(nil), []int(nil), map[int]int(nil), 0, "", new(int)} {
		b := checkRoundTrip(t, c, v)
		if other, again := seen[string(b)]; again {
			t.Errorf("%T and %T are one", v, other)
		}
		seen[string(b)] = v
	}
	if decode(t, c, []byte{0}) != nil {
		t.Error("nil does not come back")
	}
}

func TestCodecIsCompiledOnce(t *testing.T) {
	ts := NewTypes()
	a, b := codecOf(t, ts, reflect.TypeFor[server]()), codecOf(t, ts, reflect.TypeFor[server]())
	if a.plan != b.plan || a.Type() != reflect.TypeFor[server]() {
		t.Error("the plan is not the same")
	}
	if codecOf(t, ts, reflect.TypeFor[entry]()).plan != a.plan.fields[2].plan.elem {
		t.Error("the plan of a part is not the same")
	}
}

// Many goroutines meet the same types at the same time.
func TestConcurrentUse(t *testing.T) {
	ts := NewTypes()
	var all sync.WaitGroup
	for worker := range 8 {
		all.Go(func() {
			for i := range 40 {
				typ := staticTypes[(i+worker)%len(staticTypes)]
				d := make(draws, 100)
				for k := range d {
					d[k] = byte(i * (k + 1))
				}
				c, err := ts.Codec(typ)
				if err != nil {
					t.Error(err)
					return
				}
				v := d.value(typ)
				b, err := c.Append(nil, v)
				if err != nil {
					t.Error(err)
					return
				}
				got, err := c.Decode(b)
				if err != nil || !reflect.DeepEqual(normal(got), normal(v)) {
					t.Errorf("got %s, %v, want %s", Format(got), err, Format(v))
					return
				}
			}
		})
	}
	all.Wait()
}
