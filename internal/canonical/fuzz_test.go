package canonical

import (
	"bytes"
	"testing"
)

// Any bytes: no panic, and what is accepted is encoded back to the same bytes.
func FuzzDecode(f *testing.F) {
	ts := knowing(f)
	for i, typ := range staticTypes {
		c := codecOf(f, ts, typ)
		for _, d := range []draws{nil, bytes.Repeat([]byte{1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14}, 10)} {
			f.Add(uint8(i), encode(f, c, d.value(typ)))
		}
	}
	f.Fuzz(func(t *testing.T, which uint8, b []byte) {
		c := codecOf(t, ts, staticTypes[int(which)%len(staticTypes)])
		v, err := c.Decode(b)
		if err != nil {
			return
		}
		if again := encode(t, c, v); !bytes.Equal(again, b) {
			t.Fatalf("%s\ndecoded from %x\nencoded to   %x", Format(v), b, again)
		}
	})
}

// Any value: encoded and decoded it is deeply equal.
func FuzzRoundTrip(f *testing.F) {
	ts := knowing(f)
	for i := range staticTypes {
		f.Add(uint8(i), []byte("a seed of no meaning, but long enough"))
	}
	f.Fuzz(func(t *testing.T, which uint8, b []byte) {
		typ := staticTypes[int(which)%len(staticTypes)]
		d := draws(b)
		checkRoundTrip(t, codecOf(t, ts, typ), d.value(typ))
	})
}
