package canonical

import (
	"cmp"
	"reflect"
	"slices"
)

// mapping writes `map[k: v]`, or `Store{k: v}` with the type's name.
func (f *formatter) mapping(v reflect.Value, named bool) {
	opening, closing := "map[", "]"
	if named {
		opening, closing = baseName(v.Type())+"{", "}"
	}
	f.text(opening)
	if v.Len() > 0 {
		f.entries(v)
	}
	f.text(closing)
}

func (f *formatter) entries(v reflect.Value) {
	if !f.inside(v) {
		f.text("…")
		return
	}
	defer f.leave()
	type entry struct{ key, value reflect.Value }
	var entries []entry
	for key, value := range v.Seq2() {
		entries = append(entries, entry{key, value})
	}
	slices.SortFunc(entries, func(a, b entry) int { return compareKeys(a.key, b.key) })
	for i, entry := range entries {
		if i > 0 {
			f.text(", ")
		}
		f.value(entry.key, false)
		f.text(": ")
		f.value(entry.value, false)
	}
}

// compareKeys orders numbers and strings as one expects, structs and arrays by
// their parts, and what is in interfaces by its type first. Only keys that are
// not plain, or of different types of one name, are equal without being the same.
func compareKeys(a, b reflect.Value) int {
	if a.Kind() != b.Kind() {
		return cmp.Compare(a.Kind(), b.Kind())
	}
	switch {
	case a.Kind() == reflect.Bool:
		return cmp.Compare(boolNumber(a.Bool()), boolNumber(b.Bool()))
	case a.Kind() == reflect.String:
		return cmp.Compare(a.String(), b.String())
	case a.CanInt():
		return cmp.Compare(a.Int(), b.Int())
	case a.CanUint():
		return cmp.Compare(a.Uint(), b.Uint())
	case a.CanFloat():
		return cmp.Compare(a.Float(), b.Float())
	case a.CanComplex():
		return cmp.Or(cmp.Compare(real(a.Complex()), real(b.Complex())), cmp.Compare(imag(a.Complex()), imag(b.Complex())))
	case a.Kind() == reflect.Struct:
		return compareParts(a.NumField(), b.NumField(), a.Field, b.Field)
	case a.Kind() == reflect.Array && a.Type().Size() > 0:
		return compareParts(a.Len(), b.Len(), a.Index, b.Index)
	case a.Kind() == reflect.Interface:
		return compareHeld(a.Elem(), b.Elem())
	default:
		return 0
	}
}

func compareParts(ofA, ofB int, a, b func(int) reflect.Value) int {
	if ofA != ofB {
		return cmp.Compare(ofA, ofB)
	}
	for i := range ofA {
		if c := compareKeys(a(i), b(i)); c != 0 {
			return c
		}
	}
	return 0
}

// compareHeld compares what two interfaces hold. Nothing is a value that is not
// valid, and comes first.
func compareHeld(a, b reflect.Value) int {
	if !a.IsValid() || !b.IsValid() {
		return cmp.Compare(boolNumber(a.IsValid()), boolNumber(b.IsValid()))
	}
	if a.Type() != b.Type() {
		if c := cmp.Compare(fullName(a.Type()), fullName(b.Type())); c != 0 {
			return c
		}
	}
	return compareKeys(a, b)
}

func boolNumber(b bool) int {
	if b {
		return 1
	}
	return 0
}
