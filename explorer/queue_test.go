package explorer

import (
	"math/rand/v2"
	"reflect"
	"testing"
)

// numbers lists the states of runs, as partition and number.
func numbers(runs []run) [][2]uint32 {
	list := [][2]uint32{}
	for _, r := range runs {
		for i := r.start; i < r.end; i++ {
			list = append(list, [2]uint32{r.part, i})
		}
	}
	return list
}

func wantRuns(t *testing.T, what string, got []run, want [][2]uint32) {
	t.Helper()
	if n := numbers(got); !reflect.DeepEqual(n, want) {
		t.Fatalf("%s: %v, not %v", what, n, want)
	}
	if total(got) != len(want) {
		t.Fatalf("%s: the total is %d, not %d", what, total(got), len(want))
	}
}

// A queue against a list of lists: states are pushed while others are taken.
func TestQueueAgreesWithLists(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	for range 300 {
		q := newQueue()
		levels := [][][2]uint32{{}} // the last is the one that grows
		taken := 0                  // of the last but one
		sizes := [3]uint32{}        // by partition
		for range 40 {
			switch r.IntN(4) {
			case 0, 1:
				part, n := uint32(r.IntN(len(sizes))), uint32(1+r.IntN(6))
				fresh := run{part, sizes[part], sizes[part] + n}
				sizes[part] += n
				q.push(fresh)
				last := len(levels) - 1
				levels[last] = append(levels[last], numbers([]run{fresh})...)
			case 2:
				if q.depth() < 0 {
					continue
				}
				most := 1 + r.IntN(8)
				level := levels[len(levels)-2]
				to := min(taken+most, len(level))
				wantRuns(t, "taken", q.take(most), append([][2]uint32{}, level[taken:to]...))
				taken = to
			default:
				if q.depth() >= 0 && taken < len(levels[len(levels)-2]) {
					continue // a level is opened when the one before is used up
				}
				grew := len(levels[len(levels)-1]) > 0
				if q.open() != grew {
					t.Fatalf("a level of %d states opens: %t", len(levels[len(levels)-1]), !grew)
				}
				if grew {
					levels, taken = append(levels, [][2]uint32{}), 0
				}
			}
			if q.depth() != len(levels)-2 {
				t.Fatalf("the depth is %d, not %d", q.depth(), len(levels)-2)
			}
			for d, level := range levels {
				wantRuns(t, "level", q.level(d), level)
			}
			if q.depth() >= 0 {
				before, left := q.split()
				level := levels[len(levels)-2]
				wantRuns(t, "split, taken", before, append([][2]uint32{}, level[:taken]...))
				wantRuns(t, "split, left", left, append([][2]uint32{}, level[taken:]...))
			}
		}
	}
}

func TestSlice(t *testing.T) {
	runs := []run{{0, 3, 5}, {2, 0, 4}, {1, 7, 8}}
	all := numbers(runs)
	for from := 0; from <= len(all); from++ {
		for to := from; to <= len(all); to++ {
			wantRuns(t, "slice", slice(runs, from, to), append([][2]uint32{}, all[from:to]...))
		}
	}
	if part := slice(runs, 0, len(all)); !reflect.DeepEqual(part, runs) {
		t.Errorf("all of it is %v, not %v", part, runs)
	}
}
