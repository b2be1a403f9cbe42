package explorer_test

import (
	"errors"
	"testing"

	"github.com/caulk-go/caulk/explorer"
	"github.com/caulk-go/caulk/model"
)

// asked counts how often a property is asked in a search of two counters to
// 30, of 961 states.
func asked(t *testing.T, o explorer.Options, kind model.PropertyKind, reads func(v model.View) bool) int {
	t.Helper()
	times := 0
	p := model.Always("counted", func(v model.View) error {
		times++
		if !reads(v) {
			return errAsked
		}
		return nil
	})
	p.Kind = kind
	sys := counters(2, 30)
	sys.Properties = []model.Property{p}
	if r := explore(t, sys, o); r.States != 31*31 || r.Properties[0].Tested != r.States {
		t.Errorf("%d of %d states were tested", r.Properties[0].Tested, r.States)
	}
	return times
}

var errAsked = errors.New("not here")

// What a property said is remembered for what it read: it is asked anew when
// that is something else, when it reads more than ever before, and when states
// are packed anew, but not in every state.
func TestAnswersAreRemembered(t *testing.T) {
	one := func(v model.View) bool { return model.StateOf[int](v, 1) <= 30 }
	nothing := func(v model.View) bool { return len(v.Population()) == 2 }
	other := func(v model.View) bool { return model.StateOf[int](v, 1) < 30 || model.StateOf[int](v, 2) <= 30 }
	for _, workers := range []int{1, 3} {
		o := explorer.Options{Workers: workers}
		const packings = 5
		if n := asked(t, o, model.KindAlways, one); n < 31 || n > 31*packings {
			t.Errorf("a property of one agent with 31 states was asked %d times", n)
		}
		if n := asked(t, o, model.KindAlways, nothing); n < 1 || n > packings {
			t.Errorf("a property that reads no state was asked %d times", n)
		}
		if n := asked(t, o, model.KindAlways, other); n < 30+31 || n > 31*31 {
			t.Errorf("a property of one agent and sometimes another was asked %d times", n)
		}
	}
}

// Once a sometimes was reached it is not asked again, in later levels.
func TestWhatWasReachedIsNotAskedAgain(t *testing.T) {
	reached := func(v model.View) bool { return model.StateOf[int](v, 1)+model.StateOf[int](v, 2) == 2 }
	for _, workers := range []int{1, 3} {
		n := asked(t, explorer.Options{Workers: workers}, model.KindSometimes, reached)
		// The six states up to there, and once more for the path.
		if n < 6 || n > 7 {
			t.Errorf("it was asked %d times", n)
		}
	}
}

// A property may read more in some states than in others, and other agents
// each time: what is remembered of one state is not taken for another.
func TestPropertiesThatReadHereAndThere(t *testing.T) {
	sys := counters(3, 6)
	chain := func(v model.View) bool { // 1 says who is read next, and that one who after it
		at := model.ID(1)
		for range 3 {
			at = model.ID(model.StateOf[int](v, at)%3 + 1)
		}
		return at == 2
	}
	tested, sometimes := int64(0), 0
	for one := range 7 {
		for two := range 7 {
			for three := range 7 {
				state := []int{one, two, three}
				at := 0
				for range 3 {
					at = state[at] % 3
				}
				if at == 1 {
					tested++
					if sum := one + two + three; sometimes == 0 || sum < sometimes {
						sometimes = sum
					}
				}
			}
		}
	}
	sys.Properties = []model.Property{
		model.Always("fine", func(model.View) error { return nil }).When(chain),
		model.Sometimes("reached", chain),
	}
	for _, o := range searches() {
		r := explore(t, sys, o)
		if r.States != 343 || r.Properties[0].Tested != tested {
			t.Errorf("%s: tested in %d of %d states, not in %d", o.Search, r.Properties[0].Tested, r.States, tested)
		}
		if n := len(r.Properties[1].Witness); n < sometimes || o.Search == explorer.BFS && n != sometimes {
			t.Errorf("%s: reached after %d moves, not %d", o.Search, n, sometimes)
		}
	}
}
