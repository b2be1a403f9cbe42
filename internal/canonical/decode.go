package canonical

import (
	"encoding/binary"
	"fmt"
	"reflect"
)

// decoder is one walk over the bytes of one value. Its methods fill in values
// that are zero and settable without restriction.
type decoder struct {
	types *Types
	root  reflect.Type
	in    []byte // what is left
	size  int    // how many bytes there were
	// budget is what may yet be claimed. Every object that is allocated claims
	// its least bytes first, and the objects of an honest encoding never claim
	// more than it has. So what hostile bytes make us allocate is bounded by the
	// size of the types for each byte, however long the lengths that they state.
	budget int
	depth  int
	inKey  bool // inside a map key: what an interface holds must be a key, too
}

// fail gives the error for bytes that are not an encoding.
func (d *decoder) fail(format string, args ...any) error {
	what := fmt.Sprintf(format, args...)
	return fmt.Errorf("cannot decode %s: at byte %d of %d, %s", rootName(d.root), d.size-len(d.in), d.size, what)
}

func (d *decoder) top(p *plan, v reflect.Value) error {
	if err := d.claim(1, p.least); err != nil {
		return err
	}
	if err := d.value(p, v); err != nil {
		return err
	}
	if len(d.in) > 0 {
		return d.fail("there are bytes left over")
	}
	return nil
}

// claim makes sure that n objects of at least that many bytes each can be there.
func (d *decoder) claim(n, least int) error {
	if least == 0 {
		return nil // no memory either
	}
	if n > d.budget/least {
		return d.fail("too few bytes are left")
	}
	d.budget -= n * least
	return nil
}

func (d *decoder) enter() error {
	if d.depth == maxDepth {
		return d.fail("the value is nested more than %d deep", maxDepth)
	}
	d.depth++
	return nil
}

func (d *decoder) leave() { d.depth-- }

func (d *decoder) value(p *plan, v reflect.Value) error {
	switch p.kind {
	case reflect.Struct:
		return d.fields(p, v)
	case reflect.Array:
		return d.elements(p, v, p.count)
	case reflect.Slice:
		return d.slice(p, v)
	case reflect.Map:
		return d.mapping(p, v)
	case reflect.Pointer:
		return d.pointer(p, v)
	case reflect.Interface:
		return d.held(v)
	case reflect.String:
		b, err := d.lengthAndBytes()
		v.SetString(string(b))
		return err
	default:
		return d.scalar(p, v)
	}
}

func (d *decoder) fields(p *plan, v reflect.Value) error {
	for i := range p.fields {
		f := &p.fields[i]
		if err := d.value(f.plan, f.of(v)); err != nil {
			return err
		}
	}
	if p.pad {
		return d.pad()
	}
	return nil
}

func (d *decoder) pad() error {
	b, err := d.take(1)
	if err == nil && b[0] != 0 {
		return d.fail("an empty struct is not 0")
	}
	return err
}

func (d *decoder) elements(p *plan, v reflect.Value, n int) error {
	if p.elem.least == 0 {
		return nil // there may be 2^60 of them, and there is nothing to read
	}
	if p.bytes {
		b, err := d.take(n)
		copy(v.Bytes(), b)
		return err
	}
	for i := range n {
		if err := d.value(p.elem, v.Index(i)); err != nil {
			return err
		}
	}
	return nil
}

func (d *decoder) slice(p *plan, v reflect.Value) error {
	n, err := d.length()
	if err != nil || n == 0 {
		return err
	}
	if err := d.claim(n, p.elem.least); err != nil {
		return err
	}
	flat := p.elem.least == 0 || p.bytes // no level to the encoder, either
	if !flat {
		if err := d.enter(); err != nil {
			return err
		}
		defer d.leave()
	}
	v.Set(reflect.MakeSlice(p.typ, n, n))
	return d.elements(p, v, n)
}

func (d *decoder) pointer(p *plan, v reflect.Value) error {
	some, err := d.flag()
	if err != nil || !some {
		return err
	}
	if err := d.claim(1, p.elem.least); err != nil {
		return err
	}
	if err := d.enter(); err != nil {
		return err
	}
	defer d.leave()
	v.Set(reflect.New(p.elem.typ))
	return d.value(p.elem, v.Elem())
}

func (d *decoder) held(v reflect.Value) error {
	tag, err := d.lengthAndBytes()
	if err != nil || len(tag) == 0 {
		return err
	}
	dynamic := d.types.tagged(tag)
	if dynamic == nil {
		return d.fail("an interface holds a %.200q, a type that is not known here: register the types that interfaces may hold", tag)
	}
	p := dynamic.plan
	if !p.typ.Implements(v.Type()) {
		return d.fail("%s cannot be in an interface %s", article(baseName(p.typ)), baseName(v.Type()))
	}
	if d.inKey && (!p.typ.Comparable() || refuseKey(p.typ) != nil) {
		return d.fail("%s cannot be a map key", article(baseName(p.typ)))
	}
	if err := d.claim(1, p.least); err != nil {
		return err
	}
	if err := d.enter(); err != nil {
		return err
	}
	defer d.leave()
	concrete := reflect.New(p.typ).Elem()
	if err := d.value(p, concrete); err != nil {
		return err
	}
	v.Set(concrete)
	return nil
}

// take gives the next n bytes, which are the input's own.
func (d *decoder) take(n int) ([]byte, error) {
	if n > len(d.in) {
		return nil, d.fail("the end comes too early")
	}
	b := d.in[:n:n]
	d.in = d.in[n:]
	return b, nil
}

func (d *decoder) lengthAndBytes() ([]byte, error) {
	n, err := d.length()
	if err != nil {
		return nil, err
	}
	return d.take(n)
}

func (d *decoder) length() (int, error) {
	n, err := d.uvarint()
	if err == nil && uint64(int(n)) != n || int(n) < 0 {
		return 0, d.fail("a length is too large")
	}
	return int(n), err
}

func (d *decoder) uvarint() (uint64, error) {
	x, n := binary.Uvarint(d.in)
	if n <= 0 {
		return 0, d.fail("a number is cut off or too large")
	}
	if n > 1 && d.in[n-1] == 0 {
		return 0, d.fail("a number is longer than it need be")
	}
	d.in = d.in[n:]
	return x, nil
}

func (d *decoder) flag() (bool, error) {
	b, err := d.take(1)
	if err != nil {
		return false, err
	}
	if b[0] > 1 {
		return false, d.fail("a byte is neither 0 nor 1")
	}
	return b[0] == 1, nil
}
