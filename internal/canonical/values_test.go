package canonical

//lint:file-ignore U1000 fields are there to be encoded, not to be read

import (
	"bytes"
	"math"
	"reflect"
	"testing"
)

// The types that the tests share. They look like what a user writes.

type (
	server struct {
		Round  int
		value  string
		log    []entry
		votes  map[uint8]ballot
		role   role
		leader *entry
		parent *server
		hash   [3]byte
		weight float64
		names  map[string][]string
		keyed  map[any]bool
		any    any
		_      chan int // blank: does not count
	}
	entry struct {
		N     int32
		Value string
	}
	ballot [2]uint16
	role   interface{ isRole() }
	lead   struct {
		Outstanding int
		from        map[int]bool
	}
	idle  struct{}
	vote  int8
	chain struct {
		next *chain
		kids []chain
		more any
	}
	scalars struct {
		A bool
		b int
		c int8
		D int16
		e int32
		f int64
		g uint
		H uint8
		i uint16
		j uint32
		k uint64
		l float32
		m float64
		n complex64
		o complex128
		p string
	}
	odd struct {
		a []struct{}
		b [3]struct{}
		c []padded
		d map[struct{}]int
		e map[ballot]struct{}
		f **int
		g []byte
		h [][]byte
		i map[padded][]any
		j []any
		k [2][2]any
		l *[]int
		m map[float32]complex64
		n []vote
	}
	padded struct{ _ int }
)

func (lead) isRole()  {}
func (*idle) isRole() {}
func (vote) isRole()  {}

// staticTypes are the types of which the random tests make values.
var staticTypes = []reflect.Type{
	reflect.TypeFor[server](),
	reflect.TypeFor[chain](),
	reflect.TypeFor[scalars](),
	reflect.TypeFor[odd](),
	reflect.TypeFor[any](),
	reflect.TypeFor[role](),
	reflect.TypeFor[map[entry]*lead](),
	reflect.TypeFor[map[any][]int](),
	reflect.TypeFor[[]map[int8]string](),
}

// dynamicTypes are what their interfaces hold.
var dynamicTypes = []reflect.Type{
	reflect.TypeFor[int](),
	reflect.TypeFor[int8](),
	reflect.TypeFor[string](),
	reflect.TypeFor[float64](),
	reflect.TypeFor[vote](),
	reflect.TypeFor[lead](),
	reflect.TypeFor[*idle](),
	reflect.TypeFor[idle](),
	reflect.TypeFor[entry](),
	reflect.TypeFor[ballot](),
	reflect.TypeFor[[]int](),
	reflect.TypeFor[map[string]int](),
	reflect.TypeFor[*chain](),
	reflect.TypeFor[struct{ x any }](),
	reflect.TypeFor[[2]any](),
}

// knowing gives Types that know the dynamic types.
func knowing(t testing.TB) *Types {
	t.Helper()
	ts := NewTypes()
	for _, d := range dynamicTypes {
		if err := ts.Register(d); err != nil {
			t.Fatal(err)
		}
	}
	return ts
}

func codecOf(t testing.TB, ts *Types, typ reflect.Type) *Codec {
	t.Helper()
	c, err := ts.Codec(typ)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

func encode(t testing.TB, c *Codec, v any) []byte {
	t.Helper()
	b, err := c.Append(nil, v)
	if err != nil {
		t.Fatalf("%s: %v", Format(v), err)
	}
	return b
}

func decode(t testing.TB, c *Codec, b []byte) any {
	t.Helper()
	v, err := c.Decode(b)
	if err != nil {
		t.Fatalf("%x: %v", b, err)
	}
	return v
}

// draws makes values out of bytes, which a fuzzer may choose. When there are no
// more, every draw is 0, and that ends every value soon.
type draws []byte

func (d *draws) below(n int) int {
	if len(*d) == 0 {
		return 0
	}
	b := int((*d)[0])
	*d = (*d)[1:]
	return b % n
}

func (d *draws) value(t reflect.Type) any {
	v := reflect.New(t).Elem()
	d.fill(v, false)
	return v.Interface()
}

func (d *draws) fill(v reflect.Value, inKey bool) {
	switch v.Kind() {
	case reflect.Struct:
		for i := range v.NumField() {
			if v.Type().Field(i).Name != "_" {
				d.fill(open(v.Field(i)), inKey)
			}
		}
	case reflect.Array:
		for i := range v.Len() {
			d.fill(v.Index(i), inKey)
		}
	case reflect.Slice:
		n := d.below(4)
		if n > 0 || d.below(2) == 1 {
			v.Set(reflect.MakeSlice(v.Type(), n, n+d.below(3)))
		}
		for i := range n {
			d.fill(v.Index(i), inKey)
		}
	case reflect.Map:
		n := d.below(4)
		if n > 0 || d.below(2) == 1 {
			v.Set(reflect.MakeMap(v.Type()))
		}
		for range n {
			key, elem := reflect.New(v.Type().Key()).Elem(), reflect.New(v.Type().Elem()).Elem()
			d.fill(key, true)
			d.fill(elem, false)
			v.SetMapIndex(key, elem)
		}
	case reflect.Pointer:
		if d.below(3) > 0 {
			v.Set(reflect.New(v.Type().Elem()))
			d.fill(v.Elem(), inKey)
		}
	case reflect.Interface:
		d.fillInterface(v, inKey)
	default:
		d.fillScalar(v)
	}
}

func (d *draws) fillInterface(v reflect.Value, inKey bool) {
	n := d.below(len(dynamicTypes) + 1)
	if n == 0 {
		return
	}
	t := dynamicTypes[n-1]
	if !t.Implements(v.Type()) || inKey && (!t.Comparable() || refuseKey(t) != nil) {
		return
	}
	held := reflect.New(t).Elem()
	d.fill(held, inKey)
	v.Set(held)
}

// fillScalar prefers few values, so that equal ones occur.
func (d *draws) fillScalar(v reflect.Value) {
	n := d.below(6)
	switch {
	case v.Kind() == reflect.Bool:
		v.SetBool(n%2 == 1)
	case v.Kind() == reflect.String:
		v.SetString([]string{"", "x", "xy", "\x00", "\xff", "κ"}[n])
	case v.CanInt():
		v.SetInt([]int64{0, 1, -1, 64, math.MinInt64, math.MaxInt64}[n] >> (64 - v.Type().Bits()))
	case v.CanUint():
		v.SetUint([]uint64{0, 1, 127, 128, 255, math.MaxUint64}[n] >> (64 - v.Type().Bits()))
	case v.CanFloat():
		v.SetFloat([]float64{0, 1, -1.5, math.Copysign(0, -1), math.Inf(1), math.Inf(-1)}[n])
	case v.CanComplex():
		v.SetComplex([]complex128{0, 1, 1i, complex(math.Copysign(0, -1), 0), complex(0, math.Copysign(0, -1)), complex(math.Inf(1), 2)}[n])
	}
}

// open makes a field writable.
func open(v reflect.Value) reflect.Value {
	return reflect.NewAt(v.Type(), v.Addr().UnsafePointer()).Elem()
}

// checkRoundTrip checks what must hold of every value.
func checkRoundTrip(t testing.TB, c *Codec, v any) []byte {
	t.Helper()
	b := encode(t, c, v)
	got := decode(t, c, b)
	if !reflect.DeepEqual(normal(got), normal(v)) {
		t.Fatalf("decoded %s, want %s", Format(got), Format(v))
	}
	if again := encode(t, c, got); !bytes.Equal(again, b) {
		t.Fatalf("%s: encoded again %x, want %x", Format(v), again, b)
	}
	if Format(got) != Format(v) {
		t.Fatalf("decoded prints %s, want %s", Format(got), Format(v))
	}
	return b
}
