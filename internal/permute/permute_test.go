package permute_test

import (
	"reflect"
	"testing"

	"github.com/caulk-go/caulk/internal/permute"
	"github.com/caulk-go/caulk/model"
)

type inner struct {
	by   model.ID
	Time int
}

type sample struct {
	Self    model.ID
	hidden  []model.ID
	Votes   map[model.ID]map[model.ID]int
	Number  int // is no ID, whatever it says
	Pointer *inner
	Any     any
	Pair    [2]inner
	Name    string
}

func swap(id model.ID) model.ID {
	switch id {
	case 1:
		return 2
	case 2:
		return 1
	}
	return id
}

func value() sample {
	return sample{
		Self: 1, hidden: []model.ID{2, 3, 1}, Votes: map[model.ID]map[model.ID]int{1: {2: 7}, 3: {3: 1}}, Number: 1,
		Pointer: &inner{2, 1}, Any: inner{1, 2}, Pair: [2]inner{{1, 1}, {3, 1}}, Name: "1",
	}
}

func TestApply(t *testing.T) {
	want := sample{
		Self: 2, hidden: []model.ID{1, 3, 2}, Votes: map[model.ID]map[model.ID]int{2: {1: 7}, 3: {3: 1}}, Number: 1,
		Pointer: &inner{1, 1}, Any: inner{2, 2}, Pair: [2]inner{{2, 1}, {3, 1}}, Name: "1",
	}
	once := permute.Apply(value(), swap)
	if !reflect.DeepEqual(once, want) {
		t.Errorf("%+v\nnot\n%+v", once, want)
	}
	if twice := permute.Apply(once, swap); !reflect.DeepEqual(twice, value()) {
		t.Errorf("swapped twice it is another: %+v", twice)
	}
	for _, v := range []any{nil, 1, "x", model.ID(3), map[string]int(nil), []model.ID(nil), (*inner)(nil)} {
		if got := permute.Apply(v, swap); !reflect.DeepEqual(got, v) {
			t.Errorf("%#v became %#v", v, got)
		}
	}
}

// A hash does not tell apart what renaming makes of each other, where both count
// the same; and tells apart everything else that is tried.
func TestHash(t *testing.T) {
	blur := func(id model.ID) uint64 { return uint64(max(id, 2)) } // 1 and 2 are one
	sharp := func(id model.ID) uint64 { return uint64(id) }
	a, b := permute.Hash(value(), blur), permute.Hash(permute.Apply(value(), swap), blur)
	if a != b {
		t.Errorf("%x and %x are the hashes of what renaming makes of each other", a, b)
	}
	changes := []func(*sample){
		func(*sample) {},
		func(s *sample) { s.Self = 3 },
		func(s *sample) { s.hidden = s.hidden[:2] },
		func(s *sample) { s.hidden[0], s.hidden[1] = s.hidden[1], s.hidden[0] },
		func(s *sample) { s.Votes[1][2] = 8 },
		func(s *sample) { delete(s.Votes, 3) },
		func(s *sample) { s.Number = 2 },
		func(s *sample) { s.Pointer = nil },
		func(s *sample) { s.Any = nil },
		func(s *sample) { s.Any = model.ID(1) },
		func(s *sample) { s.Pair[1].Time = 2 },
		func(s *sample) { s.Name = "2" },
	}
	met := map[uint64]int{}
	for i, change := range changes {
		v := value()
		change(&v)
		h := permute.Hash(v, sharp)
		if j, there := met[h]; there {
			t.Errorf("changes %d and %d have one hash", i, j)
		}
		met[h] = i
	}
}

func TestEach(t *testing.T) {
	count := map[model.ID]int{}
	permute.Each(value(), func(id model.ID) { count[id]++ })
	if want := map[model.ID]int{1: 5, 2: 3, 3: 4}; !reflect.DeepEqual(count, want) {
		t.Errorf("it holds %v, not %v", count, want)
	}
}
