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
// order of the type's fields; unexported fields count. It is nil if nothing
// differs.
func Fields(old, new any) []Change {
	r := &reporter{}
	equal := cmp.Equal(&old, &new, cmp.Exporter(func(reflect.Type) bool { return true }), cmp.Reporter(r))
	if len(r.changes) == 0 && (!equal || canonical.Format(old) != canonical.Format(new)) {
		// An Equal method of the user's hid the difference.
		return []Change{{"", canonical.Format(old), canonical.Format(new)}}
	}
	return r.changes
}

// Lines renders changes, one a line, each behind the indent.
func Lines(changes []Change, indent string) string {
	var b strings.Builder
	for _, c := range changes {
		fmt.Fprintf(&b, "%s%s\n", indent, c)
	}
	return b.String()
}

// reporter collects the leaves that differ as cmp walks both values.
type reporter struct {
	path    cmp.Path
	changes []Change
}

func (r *reporter) PushStep(step cmp.PathStep) { r.path = append(r.path, step) }
func (r *reporter) PopStep()                   { r.path = r.path[:len(r.path)-1] }

func (r *reporter) Report(result cmp.Result) {
	if result.Equal() {
		return
	}
	old, new := r.path.Last().Values()
	r.changes = append(r.changes, Change{fieldPath(r.path), r.render(old), r.render(new)})
}

// render leaves out the name of a type that the field's own type tells: it
// matters for the whole value, and for what an interface holds.
func (r *reporter) render(v reflect.Value) string {
	if !v.IsValid() {
		return "nothing"
	}
	last := r.path.Last()
	if _, whole := last.(cmp.TypeAssertion); whole || last.Type().Kind() == reflect.Interface {
		return canonical.Format(v.Interface())
	}
	return canonical.FormatBare(v.Interface())
}

// fieldPath renders a path as a Go programmer would write it, leaving out the
// steps through pointers and interfaces.
func fieldPath(path cmp.Path) string {
	var b strings.Builder
	for _, step := range path {
		switch s := step.(type) {
		case cmp.StructField:
			if b.Len() > 0 {
				b.WriteByte('.')
			}
			b.WriteString(s.Name())
		case cmp.SliceIndex:
			i, j := s.SplitKeys()
			b.WriteString("[" + strconv.Itoa(max(i, j)) + "]")
		case cmp.MapIndex:
			b.WriteString("[" + canonical.Format(s.Key().Interface()) + "]")
		}
	}
	return b.String()
}
