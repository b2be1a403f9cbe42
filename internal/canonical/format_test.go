package canonical

import (
	"math"
	"reflect"
	"testing"
	"time"
)

type shouting int

func (shouting) String() string { panic("a method was called") }

func TestFormat(t *testing.T) {
	cycle := &chain{}
	cycle.next = cycle
	inMap := map[int]any{}
	inMap[1] = inMap
	three := 3
	for _, test := range []struct {
		v    any
		want string
	}{
		{nil, `nil`},
		{7, `7`},
		{int8(7), `int8(7)`},
		{vote(-7), `vote(-7)`},
		{shouting(1), `shouting(1)`},
		{time.Duration(5), `Duration(5)`},
		{"a\"\n", `"a\"\n"`},
		{true, `true`},
		{1.5, `float64(1.5)`},
		{float32(0.1), `float32(0.1)`},
		{[]float64{0.1, math.Copysign(0, -1), 1e100, math.Inf(-1)}, `[]float64{0.1, 0, 1e+100, -Inf}`},
		{[]complex128{1 - 2i, complex(math.Copysign(0, -1), 0)}, `[]complex128{(1-2i), (0+0i)}`},
		{entry{N: 1, Value: "x"}, `entry{N: 1, Value: "x"}`},
		{&entry{N: 1}, `&entry{N: 1, Value: ""}`},
		{[]entry{{N: 1, Value: "x"}, {}}, `[]entry{{N: 1, Value: "x"}, {N: 0, Value: ""}}`},
		{pair[[]entry, *entry]{}, `pair[[]entry,*entry]{a: [], b: nil}`},
		{pair[[]entry, *entry]{[]entry{{N: 1, Value: "x"}}, &entry{}}, `pair[[]entry,*entry]{a: [{N: 1, Value: "x"}], b: &{N: 0, Value: ""}}`},
		{lead{Outstanding: 1, from: map[int]bool{10: true, 9: false, -1: true}}, `lead{Outstanding: 1, from: map[-1: true, 9: false, 10: true]}`},
		{map[string]shouting{"b": 1, "a": 2}, `map[string]shouting{"a": 2, "b": 1}`},
		{map[ballot]int{{2}: 1, {1, 5}: 2}, `map[ballot]int{[1, 5]: 2, [2, 0]: 1}`},
		{pair[any, role]{}, `pair[any,role]{a: nil, b: nil}`},
		{pair[any, role]{1, lead{}}, `pair[any,role]{a: 1, b: lead{Outstanding: 0, from: map[]}}`},
		{pair[any, role]{(*int)(nil), (*idle)(nil)}, `pair[any,role]{a: (*int)(nil), b: (*idle)(nil)}`},
		{pair[any, role]{&three, &idle{}}, `pair[any,role]{a: &3, b: &idle{}}`},
		{map[entry]int{{10, "a"}: 1, {9, "b"}: 2, {9, "a"}: 3}, `map[entry]int{{N: 9, Value: "a"}: 3, {N: 9, Value: "b"}: 2, {N: 10, Value: "a"}: 1}`},
		{map[bool]int{true: 1, false: 0}, `map[bool]int{false: 0, true: 1}`},
		{map[complex64]uint{1i: 1, 1: 0}, `map[complex64]uint{(0+1i): 1, (1+0i): 0}`},
		{map[any]int{10: 1, 9: 2, "x": 3, vote(9): 4, vote(10): 5, nil: 6, [1]any{1}: 7, pair[any, uint8]{vote(1), 2}: 8, pair[any, uint8]{1, 2}: 9}, `map[any]int{nil: 6, [1]any{1}: 7, pair[any,uint8]{a: vote(1), b: 2}: 8, pair[any,uint8]{a: 1, b: 2}: 9, vote(9): 4, vote(10): 5, 9: 2, 10: 1, "x": 3}`},
		{struct {
			_ int
			b []byte
			c [2]bool
			d struct{ e, f int }
		}{b: []byte{1, 2}}, `{b: [1, 2], c: [false, false], d: {e: 0, f: 0}}`},
		{make([]struct{}, 2), `[]struct{{}, {}}`},
		{make([]struct{}, 1<<50), `[]struct{1125899906842624 × {}}`},
		{cycle, `&chain{next: &…, kids: [], more: nil}`},
		{inMap, `map[int]any{1: map[int]any{…}}`},
		{[]any{make(chan int), func() {}, math.NaN()}, `[]any{chan, func, float64(NaN)}`},
	} {
		for range 5 { // maps have many orders
			if got := Format(test.v); got != test.want {
				t.Errorf("\ngot  %s\nwant %s", got, test.want)
			}
		}
	}
}

func TestFormatOfATangle(t *testing.T) {
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
	if a, b := Format(nodes[0]), Format(nodes[0]); a != b || len(a) > 1<<23 {
		t.Errorf("%d and %d bytes", len(a), len(b))
	}
}

func TestCodecFormat(t *testing.T) {
	c := codecOf(t, NewTypes(), reflect.TypeFor[role]())
	if got, want := c.Format(vote(3)), "vote(3)"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}
