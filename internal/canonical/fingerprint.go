package canonical

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"reflect"
)

// Fingerprint is a hash, in hexadecimal, of all that the encoding of t depends
// on: its structure, with the names of fields and types and their package paths.
// Two processes with equal fingerprints understand each other's bytes, as far as
// no interface is concerned: what an interface may hold is not in it, and has
// fingerprints of its own. The error is as for [Types.Codec].
func (ts *Types) Fingerprint(t reflect.Type) (string, error) {
	c, err := ts.Codec(t)
	if err != nil {
		return "", err
	}
	h := sha256.New()
	d := describer{w: h, met: map[*plan]int{}}
	d.describe(c.plan)
	return hex.EncodeToString(h.Sum(nil)), nil
}

// describer writes the description of a type. Where a type comes again, as it
// does in a recursive one, its number stands for it.
type describer struct {
	w   io.Writer
	met map[*plan]int
}

func (d *describer) describe(p *plan) {
	if n, again := d.met[p]; again {
		fmt.Fprintf(d.w, "#%d\n", n)
		return
	}
	d.met[p] = len(d.met)
	fmt.Fprintf(d.w, "%s %s %d %d %t\n", fullName(p.typ), p.kind, p.count, len(p.fields), p.pad)
	for _, f := range p.fields {
		fmt.Fprintf(d.w, "%s\n", f.name)
		d.describe(f.plan)
	}
	if p.key != nil {
		d.describe(p.key)
	}
	if p.elem != nil {
		d.describe(p.elem)
	}
}
