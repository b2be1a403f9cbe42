package diff_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/caulk-go/caulk/internal/diff"
)

type (
	ballot struct {
		N      int
		Voters []int
		hidden bool
	}
	server struct {
		Name   string
		Ballot ballot
		Log    []ballot
		Grid   [2][2]int
		Index  map[string]*ballot
		Keys   map[ballotKey]int
		Next   *server
		Any    any
		state  phase
		bytes  []byte
	}
	ballotKey struct{ N int }
	phase     interface{ phase() }
	idle      struct{ Since int }
	busy      struct{ Since int }
	ticks     int
)

func (idle) phase()  {}
func (*busy) phase() {}
func (ticks) phase() {}

func TestFields(t *testing.T) {
	for _, c := range []struct {
		name     string
		old, new any
		want     []string
	}{
		{"nothing", server{Name: "a", Log: []ballot{{N: 1}}}, server{Name: "a", Log: []ballot{{N: 1}}}, nil},
		{"nil and empty", server{Log: []ballot{}, Index: map[string]*ballot{}}, server{}, nil},
		{"nil and empty, deep down", []any{[]int{}, map[int]int(nil)}, []any{[]int(nil), map[int]int{}}, nil},
		{"equal values at two addresses", server{Next: &server{Name: "b"}}, server{Next: &server{Name: "b"}}, nil},

		{"fields, in the order of the type", server{Name: "a", Ballot: ballot{N: 1}}, server{Name: "b", Ballot: ballot{N: 2, hidden: true}},
			[]string{`Name: "a" → "b"`, "Ballot.N: 1 → 2", "Ballot.hidden: false → true"}},
		{"unexported", server{bytes: []byte{1, 2}}, server{bytes: []byte{1, 3}}, []string{"bytes[1]: 2 → 3"}},
		{"the whole value", 1, 2, []string{"1 → 2"}},
		{"the whole value's type", idle{1}, &busy{1}, []string{"idle{Since: 1} → &busy{Since: 1}"}},
		{"the whole value is nil", nil, idle{1}, []string{"nil → idle{Since: 1}"}},

		{"an element", server{Log: []ballot{{N: 1}, {N: 2}}}, server{Log: []ballot{{N: 1}, {N: 3}}}, []string{"Log[1].N: 2 → 3"}},
		{"an element of an element", server{Log: []ballot{{Voters: []int{1, 2}}}}, server{Log: []ballot{{Voters: []int{1, 3}}}}, []string{"Log[0].Voters[1]: 2 → 3"}},
		{"one more at the end", []int{1, 1}, []int{1, 1, 1}, []string{"[2]: nothing → 1"}},
		{"one more at the front", []int{1, 2}, []int{3, 1, 2}, []string{"[0]: nothing → 3"}},
		{"the first is gone", server{Log: []ballot{{N: 1}, {N: 2}, {N: 3}}}, server{Log: []ballot{{N: 2}, {N: 3}}}, []string{"Log[0]: {N: 1, Voters: [], hidden: false} → nothing"}},
		{"the middle is others", []int{1, 2, 3, 9}, []int{1, 4, 9}, []string{"[1]: 2 → 4", "[2]: 3 → nothing"}},
		{"from empty", server{Log: []ballot{}}, server{Log: []ballot{{N: 1}}}, []string{"Log: [] → [{N: 1, Voters: [], hidden: false}]"}},
		{"to empty", []int{1}, []int(nil), []string{"[]int{1} → []int{}"}},
		{"arrays", server{Grid: [2][2]int{{1, 2}, {3, 4}}}, server{Grid: [2][2]int{{2, 2}, {3, 5}}}, []string{"Grid[0][0]: 1 → 2", "Grid[1][1]: 4 → 5"}},
		{"arrays are not shifted", [3]int{1, 2, 3}, [3]int{2, 3, 1}, []string{"[0]: 1 → 2", "[1]: 2 → 3", "[2]: 3 → 1"}},

		{"a map's entries, in order of the keys", map[string]int{"b": 1, "a": 2, "c": 3}, map[string]int{"b": 2, "c": 3, "d": 4},
			[]string{`["a"]: 2 → nothing`, `["b"]: 1 → 2`, `["d"]: nothing → 4`}},
		{"a map's value", server{Index: map[string]*ballot{"x": {N: 1}}}, server{Index: map[string]*ballot{"x": {N: 2}}}, []string{`Index["x"].N: 1 → 2`}},
		{"a map's key", server{Keys: map[ballotKey]int{{1}: 1}}, server{Keys: map[ballotKey]int{{2}: 1}},
			[]string{"Keys[ballotKey{N: 1}]: 1 → nothing", "Keys[ballotKey{N: 2}]: nothing → 1"}},

		{"behind a pointer", server{Next: &server{Next: &server{Name: "a"}}}, server{Next: &server{Next: &server{Name: "b"}}}, []string{`Next.Next.Name: "a" → "b"`}},
		{"a pointer to nil", &ballot{N: 1}, (*ballot)(nil), []string{"&ballot{N: 1, Voters: [], hidden: false} → (*ballot)(nil)"}},

		{"within an interface", server{state: idle{1}}, server{state: idle{2}}, []string{"state.Since: 1 → 2"}},
		{"the type in an interface", server{state: idle{1}}, server{state: &busy{1}}, []string{"state: idle{Since: 1} → &busy{Since: 1}"}},
		{"the type in an interface alone", server{Any: 1}, server{Any: int64(1)}, []string{"Any: 1 → int64(1)"}},
		{"an interface to nil", server{state: ticks(3)}, server{}, []string{"state: ticks(3) → nil"}},
		{"elements that are interfaces", []any{1, "a"}, []any{1, ticks(2), "a"}, []string{"[1]: nothing → ticks(2)"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			changes := diff.Fields(c.old, c.new)
			var got []string
			for _, c := range changes {
				got = append(got, c.String())
			}
			if d := cmp.Diff(c.want, got); d != "" {
				t.Errorf("(-want +got):\n%s", d)
			}
			if (changes == nil) != (c.want == nil) {
				t.Errorf("the changes are %#v", changes)
			}
		})
	}
}

// alike says that all are equal, careless panics where they are not, and
// fickle is not symmetric.
type (
	alike    struct{ N int }
	careless struct{ N int }
	fickle   struct{ N int }
)

func (alike) Equal(alike) bool       { return true }
func (f fickle) Equal(g fickle) bool { return f.N < g.N }
func (c careless) Equal(d careless) bool {
	if c.N != d.N {
		panic("not the same")
	}
	return true
}

// The user's own Equal methods do not hide that values differ, nor what else
// does, and they may go wrong.
func TestEqualMethods(t *testing.T) {
	type pair struct {
		A alike
		B int
	}
	for _, c := range []struct {
		old, new any
		want     string
	}{
		{alike{1}, alike{2}, "alike{N: 1} → alike{N: 2}"},
		{[]alike{{1}}, []alike{{2}}, "[]alike{{N: 1}} → []alike{{N: 2}}"},
		{pair{alike{1}, 0}, pair{alike{2}, 0}, "pair{A: {N: 1}, B: 0} → pair{A: {N: 2}, B: 0}"},
		{pair{alike{1}, 5}, pair{alike{1}, 6}, "B: 5 → 6"},
		{careless{1}, careless{2}, "careless{N: 1} → careless{N: 2}"},
		{[]careless{{1}, {3}}, []careless{{1}, {4}}, "[]careless{{N: 1}, {N: 3}} → []careless{{N: 1}, {N: 4}}"},
		{fickle{1}, fickle{2}, "fickle{N: 1} → fickle{N: 2}"},
		{alike{1}, alike{1}, ""},
		{careless{1}, careless{1}, ""},
	} {
		if got := strings.TrimSuffix(diff.Lines(diff.Fields(c.old, c.new), ""), "\n"); got != c.want {
			t.Errorf("from %v to %v: %q, want %q", c.old, c.new, got, c.want)
		}
	}
}

func TestLines(t *testing.T) {
	changes := []diff.Change{{Field: "A[1]", Old: "1", New: "2"}, {Old: "3", New: "nothing"}}
	if got, want := diff.Lines(changes, "  "), "  A[1]: 1 → 2\n  3 → nothing\n"; got != want {
		t.Errorf("the lines are %q, want %q", got, want)
	}
	if got := diff.Lines(nil, "  "); got != "" {
		t.Errorf("no changes are %q", got)
	}
}

// cmp pairs elements by chance, another in each process, and renders with
// spaces that are none: neither shows.
func TestFieldsAreTheSameInEveryProcess(t *testing.T) {
	for n := range 6 {
		for m := range 6 {
			old, new := make([]int, n), make([]int, m)
			var want []string
			switch {
			case n == m:
			case min(n, m) == 0:
				want = append(want, fmt.Sprintf("[]int{%s} → []int{%s}", zeros(n), zeros(m)))
			default:
				for i := min(n, m); i < max(n, m); i++ {
					if n < m {
						want = append(want, fmt.Sprintf("[%d]: nothing → 0", i))
					} else {
						want = append(want, fmt.Sprintf("[%d]: 0 → nothing", i))
					}
				}
			}
			got := strings.Split(strings.TrimSuffix(diff.Lines(diff.Fields(old, new), ""), "\n"), "\n")
			if strings.Join(got, "\n") != strings.Join(want, "\n") {
				t.Errorf("from %d zeros to %d: %q, want %q", n, m, got, want)
			}
		}
	}
}

func zeros(n int) string { return strings.TrimSuffix(strings.Repeat("0, ", n), ", ") }
