package canonical

import (
	"bytes"
	"reflect"
)

func (d *decoder) mapping(p *plan, v reflect.Value) error {
	n, err := d.length()
	if err != nil {
		return err
	}
	if n == 0 {
		v.Set(reflect.MakeMap(p.typ))
		return nil
	}
	if n > 1 && p.key.least == 0 {
		return d.fail("a map has more entries than its key has values")
	}
	if err := d.claim(n, p.key.least+p.elem.least); err != nil {
		return err
	}
	if err := d.enter(); err != nil {
		return err
	}
	defer d.leave()
	v.Set(reflect.MakeMapWithSize(p.typ, n))
	// The map copies what it is given, so these serve for all entries.
	key, elem := reflect.New(p.key.typ).Elem(), reflect.New(p.elem.typ).Elem()
	var last []byte
	for i := range n {
		key.SetZero()
		elem.SetZero()
		encoded, err := d.mapKey(p.key, key)
		if err != nil {
			return err
		}
		// Without order, one map had several encodings.
		if i > 0 && bytes.Compare(last, encoded) >= 0 {
			return d.fail("the keys of a map are not in order")
		}
		last = encoded
		if err := d.value(p.elem, elem); err != nil {
			return err
		}
		v.SetMapIndex(key, elem)
	}
	return nil
}

// mapKey decodes one key, and gives the bytes that it was decoded from.
func (d *decoder) mapKey(p *plan, key reflect.Value) ([]byte, error) {
	before := d.in
	d.inKey = true
	err := d.value(p, key)
	d.inKey = false
	return before[:len(before)-len(d.in)], err
}
