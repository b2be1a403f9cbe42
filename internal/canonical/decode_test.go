package canonical

//lint:file-ignore U1000 fields are there to be encoded, not to be read

import (
	"bytes"
	"encoding/hex"
	"reflect"
	"runtime"
	"strings"
	"testing"
)

func TestDecodeRefuses(t *testing.T) {
	for _, test := range []struct {
		name string
		typ  reflect.Type
		in   string
		want string
	}{
		{"nothing", reflect.TypeFor[int](), "", "too few bytes"},
		{"left over", reflect.TypeFor[int](), "0200", "at byte 1 of 2, there are bytes left over"},
		{"long number", reflect.TypeFor[int](), "8200", "longer than it need be"},
		{"cut number", reflect.TypeFor[int](), "82", "cut off"},
		{"66 bits", reflect.TypeFor[uint64](), "ffffffffffffffffff02", "too large"},
		{"int16", reflect.TypeFor[int16](), "808004", "does not fit"},
		{"uint16", reflect.TypeFor[uint16](), "808004", "does not fit"},
		{"bool", reflect.TypeFor[bool](), "02", "neither 0 nor 1"},
		{"pointer", reflect.TypeFor[*int](), "02", "neither 0 nor 1"},
		{"NaN", reflect.TypeFor[float64](), "7ff8000000000000", "NaN"},
		{"NaN of 32 bits", reflect.TypeFor[float32](), "7fc00000", "NaN"},
		{"signalling NaN of 32 bits", reflect.TypeFor[float32](), "7f800001", "NaN"},
		{"-0", reflect.TypeFor[float64](), "8000000000000000", "-0"},
		{"-0 of 32 bits", reflect.TypeFor[float32](), "80000000", "-0"},
		{"-0 imaginary", reflect.TypeFor[complex64](), "0000000080000000", "-0"},
		{"pad", reflect.TypeFor[padded](), "01", "empty struct"},
		{"string length", reflect.TypeFor[string](), "05616263", "end comes too early"},
		{"huge string", reflect.TypeFor[string](), "ffffffffffffffff7f", "end comes too early"},
		{"length of 64 bits", reflect.TypeFor[string](), "ffffffffffffffffff01", "length is too large"},
		{"huge slice", reflect.TypeFor[[]server](), "ffffffffffffffff7f", "too few bytes"},
		{"huge slice of padded", reflect.TypeFor[[]padded](), "ffffffff0f", "too few bytes"},
		{"huge map", reflect.TypeFor[map[string]int](), "ffffffff0f", "too few bytes"},
		{"huge map of nothing", reflect.TypeFor[map[struct{}]struct{}](), "ffffffff0f", "more entries than its key has values"},
		{"key twice", reflect.TypeFor[map[int]bool](), "0200000000", "not in order"},
		{"keys out of order", reflect.TypeFor[map[int]bool](), "0202000000", "not in order"},
		{"value of an interface", reflect.TypeFor[any](), "03696e7480", "cut off"},
		{"nothing for an interface", reflect.TypeFor[any](), "03696e74", "cut off"},
		{"unknown type", reflect.TypeFor[any](), "03782e79", `"x.y", a type that is not known here: register`},
		{"type that does not implement", reflect.TypeFor[role](), "03696e7402", "an int cannot be in an interface role"},
		{"key that cannot be one", reflect.TypeFor[map[any]bool](), "01055b5d696e740000", "a []int cannot be a map key"},
		{"pointer as key", reflect.TypeFor[map[any]bool](), "01042a696e740000", "a *int cannot be a map key"},
	} {
		t.Run(test.name, func(t *testing.T) {
			ts := knowing(t)
			if err := ts.Register(reflect.TypeFor[*int]()); err != nil {
				t.Fatal(err)
			}
			b, err := hex.DecodeString(test.in)
			if err != nil {
				t.Fatal(err)
			}
			v, err := codecOf(t, ts, test.typ).Decode(b)
			if err == nil {
				t.Fatalf("decoded to %s", Format(v))
			}
			if v != nil || !strings.Contains(err.Error(), test.want) || strings.Contains(err.Error(), "\n") {
				t.Errorf("got %v and %q, want %q", v, err, test.want)
			}
		})
	}
}

func TestDecodeOfHugeNothings(t *testing.T) {
	c := codecOf(t, NewTypes(), reflect.TypeFor[[]struct{ a [3]struct{} }]())
	in := []byte{0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x7f}
	b, err := c.Append(nil, decode(t, c, in))
	if err != nil || !bytes.Equal(b, in) {
		t.Errorf("got %x, %v", b, err)
	}
}

type wide struct {
	next *wide
	pad  [1 << 16]int64
}

// Each level of hostile bytes asks for another half a megabyte.
func TestDecodeAllocatesInProportion(t *testing.T) {
	c := codecOf(t, NewTypes(), reflect.TypeFor[*wide]())
	in := bytes.Repeat([]byte{1}, 1<<18)
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	if _, err := c.Decode(in); err == nil {
		t.Fatal("decoded")
	}
	runtime.ReadMemStats(&after)
	if got, limit := after.TotalAlloc-before.TotalAlloc, uint64(16*len(in)); got > limit {
		t.Errorf("allocated %d bytes for %d, want at most %d", got, len(in), limit)
	}
}

func TestDecodeOfDeepBytes(t *testing.T) {
	ts := NewTypes()
	type list []list
	for _, typ := range []reflect.Type{reflect.TypeFor[*chain](), reflect.TypeFor[list]()} {
		_, err := codecOf(t, ts, typ).Decode(bytes.Repeat([]byte{1}, 10<<20))
		if err == nil || !strings.Contains(err.Error(), "nested more than 10000 deep") {
			t.Errorf("%v: got %v", typ, err)
		}
	}
}
