package canonical

import (
	"encoding/binary"
	"math"
	"reflect"
)

// encoder is one walk over one value. Every reflect.Value that it passes down is
// readable without restriction, and structs and arrays are addressable: reading
// unexported fields needs both.
type encoder struct {
	types *Types
	out   []byte
	ancestors
	inKey bool // inside a map key, where pointers are refused
}

func (ts *Types) borrowEncoder(dst []byte) *encoder {
	e, ok := ts.encoders.Get().(*encoder)
	if !ok {
		e = &encoder{types: ts}
	}
	e.out = dst
	return e
}

func (ts *Types) returnEncoder(e *encoder) {
	e.out, e.inKey = nil, false
	e.reset()
	ts.encoders.Put(e)
}

func (e *encoder) top(p *plan, v any) *refusal {
	checkType(p.typ, v)
	switch {
	case p.kind != reflect.Interface:
		return e.copied(p, reflect.ValueOf(v))
	case v == nil:
		e.out = append(e.out, 0)
		return nil
	default:
		return e.held(reflect.ValueOf(v))
	}
}

// copied encodes a value that need not be addressable.
func (e *encoder) copied(p *plan, v reflect.Value) *refusal {
	if p.kind != reflect.Struct && p.kind != reflect.Array {
		return e.value(p, v)
	}
	scratch := p.borrow()
	defer p.giveBack(scratch)
	scratch.Set(v)
	return e.value(p, *scratch)
}

func (e *encoder) value(p *plan, v reflect.Value) *refusal {
	switch p.kind {
	case reflect.Bool:
		if v.Bool() {
			e.out = append(e.out, 1)
		} else {
			e.out = append(e.out, 0)
		}
	case reflect.Int8:
		e.out = append(e.out, byte(v.Int()))
	case reflect.Int, reflect.Int16, reflect.Int32, reflect.Int64:
		e.out = binary.AppendVarint(e.out, v.Int())
	case reflect.Uint8:
		e.out = append(e.out, byte(v.Uint()))
	case reflect.Uint, reflect.Uint16, reflect.Uint32, reflect.Uint64:
		e.out = binary.AppendUvarint(e.out, v.Uint())
	case reflect.Float32:
		return e.float32(float32(v.Float()))
	case reflect.Float64:
		return e.float64(v.Float())
	case reflect.Complex64, reflect.Complex128:
		return e.complex(p, v.Complex())
	case reflect.String:
		e.string(v.String())
	case reflect.Struct:
		return e.fields(p, v)
	case reflect.Array:
		return e.elements(p, v, p.count)
	case reflect.Slice:
		return e.slice(p, v)
	case reflect.Map:
		return e.mapping(p, v)
	case reflect.Pointer:
		return e.pointer(p, v)
	case reflect.Interface:
		if !v.IsNil() {
			return e.held(v.Elem())
		}
		e.out = append(e.out, 0)
	}
	return nil
}

func (e *encoder) string(s string) {
	e.out = binary.AppendUvarint(e.out, uint64(len(s)))
	e.out = append(e.out, s...)
}

func (e *encoder) float32(f float32) *refusal {
	if f != f {
		return refuseNaN()
	}
	// -0 + 0 is +0, and adding 0 changes nothing else.
	e.out = binary.BigEndian.AppendUint32(e.out, math.Float32bits(f+0))
	return nil
}

func (e *encoder) float64(f float64) *refusal {
	if f != f {
		return refuseNaN()
	}
	e.out = binary.BigEndian.AppendUint64(e.out, math.Float64bits(f+0))
	return nil
}

func (e *encoder) complex(p *plan, c complex128) *refusal {
	if p.kind == reflect.Complex64 {
		if r := e.float32(float32(real(c))); r != nil {
			return r
		}
		return e.float32(float32(imag(c)))
	}
	if r := e.float64(real(c)); r != nil {
		return r
	}
	return e.float64(imag(c))
}

func refuseNaN() *refusal {
	return refuseKind("NaN", "it is not equal to itself")
}

func (e *encoder) fields(p *plan, v reflect.Value) *refusal {
	for i := range p.fields {
		f := &p.fields[i]
		if r := e.value(f.plan, f.of(v)); r != nil {
			return r.at("." + f.name)
		}
	}
	if p.pad {
		e.out = append(e.out, 0)
	}
	return nil
}

func (e *encoder) slice(p *plan, v reflect.Value) *refusal {
	n := v.Len()
	e.out = binary.AppendUvarint(e.out, uint64(n))
	if n == 0 || p.elem.least == 0 || p.bytes {
		return e.elements(p, v, n)
	}
	if r := e.enter(v); r != nil {
		return r
	}
	if r := e.elements(p, v, n); r != nil {
		return r
	}
	e.leave()
	return nil
}

func (e *encoder) elements(p *plan, v reflect.Value, n int) *refusal {
	if p.elem.least == 0 {
		return nil // there may be 2^60 of them, and there is nothing to write
	}
	if p.bytes {
		e.out = append(e.out, v.Bytes()...)
		return nil
	}
	for i := range n {
		if r := e.value(p.elem, v.Index(i)); r != nil {
			return r.atIndex(i)
		}
	}
	return nil
}

func (e *encoder) pointer(p *plan, v reflect.Value) *refusal {
	if v.IsNil() {
		e.out = append(e.out, 0)
		return nil
	}
	e.out = append(e.out, 1)
	if r := e.enter(v); r != nil {
		return r
	}
	if r := e.value(p.elem, v.Elem()); r != nil {
		return r.at(dereference)
	}
	e.leave()
	return nil
}

// held encodes what is in an interface.
func (e *encoder) held(v reflect.Value) *refusal {
	t := v.Type()
	d, r := e.types.meet(t)
	if r != nil {
		return r.atType(t)
	}
	if e.inKey {
		if r := refuseKey(t); r != nil {
			return r.atType(t)
		}
	}
	e.string(d.tag)
	if r := e.enterInterface(); r != nil {
		return r.atType(t)
	}
	if r := e.copied(d.plan, v); r != nil {
		return r.atType(t)
	}
	e.leave()
	return nil
}
