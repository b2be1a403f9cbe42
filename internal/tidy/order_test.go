package tidy

import "testing"

const (
	seen       = "the order of this range over a map can be seen: sort the keys, as slices.Sorted(maps.Keys(m)) does"
	enumerated = "the order in which this enumerates a map can be seen: sort it, as slices.Sorted does"
)

// inFunction puts statements on line 11 and after, with a few things to use.
func inFunction(statements string) string {
	return `import (
	"maps"
	"reflect"
	"slices"
	"sort"
)

func f(m map[string]int, out *[]string, call func(string) bool) (int, string, bool) {
` + statements + `
}

var _, _, _, _ = maps.Keys[map[int]int], slices.Sort[[]int], sort.Ints, reflect.ValueOf
var _ = f
`
}

// TestOrderSeen has ranges whose order can be seen.
func TestOrderSeen(t *testing.T) {
	bad := map[string]string{
		"append":                     "var s []string; for k := range m { s = append(s, k) }; return 0, s[0], false",
		"append, sort other":         "var s, t []string; for k := range m { s = append(s, k) }; slices.Sort(t); return 0, s[0], false",
		"append, sort another field": "var s struct{ a, b []string }; for k := range m { s.a = append(s.a, k) }; slices.Sort(s.b); return 0, s.a[0], false",
		"greatest field":             "var s struct{ n int }; for _, v := range m { s.n = max(s.n, v) }; return s.n, ``, false",
		"call":                       "for k := range m { call(k) }; return 0, ``, false",
		"assign":                     "last := ``; for k := range m { last = k }; return 0, last, false",
		"first":                      "for k := range m { return 0, k, true }; return 0, ``, false",
		"two answers":                "for k := range m { if k > `a` { return 1, ``, true }; if k < `b` { return 2, ``, true } }; return 0, ``, false",
		"break":                      "n := 0; for range m { n++; break }; return n, ``, false",
		"count and return":           "n := 0; defer func() { call(string(rune(n))) }(); for k := range m { n++; if k == `a` { return 1, ``, true } }; return n, ``, false",
		"read what changes":          "n, big := 0, 0; for _, v := range m { n += v; if n > 3 { big++ } }; return big, ``, false",
		"two operations":             "n := 0; for _, v := range m { n += v; n |= v }; return n, ``, false",
		"text":                       "s := ``; for k := range m { s += k }; return 0, s, false",
		"by another key":             "o := map[int]string{}; for k, v := range m { o[v] = k }; return 0, o[1], false",
		"through a pointer":          "for k := range m { *out = append(*out, k) }; return 0, ``, false",
		"inner map":                  "o := map[string]int{}; for k := range m { for _, w := range m { o[k] = w } }; return 0, ``, false",
		"iterator":                   "for k := range maps.Keys(m) { call(k) }; return 0, ``, false",
	}
	var seeds []seed
	for name, statements := range bad {
		seeds = append(seeds, seed{name: name, text: inFunction(statements), want: []string{"12: " + seen}})
	}
	run(t, append(seeds, []seed{
		{name: "collected", text: inFunction("s := slices.Collect(maps.Keys(m)); return 0, s[0], false"), want: []string{"12: " + enumerated}},
		{name: "reflected", text: inFunction("k := reflect.ValueOf(m).MapKeys(); return len(k), ``, false"), want: []string{"12: " + enumerated}},
		{name: "reflected, not sorted", text: inFunction("var s []string; for i := reflect.ValueOf(m).MapRange(); i.Next(); { s = append(s, i.Key().String()) }; return 0, s[0], false"), want: []string{"12: " + enumerated}},
		{name: "type parameter", text: "func f[M ~map[string]int](m M, call func(string)) {\n\tfor k := range m {\n\t\tcall(k)\n\t}\n}\n\nvar _ = f[map[string]int]", want: []string{"5: " + seen}},
		{name: "no reason", text: inFunction("//tidy:unordered\nfor k := range m { call(k) }; return 0, ``, false"), want: []string{"12: a directive says why the rule is broken here"}},
		{name: "reason for nothing", text: inFunction("//tidy:unordered it is sorted\nfor _, k := range slices.Sorted(maps.Keys(m)) { call(k) }\n//tidy:unordered counts\nfor range m { continue }; return 0, ``, false"), want: []string{"14: this directive excuses nothing: remove it"}},
	}...))
}

// TestOrderLost has ranges whose order is lost.
func TestOrderLost(t *testing.T) {
	good := map[string]string{
		"sorted":           "for _, k := range slices.Sorted(maps.Keys(m)) { call(k) }; return 0, ``, false",
		"sorted after":     "var s []string; for k := range m { s = append(s, k) }; slices.Sort(s); return 0, s[0], false",
		"sorted field":     "var s struct{ a []string }; for k := range m { s.a = append(s.a, k) }; slices.Sort(s.a); return 0, s.a[0], false",
		"sorted reflected": "var s []string; for i := reflect.ValueOf(m).MapRange(); i.Next(); { s = append(s, i.Key().String()) }; slices.Sort(s); return 0, s[0], false",
		"sorted by sort":   "var s []string; for k := range m { s = append(s, k) }; sort.Strings(s); return 0, s[0], false",
		"count":            "n := 0; for _, v := range m { if v > 1 { n++ } else { n -= 2 } }; return n, ``, false",
		"greatest":         "n := 0; for _, v := range m { n = max(n, v) }; return n, ``, false",
		"copy":             "o := map[string]int{}; for k, v := range m { w := v + 1; o[k] = w }; return o[`a`], ``, false",
		"copy by iterator": "o := map[string]int{}; for k, v := range maps.All(m) { o[k] = v }; return o[`a`], ``, false",
		"delete":           "for k, v := range m { if v == 0 { delete(m, k) } }; return 0, ``, false",
		"exists":           "for k := range m { if call(k) { return 0, ``, true } }; return 0, ``, false",
		"a reason":         "for k := range m { call(k) } //tidy:unordered call only counts\nreturn 0, ``, false",
		"a slice":          "for _, c := range []byte(`abc`) { call(string(c)) }; return 0, ``, false",
	}
	var seeds []seed
	for name, statements := range good {
		seeds = append(seeds, seed{name: name, text: inFunction(statements)})
	}
	run(t, append(seeds, seed{name: "test", file: "p_test.go", text: inFunction("for k := range m { call(k) }; return 0, ``, false")}))
}
