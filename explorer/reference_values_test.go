package explorer_test

import (
	"fmt"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"testing"
	"unsafe"
)

type set map[string]bool

// add says whether the string is new.
func (s set) add(key string) bool {
	fresh := !s[key]
	s[key] = true
	return fresh
}

// encode gives equal strings for deeply equal values only, nil and empty
// slices and maps being one. Whatever has no fixed length says its length
// first, so that no two values run into each other.
func encode(v any) string {
	var b strings.Builder
	write(&b, reflect.ValueOf(&v).Elem())
	return b.String()
}

func write(b *strings.Builder, v reflect.Value) {
	switch {
	case v.Kind() == reflect.String:
		writeSized(b, v.String())
	case v.CanInt():
		b.WriteString(strconv.FormatInt(v.Int(), 10) + ";")
	case v.CanUint():
		b.WriteString(strconv.FormatUint(v.Uint(), 10) + ";")
	case v.Kind() == reflect.Bool:
		fmt.Fprintf(b, "%t;", v.Bool())
	case v.Kind() == reflect.Interface && !v.IsNil():
		t := v.Elem().Type()
		writeSized(b, t.PkgPath()+" "+t.String())
		write(b, v.Elem())
	case v.Kind() == reflect.Pointer && !v.IsNil():
		b.WriteString("*")
		write(b, v.Elem())
	case v.Kind() == reflect.Interface || v.Kind() == reflect.Pointer:
		b.WriteString("-")
	case v.Kind() == reflect.Struct:
		for i := range v.NumField() {
			write(b, v.Field(i))
		}
	case v.Kind() == reflect.Slice || v.Kind() == reflect.Array:
		b.WriteString(strconv.Itoa(v.Len()) + "[")
		for i := range v.Len() {
			write(b, v.Index(i))
		}
	case v.Kind() == reflect.Map:
		var pairs []string
		for key, value := range v.Seq2() {
			var pair strings.Builder
			write(&pair, key)
			write(&pair, value)
			pairs = append(pairs, pair.String())
		}
		slices.Sort(pairs)
		fmt.Fprintf(b, "%d{%s", len(pairs), strings.Join(pairs, ""))
	default:
		panic(fmt.Sprintf("the reference explorer cannot tell values of %s apart", v.Type()))
	}
}

func writeSized(b *strings.Builder, s string) {
	b.WriteString(strconv.Itoa(len(s)) + ":" + s)
}

// private is a deep copy, whose slices have no spare room and are nil when
// they are empty, and whose maps are not nil.
func private[T any](v T) T {
	unshare(reflect.ValueOf(&v).Elem())
	return v
}

func unshare(v reflect.Value) {
	v = reflect.NewAt(v.Type(), unsafe.Pointer(v.UnsafeAddr())).Elem() // so that unexported fields can be set
	switch v.Kind() {
	case reflect.Struct:
		for i := range v.NumField() {
			unshare(v.Field(i))
		}
	case reflect.Array:
		for i := range v.Len() {
			unshare(v.Index(i))
		}
	case reflect.Slice:
		own := reflect.Zero(v.Type())
		if v.Len() > 0 {
			own = reflect.MakeSlice(v.Type(), v.Len(), v.Len())
			reflect.Copy(own, v)
		}
		for i := range own.Len() {
			unshare(own.Index(i))
		}
		v.Set(own)
	case reflect.Map:
		own := reflect.MakeMap(v.Type())
		for key, value := range v.Seq2() {
			own.SetMapIndex(unshared(key), unshared(value))
		}
		v.Set(own)
	case reflect.Pointer:
		if !v.IsNil() {
			own := reflect.New(v.Type().Elem())
			own.Elem().Set(unshared(v.Elem()))
			v.Set(own)
		}
	case reflect.Interface:
		if !v.IsNil() {
			v.Set(unshared(v.Elem()))
		}
	}
}

func unshared(v reflect.Value) reflect.Value {
	own := reflect.New(v.Type()).Elem()
	own.Set(v)
	unshare(own)
	return own
}

// tricky has whatever a key could get wrong.
type tricky struct {
	Sets   [2][]int
	Names  []string
	Any    any
	hidden map[string]*int
}

func TestReferenceTellsValuesApart(t *testing.T) {
	one, other, two := 1, 1, 2
	type int64s int64
	differ := []any{
		tricky{}, &tricky{}, nil, 1, int64(1), int64s(1), "1",
		tricky{Sets: [2][]int{{1}, {}}}, tricky{Sets: [2][]int{{}, {1}}},
		tricky{Names: []string{"a", "b"}}, tricky{Names: []string{"ab"}}, tricky{Names: []string{"a1:b"}},
		tricky{Any: 1}, tricky{Any: int64(1)}, tricky{Any: "1"}, tricky{Any: []any{nil}}, tricky{Any: [1]any{nil}},
		tricky{hidden: map[string]*int{"a": nil}}, tricky{hidden: map[string]*int{"a": &one}},
		tricky{hidden: map[string]*int{"a": &two}}, tricky{hidden: map[string]*int{"a": &one, "b": &two}},
	}
	seen := map[string]int{}
	for i, v := range differ {
		if j, twice := seen[encode(v)]; twice {
			t.Errorf("values %d and %d, %#v and %#v, are one", j, i, differ[j], v)
		}
		seen[encode(v)] = i
		if encode(v) != encode(private(v)) {
			t.Errorf("the copy of value %d, %#v, differs: %#v", i, v, private(v))
		}
	}
	a := tricky{Names: []string{}, hidden: map[string]*int{"a": &one, "b": &two}}
	b := tricky{hidden: map[string]*int{"b": &two, "a": &other}}
	if encode(a) != encode(b) {
		t.Errorf("equal values differ: %q and %q", encode(a), encode(b))
	}
}

func TestReferenceCopiesShareNothing(t *testing.T) {
	one := 1
	v := tricky{Sets: [2][]int{make([]int, 1, 9)}, Names: []string{}, Any: []int{1}, hidden: map[string]*int{"a": &one}}
	before := encode(v)
	c := private(v)
	if cap(c.Sets[0]) != 1 || c.Names != nil {
		t.Errorf("a copy has spare room (%d) or empty slices that are not nil (%#v)", cap(c.Sets[0]), c.Names)
	}
	c.Sets[0][0], c.Any.([]int)[0], *c.hidden["a"], c.hidden["b"] = 7, 7, 7, nil
	if after := encode(v); after != before {
		t.Errorf("changing a copy changed the original from %q to %q", before, after)
	}
	if private(tricky{}).hidden == nil {
		t.Error("a nil map stays nil in a copy")
	}
}
