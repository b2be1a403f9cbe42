package explorer_test

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/caulk-go/caulk/explorer"
	"github.com/caulk-go/caulk/internal/call"
	"github.com/caulk-go/caulk/model"
)

// shelf is a state with much that can be changed behind one's back.
type shelf struct {
	Items []int
	Index map[string]int
	Top   *int
}

// misdeed sends agent 1 the tickets 1 to 3, of which the last makes it do
// something that it must not.
func misdeed(deed func(s shelf) (shelf, []model.Message[ticket])) model.System {
	culprit := scripted[shelf, ticket]{
		fresh: func(model.ID, int) (shelf, []model.Message[ticket]) {
			return shelf{Items: []int{7}, Index: map[string]int{"a": 1}, Top: new(5)}, nil
		},
		receive: func(s shelf, m model.Message[ticket]) (shelf, []model.Message[ticket]) {
			if m.Body.N == 3 {
				return deed(s)
			}
			return s, nil
		},
	}
	sender := scripted[int, ticket]{actions: action("send", func(s int) (int, []model.Message[ticket], bool) {
		return s + 1, send(1, ticket{s + 1}), s < 3
	})}
	return systemOf(model.Of(culprit), model.Of(sender))
}

const toTheMisdeed = "\nIt happens on this path:\n   1  send 2\n   2  send 2\n   3  send 2\n   4  {ticket;2->1;N=3}"

const keepPure = "\nWork on copies (slices.Clone, maps.Clone), and keep clocks, chance and package variables out of handlers."

func TestImpureHandlers(t *testing.T) {
	given := `Receive of agent 1 in state shelf{Items: [7], Index: map["a": 1], Top: &5} given ticket{N: 3} from 2 is not pure: `
	calls := 0
	for _, c := range []struct {
		name string
		deed func(s shelf) (shelf, []model.Message[ticket])
		want string
	}{
		{"slice", func(s shelf) (shelf, []model.Message[ticket]) { s.Items[0] = 9; return s, nil },
			"it changes the state that it is given\n    Items[0]: 7 → 9"},
		{"map", func(s shelf) (shelf, []model.Message[ticket]) { s.Index["b"] = 2; return s, nil },
			"it changes the state that it is given\n    Index[\"b\"]: nothing → 2"},
		{"pointer", func(s shelf) (shelf, []model.Message[ticket]) { *s.Top = 6; return shelf{}, nil },
			"it changes the state that it is given\n    Top: 5 → 6"},
		{"another answer", func(s shelf) (shelf, []model.Message[ticket]) {
			calls++
			return shelf{Items: []int{calls % 2}}, nil
		}, "it answers differently when it is called again\n    Items[0]: 1 → 0"},
	} {
		t.Run(c.name, func(t *testing.T) {
			for _, o := range searches() {
				err := exploreFails(t, misdeed(c.deed), o)
				var e *explorer.HandlerError
				if !errors.As(err, &e) || !isError[*call.ImpureError](err) {
					t.Fatalf("%s: the error is a %T: %v", o.Search, err, err)
				}
				want := given + c.want + keepPure
				if text, _, _ := strings.Cut(err.Error(), "\nIt happens"); text != want {
					t.Errorf("%s: the error is\n%s\nwant\n%s", o.Search, text, want)
				}
				if o.Search == explorer.BFS && !strings.HasSuffix(err.Error(), toTheMisdeed) {
					t.Errorf("the error ends in another path:\n%s", err)
				}
				if last := e.Path[len(e.Path)-1]; last.Label != "{ticket;2->1;N=3}" || last.Body != "ticket{N: 3}" {
					t.Errorf("%s: the path ends in %+v", o.Search, last)
				}
			}
		})
	}
}

func isError[E error](err error) bool {
	var e E
	return errors.As(err, &e)
}

// A handler that panics is a violation, with the path to it.
func TestPanickingHandlers(t *testing.T) {
	sys := misdeed(func(s shelf) (shelf, []model.Message[ticket]) {
		var none map[string]int
		none["b"] = 1 //lint:ignore SA5000 the panic is what is tested
		return s, nil
	})
	for _, o := range searches() {
		r := explore(t, sys, o)
		v := r.Violation
		if r.Verdict != explorer.Violated || r.Complete || v == nil || v.Property != "no panic" {
			t.Fatalf("%s: %s, complete is %t, violation %+v", o.Search, r.Verdict, r.Complete, v)
		}
		first, rest, _ := strings.Cut(v.Reason, "\n")
		if want := `Receive of agent 1 in state shelf{Items: [7], Index: map["a": 1], Top: &5} given ticket{N: 3} from 2 panics: assignment to entry in nil map`; first != want {
			t.Errorf("%s: the reason begins\n%s\nwant\n%s", o.Search, first, want)
		}
		if !strings.Contains(rest, "TestPanickingHandlers") || strings.Contains(rest, "caulk/model.") {
			t.Errorf("%s: the stack is\n%s", o.Search, rest)
		}
		last := v.Path[len(v.Path)-1]
		if v.Moves != len(v.Path) || last.Label != "{ticket;2->1;N=3}" || last.State != "" {
			t.Errorf("%s: %d moves, the path ends in %+v", o.Search, v.Moves, last)
		}
		if want := []string{"send 2", "send 2", "send 2", "{ticket;2->1;N=3}"}; o.Search == explorer.BFS && !slices.Equal(pathLabels(v), want) {
			t.Errorf("the path is %v, want %v", pathLabels(v), want)
		}
	}
}

// wherever are agents that panic elsewhere than in Receive.
func wherever() map[string]model.System {
	counts := scripted[int, ticket]{actions: countTo[ticket](9)}
	boomAt := func(n int) func(int) {
		return func(s int) {
			if s == n {
				panic("boom")
			}
		}
	}
	at2 := boomAt(2)
	inHalted, inAction, inFresh, inStart := counts, counts, counts, counts
	inHalted.halted = func(s int) bool { at2(s); return false }
	inAction.actions = action("count", func(s int) (int, []model.Message[ticket], bool) { at2(s); return s + 1, nil, true })
	inFresh.fresh = func(model.ID, int) (int, []model.Message[ticket]) { panic("boom") }
	inStart.start = func(int, string) (int, []model.Message[ticket]) { panic("boom") }
	started := systemOf(model.Of(inStart))
	started.Starts = map[model.ID]string{1: "x"}
	inWipe := counts
	inWipe.fresh = func(_ model.ID, incarnation int) (int, []model.Message[ticket]) {
		boomAt(1)(incarnation)
		return 0, nil
	}
	wiped := systemOf(model.Of(incarnated[int, ticket]{inWipe}))
	wiped.Wipe = []model.ID{1}
	return map[string]model.System{
		"Label":     systemOf(model.Of(labelled[int, ticket]{counts, func(s int) string { at2(s); return "L" }})),
		"Halted":    systemOf(model.Of(inHalted)),
		"an action": systemOf(model.Of(inAction)),
		"Fresh":     systemOf(model.Of(inFresh)),
		"Start":     started,
		"a wipe":    wiped,
		"Detail": systemOf(model.Of(scripted[int, loud]{actions: action("shout", func(s int) (int, []model.Message[loud], bool) {
			return s + 1, send(1, loud{s}), s < 9
		})})),
	}
}

// loud is a message whose detail panics when it is the second.
type loud struct{ N int }

func (l loud) Detail() string {
	if l.N == 1 {
		panic("boom")
	}
	return ""
}

func TestPanicsWherever(t *testing.T) {
	want := map[string]struct {
		reason string
		path   []string
	}{
		"Label":     {"Label or Halted of agent 1 in state 2 panics: boom", []string{"count 1", "count 1"}},
		"Halted":    {"Label or Halted of agent 1 in state 2 panics: boom", []string{"count 1", "count 1"}},
		"an action": {"an own action of agent 1 in state 2 panics: boom", []string{"count 1", "count 1", "act 1"}},
		"Fresh":     {"Fresh of agent 1 panics: boom", nil},
		"Start":     {"Start of agent 1 in state 0 panics: boom", nil},
		"a wipe":    {"Fresh of agent 1 in state 0 panics: boom", []string{"Wipe 1"}},
		"Detail":    {"Kind or Detail of a message of agent 1 given loud{N: 1} panics: boom", []string{"shout 1", "shout 1"}},
	}
	for _, name := range slices.Sorted(maps.Keys(want)) {
		t.Run(name, func(t *testing.T) {
			for _, search := range []explorer.Search{explorer.BFS, explorer.DFS} {
				r := explore(t, wherever()[name], explorer.Options{Search: search})
				v := r.Violation
				if r.Verdict != explorer.Violated || r.Complete || v == nil || v.Property != "no panic" {
					t.Fatalf("%s: %s, complete is %t, violation %+v", search, r.Verdict, r.Complete, v)
				}
				if first, _, _ := strings.Cut(v.Reason, "\n"); first != want[name].reason {
					t.Errorf("%s: the reason begins\n%s\nwant\n%s", search, first, want[name].reason)
				}
				got := pathLabels(v)
				for i, label := range got { // which of its actions panics is not known
					got[i] = strings.Replace(label, "act 1", want[name].path[i], 1)
				}
				if search == explorer.BFS && !slices.Equal(got, want[name].path) || v.Moves != len(v.Path) {
					t.Errorf("%s: %d moves on the path %v, want %v", search, v.Moves, pathLabels(v), want[name].path)
				}
			}
		})
	}
}

// A violation that needs fewer moves than the panic is told in its place.
func TestPanicAfterAViolation(t *testing.T) {
	sys := wherever()["an action"]
	sys.Properties = []model.Property{model.Always("low", func(v model.View) error {
		if model.StateOf[int](v, 1) == 1 {
			return errors.New("at 1")
		}
		return nil
	})}
	r := explore(t, sys, explorer.Options{KeepGoing: true})
	if r.Violation.Property != "low" || r.States != 2 {
		t.Errorf("violated is %q after %d states", r.Violation.Property, r.States)
	}
}

func TestHandlersThatNeverReturn(t *testing.T) {
	block := make(chan struct{})
	t.Cleanup(func() { close(block) })
	sys := misdeed(func(s shelf) (shelf, []model.Message[ticket]) { <-block; return s, nil })
	for _, o := range searches() {
		o.HandlerTime = 20 * time.Millisecond
		err := exploreFails(t, sys, o)
		if !isError[*explorer.HandlerError](err) || !isError[*call.TimeoutError](err) {
			t.Fatalf("%s: the error is a %T: %v", o.Search, err, err)
		}
		want := `Receive of agent 1 in state shelf{Items: [7], Index: map["a": 1], Top: &5} given ticket{N: 3} from 2 did not return within 20ms`
		if o.Search == explorer.BFS {
			want += toTheMisdeed
		}
		if !strings.HasPrefix(err.Error(), want) {
			t.Errorf("%s: the error is\n%s\nwant\n%s", o.Search, err, want)
		}
	}
}

// secret has room for what is not plain: seen at once, or when it is met.
type (
	openly   struct{ Inner struct{ Done chan int } }
	secretly struct{ Any any }
)

func TestValuesThatAreNotPlain(t *testing.T) {
	err := exploreFails(t, systemOf(model.Of(scripted[openly, ticket]{})), explorer.Options{})
	if want := "the state of agent 1: openly.Inner.Done is a channel, and a channel cannot be part of a state or a message: keep plain values only (structs, slices, maps, pointers to values)"; err.Error() != want {
		t.Errorf("the error is\n%s\nwant\n%s", err, want)
	}
	err = exploreFails(t, systemOf(model.Of(scripted[int, openly]{})), explorer.Options{})
	if want := "the messages: openly.Inner.Done is a channel"; !strings.HasPrefix(err.Error(), want) {
		t.Errorf("the error is\n%s\nwant\n%s", err, want)
	}

	acts := scripted[secretly, ticket]{actions: action("hide", func(s secretly) (secretly, []model.Message[ticket], bool) {
		return secretly{make(chan int)}, nil, true
	})}
	for _, o := range searches() {
		err = exploreFails(t, systemOf(model.Of(acts)), o)
		want := "an own action of agent 1 in state secretly{Any: nil} gives what cannot be used: the next state: secretly.Any.(chan int) is a channel"
		if !isError[*explorer.HandlerError](err) || !isError[*call.ValueError](err) || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("%s: the error is a %T:\n%s\nwant\n%s", o.Search, err, err, want)
		}
		if !strings.HasSuffix(err.Error(), "\nIt happens on this path:\n   1  act 1") {
			t.Errorf("%s: the error ends in another path:\n%s", o.Search, err)
		}
	}
}

// reads is a system of one shelf and a property that reads it.
func reads(check func(s shelf) error) model.System {
	grows := scripted[shelf, ticket]{
		fresh: func(model.ID, int) (shelf, []model.Message[ticket]) { return shelf{}, nil },
		actions: action("grow", func(s shelf) (shelf, []model.Message[ticket], bool) {
			return shelf{Items: append(s.Items, len(s.Items))}, nil, len(s.Items) < 3
		}),
	}
	sys := systemOf(model.Of(grows))
	sys.Properties = []model.Property{model.Always("fine", func(v model.View) error { return check(model.StateOf[shelf](v, 1)) })}
	return sys
}

func TestPropertiesThatModifyWhatTheyRead(t *testing.T) {
	for _, o := range searches() {
		err := exploreFails(t, reads(func(s shelf) error {
			if len(s.Items) > 1 {
				s.Items[0] = 9
			}
			return nil
		}), o)
		want := "a property that reads the state of agent 1 in state shelf{Items: [0, 1], Index: map[], Top: nil} is not pure: it changes the state that it reads\n    Items[0]: 0 → 9" + keepPure
		if !isError[*call.ImpureError](err) || err.Error() != want {
			t.Errorf("%s: the error is\n%s\nwant\n%s", o.Search, err, want)
		}
	}
}

func TestPropertiesThatPanic(t *testing.T) {
	for _, o := range searches() {
		r := explore(t, reads(func(s shelf) error {
			return fmt.Errorf("%d", s.Items[5-2*len(s.Items)]) // in range with two or more
		}), o)
		v := r.Violation
		if r.Verdict != explorer.Violated || v == nil || v.Property != "fine" || v.Moves != 0 {
			t.Fatalf("%s: %s, violation %+v", o.Search, r.Verdict, v)
		}
		if want := "the property panics: runtime error: index out of range [5] with length 0"; v.Reason != want {
			t.Errorf("%s: the reason is %q, want %q", o.Search, v.Reason, want)
		}
	}
}

// An ID that is not in the population is the property's mistake.
func TestPropertiesThatAskForWhoIsNotThere(t *testing.T) {
	for _, o := range searches() {
		sys := counters(1, 2)
		sys.Properties = []model.Property{model.Always("both", func(v model.View) error { v.State(2); return nil })}
		v := explore(t, sys, o).Violation
		if want := "the property panics: it asks for agent 2: the agents are 1 alone"; v == nil || v.Reason != want {
			t.Errorf("%s: the violation is %+v, want %q", o.Search, v, want)
		}
	}
}

func TestPropertiesThatNeverReturn(t *testing.T) {
	block := make(chan struct{})
	t.Cleanup(func() { close(block) })
	for _, o := range searches() {
		o.HandlerTime = 20 * time.Millisecond
		err := exploreFails(t, reads(func(s shelf) error {
			if len(s.Items) == 2 {
				<-block
			}
			return nil
		}), o)
		if want := "a property did not return within 20ms"; !isError[*call.TimeoutError](err) || err.Error() != want {
			t.Errorf("%s: the error is %q, want %q", o.Search, err, want)
		}
	}
}

// A system that fails its own check is refused in its words.
func TestBadSystems(t *testing.T) {
	sys := counters(2, 1)
	sys.Wipe = []model.ID{3}
	if err, want := exploreFails(t, sys, explorer.Options{}), "cannot wipe agent 3: the agents are 1 to 2"; err.Error() != want {
		t.Errorf("the error is %q, want %q", err, want)
	}
}
