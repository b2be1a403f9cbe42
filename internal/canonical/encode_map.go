package canonical

import (
	"bytes"
	"encoding/binary"
	"reflect"
	"slices"
)

// mapScratch is what it takes to encode a map in the order of its keys'
// encodings. Values wait in a slice until their turn has come, and are not
// encoded before: so the first fault that is met does not depend on the order
// in which Go goes through a map.
type mapScratch struct {
	iter   reflect.MapIter
	key    reflect.Value // addressable
	keys   []byte        // the encodings of all keys
	values reflect.Value // a slice
	order  []mapEntry
}

type mapEntry struct {
	from, to int // the key's encoding in keys
	value    int // the index in values
}

func (p *plan) borrowEntries(n int) *mapScratch {
	s, ok := p.entries.Get().(*mapScratch)
	if !ok {
		s = &mapScratch{key: reflect.New(p.key.typ).Elem()}
	}
	if !s.values.IsValid() || s.values.Len() < n {
		s.values = reflect.MakeSlice(reflect.SliceOf(p.elem.typ), 2*n, 2*n)
	}
	return s
}

// giveBackEntries ends a borrowing for n entries. The user's values are not
// retained.
func (p *plan) giveBackEntries(s *mapScratch, n int) {
	s.iter.Reset(reflect.Value{})
	s.key.SetZero()
	for i := range n {
		s.values.Index(i).SetZero()
	}
	s.keys, s.order = s.keys[:0], s.order[:0]
	p.entries.Put(s)
}

func (e *encoder) mapping(p *plan, v reflect.Value) *refusal {
	n := v.Len()
	e.out = binary.AppendUvarint(e.out, uint64(n))
	if n == 0 {
		return nil
	}
	if r := e.enter(v); r != nil {
		return r
	}
	s := p.borrowEntries(n)
	defer p.giveBackEntries(s, n)
	if r := e.collect(p, v, s); r != nil {
		return r.at(mapKey)
	}
	for _, entry := range s.order {
		e.out = append(e.out, s.keys[entry.from:entry.to]...)
		if r := e.value(p.elem, s.values.Index(entry.value)); r != nil {
			return r.at(e.keySegment(p.key, s.keys[entry.from:entry.to]))
		}
	}
	e.leave()
	return nil
}

// collect fills s with the entries of the map v, in order.
func (e *encoder) collect(p *plan, v reflect.Value, s *mapScratch) *refusal {
	out := e.out
	e.out, e.inKey = s.keys, true
	level := len(e.stack)
	var least *refusal
	s.iter.Reset(v)
	for i := 0; s.iter.Next(); i++ {
		s.key.SetIterKey(&s.iter)
		s.values.Index(i).SetIterValue(&s.iter)
		from := len(e.out)
		if r := e.value(p.key, s.key); r != nil {
			least = lesser(least, r)
			e.leaveTo(level)
		}
		s.order = append(s.order, mapEntry{from: from, to: len(e.out), value: i})
	}
	s.keys = e.out
	e.out, e.inKey = out, false
	slices.SortFunc(s.order, func(a, b mapEntry) int {
		return bytes.Compare(s.keys[a.from:a.to], s.keys[b.from:b.to])
	})
	return least
}

// lesser chooses between the refusals of two keys in a way that does not depend
// on their order. The first may be nil.
func lesser(a, b *refusal) *refusal {
	if a == nil || b.report().Error() < a.report().Error() {
		return b
	}
	return a
}

// keySegment is how a path goes to the value of the key with this encoding.
func (e *encoder) keySegment(p *plan, key []byte) string {
	c := Codec{types: e.types, plan: p}
	v, err := c.Decode(key)
	if err != nil {
		panic("canonical: a key was encoded, but cannot be decoded: " + err.Error())
	}
	return "[" + FormatBare(v) + "]"
}
