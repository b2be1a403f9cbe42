package canonical

import (
	"bytes"
	"encoding/hex"
	"math"
	"reflect"
	"testing"
)

// The bytes themselves are a promise: files hold them.
func TestEncoding(t *testing.T) {
	one := 1
	pone := &one
	negativeZero := math.Copysign(0, -1)
	for _, test := range []struct {
		v    any
		want string
	}{
		{false, "00"},
		{true, "01"},
		{int8(-1), "ff"},
		{uint8(200), "c8"},
		{0, "00"},
		{-1, "01"},
		{64, "8001"},
		{int16(-300), "d704"},
		{uint(300), "ac02"},
		{uint64(math.MaxUint64), "ffffffffffffffffff01"},
		{float32(1), "3f800000"},
		{1.0, "3ff0000000000000"},
		{negativeZero, "0000000000000000"},
		{float32(negativeZero), "00000000"},
		{math.Inf(1), "7ff0000000000000"},
		{complex64(1i), "000000003f800000"},
		{complex(negativeZero, negativeZero), "00000000000000000000000000000000"},
		{complex64(complex(negativeZero, 1)), "000000003f800000"},
		{complex(1, negativeZero), "3ff00000000000000000000000000000"},
		{"", "00"},
		{"ab\x00", "03616200"},
		{[]int(nil), "00"},
		{[]int{}, "00"},
		{[]int{1, 2}, "020204"},
		{[]byte{1, 200}, "0201c8"},
		{[2]byte{1, 200}, "01c8"},
		{[]vote{1, -1}, "0201ff"},
		{[0]int{}, ""},
		{map[string]int(nil), "00"},
		{map[string]int{}, "00"},
		{map[string]int{"b": 1, "a": 2, "": 3}, "03" + "0006" + "016104" + "016202"},
		{map[int]bool{-1: true, 1: false}, "02" + "0101" + "0200"},
		{map[string]struct{}{"b": {}, "a": {}}, "02" + "0161" + "0162"},
		{map[struct{}]int{{}: 1}, "0102"},
		{(*int)(nil), "00"},
		{pone, "0102"},
		{new(int), "0100"},
		{&pone, "010102"},
		{(**int)(nil), "00"},
		{new(*int), "0100"},
		{struct{}{}, ""},
		{padded{}, "00"},
		{entry{N: 1, Value: "x"}, "020178"},
		{lead{Outstanding: 1, from: map[int]bool{2: true}}, "02010401"},
		{[]any{nil, 1, "x"}, "03" + "00" + "03696e7402" + "06737472696e670178"},
		{[]any{[]int{1}}, "01" + "055b5d696e74" + "0102"},
		{make([]struct{}, 300), "ac02"},
		{[300]struct{}{}, ""},
		{make([]padded, 2), "020000"},
	} {
		t.Run(Format(test.v), func(t *testing.T) {
			c := codecOf(t, NewTypes(), reflect.TypeOf(test.v))
			if got := hex.EncodeToString(encode(t, c, test.v)); got != test.want {
				t.Errorf("got %s, want %s", got, test.want)
			}
			checkRoundTrip(t, c, test.v)
		})
	}
}

// Walking over this many elements would take for ever.
func TestHugeNothings(t *testing.T) {
	for _, v := range []any{make([]struct{}, 1<<50), [1 << 50]struct{}{}, make([][1 << 40]struct{}, 1<<50)} {
		c := codecOf(t, NewTypes(), reflect.TypeOf(v))
		b := encode(t, c, v)
		if got := decode(t, c, b); reflect.ValueOf(got).Len() != 1<<50 || Format(got) != Format(v) {
			t.Errorf("got %s, want %s", Format(got), Format(v))
		}
	}
}

func TestAppendKeepsWhatIsThere(t *testing.T) {
	c := codecOf(t, NewTypes(), reflect.TypeFor[any]())
	dst := []byte("kept")
	got, err := c.Append(dst, uint8(7))
	if want := "kept\x05uint8\x07"; err != nil || string(got) != want {
		t.Errorf("got %q, %v, want %q", got, err, want)
	}
	got, err = c.Append(dst, []any{1, make(chan int)})
	if err == nil || string(got) != "kept" {
		t.Errorf("after a refusal: got %q, %v", got, err)
	}
}

// The two pointers show one value; it is encoded twice and decoded as two.
func TestSharedPointersAreFine(t *testing.T) {
	shared := &entry{N: 1}
	v := []*entry{shared, shared}
	c := codecOf(t, NewTypes(), reflect.TypeOf(v))
	got := decode(t, c, checkRoundTrip(t, c, v)).([]*entry)
	if got[0] == got[1] {
		t.Error("the decoded pointers are the same")
	}
	other := []*entry{{N: 1}, {N: 1}}
	if !bytes.Equal(encode(t, c, v), encode(t, c, other)) {
		t.Error("sharing changes the bytes")
	}
}

func TestValueIsNotModifiedOrRetained(t *testing.T) {
	c := codecOf(t, NewTypes(), reflect.TypeFor[server]())
	v := server{log: make([]entry, 1, 5), votes: map[uint8]ballot{1: {2}}, names: map[string][]string{"a": nil, "b": {}}}
	encode(t, c, v)
	if v.names["a"] != nil || v.names["b"] == nil || v.keyed != nil || cap(v.log) != 5 {
		t.Error("the value was modified")
	}
	// What the pools keep must be empty.
	if s, ok := c.plan.scratch.Get().(*reflect.Value); ok && !s.IsZero() {
		t.Error("the scratch value was not cleared")
	}
	names := c.plan.fields[9].plan
	if s, ok := names.entries.Get().(*mapScratch); ok {
		if !s.key.IsZero() || !s.values.Index(0).IsZero() || !s.values.Index(1).IsZero() {
			t.Error("the scratch entries were not cleared")
		}
	}
}

func TestDecodedSharesNothing(t *testing.T) {
	c := codecOf(t, NewTypes(), reflect.TypeFor[server]())
	v := server{value: "abc", log: make([]entry, 2, 9), leader: &entry{Value: "def"}, keyed: map[any]bool{"ghi": true}}
	b := encode(t, c, v)
	got := decode(t, c, b).(server)
	for i := range b {
		b[i] = 0xaa
	}
	v.log[0].N, v.leader.N = 5, 5
	if got.value != "abc" || got.leader.Value != "def" || got.leader.N != 0 || got.log[0].N != 0 || !got.keyed["ghi"] {
		t.Errorf("got %s", Format(got))
	}
	if cap(got.log) != len(got.log) {
		t.Errorf("a slice of length %d has capacity %d", len(got.log), cap(got.log))
	}
	if got.votes == nil || got.names == nil {
		t.Error("an empty map is nil: its clone could not be written to")
	}
}

func TestEmptySlicesDecodeToNil(t *testing.T) {
	type both struct {
		a []int
		b []byte
		c []struct{}
	}
	c := codecOf(t, NewTypes(), reflect.TypeFor[both]())
	got := decode(t, c, encode(t, c, both{a: []int{}, b: []byte{}, c: []struct{}{}})).(both)
	if got.a != nil || got.b != nil || got.c != nil {
		t.Errorf("got %#v", got)
	}
}

func TestWrongTypeIsTheCallersBug(t *testing.T) {
	ts := NewTypes()
	for _, test := range []struct {
		typ reflect.Type
		v   any
	}{
		{reflect.TypeFor[int](), nil},
		{reflect.TypeFor[int](), int8(1)},
		{reflect.TypeFor[lead](), &lead{}},
		{reflect.TypeFor[role](), entry{}},
	} {
		func() {
			defer func() {
				if recover() == nil {
					t.Errorf("the codec of %v took a %T", test.typ, test.v)
				}
			}()
			codecOf(t, ts, test.typ).Append(nil, test.v)
		}()
	}
}
