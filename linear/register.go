package linear

import "fmt"

// RegisterCall is a call of a register: a write of a value, or a read.
type RegisterCall[V any] struct {
	Write bool
	Value V // that is written
}

func (c RegisterCall[V]) String() string {
	if c.Write {
		return fmt.Sprintf("write(%v)", c.Value)
	}
	return "read()"
}

// Write is the call that writes a value; it returns the zero value.
func Write[V any](v V) RegisterCall[V] { return RegisterCall[V]{true, v} }

// Read is the call that returns what was written last.
func Read[V any]() RegisterCall[V] { return RegisterCall[V]{} }

// Register is a register that holds a value at the start.
func Register[V any](start V) Spec[V, RegisterCall[V], V] {
	return Spec[V, RegisterCall[V], V]{start, func(s V, c RegisterCall[V]) (V, V) {
		var none V
		if c.Write {
			return c.Value, none
		}
		return s, s
	}}
}
