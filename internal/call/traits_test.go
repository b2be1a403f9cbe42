package call_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/caulk-go/caulk/internal/call"
	"github.com/caulk-go/caulk/model"
)

// nameless is an agent without any optional method.
type nameless struct{}

func (nameless) Fresh(model.ID, []model.ID, int) (int, sent)      { return 0, nil }
func (nameless) Receive(s int, _ model.Message[note]) (int, sent) { return s, nil }

func TestTraits(t *testing.T) {
	named := agent[int, note]{
		fresh:  func(self model.ID, _ []model.ID, _ int) (int, sent) { return int(self), nil },
		label:  func(s int) string { return fmt.Sprint("L", s) },
		halted: func(s int) bool { return s == 2 },
	}
	c := caller(t, model.System{Agents: []model.Node{model.Of(named), model.Of(named), model.Of(nameless{})}}, 0)
	for id, want := range map[model.ID]call.Traits{
		1: {Label: "L1", Named: true},
		2: {Label: "L2", Named: true, Halted: true},
		3: {},
	} {
		o, err := c.Begin(0, id)
		if err != nil {
			t.Fatal(err)
		}
		if got, err := c.Traits(id, o.Next); got != want || err != nil {
			t.Errorf("agent %d: %+v, %v; want %+v", id, got, err, want)
		}
		label, ok := c.Label(id, o.Next)
		if label != want.Label || ok != want.Named || c.Halted(id, o.Next) != want.Halted {
			t.Errorf("agent %d: label %q, %t, halted %t; want %+v", id, label, ok, c.Halted(id, o.Next), want)
		}
	}
}

// Who panics when it is asked has no name, and is not halted.
func TestTraitsThatPanic(t *testing.T) {
	for name, a := range map[string]agent[int, note]{
		"Label":  {label: func(int) string { panic("boom") }},
		"Halted": {halted: func(int) bool { panic("boom") }},
	} {
		c := alone(t, a)
		local := begin(t, c).Next
		_, err := c.Traits(1, local)
		var p *call.PanicError
		if !errors.As(err, &p) || !strings.HasPrefix(err.Error(), "Label or Halted of agent 1 in state 0 panics: boom\n") {
			t.Errorf("%s: the error is %v", name, err)
		}
		if label, ok := c.Label(1, local); ok && name == "Label" || c.Halted(1, local) {
			t.Errorf("%s: the label is %q, %t, halted is %t", name, label, ok, c.Halted(1, local))
		}
	}
}

// word is a message that says what it is, if it can.
type word string

func (w word) Kind() string {
	if w == "kindless" {
		panic("no kind")
	}
	return "Word"
}

func (w word) Detail() string {
	if w == "speechless" {
		panic("no detail")
	}
	return string(w)
}

func TestMessageLabels(t *testing.T) {
	words := []word{"yes", "", "kindless", "speechless"}
	c := alone(t, agent[int, word]{fresh: func(model.ID, []model.ID, int) (int, []model.Message[word]) {
		var sent []model.Message[word]
		for _, w := range words {
			sent = append(sent, model.Message[word]{To: 2, Body: w})
		}
		return 0, sent
	}})
	o := begin(t, c)
	for i, want := range []string{
		"Word yes", "Word",
		`Kind or Detail of a message of agent 1 given word("kindless") panics: no kind`,
		`Kind or Detail of a message of agent 1 given word("speechless") panics: no detail`,
	} {
		got, err := c.MessageLabel(o.Sent[i])
		if err != nil {
			got, _, _ = strings.Cut(err.Error(), "\n")
		}
		if got != want {
			t.Errorf("%q is labelled %s, want %s", words[i], got, want)
		}
	}
}

// wipes wipes an agent twice and gives its local states.
func wipes(t *testing.T, node model.Node) []model.Local {
	t.Helper()
	c := caller(t, model.System{Agents: []model.Node{node}, Wipe: []model.ID{1}}, 0)
	local := begin(t, c).Next
	locals := []model.Local{c.Local(1, local)}
	for range 2 {
		o, err := c.Outcomes(model.Wipe, 1, local, nil)
		if err != nil || len(o) != 1 {
			t.Fatalf("a wipe has %d outcomes, %v", len(o), err)
		}
		local = o[0].Next
		locals = append(locals, c.Local(1, local))
	}
	return locals
}

// The incarnation counts wipes for an agent that asks, and only there; it is
// kept through other moves.
func TestIncarnation(t *testing.T) {
	tells := agent[string, note]{
		fresh: func(_ model.ID, _ []model.ID, incarnation int) (string, sent) {
			return fmt.Sprint("wiped ", incarnation), sent{{To: 1}}
		},
		actions: []model.Action[string, note]{{Name: "act", Do: func(s string) (string, sent, bool) { return s + "!", nil, true }}},
	}
	for i, l := range wipes(t, model.Of(incarnated[string, note]{tells})) {
		if want := (model.Local{State: fmt.Sprint("wiped ", i), Incarnation: i}); l != want {
			t.Errorf("after %d wipes it is in %+v, want %+v", i, l, want)
		}
	}
	for i, l := range wipes(t, model.Of(tells)) {
		if want := (model.Local{State: "wiped 0"}); l != want {
			t.Errorf("after %d wipes an agent that does not ask is in %+v", i, l)
		}
	}

	c := caller(t, model.System{Agents: []model.Node{model.Of(incarnated[string, note]{tells})}, Wipe: []model.ID{1}}, 0)
	o := begin(t, c)
	wiped, err := c.Outcomes(model.Wipe, 1, o.Next, nil)
	if err != nil {
		t.Fatal(err)
	}
	acted, err := c.Outcomes(model.Act, 1, wiped[0].Next, nil)
	if err != nil {
		t.Fatal(err)
	}
	delivered, err := c.Outcomes(model.Deliver, 1, acted[0].Next, &o.Sent[0])
	if err != nil {
		t.Fatal(err)
	}
	if got, want := c.Local(1, delivered[0].Next), (model.Local{State: "wiped 1!", Incarnation: 1}); got != want {
		t.Errorf("wiped, after an action and a delivery, it is in %+v, want %+v", got, want)
	}
	// Two states that differ in the incarnation alone are two.
	again, err := c.Outcomes(model.Wipe, 1, wiped[0].Next, nil)
	if err != nil || again[0].Next == wiped[0].Next {
		t.Errorf("a second wipe leads to the state of the first, %v", err)
	}
}

func TestSame(t *testing.T) {
	c := alone(t, agent[[]int, note]{fresh: func(model.ID, []model.ID, int) ([]int, sent) { return []int{1, 2}, nil }})
	local := begin(t, c).Next
	state := c.Local(1, local).State.([]int)
	if !c.Same(1, local, state) {
		t.Error("a state is not what it is")
	}
	state[1] = 3
	if c.Same(1, local, state) {
		t.Error("a state that was changed still is what it was")
	}
	if c.Same(1, local, []int{1}) {
		t.Error("another state is taken for it")
	}
}
