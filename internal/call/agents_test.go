package call_test

import (
	"errors"
	"testing"
	"time"

	"github.com/caulk-go/caulk/internal/call"
	"github.com/caulk-go/caulk/model"
)

// agent is an agent made of functions. What is nil does nothing.
type agent[S, M any] struct {
	fresh   func(self model.ID, population []model.ID, incarnation int) (S, []model.Message[M])
	start   func(s S, value string) (S, []model.Message[M])
	receive func(s S, m model.Message[M]) (S, []model.Message[M])
	halted  func(s S) bool
	label   func(s S) string
	actions []model.Action[S, M]
}

func (a agent[S, M]) Fresh(self model.ID, population []model.ID, incarnation int) (s S, sent []model.Message[M]) {
	if a.fresh != nil {
		return a.fresh(self, population, incarnation)
	}
	return s, nil
}

func (a agent[S, M]) Start(s S, value string) (S, []model.Message[M]) {
	if a.start != nil {
		return a.start(s, value)
	}
	return s, nil
}

func (a agent[S, M]) Receive(s S, m model.Message[M]) (S, []model.Message[M]) {
	if a.receive != nil {
		return a.receive(s, m)
	}
	return s, nil
}

func (a agent[S, M]) Halted(s S) bool { return a.halted != nil && a.halted(s) }

func (a agent[S, M]) Label(s S) string {
	if a.label != nil {
		return a.label(s)
	}
	return "L"
}

func (a agent[S, M]) Actions() []model.Action[S, M] { return a.actions }

// incarnated asks to be told how often it was wiped.
type incarnated[S, M any] struct{ agent[S, M] }

func (incarnated[S, M]) AsksIncarnation() {}

// alone is a caller of a system of this agent and a second one like it.
func alone[S, M any](t *testing.T, a model.Agent[S, M]) *call.Caller {
	t.Helper()
	return caller(t, model.System{Agents: []model.Node{model.Of(a), model.Of(a)}}, 0)
}

func caller(t *testing.T, sys model.System, limit time.Duration) *call.Caller {
	t.Helper()
	c, err := call.New(&sys, limit)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// begin makes agent 1.
func begin(t *testing.T, c *call.Caller) call.Outcome {
	t.Helper()
	o, err := c.Begin(0, 1)
	if err != nil {
		t.Fatal(err)
	}
	return o
}

// delivers begins agent 1 and delivers to it the first message that it sent.
func delivers(t *testing.T, c *call.Caller) ([]call.Outcome, error) {
	t.Helper()
	o := begin(t, c)
	return c.Outcomes(model.Deliver, 1, o.Next, &o.Sent[0])
}

// note is a message with whatever can be changed.
type note struct {
	Text  string
	Lines []int
	Index map[string]int
	Next  *note
}

// desk is such a state.
type desk struct {
	Notes  []note
	Index  map[string]int
	Top    *int
	hidden []int
}

// clerk begins with a full desk and a note to itself, then does what is said.
func clerk(receive func(s desk, m model.Message[note]) (desk, []model.Message[note])) agent[desk, note] {
	return agent[desk, note]{
		fresh: func(model.ID, []model.ID, int) (desk, []model.Message[note]) {
			s := desk{Notes: []note{{Text: "a"}}, Index: map[string]int{"a": 1}, Top: new(7), hidden: []int{1, 2}}
			return s, []model.Message[note]{{To: 1, Body: note{Text: "b", Lines: []int{3}, Index: map[string]int{"b": 2}, Next: &note{Text: "c"}}}}
		},
		receive: receive,
	}
}

// wantError compares an error, which must be an E, with its whole text.
func wantError[E error](t *testing.T, err error, want string) (e E) {
	t.Helper()
	if !errors.As(err, &e) {
		t.Fatalf("the error is a %T: %v", err, err)
	}
	if err.Error() != want {
		t.Errorf("the error is\n%s\nwant\n%s", err, want)
	}
	return e
}
