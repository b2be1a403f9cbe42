package orswot

import (
	"fmt"
	"math/rand/v2"
	"reflect"
	"slices"
	"testing"

	"github.com/caulk-go/caulk/model"
)

// draw makes deltas of random updates of three replicas, which at times hear
// of each other.
func draw(r *rand.Rand) []Set {
	var sets [3]Set
	var deltas []Set
	for range 12 {
		i := r.IntN(3)
		var d Set
		switch element := fmt.Sprintf("k%d=%d", r.IntN(2), r.IntN(3)); r.IntN(4) {
		case 0:
			d = sets[i].Remove(element)
		case 1:
			d = sets[i].RemoveKey(element[:2])
		default:
			d = sets[i].Add(model.ID(i+1), element)
		}
		sets[i] = Join(sets[i], d)
		deltas = append(deltas, d)
		if other := r.IntN(3); r.IntN(3) == 0 {
			sets[i] = Join(sets[i], sets[other])
		}
	}
	return deltas
}

// In whatever order deltas come, and however often, the set is the same.
func TestJoinIsALeastUpperBound(t *testing.T) {
	for seed := range uint64(200) {
		r := rand.New(rand.NewPCG(seed, 1))
		deltas := draw(r)
		joined := func(list []Set) (s Set) {
			for _, d := range list {
				s = Join(s, d)
			}
			return s
		}
		want := joined(deltas)
		more := slices.Concat(deltas, deltas)
		r.Shuffle(len(more), func(i, j int) { more[i], more[j] = more[j], more[i] })
		if got := joined(more); !reflect.DeepEqual(got, want) {
			t.Fatalf("seed %d: shuffled and repeated it is %v, not %v", seed, got, want)
		}
		half := len(deltas) / 2
		if got := Join(joined(deltas[half:]), joined(deltas[:half])); !reflect.DeepEqual(got, want) {
			t.Fatalf("seed %d: joined by halves it is %v, not %v", seed, got, want)
		}
		if got := Join(want, want); !reflect.DeepEqual(got, want) {
			t.Fatalf("seed %d: joined with itself it is %v, not %v", seed, got, want)
		}
	}
}

// An add that a remove has not seen wins.
func TestAConcurrentAddWins(t *testing.T) {
	var a Set
	a = Join(a, a.Add(1, "x"))
	b := a
	a = Join(a, a.Remove("x"))
	b = Join(b, b.Add(2, "x"))
	if got := Join(a, b).Elements(); !slices.Equal(got, []string{"x"}) {
		t.Errorf("after a remove and a concurrent add the set has %v", got)
	}
	c := Join(b, b.Remove("x"))
	if got := Join(c, b).Elements(); len(got) != 0 {
		t.Errorf("after a remove that has seen the add the set has %v", got)
	}
}
