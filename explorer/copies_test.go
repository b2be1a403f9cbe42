package explorer_test

import (
	"fmt"
	"slices"
	"testing"

	"github.com/caulk-go/caulk/model"
)

// sendAtOnce is an agent that once sends so many copies of one message to
// agent 2, which ignores them.
func sendAtOnce(copies int) model.System {
	burst := action("burst", func(s bool) (bool, []model.Message[ticket], bool) {
		return true, slices.Repeat(send(2, ticket{}), copies), !s
	})
	return systemOf(model.Of(scripted[bool, ticket]{actions: burst}), model.Of(scripted[bool, ticket]{}))
}

// sendOneByOne sends them in as many steps.
func sendOneByOne(copies int) model.System {
	next := action("next", func(s int) (int, []model.Message[ticket], bool) {
		return s + 1, send(2, ticket{}), s < copies
	})
	return systemOf(model.Of(scripted[int, ticket]{actions: next}), model.Of(scripted[bool, ticket]{}))
}

// copyCounts are around every number at which a count takes another bit.
func copyCounts(t *testing.T) []int {
	counts := []int{1, 2, 3, 4, 5, 8, 9, 17, 33, 65, 129, 300}
	if testing.Short() {
		return counts[:9]
	}
	return counts
}

// The state before the burst, and one for each number of copies left.
func TestCopiesSentInOneStep(t *testing.T) {
	for _, n := range copyCounts(t) {
		t.Run(fmt.Sprint(n), func(t *testing.T) {
			wantSize(t, sendAtOnce(n), size{States: int64(n) + 2, Transitions: int64(n) + 1, Depth: n + 1, Terminal: 1})
		})
	}
}

// A state for each number sent and each number of those delivered. From each
// the sender goes on, but for the last n+1, and a copy is delivered, if there
// is one.
func TestCopiesSentInSeveralSteps(t *testing.T) {
	for _, n := range copyCounts(t) {
		t.Run(fmt.Sprint(n), func(t *testing.T) {
			n := min(int64(n), 140) // there are many states
			states := (n + 1) * (n + 2) / 2
			wantSize(t, sendOneByOne(int(n)), size{
				States:      states,
				Transitions: (states - n - 1) + (states - n - 1),
				Depth:       int(2 * n),
				Terminal:    1,
			})
		})
	}
}

// On a set what was sent is there once, and delivering it changes nothing.
func TestCopiesOnASetAreOne(t *testing.T) {
	for _, n := range copyCounts(t) {
		atOnce, oneByOne := sendAtOnce(n), sendOneByOne(n)
		atOnce.Network, oneByOne.Network = model.Set, model.Set
		wantSize(t, atOnce, size{States: 2, Transitions: 2, Depth: 1})
		wantSize(t, oneByOne, size{States: int64(n) + 1, Transitions: 2 * int64(n), Depth: n})
	}
}

// Messages that differ are counted apart: an agent that sends itself two
// copies of one and three of another has 3 x 4 networks after that.
func TestCopiesOfSeveralMessages(t *testing.T) {
	burst := action("burst", func(s bool) (bool, []model.Message[ticket], bool) {
		return true, slices.Concat(send(1, ticket{1}), send(1, ticket{2}), send(1, ticket{2}), send(1, ticket{1}), send(1, ticket{2})), !s
	})
	sys := systemOf(model.Of(scripted[bool, ticket]{actions: burst}))
	wantSize(t, sys, size{States: 1 + 3*4, Transitions: 1 + 2*4 + 3*3, Depth: 6, Terminal: 1})
}

// A copy that is delivered is gone before those are counted that its delivery
// sends: with a first message, which turns into two and no more, there are
// never more than two.
func TestCopiesSentOnDeliveryOfTheSame(t *testing.T) {
	double := scripted[bool, ticket]{
		fresh: func(model.ID, int) (bool, []model.Message[ticket]) { return false, send(1, ticket{}) },
		receive: func(s bool, _ model.Message[ticket]) (bool, []model.Message[ticket]) {
			if s {
				return s, nil
			}
			return true, slices.Repeat(send(1, ticket{}), 2)
		},
	}
	wantSize(t, systemOf(model.Of(double)), size{States: 4, Transitions: 3, Depth: 3, Terminal: 1})
}

// What the start state has in flight is counted as well.
func TestCopiesInTheStartState(t *testing.T) {
	sender := scripted[bool, ticket]{
		fresh: func(model.ID, int) (bool, []model.Message[ticket]) {
			return false, slices.Repeat(send(2, ticket{}), 7)
		},
	}
	sys := systemOf(model.Of(sender), model.Of(scripted[bool, ticket]{}))
	wantSize(t, sys, size{States: 8, Transitions: 7, Depth: 7, Terminal: 1})
}
