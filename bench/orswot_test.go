package bench_test

import (
	"fmt"
	"reflect"
	"testing"

	"github.com/caulk-go/caulk/algos/orswot"
	"github.com/caulk-go/caulk/internal/canonical"
	"github.com/caulk-go/caulk/model"
)

// filled is a set of so many elements that two replicas added in turn.
func filled(n int) orswot.Set {
	s := orswot.Set{Holds: map[orswot.Dot]string{}, Seen: orswot.Context{UpTo: map[model.ID]int{1: (n + 1) / 2, 2: n / 2}}}
	for i := range n {
		s.Holds[orswot.Dot{Replica: model.ID(1 + i%2), N: i/2 + 1}] = fmt.Sprintf("element %d", i)
	}
	return s
}

// BenchmarkOrswot measures the cost of a merge, of two whole sets and with a
// delta, and the size of a set, as it grows.
func BenchmarkOrswot(b *testing.B) {
	for _, n := range []int{1_000, 2_000, 5_000, 10_000, 20_000} {
		s := filled(n)
		other := orswot.Join(s, s.Add(3, "one more"))
		for _, c := range []struct {
			name string
			with orswot.Set
		}{{"state", other}, {"delta", s.Add(3, "one more")}} {
			b.Run(fmt.Sprintf("%s/elements=%d", c.name, n), func(b *testing.B) {
				for b.Loop() {
					if j := orswot.Join(s, c.with); len(j.Holds) != n+1 {
						b.Fatalf("the merge has %d elements", len(j.Holds))
					}
				}
				b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(n), "ns/element")
				b.ReportMetric(float64(sizeOf(b, s))/float64(n), "bytes/element")
			})
		}
	}
}

// sizeOf is how many bytes a set takes on a wire.
func sizeOf(b *testing.B, s orswot.Set) int {
	codec, err := canonical.NewTypes().Codec(reflect.TypeFor[orswot.Set]())
	if err != nil {
		b.Fatal(err)
	}
	bytes, err := codec.Append(nil, s)
	if err != nil {
		b.Fatal(err)
	}
	return len(bytes)
}
