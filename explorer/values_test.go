package explorer_test

import (
	"errors"
	"slices"
	"testing"

	"github.com/caulk-go/caulk/explorer"
	"github.com/caulk-go/caulk/model"
)

// collects is an agent that appends what it receives to a slice, to which it
// gives spare room, as append does: two successors of one state could share
// the array.
func collects() model.Node {
	return model.Of(scripted[[]int, ticket]{receive: func(s []int, m model.Message[ticket]) ([]int, []model.Message[ticket]) {
		s = slices.Grow(s, 8)
		return append(s, m.Body.N), nil
	}})
}

// Four tickets arrive in every order: a state for each sequence of some of
// them, 1 + 4 + 4*3 + 4*3*2 + 4*3*2*1.
func TestSuccessorsShareNothing(t *testing.T) {
	sender := model.Of(scripted[bool, ticket]{fresh: func(model.ID, int) (bool, []model.Message[ticket]) {
		return false, slices.Concat(send(2, ticket{1}), send(2, ticket{2}), send(2, ticket{3}), send(2, ticket{4}))
	}})
	sys := systemOf(sender, collects())
	seen := map[string]bool{}
	sys.Properties = []model.Property{model.Always("each once", func(v model.View) error {
		s := model.StateOf[[]int](v, 2)
		seen[encode(s)] = true
		if sorted := slices.Sorted(slices.Values(s)); len(slices.Compact(sorted)) != len(s) {
			return errors.New("a ticket came twice")
		}
		return nil
	})}
	for _, o := range searches() {
		clear(seen)
		r := explore(t, sys, o)
		if r.States != 1+4+12+24+24 || r.Verdict != explorer.Holds || len(seen) != int(r.States) || r.HandlerCalls != 4+12+24+24 {
			t.Errorf("%s: %s after %d states, %d of agent 2, %d calls", o.Search, r.Verdict, r.States, len(seen), r.HandlerCalls)
		}
	}
}

// hub has fields that run into each other where a key leaves out lengths.
type hub struct {
	Left, Right []string
	Note        any
	seen        map[string]bool
}

// alternatives is an agent that goes from its first state to any of several,
// once: the search counts them.
func alternatives[S any](states ...S) model.System {
	type place struct {
		Left bool
		At   S
	}
	var actions []model.Action[place, ticket]
	for i := range states {
		actions = append(actions, model.Action[place, ticket]{
			Name: string(rune('a' + i)),
			Do:   func(p place) (place, []model.Message[ticket], bool) { return place{true, states[i]}, nil, !p.Left },
		})
	}
	return systemOf(model.Of(scripted[place, ticket]{actions: actions}))
}

func wantAlternatives[S any](t *testing.T, name string, want int, states ...S) {
	t.Helper()
	for _, o := range searches() {
		r := explore(t, alternatives(states...), o)
		if r.States != int64(want)+1 || r.Transitions != int64(len(states)) {
			t.Errorf("%s: %d of %d states are told apart in %d moves, want %d", name, r.States-1, len(states), r.Transitions, want)
		}
	}
}

func TestStatesThatDiffer(t *testing.T) {
	type other string
	one, alsoOne, two := 1, 1, 2
	wantAlternatives(t, "which list a name is in", 4,
		hub{Left: []string{"t"}}, hub{Right: []string{"t"}}, hub{Left: []string{"", "t"}}, hub{Left: []string{"t", ""}})
	wantAlternatives(t, "where a name ends", 3,
		hub{Left: []string{"ab", "c"}}, hub{Left: []string{"a", "bc"}}, hub{Left: []string{"abc"}})
	wantAlternatives(t, "an unexported field", 3,
		hub{}, hub{seen: map[string]bool{"a": true}}, hub{seen: map[string]bool{"a": false}})
	wantAlternatives(t, "the type in an interface", 6,
		hub{Note: 1}, hub{Note: int64(1)}, hub{Note: "1"}, hub{Note: other("1")}, hub{Note: &one}, hub{Note: nil})
	wantAlternatives(t, "what a pointer points to", 3, &one, &two, nil)

	wantAlternatives(t, "nil and empty", 1,
		hub{}, hub{Left: []string{}}, hub{Right: make([]string, 0, 5)}, hub{seen: map[string]bool{}})
	wantAlternatives(t, "equal values at two addresses", 1, &one, &alsoOne)
	wantAlternatives(t, "capacity", 1, hub{Left: []string{"a"}}, hub{Left: append(make([]string, 0, 9), "a")})
}

// Two agents whose states hold a set of names each.
func TestAgentsDoNotBlurIntoEachOther(t *testing.T) {
	adds := scripted[map[string]bool, ticket]{actions: action("add", func(s map[string]bool) (map[string]bool, []model.Message[ticket], bool) {
		return map[string]bool{"t": true}, nil, len(s) == 0
	})}
	wantSize(t, systemOf(model.Of(adds), model.Of(adds)), size{States: 4, Transitions: 4, Depth: 2, Terminal: 1})
}

// Messages are told apart as states are, also by who sent them and to whom.
func TestMessagesThatDiffer(t *testing.T) {
	one := 1
	bodies := []any{nil, 1, int64(1), "1", []string{"a", "b"}, []string{"ab"}, &one, ticket{1}, []string{}, []string(nil)}
	talks := scripted[bool, any]{fresh: func(self model.ID, _ int) (bool, []model.Message[any]) {
		var sent []model.Message[any]
		for _, body := range bodies {
			sent = append(sent, model.Message[any]{From: 9, To: 1, Body: body}, model.Message[any]{To: 2, Body: body})
		}
		return false, sent
	}}
	sys := systemOf(model.Of(talks), model.Of(talks))
	sys.Network = model.Set
	// The last two bodies are one; each of the others is in flight four ways.
	wantSize(t, sys, size{States: 1, Transitions: 4 * 9, Depth: 0})
}
