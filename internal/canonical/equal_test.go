package canonical

import (
	"bytes"
	"math/rand/v2"
	"reflect"
	"testing"
)

// Equal bytes if and only if deeply equal, on random values.
func TestEqualBytesIfAndOnlyIfEqual(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	for _, typ := range staticTypes {
		t.Run(typ.String(), func(t *testing.T) {
			c := codecOf(t, NewTypes(), typ)
			var values []any
			var encoded [][]byte
			for range 120 {
				// Few bytes make small values, which are equal to others at times.
				d := make(draws, random.IntN(1<<random.IntN(9)))
				for i := range d {
					d[i] = byte(random.Uint32())
				}
				v := d.value(typ)
				encoded = append(encoded, checkRoundTrip(t, c, v))
				values = append(values, normal(v))
			}
			equals := 0
			for i := range values {
				for j := range i {
					equal := reflect.DeepEqual(values[i], values[j])
					if equal {
						equals++
					}
					if bytes.Equal(encoded[i], encoded[j]) != equal {
						t.Fatalf("DeepEqual is %t, but the bytes of\n%s\n%s\nare %x\n%x", equal, Format(values[i]), Format(values[j]), encoded[i], encoded[j])
					}
				}
			}
			if equals == 0 {
				t.Error("no two values were equal: nothing was tested")
			}
		})
	}
}

// No encoding is the beginning of another: so values one after the other can be
// told apart.
func TestPrefixFree(t *testing.T) {
	random := rand.New(rand.NewPCG(3, 4))
	for _, typ := range staticTypes {
		c := codecOf(t, NewTypes(), typ)
		for range 50 {
			d := make(draws, random.IntN(60))
			for i := range d {
				d[i] = byte(random.Uint32())
			}
			b := encode(t, c, d.value(typ))
			for n := range b {
				if v, err := c.Decode(b[:n]); err == nil {
					t.Fatalf("%v: the first %d bytes of %x decode, to %s", typ, n, b, Format(v))
				}
			}
			if _, err := c.Decode(append(b, 0)); err == nil {
				t.Fatalf("%v: %x decodes with a byte more", typ, b)
			}
		}
	}
}
