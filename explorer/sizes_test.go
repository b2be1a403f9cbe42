package explorer_test

import (
	"fmt"
	"slices"
	"testing"

	"github.com/caulk-go/caulk/explorer"
	"github.com/caulk-go/caulk/model"
)

// wide are agents that each act once, and one more to which the first sends so
// many messages, which it ignores. On a set they stay in flight: they make a
// state as wide as is wanted, and a move that changes nothing each.
func wide(agents, messages int) model.System {
	sys := counters(agents, 1)
	ignores := model.ID(agents + 1)
	sys.Agents[0] = model.Of(scripted[int, ticket]{
		actions: countTo[ticket](1),
		fresh: func(model.ID, int) (int, []model.Message[ticket]) {
			var sent []model.Message[ticket]
			for i := range messages {
				sent = append(sent, model.Message[ticket]{To: ignores, Body: ticket{i}})
			}
			return 0, sent
		},
	})
	sys.Agents = append(sys.Agents, model.Of(scripted[int, ticket]{}))
	return sys
}

// widening lists numbers of messages, each of which takes the next size of
// states; in a short test not the largest.
func widening() []int {
	messages := []int{10, 80, 150, 220, 340, 470, 900, 1900, 3900}
	if testing.Short() {
		return messages[:6]
	}
	return messages
}

// The loops over packed states are compiled for each size: each is run here,
// with levels that fill whole blocks of their buckets, and finds all subsets
// of the agents.
func TestEverySize(t *testing.T) {
	var sizes []int
	for _, messages := range widening() {
		agents := 16
		switch {
		case testing.Short():
			agents = 4
		case messages > 500:
			agents = 12
		}
		sys := wide(agents, messages)
		sys.Network = model.Set
		words, _, err := explorer.Packing(t.Context(), sys, explorer.Options{Workers: 1})
		if err != nil {
			t.Fatal(err)
		}
		sizes = append(sizes, words)
		t.Run(fmt.Sprintf("%d words", words), func(t *testing.T) {
			states := int64(1) << agents
			want := size{States: states, Transitions: states/2*int64(agents) + states*int64(messages), Depth: agents}
			for _, workers := range []int{1, 3} {
				r := explore(t, sys, explorer.Options{Workers: workers})
				if got := (size{r.States, r.Transitions, r.Depth, r.Terminal}); got != want || !r.Complete {
					t.Errorf("with %d workers: %+v, complete is %t; want %+v", workers, got, r.Complete, want)
				}
			}
		})
	}
	if want := explorer.Sizes()[:len(widening())]; !slices.Equal(sizes, want) {
		t.Errorf("states of %d words were explored, not of %d", sizes, want)
	}
}

// On a bag every message that is delivered is gone: up to the depth of a
// violation, all sets of so many that were delivered or agents that have acted.
func TestEverySizeOnABag(t *testing.T) {
	var sizes []int
	for _, n := range widening() {
		sys, depth := wide(2, n), 2
		sys.Properties = []model.Property{fails("both", 1, 1)}
		if n > 300 || testing.Short() {
			depth = 1
			sys.Properties = []model.Property{fails("one", 1, 0)}
		}
		o := explorer.Options{Workers: 1}
		words, _, err := explorer.Packing(t.Context(), sys, o)
		if err != nil {
			t.Fatal(err)
		}
		sizes = append(sizes, words)
		moves := int64(n) + 2 // from the start
		want := []int64{1, 1 + moves, 1 + moves + moves*(moves-1)/2}
		if r := explore(t, sys, o); r.States != want[depth] || r.Depth != depth || r.Transitions != moves*(1+int64(depth-1)*(moves-1)) {
			t.Errorf("with %d messages: %d states, %d transitions, depth %d; want %d states", n, r.States, r.Transitions, r.Depth, want[depth])
		}
	}
	if want := explorer.Sizes()[:len(widening())]; !slices.Equal(sizes, want) {
		t.Errorf("states of %d words were explored, not of %d", sizes, want)
	}
}
