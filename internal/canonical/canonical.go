// Package canonical turns plain Go values into bytes and back, so that two
// values have equal bytes if and only if they are deeply equal.
//
// Plain are booleans, numbers, strings, and structs, arrays, slices, maps,
// pointers and interfaces over plain values, in exported fields or not. Blank
// fields (`_`) do not count. What is not plain is refused with a
// [NotPlainError]: channels, functions, uintptr, unsafe.Pointer, the types of
// packages sync and sync/atomic, time.Time, pointers in map keys, NaN, and
// values that contain themselves.
//
// Deeply equal means:
//
//   - a nil slice is an empty slice, a nil map is an empty map, and -0 is +0;
//   - pointers are compared by what they point to, and nil differs from all of it;
//   - an interface value is its dynamic type and its value, and nil differs from
//     all of them. Two dynamic types are two, even if they print alike.
//
// The encoding is prefix-free, and each value has exactly one:
//
//	bool, int8, uint8    one byte
//	other ints, uints    a varint (zigzag, if signed), as short as can be
//	floats, complex      IEEE 754 bits, big endian; the real part first
//	string, slice        the length as a varint, then the bytes or elements
//	array, struct        the elements; the fields in order of declaration
//	map                  the length, then key and value by turns, in the order
//	                     of the keys' encodings
//	pointer              0 if nil, else 1 and what it points to
//	interface            0 if nil, else the type's tag as a string, and the value
//
// A struct that takes memory but has nothing to encode is one byte 0, so that a
// few bytes can never claim much memory. A tag is the dynamic type's name with
// its package paths, the same in every process; see [Types] for types that
// share a name.
package canonical

import (
	"fmt"
	"reflect"
)

// A Codec encodes, decodes and prints the values of one type. It may be used by
// several goroutines at once.
type Codec struct {
	types *Types
	plan  *plan
}

// Type is the static type that the Codec was made for.
func (c *Codec) Type() reflect.Type { return c.plan.typ }

// Append appends the encoding of v to dst. The static type of v is c.Type(): v
// may be nil or of any implementing type if that is an interface type, and else
// is of exactly that type; anything else is the caller's mistake, and panics. v
// is neither modified nor retained.
//
// The error is a *[NotPlainError], and the bytes are then dst as it was. If
// several parts of v are at fault, which one is named does not vary.
func (c *Codec) Append(dst []byte, v any) ([]byte, error) {
	e := c.types.borrowEncoder(dst)
	defer c.types.returnEncoder(e)
	if r := e.top(c.plan, v); r != nil {
		return dst, r.at(rootName(c.plan.typ)).report()
	}
	return e.out, nil
}

// Decode gives the value that b is the encoding of. It shares memory with
// nothing: not with b, not with the value that was encoded, and no two of its
// parts with each other. Slices have no spare capacity, and empty ones are nil.
// Empty maps are not nil, although the design has them nil as well: a handler
// clones the map that it is given and writes to the clone, and maps.Clone(nil)
// is nil, so that the write would panic.
//
// Any b may be given: Decode fails on whatever [Codec.Append] does not write,
// trailing bytes included, and its time and memory are bounded by a multiple of
// len(b) that depends on the types only. It also fails on an interface value
// whose dynamic type these [Types] have neither met nor been told.
func (c *Codec) Decode(b []byte) (any, error) {
	d := decoder{types: c.types, root: c.plan.typ, in: b, size: len(b), budget: len(b)}
	v := reflect.New(c.plan.typ).Elem()
	if err := d.top(c.plan, v); err != nil {
		return nil, err
	}
	return v.Interface(), nil
}

// Format gives v, which is as for [Codec.Append], as one line of Go-like text;
// see the function [Format].
func (c *Codec) Format(v any) string { return Format(v) }

// checkType panics unless v can be a value of the static type t.
func checkType(t reflect.Type, v any) {
	got := reflect.TypeOf(v)
	if t.Kind() == reflect.Interface {
		if got != nil && !got.Implements(t) {
			panic(fmt.Sprintf("canonical: %v given to the codec of %v, which it does not implement", got, t))
		}
		return
	}
	if got != t {
		panic(fmt.Sprintf("canonical: %v given to the codec of %v", got, t))
	}
}
