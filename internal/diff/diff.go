// Package diff says in which fields two values differ.
package diff

import (
	"fmt"
	"reflect"
	"strconv"
	"strings"

	"github.com/google/go-cmp/cmp"

	"github.com/caulk-go/caulk/internal/canonical"
)

// Change is one field that differs.
type Change struct {
	Field    string // where it is: State.Ballot[2]; empty if the whole value differs
	Old, New string // rendered; "nothing" where an element exists on one side only
}

func (c Change) String() string {
	if c.Field == "" {
		return c.Old + " → " + c.New
	}
	return c.Field + ": " + c.Old + " → " + c.New
}

// Fields lists what differs from old to new, two values of one type, in the
// order of the type's fields; unexported fields count, and nil and empty are
// one. Of two slices the elements that they begin and end with in common are
// left out, and the others are compared one by one; a slice is shown whole if
// the other is empty. It is nil if nothing differs.
func Fields(old, new any) (changes []Change) {
	whole := []Change{{"", canonical.Format(old), canonical.Format(new)}}
	defer func() {
		if recover() != nil { // an Equal method of the user's
			changes = whole
		}
	}()
	equal, changes := compare(&old, &new, "")
	if len(changes) == 0 && (!equal || whole[0].Old != whole[0].New) {
		// An Equal method of the user's hid the difference.
		return whole
	}
	return changes
}

// compare compares what two pointers point to; prefix is where that is.
func compare(old, new any, prefix string) (equal bool, changes []Change) {
	r := &reporter{prefix: prefix}
	equal = cmp.Equal(old, new,
		cmp.Exporter(func(reflect.Type) bool { return true }),
		cmp.FilterPath(isList, cmp.Comparer(func(x, y any) bool {
			return len(elements(reflect.ValueOf(x), reflect.ValueOf(y), "")) == 0
		})),
		cmp.FilterValues(emptyMaps, cmp.Comparer(func(x, y any) bool { return true })),
		cmp.Reporter(r))
	return equal, r.changes
}

// isList picks slices and arrays, which cmp would pair by chance where there
// is a choice: another choice in another process.
func isList(path cmp.Path) bool {
	t := path.Last().Type()
	return t != nil && (t.Kind() == reflect.Slice || t.Kind() == reflect.Array)
}

func emptyMaps(x, y any) bool {
	old, new := reflect.ValueOf(x), reflect.ValueOf(y)
	return old.Kind() == reflect.Map && new.Kind() == reflect.Map && old.Len() == 0 && new.Len() == 0
}

// elements compares two lists.
func elements(old, new reflect.Value, prefix string) (changes []Change) {
	pair := func(i, j int, prefix string) (bool, []Change) {
		return compare(pointer(old.Index(i)), pointer(new.Index(j)), prefix)
	}
	same := func(i, j int) bool {
		equal, changes := pair(i, j, "")
		return equal && len(changes) == 0
	}
	from, n, m := 0, old.Len(), new.Len()
	for from < min(n, m) && same(from, from) {
		from++
	}
	for min(n, m) > from && same(n-1, m-1) {
		n, m = n-1, m-1
	}
	for i := from; i < max(n, m); i++ {
		at := prefix + "[" + strconv.Itoa(i) + "]"
		switch {
		case i >= n:
			changes = append(changes, Change{at, nothing, element(new.Index(i))})
		case i >= m:
			changes = append(changes, Change{at, element(old.Index(i)), nothing})
		default:
			_, c := pair(i, i, at)
			changes = append(changes, c...)
		}
	}
	return changes
}

// pointer points to a copy of an element, so that its type is kept.
func pointer(v reflect.Value) any {
	p := reflect.New(v.Type())
	p.Elem().Set(v)
	return p.Interface()
}

func element(v reflect.Value) string { return render(v, v.Kind() == reflect.Interface) }

// Lines renders changes, one a line, each behind the indent.
func Lines(changes []Change, indent string) string {
	var b strings.Builder
	for _, c := range changes {
		fmt.Fprintf(&b, "%s%s\n", indent, c)
	}
	return b.String()
}

// nothing stands for an element that exists on the other side only.
const nothing = "nothing"

// reporter collects the leaves that differ as cmp walks both values.
type reporter struct {
	prefix  string
	path    cmp.Path
	changes []Change
}

func (r *reporter) PushStep(step cmp.PathStep) { r.path = append(r.path, step) }
func (r *reporter) PopStep()                   { r.path = r.path[:len(r.path)-1] }

func (r *reporter) Report(result cmp.Result) {
	if result.Equal() {
		return
	}
	last := r.path.Last()
	old, new := last.Values()
	at := r.prefix + fieldPath(r.path, r.prefix != "")
	if isList(r.path) && old.IsValid() && new.IsValid() && old.Len() > 0 && new.Len() > 0 {
		r.changes = append(r.changes, elements(old, new, at)...)
		return
	}
	// The name of a type is left out that the field's own type tells: it
	// matters for the whole value, and for what an interface holds.
	_, whole := last.(cmp.TypeAssertion)
	named := whole || last.Type().Kind() == reflect.Interface
	r.changes = append(r.changes, Change{at, render(old, named), render(new, named)})
}

func render(v reflect.Value, named bool) string {
	switch {
	case !v.IsValid():
		return nothing
	case named:
		return canonical.Format(v.Interface())
	}
	return canonical.FormatBare(v.Interface())
}

// fieldPath renders a path as a Go programmer would write it, leaving out the
// steps through pointers and interfaces.
func fieldPath(path cmp.Path, within bool) string {
	var b strings.Builder
	for _, step := range path {
		switch s := step.(type) {
		case cmp.StructField:
			if b.Len() > 0 || within {
				b.WriteByte('.')
			}
			b.WriteString(s.Name())
		case cmp.MapIndex:
			b.WriteString("[" + canonical.Format(s.Key().Interface()) + "]")
		}
	}
	return b.String()
}
