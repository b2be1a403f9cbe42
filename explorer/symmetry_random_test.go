package explorer_test

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/caulk-go/caulk/explorer"
	"github.com/caulk-go/caulk/model"
)

// gossip is the state of an agent of a random system; about names agents in every
// way in which values can.
type gossip struct {
	N     int
	Heard model.IDSet
	Last  model.ID
	Order []model.ID
}

type rumour struct {
	K     int
	About any // a model.ID, or nothing
}

// alikeSystem is a random system of three agents that are alike and one that is
// not: what they do is drawn once, and depends on no ID.
func alikeSystem(rnd *rand.Rand) model.System {
	const kinds, peak = 3, 2
	type rule struct{ next, kind, to, about int }
	table := map[[3]int]rule{}
	for n := range peak + 1 {
		for k := range kinds {
			for last := range 2 {
				table[[3]int{n, k, last}] = rule{rnd.IntN(peak + 1), rnd.IntN(kinds), rnd.IntN(4), rnd.IntN(3)}
			}
		}
	}
	everybody := []model.ID{1, 2, 3}
	receive := func(self model.ID) func(s gossip, m model.Message[rumour]) (gossip, []model.Message[rumour]) {
		return func(s gossip, m model.Message[rumour]) (gossip, []model.Message[rumour]) {
			same := 0
			if m.From == s.Last || m.Body.About == any(m.To) {
				same = 1
			}
			r := table[[3]int{s.N, m.Body.K, same}]
			if r.next <= s.N {
				return s, nil
			}
			s.N = r.next
			s.Heard = s.Heard.With(m.From)
			s.Last = m.From
			s.Order = append(slices.Clone(s.Order), m.From)
			about := [...]any{nil, m.From, m.To}[r.about]
			var to []model.ID
			switch r.to {
			case 0:
				to = []model.ID{m.From}
			case 1:
				to = []model.ID{4}
			case 2:
				to = everybody
			}
			var sent []model.Message[rumour]
			for _, id := range to {
				sent = append(sent, model.Message[rumour]{To: id, Body: rumour{r.kind, about}})
			}
			return s, sent
		}
	}
	agent := scripted[gossip, rumour]{receive: receive(0)}
	first := rnd.IntN(kinds)
	agent.actions = action[gossip, rumour]("speak", func(s gossip) (gossip, []model.Message[rumour], bool) {
		enabled := s.N == 0 && s.Last == 0
		s.Last = 4
		return s, []model.Message[rumour]{{To: 4, Body: rumour{first, nil}}}, enabled
	})
	sys := systemOf(model.Of(agent), model.Of(agent), model.Of(agent), model.Of(scripted[gossip, rumour]{receive: receive(4)}))
	sys.Network = []model.Network{model.Bag, model.Set, model.Fifo}[rnd.IntN(3)]
	sys.Alike = [][]model.ID{everybody}
	if rnd.IntN(2) == 0 {
		sys.Observer = model.Observe(map[model.ID]int{}, func(seen map[model.ID]int, e model.Event) map[model.ID]int {
			if e.Before != nil && e.After.(gossip).N > 1 {
				seen = maps.Clone(seen)
				seen[e.Agent] = e.After.(gossip).N
			}
			return seen
		})
	}
	if rnd.IntN(2) == 0 {
		sys.Wipe, sys.Budgets = everybody, map[model.Budget]int{model.Wipes: 1}
	}
	most := rnd.IntN(3)
	sys.Properties = []model.Property{
		model.Always("few know", func(v model.View) error {
			know := 0
			for id, s := range model.StatesOf[gossip](v) {
				if s.N == peak && len(s.Heard) > 0 && id != 4 {
					know++
				}
			}
			if know > most {
				return fmt.Errorf("%d know", know)
			}
			return nil
		}),
		model.Sometimes("somebody knows", func(v model.View) bool {
			for _, s := range model.StatesOf[gossip](v) {
				if s.N == peak {
					return true
				}
			}
			return false
		}),
	}
	return sys
}

// On random systems of agents that are alike there are as many states as a
// brute-force search counts orbits, and verdicts and lengths are those of the whole
// search.
func TestRandomSystemsBySymmetry(t *testing.T) {
	systems := 80
	if testing.Short() {
		systems = 16
	}
	group := permutations(3, 4)
	smaller, violated := 0, 0
	for seed := range uint64(systems) {
		sys := alikeSystem(rand.New(rand.NewPCG(seed, 1)))
		cut, err := explorer.Explore(t.Context(), sys, explorer.Options{KeepGoing: true, MaxStates: 2000})
		if err != nil {
			t.Fatalf("seed %d: %v", seed, err)
		}
		if len(cut.Bounds) > 0 {
			continue // too large to be counted by brute force
		}
		states, orbits := countOrbits(&sys, group)
		for _, keepGoing := range []bool{true, false} {
			whole := explore(t, sys, explorer.Options{KeepGoing: keepGoing})
			r := explore(t, sys, explorer.Options{KeepGoing: keepGoing, Reduce: bySymmetry})
			if keepGoing && (whole.States != int64(states) || r.States != int64(orbits)) {
				t.Errorf("seed %d: %d states and %d by symmetry; there are %d, and %d orbits", seed, whole.States, r.States, states, orbits)
			}
			if r.Verdict != whole.Verdict || r.Depth != whole.Depth || movesOf(r) != movesOf(whole) || !samePointer(r.ShortestHalt, whole.ShortestHalt) {
				t.Errorf("seed %d: %s after %d moves, depth %d; the whole search: %s after %d, %d", seed, r.Verdict, movesOf(r), r.Depth, whole.Verdict, movesOf(whole), whole.Depth)
			}
			for i, p := range r.Properties {
				if w := whole.Properties[i]; p.Verdict != w.Verdict || len(p.Witness) != len(w.Witness) {
					t.Errorf("seed %d: %s %s by %d moves; the whole search: %s by %d", seed, p.Name, p.Verdict, len(p.Witness), w.Verdict, len(w.Witness))
				}
			}
			if r.States < whole.States {
				smaller++
			}
			if r.Violation != nil {
				violated++
			}
		}
	}
	t.Logf("%d searches were smaller, %d found a violation", smaller, violated)
	if smaller < systems || violated < systems/8 && !testing.Short() {
		t.Error("the test no longer tests much")
	}
}

func movesOf(r *explorer.Report) int {
	if r.Violation == nil {
		return -1
	}
	return r.Violation.Moves
}

func samePointer(a, b *int) bool { return (a == nil) == (b == nil) && (a == nil || *a == *b) }
