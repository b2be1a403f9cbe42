package canonical

import (
	"reflect"
	"sync"
)

// A plan is all that there is to know about a type before its values are met.
// Once compiled it is not modified, but for its pools. Within a Types, one type
// has one plan.
type plan struct {
	typ    reflect.Type
	kind   reflect.Kind
	key    *plan   // of a map
	elem   *plan   // of an array, slice, map or pointer
	fields []field // of a struct, without the blank ones
	count  int     // the length of an array

	// least is how many bytes an encoding takes at the least. It is 0 for types
	// without memory (struct{}, [0]T) and for no others: see pad.
	least int
	// pad makes a struct of blank fields one byte: it takes memory, and what
	// takes memory must take bytes, or a decoder could be made to allocate a
	// long slice of it for nothing.
	pad bool
	// bytes says that the elements are single bytes, to be copied at once.
	bytes bool

	scratch sync.Pool // of *reflect.Value: see borrow
	entries sync.Pool // of *mapScratch
}

type field struct {
	plan     *plan
	index    int
	name     string
	exported bool
}

// of gives the field's value in the struct v, which is addressable. What reflect
// hides, as it does with unexported fields, is made readable and writable: here,
// and nowhere else.
func (f *field) of(v reflect.Value) reflect.Value {
	fv := v.Field(f.index)
	if f.exported {
		return fv
	}
	return reflect.NewAt(f.plan.typ, fv.Addr().UnsafePointer()).Elem()
}

// borrow gives an addressable value of the plan's type, to be overwritten.
func (p *plan) borrow() *reflect.Value {
	if v, ok := p.scratch.Get().(*reflect.Value); ok {
		return v
	}
	v := reflect.New(p.typ).Elem()
	return &v
}

// giveBack ends a borrowing. What was in v is not retained.
func (p *plan) giveBack(v *reflect.Value) {
	v.SetZero()
	p.scratch.Put(v)
}

// compiler makes the plans of a type and of all that it is made of. If one is
// refused, then none of what was built may be kept: some would be incomplete.
type compiler struct {
	known map[reflect.Type]*plan // only read
	built map[reflect.Type]*plan
}

func (c *compiler) plan(t reflect.Type) (*plan, *refusal) {
	if p := c.known[t]; p != nil {
		return p, nil
	}
	if p := c.built[t]; p != nil {
		return p, nil // for a recursive type, perhaps still in the making
	}
	if r := refuseType(t); r != nil {
		return nil, r
	}
	p := &plan{typ: t, kind: t.Kind()}
	c.built[t] = p
	switch p.kind {
	case reflect.Struct:
		return p, c.structure(p)
	case reflect.Array:
		return p, c.array(p)
	case reflect.Slice:
		p.least = 1
		p.bytes = t.Elem().Kind() == reflect.Uint8
		return p, c.element(p, element)
	case reflect.Map:
		p.least = 1
		return p, c.mapping(p)
	case reflect.Pointer:
		p.least = 1
		return p, c.element(p, dereference)
	default:
		p.least = leastBytes(p.kind)
		return p, nil
	}
}

func leastBytes(k reflect.Kind) int {
	switch k {
	case reflect.Float32:
		return 4
	case reflect.Float64, reflect.Complex64:
		return 8
	case reflect.Complex128:
		return 16
	default:
		return 1
	}
}

func (c *compiler) element(p *plan, segment string) (r *refusal) {
	if p.elem, r = c.plan(p.typ.Elem()); r != nil {
		return r.at(segment)
	}
	return nil
}

func (c *compiler) array(p *plan) *refusal {
	p.count = p.typ.Len()
	if r := c.element(p, element); r != nil {
		return r
	}
	// An array holds its elements, so that these cannot be in the making still:
	// least is known. The same goes for structs.
	p.least = p.count * p.elem.least
	p.bytes = p.elem.kind == reflect.Uint8
	return nil
}

func (c *compiler) mapping(p *plan) (r *refusal) {
	if p.key, r = c.plan(p.typ.Key()); r != nil {
		return r.at(mapKey)
	}
	if r := refuseKey(p.typ.Key()); r != nil {
		return r.at(mapKey)
	}
	return c.element(p, element)
}

func (c *compiler) structure(p *plan) *refusal {
	for i := range p.typ.NumField() {
		f := p.typ.Field(i)
		if f.Name == "_" {
			continue
		}
		fp, r := c.plan(f.Type)
		if r != nil {
			return r.at("." + f.Name)
		}
		p.fields = append(p.fields, field{plan: fp, index: i, name: f.Name, exported: f.IsExported()})
		p.least += fp.least
	}
	if p.least == 0 && p.typ.Size() > 0 {
		p.pad, p.least = true, 1
	}
	return nil
}
