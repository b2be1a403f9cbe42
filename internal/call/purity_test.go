package call_test

import (
	"fmt"
	"slices"
	"testing"

	"github.com/caulk-go/caulk/internal/call"
	"github.com/caulk-go/caulk/model"
)

const (
	given   = `Receive of agent 1 in state desk{Notes: [{Text: "a", Lines: [], Index: map[], Next: nil}], Index: map["a": 1], Top: &7, hidden: [1, 2]} given note{Text: "b", Lines: [3], Index: map["b": 2], Next: &{Text: "c", Lines: [], Index: map[], Next: nil}} from 1 is not pure: `
	state   = "it changes the state that it is given\n"
	message = "it changes the message that it is given\n"
	again   = "it answers differently when it is called again\n"
	advice  = "Work on copies (slices.Clone, maps.Clone), and keep clocks, chance and package variables out of handlers."
)

type (
	sent    = []model.Message[note]
	handler = func(s desk, m model.Message[note]) (desk, sent)
)

func TestHandlersThatChangeWhatTheyAreGiven(t *testing.T) {
	for _, c := range []struct {
		name    string
		receive handler
		want    string
	}{
		{"the state, through a slice", func(s desk, _ model.Message[note]) (desk, sent) { s.Notes[0].Text = "z"; return s, nil },
			state + "    Notes[0].Text: \"a\" → \"z\"\n"},
		{"through a map", func(s desk, _ model.Message[note]) (desk, sent) { s.Index["b"] = 5; return s, nil },
			state + "    Index[\"b\"]: nothing → 5\n"},
		{"by deleting from a map", func(s desk, _ model.Message[note]) (desk, sent) { delete(s.Index, "a"); return s, nil },
			state + "    Index[\"a\"]: 1 → nothing\n"},
		{"through a pointer", func(s desk, _ model.Message[note]) (desk, sent) { *s.Top++; return s, nil },
			state + "    Top: 7 → 8\n"},
		{"through an unexported field", func(s desk, _ model.Message[note]) (desk, sent) { slices.Reverse(s.hidden); return s, nil },
			state + "    hidden[0]: 1 → 2\n    hidden[1]: 2 → 1\n"},
		{"and answers with another", func(s desk, _ model.Message[note]) (desk, sent) { s.hidden[1] = 9; return desk{}, nil },
			state + "    hidden[1]: 2 → 9\n"},
		{"the message, through a slice", func(s desk, m model.Message[note]) (desk, sent) { m.Body.Lines[0] = 4; return s, nil },
			message + "    Lines[0]: 3 → 4\n"},
		{"the message, through a map", func(s desk, m model.Message[note]) (desk, sent) { clear(m.Body.Index); return s, nil },
			message + "    Index[\"b\"]: 2 → nothing\n"},
		{"the message, through a pointer", func(s desk, m model.Message[note]) (desk, sent) { m.Body.Next.Text = "d"; return s, nil },
			message + "    Next.Text: \"c\" → \"d\"\n"},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, err := delivers(t, alone(t, clerk(c.receive)))
			e := wantError[*call.ImpureError](t, err, given+c.want+advice)
			if e.Agent != 1 || e.What != "Receive" || len(e.Changes) == 0 {
				t.Errorf("the error says %+v", e)
			}
		})
	}
}

// A handler may do what it likes to its own variables, and to copies.
func TestHandlersThatWorkOnCopies(t *testing.T) {
	got, err := delivers(t, alone(t, clerk(func(s desk, m model.Message[note]) (desk, sent) {
		s.Notes = append(s.Notes, m.Body)
		s.Notes[0] = s.Notes[1] // append has made a copy: there was no room to spare
		s.hidden = slices.Concat(s.hidden, []int{3})
		s.Index, s.Top = nil, nil
		return s, nil
	})))
	if err != nil || len(got) != 1 {
		t.Errorf("there are %d outcomes, and the error is %v", len(got), err)
	}
}

func TestHandlersThatAnswerDifferently(t *testing.T) {
	calls := 0
	to := func(id model.ID, text string) sent {
		return sent{{To: id, Body: note{Text: text}}}
	}
	for _, c := range []struct {
		name    string
		receive handler
		want    string
	}{
		{"another state", func(s desk, _ model.Message[note]) (desk, sent) { return desk{hidden: []int{calls}}, nil },
			again + "    hidden[0]: 1 → 2\n"},
		{"another message", func(s desk, _ model.Message[note]) (desk, sent) { return s, to(2, fmt.Sprint(calls)) },
			again + "    [0].Body.Text: \"1\" → \"2\"\n"},
		{"another receiver", func(s desk, _ model.Message[note]) (desk, sent) { return s, to(model.ID(calls), "x") },
			again + "    [0].To: 1 → 2\n"},
		{"more messages", func(s desk, _ model.Message[note]) (desk, sent) { return s, slices.Repeat(to(1, "x"), calls) },
			again + "    [1]: nothing → {From: 1, To: 1, Body: note{Text: \"x\", Lines: [], Index: map[], Next: nil}}\n"},
		{"another order", func(s desk, _ model.Message[note]) (desk, sent) {
			return s, slices.Concat(to(model.ID(calls), "x"), to(model.ID(3-calls), "x"))
		}, again + "    [0].To: 1 → 2\n    [1].To: 2 → 1\n"},
	} {
		t.Run(c.name, func(t *testing.T) {
			calls = 0
			receive := func(s desk, m model.Message[note]) (desk, sent) {
				calls++
				return c.receive(s, m)
			}
			_, err := delivers(t, alone(t, clerk(receive)))
			wantError[*call.ImpureError](t, err, given+c.want+advice)
			if calls != 2 {
				t.Errorf("the handler was called %d times", calls)
			}
		})
	}
}

// A handler that keeps what it answered, and changes it when it is called
// again, is found out although both answers are then the same value.
func TestHandlersThatKeepWhatTheyAnswered(t *testing.T) {
	kept := []int{0}
	_, err := delivers(t, alone(t, clerk(func(desk, model.Message[note]) (desk, sent) {
		kept[0]++
		return desk{hidden: kept}, nil
	})))
	wantError[*call.ImpureError](t, err, given+again+advice)
}

// Actions that are enabled only when they are asked the first time.
func TestActionsThatAnswerDifferently(t *testing.T) {
	calls := 0
	fickle := agent[int, note]{actions: []model.Action[int, note]{
		{Name: "always", Do: func(s int) (int, sent, bool) { return s + 1, nil, true }},
		{Name: "once", Do: func(s int) (int, sent, bool) { calls++; return s, nil, calls == 1 }},
	}}
	c := alone(t, fickle)
	_, err := c.Outcomes(model.Act, 1, begin(t, c).Next, nil)
	wantError[*call.ImpureError](t, err, "an own action of agent 1 in state 0 is not pure: the number of moves that it allows is 2 when it is first asked and 1 when it is asked again\n"+advice)

	// As many, but others.
	calls = 0
	fickle.actions[0].Do = func(s int) (int, sent, bool) { return s, nil, calls%2 == 1 }
	fickle.actions[1].Do = func(s int) (int, sent, bool) { calls++; return s, nil, calls%2 == 1 }
	c = alone(t, fickle)
	_, err = c.Outcomes(model.Act, 1, begin(t, c).Next, nil)
	wantError[*call.ImpureError](t, err, "an own action of agent 1 in state 0 is not pure: it answers differently when it is called again\n"+advice)
}

func TestActionsThatChangeTheState(t *testing.T) {
	c := alone(t, agent[[]int, note]{
		fresh:   func(model.ID, []model.ID, int) ([]int, sent) { return []int{1}, nil },
		actions: []model.Action[[]int, note]{{Name: "spoil", Do: func(s []int) ([]int, sent, bool) { s[0] = 2; return nil, nil, false }}},
	})
	_, err := c.Outcomes(model.Act, 1, begin(t, c).Next, nil)
	wantError[*call.ImpureError](t, err, "an own action of agent 1 in state []int{1} is not pure: "+state+"    [0]: 1 → 2\n"+advice)
}

func TestFreshThatAnswersDifferently(t *testing.T) {
	calls := 0
	counts := agent[int, note]{fresh: func(model.ID, []model.ID, int) (int, sent) { calls++; return calls, nil }}
	_, err := alone(t, counts).Begin(0, 1)
	wantError[*call.ImpureError](t, err, "Fresh of agent 1 is not pure: "+again+"    1 → 2\n"+advice)

	sys := model.System{Agents: []model.Node{model.Of(counts)}, Wipe: []model.ID{1}}
	_, err = caller(t, sys, 0).Outcomes(model.Wipe, 1, "\x00\x02", nil) // incarnation 0, state 1
	wantError[*call.ImpureError](t, err, "Fresh of agent 1 in state 1 is not pure: "+again+"    3 → 4\n"+advice)
}

// Each call has a population of its own, which it may keep and change.
func TestThePopulationIsPrivate(t *testing.T) {
	var kept []model.ID
	c := alone(t, agent[string, note]{fresh: func(_ model.ID, population []model.ID, _ int) (string, sent) {
		text := fmt.Sprint(population)
		kept = population
		kept[0] = 9
		return text, nil
	}})
	for range 2 {
		if got := c.Local(1, begin(t, c).Next).State; got != "[1 2]" {
			t.Errorf("the population is %v", got)
		}
	}
}
