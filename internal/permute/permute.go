// Package permute renames agents in values: every model.ID that a value holds, in
// exported fields or not, as an element, as a map's key, or behind an interface.
// Other numbers are left alone, whatever they mean: that an algorithm keeps IDs
// as model.IDs is for who renames to check.
package permute

import (
	"hash/fnv"
	"math"
	"reflect"
	"unsafe"

	"github.com/caulk-go/caulk/model"
)

// Apply replaces every ID in a value by its image, in place where the value has
// memory of its own, and gives the value: it must be a private copy of a plain
// value. Keys of a map that have the same image become one.
func Apply(v any, image func(model.ID) model.ID) any {
	if v == nil {
		return nil
	}
	x := reflect.New(reflect.TypeOf(v)).Elem()
	x.Set(reflect.ValueOf(v))
	apply(x, image)
	return x.Interface()
}

var idType = reflect.TypeFor[model.ID]()

// apply renames in a value that is addressable.
func apply(x reflect.Value, image func(model.ID) model.ID) {
	if x.Type() == idType {
		x.SetInt(int64(image(model.ID(x.Int()))))
		return
	}
	switch x.Kind() {
	case reflect.Struct:
		for i := range x.NumField() {
			apply(open(x.Field(i)), image)
		}
	case reflect.Array, reflect.Slice:
		if !holds(x.Type().Elem().Kind()) && x.Type().Elem() != idType {
			return
		}
		for i := range x.Len() {
			apply(open(x.Index(i)), image)
		}
	case reflect.Map:
		renamed := reflect.MakeMapWithSize(x.Type(), x.Len())
		for entries := x.MapRange(); entries.Next(); { //tidy:unordered into another map
			key, value := copied(entries.Key()), copied(entries.Value())
			apply(key, image)
			apply(value, image)
			renamed.SetMapIndex(key, value)
		}
		if !x.IsNil() {
			x.Set(renamed)
		}
	case reflect.Pointer:
		if !x.IsNil() {
			apply(x.Elem(), image)
		}
	case reflect.Interface:
		if !x.IsNil() {
			inner := copied(x.Elem())
			apply(inner, image)
			x.Set(inner)
		}
	}
}

// holds says whether values of a kind may hold IDs in them.
func holds(k reflect.Kind) bool {
	switch k {
	case reflect.Struct, reflect.Array, reflect.Slice, reflect.Map, reflect.Pointer, reflect.Interface:
		return true
	}
	return false
}

// open is a field that may be written to, exported or not.
func open(field reflect.Value) reflect.Value {
	return reflect.NewAt(field.Type(), unsafe.Pointer(field.UnsafeAddr())).Elem()
}

// copied is an addressable copy.
func copied(v reflect.Value) reflect.Value {
	c := reflect.New(v.Type()).Elem()
	c.Set(v)
	return c
}

// Hash digests a value in which every ID counts as what is said of it: values
// that Apply makes of each other have the same hash, if each ID and its image
// count the same. A map counts as the multiset of its entries. Different values
// may have the same hash.
func Hash(v any, of func(model.ID) uint64) uint64 {
	if v == nil {
		return 1
	}
	return digest(copied(reflect.ValueOf(v)), of)
}

func digest(x reflect.Value, of func(model.ID) uint64) uint64 {
	if x.Type() == idType {
		return of(model.ID(x.Int()))
	}
	switch x.Kind() {
	case reflect.Struct:
		h := uint64(2)
		for i := range x.NumField() {
			h = Mix(h, digest(open(x.Field(i)), of))
		}
		return h
	case reflect.Array, reflect.Slice:
		h := Mix(3, uint64(x.Len()))
		for i := range x.Len() {
			h = Mix(h, digest(open(x.Index(i)), of))
		}
		return h
	case reflect.Map:
		sum := Mix(5, uint64(x.Len()))
		for entries := x.MapRange(); entries.Next(); { //tidy:unordered a sum
			sum += Mix(digest(copied(entries.Key()), of), digest(copied(entries.Value()), of))
		}
		return sum
	case reflect.Pointer:
		if x.IsNil() {
			return 7
		}
		return Mix(11, digest(x.Elem(), of))
	case reflect.Interface:
		if x.IsNil() {
			return 13
		}
		return Mix(text(x.Elem().Type().String()), digest(copied(x.Elem()), of))
	case reflect.String:
		return text(x.String())
	}
	return scalar(x)
}

func scalar(x reflect.Value) uint64 {
	switch {
	case x.CanInt():
		return Mix(17, uint64(x.Int()))
	case x.CanUint():
		return Mix(19, x.Uint())
	case x.CanFloat():
		return Mix(23, math.Float64bits(x.Float()+0)) // -0 is +0
	case x.CanComplex():
		c := x.Complex()
		return Mix(math.Float64bits(real(c)+0), math.Float64bits(imag(c)+0))
	case x.Kind() == reflect.Bool && x.Bool():
		return 29
	}
	return 31
}

func text(s string) uint64 {
	h := fnv.New64a()
	_, _ = h.Write([]byte(s)) // never fails
	return h.Sum64()
}

// Mix digests two numbers, in order.
func Mix(a, b uint64) uint64 {
	h := (a ^ b<<29 ^ b>>35) * 0x9e3779b97f4a7c15
	h ^= h >> 32
	h = (h + b) * 0xd6e8feb86659fd93
	return h ^ h>>29
}

// Each calls f for every ID that a value holds, in an order that may differ from
// one call to the next.
func Each(v any, f func(model.ID)) {
	Hash(v, func(id model.ID) uint64 {
		f(id)
		return 0
	})
}
