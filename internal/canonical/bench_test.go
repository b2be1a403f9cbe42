package canonical

//lint:file-ignore U1000 fields are there to be encoded, not to be read

import (
	"reflect"
	"testing"
)

type benched struct {
	ID     int
	Value  string
	log    []entry
	votes  map[int]bool
	leader *entry
	state  role
}

var bench = benched{
	ID:    1,
	Value: "x",
	log:   []entry{{1, "a"}, {2, "b"}, {3, "c"}},
	votes: map[int]bool{1: true, 2: true, 3: false},
	state: lead{Outstanding: 1},
}

func BenchmarkAppend(b *testing.B) {
	c := codecOf(b, NewTypes(), reflect.TypeFor[benched]())
	var v any = bench
	var buf []byte
	b.ReportAllocs()
	for b.Loop() {
		buf, _ = c.Append(buf[:0], v)
	}
	b.ReportMetric(float64(len(buf)), "bytes")
}

func BenchmarkDecode(b *testing.B) {
	c := codecOf(b, NewTypes(), reflect.TypeFor[benched]())
	in := encode(b, c, bench)
	b.ReportAllocs()
	for b.Loop() {
		if _, err := c.Decode(in); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkFormat(b *testing.B) {
	b.ReportAllocs()
	for b.Loop() {
		Format(bench)
	}
}
