package canonical

import (
	"reflect"
	"strconv"
)

// Format gives v as one line of Go-like text, the same for equal values:
//
//	Lead{Value: "x", Peers: [2, 3], Seen: map[1: {N: 4}], Next: nil}
//
// The name of a type, without its package, is shown where nothing else tells it:
// for v itself and for what interfaces hold, except for plain int, string and
// bool. Map keys come in the order of numbers and strings, pointers as
// `&{...}`, blank fields not at all. No method of v is called. Nil and empty
// slices look alike, and so do maps. v need not be plain: a channel or a function
// is shown as its kind, and a value inside itself, or after a hundred thousand
// others, as `…`.
func Format(v any) string {
	var f formatter
	f.value(reflect.ValueOf(v), true)
	return string(f.out)
}

// FormatBare is Format without the type's name.
func FormatBare(v any) string {
	var f formatter
	f.value(reflect.ValueOf(v), false)
	return string(f.out)
}

type formatter struct {
	out []byte
	ancestors
	parts int // gone into so far
}

// maxParts is how many pointers, slices and maps are gone into. A tangle of
// pointers, which is not plain, has more ways through it than time allows.
const maxParts = 100_000

// inside goes into v, to be followed by leave, or says that it must not.
func (f *formatter) inside(v reflect.Value) bool {
	f.parts++
	return f.parts <= maxParts && f.enter(v) == nil
}

func (f *formatter) text(s string) { f.out = append(f.out, s...) }

// value writes v, and its type's name if named. It only reads, so that values
// from unexported fields will do.
func (f *formatter) value(v reflect.Value, named bool) {
	switch v.Kind() {
	case reflect.Struct:
		f.structure(v, named)
	case reflect.Array, reflect.Slice:
		f.list(v, named)
	case reflect.Map:
		f.mapping(v, named)
	case reflect.Pointer:
		f.pointer(v, named)
	case reflect.Interface:
		f.value(v.Elem(), true)
	default:
		f.scalar(v, named)
	}
}

func (f *formatter) structure(v reflect.Value, named bool) {
	t := v.Type()
	if named && t.Name() != "" {
		f.text(baseName(t))
	}
	f.text("{")
	first := true
	for i := range v.NumField() {
		name := t.Field(i).Name
		if name == "_" {
			continue
		}
		if !first {
			f.text(", ")
		}
		first = false
		f.text(name + ": ")
		f.value(v.Field(i), false)
	}
	f.text("}")
}

// list writes `[1, 2]`, or `Log{1, 2}` with the type's name.
func (f *formatter) list(v reflect.Value, named bool) {
	opening, closing := "[", "]"
	if named {
		opening, closing = baseName(v.Type())+"{", "}"
	}
	f.text(opening)
	f.elements(v)
	f.text(closing)
}

func (f *formatter) elements(v reflect.Value) {
	n := v.Len()
	if n > 8 && v.Type().Elem().Size() == 0 {
		// There may be 2^60 of them, and they are all the same.
		f.text(strconv.Itoa(n) + " × ")
		n = 1
	}
	if v.Kind() == reflect.Slice && v.Type().Elem().Size() > 0 && n > 0 {
		if !f.inside(v) {
			f.text("…")
			return
		}
		defer f.leave()
	}
	for i := range n {
		if i > 0 {
			f.text(", ")
		}
		f.value(v.Index(i), false)
	}
}

func (f *formatter) pointer(v reflect.Value, named bool) {
	if v.IsNil() {
		f.null(v, named)
		return
	}
	if !f.inside(v) {
		f.text("&…")
		return
	}
	defer f.leave()
	f.text("&")
	f.value(v.Elem(), named)
}

// null writes a nil that may be in an interface, which is then not nil itself.
func (f *formatter) null(v reflect.Value, named bool) {
	if !named {
		f.text("nil")
		return
	}
	f.text("(" + baseName(v.Type()) + ")(nil)")
}

func (f *formatter) scalar(v reflect.Value, named bool) {
	switch v.Kind() {
	case reflect.Invalid:
		f.text("nil")
		return
	case reflect.Chan, reflect.Func, reflect.UnsafePointer:
		f.text(v.Kind().String()) // its address would differ from run to run
		return
	}
	named = named && !tellsItsType(v.Type())
	if named {
		f.text(baseName(v.Type()) + "(")
	}
	f.number(v)
	if named {
		f.text(")")
	}
}

// tellsItsType says whether Go's own text for a constant has that type.
func tellsItsType(t reflect.Type) bool {
	return t == reflect.TypeFor[int]() || t == reflect.TypeFor[string]() || t == reflect.TypeFor[bool]()
}

func (f *formatter) number(v reflect.Value) {
	switch {
	case v.Kind() == reflect.Bool:
		f.out = strconv.AppendBool(f.out, v.Bool())
	case v.Kind() == reflect.String:
		f.out = strconv.AppendQuote(f.out, v.String())
	case v.CanInt():
		f.out = strconv.AppendInt(f.out, v.Int(), 10)
	case v.CanUint():
		f.out = strconv.AppendUint(f.out, v.Uint(), 10)
	case v.CanFloat():
		// + 0, because -0 and +0 are one value and must look alike.
		f.out = strconv.AppendFloat(f.out, v.Float()+0, 'g', -1, v.Type().Bits())
	case v.CanComplex():
		c := v.Complex()
		c = complex(real(c)+0, imag(c)+0)
		f.text(strconv.FormatComplex(c, 'g', -1, v.Type().Bits()))
	}
}
