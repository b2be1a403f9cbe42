package canonical

import (
	"reflect"
	"strconv"
	"strings"
)

// fullName is the type's name with the import path of every package in it.
// reflect.Type.String has only the last element of the path, so that two types
// may share it. Different types have different full names, except types that
// are declared inside functions: their name does not tell the function.
func fullName(t reflect.Type) string {
	var b strings.Builder
	writeFullName(&b, t)
	return b.String()
}

func writeFullName(b *strings.Builder, t reflect.Type) {
	if t.Name() != "" {
		if t.PkgPath() != "" {
			b.WriteString(t.PkgPath() + ".")
		}
		b.WriteString(t.Name()) // type arguments come with their package paths
		return
	}
	switch t.Kind() {
	case reflect.Pointer:
		b.WriteString("*")
		writeFullName(b, t.Elem())
	case reflect.Slice:
		b.WriteString("[]")
		writeFullName(b, t.Elem())
	case reflect.Array:
		b.WriteString("[" + strconv.Itoa(t.Len()) + "]")
		writeFullName(b, t.Elem())
	case reflect.Map:
		b.WriteString("map[")
		writeFullName(b, t.Key())
		b.WriteString("]")
		writeFullName(b, t.Elem())
	case reflect.Chan:
		b.WriteString(t.ChanDir().String() + "(")
		writeFullName(b, t.Elem())
		b.WriteString(")")
	case reflect.Func:
		b.WriteString("func")
		writeSignature(b, t)
	case reflect.Struct:
		writeFieldNames(b, t)
	case reflect.Interface:
		writeMethodNames(b, t)
	default:
		b.WriteString(t.String())
	}
}

func writeFieldNames(b *strings.Builder, t reflect.Type) {
	b.WriteString("struct{")
	for i := range t.NumField() {
		f := t.Field(i)
		if i > 0 {
			b.WriteString("; ")
		}
		if f.PkgPath != "" { // unexported: the same name in another package is another field
			b.WriteString(f.PkgPath + ".")
		}
		b.WriteString(f.Name)
		if f.Anonymous {
			b.WriteString(" =") // embedding X is not the same as a field X of type X
		}
		b.WriteString(" ")
		writeFullName(b, f.Type)
		if f.Tag != "" {
			b.WriteString(" " + strconv.Quote(string(f.Tag)))
		}
	}
	b.WriteString("}")
}

func writeMethodNames(b *strings.Builder, t reflect.Type) {
	b.WriteString("interface{")
	for i := range t.NumMethod() {
		m := t.Method(i)
		if i > 0 {
			b.WriteString("; ")
		}
		if m.PkgPath != "" {
			b.WriteString(m.PkgPath + ".")
		}
		b.WriteString(m.Name)
		writeSignature(b, m.Type)
	}
	b.WriteString("}")
}

func writeSignature(b *strings.Builder, t reflect.Type) {
	b.WriteString("(")
	for i := range t.NumIn() {
		if i > 0 {
			b.WriteString(", ")
		}
		if t.IsVariadic() && i == t.NumIn()-1 {
			b.WriteString("...")
		}
		writeFullName(b, t.In(i))
	}
	b.WriteString(")(")
	for i := range t.NumOut() {
		if i > 0 {
			b.WriteString(", ")
		}
		writeFullName(b, t.Out(i))
	}
	b.WriteString(")")
}

// baseName is the type's name for readers, without packages: `Lead`, `[]Lead`,
// `Pair[int,Lead]`.
func baseName(t reflect.Type) string {
	if t.Name() != "" {
		return unqualified(t.Name())
	}
	switch t.Kind() {
	case reflect.Pointer:
		return "*" + baseName(t.Elem())
	case reflect.Slice:
		return "[]" + baseName(t.Elem())
	case reflect.Array:
		return "[" + strconv.Itoa(t.Len()) + "]" + baseName(t.Elem())
	case reflect.Map:
		return "map[" + baseName(t.Key()) + "]" + baseName(t.Elem())
	case reflect.Chan:
		return t.ChanDir().String() + " " + baseName(t.Elem())
	case reflect.Interface:
		if t.NumMethod() == 0 {
			return "any"
		}
	}
	return t.Kind().String()
}

// unqualified takes the packages out of a name with type arguments, and the
// mark `·1` that the compiler gives to an argument declared in a function.
func unqualified(name string) string {
	const delimiters = "[]{}(),;* "
	name = strings.ReplaceAll(name, "interface {}", "any")
	var b strings.Builder
	for name != "" {
		n := strings.IndexAny(name, delimiters)
		if n == 0 {
			b.WriteByte(name[0])
			name = name[1:]
			continue
		}
		if n < 0 {
			n = len(name)
		}
		word, _, _ := strings.Cut(name[:n], "·")
		b.WriteString(word[strings.LastIndexByte(word, '.')+1:])
		name = name[n:]
	}
	return b.String()
}
