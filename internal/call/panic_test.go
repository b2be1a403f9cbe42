package call_test

import (
	"errors"
	"fmt"
	"os"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/caulk-go/caulk/internal/call"
	"github.com/caulk-go/caulk/model"
)

// deeper is a frame of the user's between the handler and the panic.
func deeper(f func()) { f() }

// thrown is a value that prints by a method.
type thrown struct{ code int }

func (t thrown) Error() string { return fmt.Sprintf("code %d", t.code) }

func TestPanicsSayWithWhatAndWhere(t *testing.T) {
	var none map[string]int
	var nobody *desk
	for _, c := range []struct {
		name, value string
		do          func()
	}{
		{"a string", "cannot", func() { panic("cannot") }},
		{"an error", "code 7", func() { panic(thrown{7}) }},
		{"a wrapped error", "close: file already closed", func() { panic(fmt.Errorf("close: %w", os.ErrClosed)) }},
		{"nil", "panic called with nil argument", func() { panic(nil) }},
		{"a write to a nil map", "assignment to entry in nil map", func() { none["a"] = 1 }},
		{"an index out of range", "runtime error: index out of range [3] with length 0", func() { _ = []int{}[min(3, len(os.Args)+3)] }},
		{"a nil pointer", "runtime error: invalid memory address or nil pointer dereference", func() { nobody.Top = nil }},
		{"a wrong type", "interface conversion: interface {} is int, not string", func() { _ = any(1).(string) }},
		{"a division by zero", "runtime error: integer divide by zero", func() { _ = 1 / len(none) }},
		{"runtime.Goexit", "runtime.Goexit was called", runtime.Goexit},
	} {
		for _, watched := range []bool{false, true} {
			t.Run(fmt.Sprintf("%s, watched %t", c.name, watched), func(t *testing.T) {
				caller := alone(t, clerk(func(s desk, _ model.Message[note]) (desk, sent) {
					deeper(c.do)
					return s, nil
				}))
				o := begin(t, caller)
				deliver := func() error {
					_, err := caller.Outcomes(model.Deliver, 1, o.Next, &o.Sent[0])
					return err
				}
				var err error
				if watched {
					err = caller.Watched(deliver)
				} else {
					err = deliver()
				}
				var p *call.PanicError
				if !errors.As(err, &p) {
					t.Fatalf("the error is a %T: %v", err, err)
				}
				if p.Value != c.value {
					t.Errorf("it panics with %q, not with %q", p.Value, c.value)
				}
				first, stack, _ := strings.Cut(err.Error(), "\n")
				if want := strings.TrimSuffix(given, "is not pure: ") + "panics: " + c.value; first != want {
					t.Errorf("the error begins\n%s\nwant\n%s", first, want)
				}
				if stack != p.Stack {
					t.Errorf("below its first line the error says\n%s\nnot the stack\n%s", stack, p.Stack)
				}
				checkStack(t, p.Stack, c.name != "runtime.Goexit")
			})
		}
	}
}

// checkStack wants the frames of this file and no other, one a line, innermost
// first: what was done, deeper, the handler, and the agent's method.
func checkStack(t *testing.T, stack string, inClosure bool) {
	t.Helper()
	frame := regexp.MustCompile(`^    (github\.com/caulk-go/caulk/internal/call_test\.\S+) \(call/(panic|agents)_test\.go:\d+\)$`)
	var functions []string
	for line := range strings.Lines(stack) {
		m := frame.FindStringSubmatch(strings.TrimSuffix(line, "\n"))
		if m == nil {
			t.Errorf("the stack has the line %q", line)
			continue
		}
		functions = append(functions, m[1])
	}
	want := []string{"call_test.TestPanicsSayWithWhatAndWhere.", "call_test.deeper", "call_test.TestPanicsSayWithWhatAndWhere.", "call_test.agent[...].Receive"}
	if !inClosure {
		want = want[1:]
	}
	if !slices.EqualFunc(functions, want, strings.Contains) {
		t.Errorf("the stack is\n%s\nwant frames of %v", stack, want)
	}
}

func TestPanicsInOtherHandlers(t *testing.T) {
	boom := func(s int) int {
		if s == 0 {
			panic("boom")
		}
		return s
	}
	loud := agent[int, note]{
		actions: []model.Action[int, note]{{Name: "act", Do: func(s int) (int, sent, bool) { return boom(s), nil, true }}},
		label:   func(s int) string { return fmt.Sprint(boom(s)) },
	}
	c := alone(t, loud)
	local := begin(t, c).Next
	_, acts := c.Outcomes(model.Act, 1, local, nil)
	_, traits := c.Traits(1, local)
	_, begins := alone(t, agent[int, note]{fresh: func(model.ID, []model.ID, int) (int, sent) { return boom(0), nil }}).Begin(0, 2)
	starts := model.System{Agents: []model.Node{model.Of(agent[int, note]{start: func(s int, _ string) (int, sent) { return boom(s), nil }})}, Starts: map[model.ID]string{1: "x"}}
	_, started := caller(t, starts, 0).Begin(0, 1)
	for _, c := range []struct {
		err  error
		want string
	}{
		{acts, "an own action of agent 1 in state 0 panics: boom"},
		{traits, "Label or Halted of agent 1 in state 0 panics: boom"},
		{begins, "Fresh of agent 2 panics: boom"},
		{started, "Start of agent 1 in state 0 panics: boom"},
	} {
		var p *call.PanicError
		if !errors.As(c.err, &p) {
			t.Errorf("the error is a %T: %v", c.err, c.err)
			continue
		}
		if first, _, _ := strings.Cut(c.err.Error(), "\n"); first != c.want {
			t.Errorf("the error begins %q, want %q", first, c.want)
		}
		if !strings.Contains(p.Stack, "call_test.TestPanicsInOtherHandlers.func1") {
			t.Errorf("%s: the stack is\n%s", c.want, p.Stack)
		}
	}
}

// A handler that does not return is left alone after the limit; who calls goes
// on.
func TestHandlersThatNeverReturn(t *testing.T) {
	block, calls := make(chan struct{}), make(chan struct{}, 9)
	t.Cleanup(func() { close(block) })
	stuck := clerk(func(s desk, m model.Message[note]) (desk, sent) {
		calls <- struct{}{}
		<-block
		return s, nil
	})
	sys := model.System{Agents: []model.Node{model.Of(stuck), model.Of(stuck)}}
	c := caller(t, sys, 10*time.Millisecond)
	_, err := delivers(t, c)
	e := wantError[*call.TimeoutError](t, err, strings.TrimSuffix(given, " is not pure: ")+" did not return within 10ms")
	if e.Limit != 10*time.Millisecond {
		t.Errorf("the limit is %s", e.Limit)
	}
	if n := len(calls); n != 1 {
		t.Errorf("the handler was called %d times", n)
	}
	if _, err := c.Begin(0, 2); err != nil {
		t.Errorf("after it, %v", err)
	}
}

// The second of the two calls counts as well, and so do those for traits.
func TestEveryCallHasALimit(t *testing.T) {
	block := make(chan struct{})
	t.Cleanup(func() { close(block) })
	var calls atomic.Int32
	stuck := agent[int, note]{
		fresh: func(model.ID, []model.ID, int) (int, sent) {
			if calls.Add(1) == 2 {
				<-block
			}
			return 0, nil
		},
		halted: func(int) bool { <-block; return false },
	}
	c := caller(t, model.System{Agents: []model.Node{model.Of(stuck)}}, 200*time.Millisecond)
	_, err := c.Begin(0, 1)
	wantError[*call.TimeoutError](t, err, "Fresh of agent 1 did not return within 200ms")
	local := begin(t, c).Next
	_, err = c.Traits(1, local)
	wantError[*call.TimeoutError](t, err, "Label or Halted of agent 1 in state 0 did not return within 200ms")
	if c.Halted(1, local) {
		t.Error("an agent that does not say whether it is halted is")
	}
}
