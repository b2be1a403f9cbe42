package call_test

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/caulk-go/caulk/internal/call"
	"github.com/caulk-go/caulk/model"
)

// watched is a caller of a system of two clerks that an observer watches, and
// the first clerk as it begins.
func watched[O any](t *testing.T, start O, see func(O, model.Event) O) (*call.Caller, call.Outcome) {
	t.Helper()
	node := model.Of(clerk(nil))
	c := caller(t, model.System{Agents: []model.Node{node, node}, Observer: model.Observe(start, see)}, 200*time.Millisecond)
	return c, begin(t, c)
}

func memory(t *testing.T, c *call.Caller) string {
	t.Helper()
	m, err := c.ObserverStart()
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// texts are the notes on a desk.
func texts(state any) string {
	if state == nil {
		return "none"
	}
	var all []string
	for _, n := range state.(desk).Notes {
		all = append(all, n.Text)
	}
	return fmt.Sprint(all)
}

func TestWhatObserversSee(t *testing.T) {
	c, o := watched(t, "", func(past string, e model.Event) string {
		body := ""
		if e.Move.Body != nil {
			body = " of " + e.Move.Body.(note).Text
		}
		for _, m := range e.Sent {
			body += fmt.Sprintf(", sends %s from %d to %d", m.Body.(note).Text, m.From, m.To)
		}
		return fmt.Sprintf("%s%s %d->%d, agent %d: %s to %s%s;", past, e.Move.Name(), e.Move.From, e.Move.To, e.Agent, texts(e.Before), texts(e.After), body)
	})
	message := call.Envelope{From: 2, To: 1, Body: o.Sent[0].Body}
	m := memory(t, c)
	for _, step := range []struct {
		event call.Event
		want  string
	}{
		{call.Event{Kind: model.Beginning, Agent: 1, After: o.Next, Sent: o.Sent},
			"begin 1->1, agent 1: none to [a], sends b from 1 to 1;"},
		{call.Event{Kind: model.Deliver, Agent: 1, Message: &message, Before: o.Next, After: o.Next},
			"deliver 2->1, agent 1: [a] to [a] of b;"},
		{call.Event{Kind: model.Act, Action: "tidy", Agent: 2, Before: o.Next, After: o.Next, Sent: o.Sent},
			"tidy 2->2, agent 2: [a] to [a], sends b from 1 to 1;"},
		{call.Event{Kind: model.Wipe, Agent: 2, Before: o.Next, After: o.Next}, "wipe 2->2, agent 2: [a] to [a];"},
		{call.Event{Kind: model.Drop, Agent: 1, Message: &message, Before: o.Next, After: o.Next},
			"drop 2->1, agent 1: [a] to [a] of b;"},
	} {
		next, err := c.Observe(m, step.event)
		if err != nil {
			t.Fatal(err)
		}
		past := c.Memory(m).(string)
		if got := c.Memory(next).(string); got != past+step.want {
			t.Errorf("it sees\n%s\nwant\n%s", strings.TrimPrefix(got, past), step.want)
		}
		m = next
	}
}

// An observer that names agents is not even asked about others.
func TestWhatObserversDoNotSee(t *testing.T) {
	node := model.Of(clerk(nil))
	sys := model.System{Agents: []model.Node{node, node}}
	sys.Observer = model.Observe(0, func(n int, e model.Event) int {
		if e.Agent != 2 {
			panic("it is told of another agent")
		}
		return n + 1
	}, 2)
	c := caller(t, sys, 200*time.Millisecond)
	o, m := begin(t, c), memory(t, c)
	for _, agent := range []model.ID{1, 2, 1, 2} {
		var err error
		if m, err = c.Observe(m, call.Event{Kind: model.Wipe, Agent: agent, Before: o.Next, After: o.Next}); err != nil {
			t.Fatal(err)
		}
	}
	if got := c.Memory(m).(int); got != 2 {
		t.Errorf("it saw %d moves, not 2", got)
	}

	sys.Observer = model.Observe(0, func(n int, _ model.Event) int { return n }, 1, 3)
	if err := sys.Check(); err == nil || err.Error() != "the observer cannot see agent 3: the agents are 1 to 2" {
		t.Errorf("an observer of an agent that is not there: %v", err)
	}
}

func TestObserversAreGivenCopies(t *testing.T) {
	c, o := watched(t, []int{1}, func(past []int, e model.Event) []int {
		next := slices.Concat(past, []int{len(e.Before.(desk).Notes), len(e.Sent)})
		e.Before.(desk).Notes[0].Text = "spoilt"
		e.After.(desk).Index["a"] = 2
		e.Sent[0].Body.(note).Lines[0] = 9
		e.Move.Body.(note).Next.Text = "spoilt"
		return next
	})
	m := memory(t, c)
	c.Memory(m).([]int)[0] = 7
	next, err := c.Observe(m, call.Event{Kind: model.Deliver, Agent: 1, Message: &o.Sent[0], Before: o.Next, After: o.Next, Sent: o.Sent})
	if err != nil {
		t.Fatal(err)
	}
	if got := c.Memory(next).([]int); !slices.Equal(got, []int{1, 1, 1}) {
		t.Errorf("it remembers %v", got)
	}
	if !c.SameMemory(m, []int{1}) || c.SameMemory(m, []int{7}) || c.SameMemory(next, []int{1}) {
		t.Error("a memory is not what it is, or another is taken for it")
	}
}

func TestObserversThatMisbehave(t *testing.T) {
	block := make(chan struct{})
	t.Cleanup(func() { close(block) })
	calls := 0
	const site = `the observer in state []any{1} given deliver of note{Text: "b", Lines: [3], Index: map["b": 2], Next: &{Text: "c", Lines: [], Index: map[], Next: nil}} from 1 to 1 `
	for _, c := range []struct {
		name string
		see  func(past []any, e model.Event) []any
		is   func(error) bool
		want string
	}{
		{"it panics", func([]any, model.Event) []any { panic("cannot see") }, is[*call.PanicError], "panics: cannot see"},
		{"it never returns", func([]any, model.Event) []any { <-block; return nil }, is[*call.TimeoutError], "did not return within 200ms"},
		{"it changes its state", func(past []any, _ model.Event) []any { past[0] = 2; return nil }, is[*call.ImpureError], "is not pure: " + strings.TrimSuffix(state, "\n")},
		{"it answers differently", func([]any, model.Event) []any { calls++; return []any{calls} }, is[*call.ImpureError], "is not pure: " + strings.TrimSuffix(again, "\n")},
		{"it remembers what is not plain", func([]any, model.Event) []any { return []any{make(chan int)} }, is[*call.ValueError], "gives what cannot be used: the next state: []any[0].(chan int) is a channel"},
	} {
		t.Run(c.name, func(t *testing.T) {
			w, o := watched(t, []any{1}, c.see)
			_, err := w.Observe(memory(t, w), call.Event{Kind: model.Deliver, Agent: 1, Message: &o.Sent[0], Before: o.Next, After: o.Next})
			if err == nil {
				t.Fatal("there is no error")
			}
			if first, _, _ := strings.Cut(err.Error(), "\n"); !c.is(err) || !strings.HasPrefix(first, site+c.want) {
				t.Errorf("the error is a %T:\n%s\nwant\n%s", err, first, site+c.want)
			}
		})
	}
}

func TestObserversThatCannotBegin(t *testing.T) {
	see := func(past any, _ model.Event) any { return past }
	w, _ := watched(t, any(make(chan int)), see)
	if _, err := w.ObserverStart(); !is[*call.ValueError](err) || !strings.HasPrefix(err.Error(), "the observer gives what cannot be used: its first state: any.(chan int) is a channel") {
		t.Errorf("the error is %v", err)
	}

	sys := model.System{Agents: []model.Node{model.Of(nameless{})}, Observer: model.Observe(nil, func(past chan int, _ model.Event) chan int { return past })}
	if _, err := call.New(&sys, 0); err == nil || !strings.HasPrefix(err.Error(), "the state of the observer: ") {
		t.Errorf("the error is %v", err)
	}
}

func is[E error](err error) bool {
	var e E
	return errors.As(err, &e)
}
