package call_test

import (
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/caulk-go/caulk/internal/call"
	"github.com/caulk-go/caulk/internal/canonical"
	"github.com/caulk-go/caulk/model"
)

func TestNewRefusesTypesThatAreNotPlain(t *testing.T) {
	type open struct{ Inner struct{ done chan int } }
	for _, c := range []struct {
		name string
		sys  model.System
		want string
	}{
		{"a state", model.System{Agents: []model.Node{model.Of(agent[int, note]{}), model.Of(agent[open, note]{})}},
			"the state of agent 2: open.Inner.done is a channel, and a channel cannot be part of a state or a message: keep plain values only (structs, slices, maps, pointers to values)"},
		{"a message", model.System{Agents: []model.Node{model.Of(agent[int, []func()]{})}},
			"the messages: []func[] is a function, and a function cannot be part of a state or a message: keep plain values only (structs, slices, maps, pointers to values)"},
		{"a bad system", model.System{}, "a system needs at least one agent"},
	} {
		_, err := call.New(&c.sys, 0)
		if err == nil || err.Error() != c.want {
			t.Errorf("%s: the error is\n%v\nwant\n%s", c.name, err, c.want)
		}
	}
}

// What no type shows is refused when it is met.
func TestValuesThatAreNotPlain(t *testing.T) {
	first := func(self model.ID, _ []model.ID, _ int) (any, []model.Message[any]) {
		return nil, []model.Message[any]{{To: 1, Body: "go"}}
	}
	cyclic := []any{nil}
	cyclic[0] = cyclic
	for _, c := range []struct {
		name  string
		state any
		body  any
		want  string
	}{
		{"a channel in the state", make(chan int), 1, "the next state: any.(chan int) is a channel"},
		{"a function in a message", 1, func() {}, "a message to 2: any.(func) is a function"},
		{"a state that contains itself", cyclic, 1, "the next state: any.([]any)[0].([]any) leads back to a value that contains it"},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, err := delivers(t, alone(t, agent[any, any]{fresh: first, receive: func(any, model.Message[any]) (any, []model.Message[any]) {
				return c.state, []model.Message[any]{{To: 2, Body: c.body}}
			}}))
			var e *call.ValueError
			var reason *canonical.NotPlainError
			if !errors.As(err, &e) || !errors.As(err, &reason) {
				t.Fatalf("the error is a %T: %v", err, err)
			}
			want := `Receive of agent 1 in state nil given "go" from 1 gives what cannot be used: ` + c.want
			if !strings.HasPrefix(err.Error(), want) || strings.Contains(err.Error(), "\n") {
				t.Errorf("the error is\n%s\nwant, in one line\n%s", err, want)
			}
		})
	}
}

// sends is an agent that sends what it is told.
func sends(to ...model.ID) agent[int, note] {
	return agent[int, note]{fresh: func(model.ID, []model.ID, int) (int, sent) {
		var messages sent
		for _, id := range to {
			messages = append(messages, model.Message[note]{From: 7, To: id, Body: note{Text: fmt.Sprint(id)}})
		}
		return 0, messages
	}}
}

func TestMessagesToNobody(t *testing.T) {
	for _, id := range []model.ID{0, -3} {
		_, err := alone(t, sends(1, id)).Begin(0, 2)
		wantError[*call.ValueError](t, err, fmt.Sprintf(`Fresh of agent 2 gives what cannot be used: it sends note{Text: "%d", Lines: [], Index: map[], Next: nil} to %d: set To to the receiver's ID`, id, id))
	}
	_, err := alone(t, sends(1, 99)).Begin(0, 2)
	wantError[*call.ValueError](t, err, `Fresh of agent 2 gives what cannot be used: it sends note{Text: "99", Lines: [], Index: map[], Next: nil} to 99: the agents are 1 to 2`)
}

// Who sends cannot say that he is somebody else.
func TestMessagesFromOthers(t *testing.T) {
	c := alone(t, sends(2, 2, 1))
	o, err := c.Begin(0, 2)
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, e := range o.Sent {
		got = append(got, fmt.Sprintf("%d->%d %s", e.From, e.To, c.Body(e.Body).(note).Text))
	}
	if want := []string{"2->2 2", "2->2 2", "2->1 1"}; !slices.Equal(got, want) {
		t.Errorf("sent is %v, want %v", got, want)
	}
}

// A handler is given copies: slices without spare room, empty ones nil, maps
// that are not nil, whatever was returned; and so is whoever decodes.
func TestCopiesArePrivateAndUniform(t *testing.T) {
	type both struct {
		Full, Empty []int
		Map         map[string]int
		Pointer     *[]int
	}
	var seen []both
	look := agent[both, both]{
		fresh: func(model.ID, []model.ID, int) (both, []model.Message[both]) {
			v := both{Full: append(make([]int, 0, 9), 1), Empty: make([]int, 0, 9), Pointer: &[]int{}}
			return v, []model.Message[both]{{To: 1, Body: v}}
		},
		receive: func(s both, m model.Message[both]) (both, []model.Message[both]) {
			seen = append(seen, s, m.Body)
			return s, nil
		},
		actions: []model.Action[both, both]{{Name: "look", Do: func(s both) (both, []model.Message[both], bool) {
			seen = append(seen, s)
			return s, nil, true
		}}},
		halted: func(s both) bool { seen = append(seen, s); return false },
		label:  func(s both) string { seen = append(seen, s); return "" },
	}
	c := alone(t, look)
	o := begin(t, c)
	got, err := c.Outcomes(model.Deliver, 1, o.Next, &o.Sent[0])
	if err != nil || len(got) != 1 || got[0].Next != o.Next {
		t.Errorf("an agent that leaves all as it is has %d outcomes, err is %v", len(got), err)
	}
	if _, err := c.Outcomes(model.Act, 1, o.Next, nil); err != nil {
		t.Error(err)
	}
	if _, err := c.Traits(1, o.Next); err != nil {
		t.Error(err)
	}
	seen = append(seen, c.Local(1, o.Next).State.(both), c.Body(o.Sent[0].Body).(both))
	if len(seen) != 2*2+2+2+2 {
		t.Fatalf("%d values were seen", len(seen))
	}
	arrays := map[*int]bool{}
	for i, v := range seen {
		if cap(v.Full) != 1 || v.Empty != nil || v.Map == nil || v.Pointer == nil || *v.Pointer != nil {
			t.Errorf("value %d is %#v with capacity %d", i, v, cap(v.Full))
		}
		arrays[&v.Full[0]] = true
	}
	// Label and Halted are asked about one copy.
	if len(arrays) != len(seen)-1 {
		t.Errorf("%d of %d values share an array", len(seen)-len(arrays), len(seen))
	}
}

// Start is a handler as others are: it is given a copy of what Fresh made,
// made uniform.
func TestStartIsGivenACopy(t *testing.T) {
	type box struct{ Map map[string]int }
	shared := box{Map: map[string]int{}}
	starts := agent[box, note]{
		fresh: func(self model.ID, _ []model.ID, _ int) (box, sent) {
			if self == 2 {
				return box{}, nil // which arrives as an empty map
			}
			return shared, nil
		},
		start: func(s box, value string) (box, sent) { s.Map[value] = 1; return s, nil },
	}
	node := model.Of(starts)
	for _, id := range []model.ID{1, 2} {
		c := caller(t, model.System{Agents: []model.Node{node, node}, Starts: map[model.ID]string{id: "x"}}, 0)
		_, err := c.Begin(0, id)
		wantError[*call.ImpureError](t, err, fmt.Sprintf("Start of agent %d in state box{Map: map[]} is not pure: it changes the state that it is given\n    Map[\"x\"]: nothing → 1\n"+advice, id))
	}
	if len(shared.Map) != 0 {
		t.Errorf("what Fresh gave was changed: %v", shared.Map)
	}
}

func TestBegin(t *testing.T) {
	starts := agent[string, note]{
		fresh: func(self model.ID, population []model.ID, incarnation int) (string, sent) {
			return fmt.Sprint(self, population, incarnation), sent{{To: 2, Body: note{Text: "fresh"}}}
		},
		start: func(s, value string) (string, sent) {
			return s + " " + value, sent{{To: 1, Body: note{Text: "start"}}}
		},
	}
	node := model.Of(starts)
	c := caller(t, model.System{Agents: []model.Node{node, node}, Starts: map[model.ID]string{2: "x"}}, 0)
	for id, want := range map[model.ID]string{1: "1 [1 2] 0 fresh", 2: "2 [1 2] 0 x fresh start"} {
		o, err := c.Begin(0, id)
		if err != nil {
			t.Fatal(err)
		}
		got := c.Local(id, o.Next).State.(string)
		for _, e := range o.Sent {
			got += " " + c.Body(e.Body).(note).Text
			if e.From != id {
				t.Errorf("agent %d sends as %d", id, e.From)
			}
		}
		if got != want || !reflect.DeepEqual(o.Move, model.Move{}) {
			t.Errorf("agent %d begins with %q by %+v, want %q", id, got, o.Move, want)
		}
	}
}
