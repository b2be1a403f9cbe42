package trace_test

import (
	"errors"
	"fmt"
	"slices"
	"testing"

	"github.com/caulk-go/caulk/model"
	"github.com/caulk-go/caulk/trace"
)

// tram is an agent for tests of runs: a number that goes from stop to stop as
// its lines say. What it is sent it ignores, but a note "pass" goes round.
type tram struct{ lines []line }

// line leads from one stop to another, and may send a note to the tram itself.
type line struct {
	name     string
	from, to int
	fair     bool
	sends    string
	kind     model.ActionKind
}

func (tram) Fresh(model.ID, []model.ID, int) (int, []model.Message[note]) { return 0, nil }

func (tram) Start(at int, text string) (int, []model.Message[note]) {
	return at, []model.Message[note]{{To: 1, Body: note{text}}}
}

func (tram) Receive(at int, m model.Message[note]) (int, []model.Message[note]) {
	if m.Body.Text == "pass" {
		return at, []model.Message[note]{{To: 1, Body: m.Body}}
	}
	return at, nil
}

func (tram) Label(at int) string { return fmt.Sprint(at) }

func (t tram) Actions() (actions []model.Action[int, note]) {
	for _, l := range t.lines {
		actions = append(actions, model.Action[int, note]{Name: l.name, Fair: l.fair, Kind: l.kind, Do: func(at int) (int, []model.Message[note], bool) {
			if l.sends == "" {
				return l.to, nil, at == l.from
			}
			return l.to, []model.Message[note]{{To: 1, Body: note{l.sends}}}, at == l.from
		}})
	}
	return actions
}

func trams(lines ...line) model.System {
	return model.System{Name: "tram", Agents: []model.Node{model.Of(tram{lines})}}
}

// at says whether the tram is at one of some stops.
func at(stops ...int) func(model.View) bool {
	return func(v model.View) bool { return slices.Contains(stops, model.StateOf[int](v, 1)) }
}

const forever = "run: it does not come, and the system may go on so for ever"

func TestReplayOfRuns(t *testing.T) {
	circle := []line{{name: "out", from: 0, to: 1}, {name: "back", from: 1, to: 0}}
	never, round := model.Eventually("run", at(9)), labels("out 1", "back 1")
	// Two notes take turns in being there; each is lost when the other is.
	turns := func(n model.Network) func(*model.System) {
		return func(sys *model.System) {
			sys.Network, sys.Lossy, sys.Starts = n, true, map[model.ID]string{1: "a"}
		}
	}
	takeTurns := []line{{name: "b", from: 0, to: 1, sends: "b"}, {name: "a", from: 1, to: 0, sends: "a"}}
	turn := []trace.Step{{Label: "b 1"}, {Label: "Drop {Note;1->1}", Body: `note{Text: "a"}`}, {Label: "a 1"}, {Label: "Drop {Note;1->1}", Body: `note{Text: "b"}`}}
	start := func(text string, n model.Network) func(*model.System) {
		return func(sys *model.System) { sys.Network, sys.Starts = n, map[model.ID]string{1: text} }
	}
	cases := []struct {
		name     string
		lines    []line
		change   func(*model.System)
		property model.Property
		path     []trace.Step
		loopFrom *int
		fails    bool
	}{
		{"a loop", circle, nil, never, round, new(0), true},
		{"a loop after a while", circle, nil, never, labels("out 1", "back 1", "out 1"), new(1), true},
		{"no loop", circle, nil, never, labels("out 1"), new(0), false},
		{"it stays where nothing must happen", circle, nil, never, round, nil, true},
		{"what must happen is not always possible", append(slices.Clone(circle), line{name: "away", from: 0, to: 9, fair: true}), nil, never, round, new(0), true},
		{"what must happen does not", append(slices.Clone(circle), line{name: "go", from: 0, to: 9, fair: true}, line{name: "stay", from: 0, to: 0}), nil, never, labels("stay 1"), new(0), false},
		{"what must happen does", []line{{name: "stay", from: 0, to: 0, fair: true}}, nil, never, labels("stay 1"), new(0), true},
		{"another of its actions must happen", []line{{name: "stay", from: 0, to: 0, fair: true}, {name: "go", from: 0, to: 9, fair: true}}, nil, never, labels("stay 1"), new(0), false},
		{"another agent must act", []line{{name: "stay", from: 0, to: 0, fair: true}}, func(sys *model.System) { sys.Agents = append(sys.Agents, sys.Agents[0]) }, never, labels("stay 1"), new(0), false},
		{"each agent acts", []line{{name: "stay", from: 0, to: 0, fair: true}}, func(sys *model.System) { sys.Agents = append(sys.Agents, sys.Agents[0]) }, never, labels("stay 1", "stay 2"), new(0), true},
		{"something must happen at the end", []line{{name: "go", from: 0, to: 1, fair: true}}, nil, never, nil, nil, false},
		{"a loop of no moves", []line{{name: "go", from: 0, to: 1, fair: true}}, nil, never, nil, new(0), false},
		{"nothing can", nil, nil, never, nil, nil, true},
		{"it came before", circle, nil, model.Eventually("run", at(0)), labels("out 1"), nil, false},
		{"it comes in the loop", circle, nil, model.Eventually("run", at(1)), round, new(0), false},
		{"it does not apply all the way", circle, nil, never.When(at(0)), round, new(0), false},
		{"the path names no property", circle, nil, model.Eventually("unnamed", at(9)), round, new(0), false},
		{"the path names one that is not about runs", circle, nil, model.Sometimes("run", at(9)), round, new(0), false},

		{"due, and it does not come", circle, nil, model.LeadsTo("run", at(0), at(9)), round, new(0), true},
		{"due before the loop", circle, nil, model.LeadsTo("run", at(0), at(9)), labels("out 1", "back 1", "out 1"), new(1), true},
		{"due, and it comes", circle, nil, model.LeadsTo("run", at(0), at(1)), labels("out 1"), nil, false},
		{"due, and it came on the way", []line{{name: "out", from: 0, to: 1}, {name: "on", from: 1, to: 2}}, nil, model.LeadsTo("run", at(0), at(1)), labels("out 1", "on 1"), nil, false},
		{"due once more when it came", circle, nil, model.LeadsTo("run", at(0), at(1)), round, nil, true},
		{"it comes each time", circle, nil, model.LeadsTo("run", at(0), at(1)), round, new(0), false},
		{"it comes when it is due", circle, nil, model.LeadsTo("run", at(0), at(0)), round, nil, false},
		{"never due", circle, nil, model.LeadsTo("run", at(7), at(9)), round, new(0), false},

		{"a message must be delivered", circle, start("a", model.Bag), never, round, new(0), false},
		{"on a set, again and again", circle, start("a", model.Set), never, round, new(0), false},
		{"as it is", circle, start("a", model.Set), never, labels("{Note;1->1}"), new(0), true},
		{"a message goes round", nil, start("pass", model.Fifo), never, labels("{Note;1->1}"), new(0), true},
		{"nobody is there to receive it", nil, func(sys *model.System) { start("a", model.Bag)(sys); sys.Crash = []model.ID{1} }, never, labels("Crash 1"), nil, true},
		{"two messages take turns in being lost", takeTurns, turns(model.Bag), never, turn, new(0), true},
		{"a queue that is never empty", takeTurns, turns(model.Fifo), never, turn, new(0), false},
		{"what is spent is no loop", []line{{name: "ring", from: 0, to: 0, kind: model.Timer}},
			func(sys *model.System) { sys.Budgets = map[model.Budget]int{model.Timeouts: 3} }, never, labels("ring 1"), new(0), false},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			sys := trams(c.lines...)
			sys.Properties = []model.Property{c.property}
			if c.change != nil {
				c.change(&sys)
			}
			o, err := trace.Replay(&sys, trace.Path{Steps: c.path, Property: "run", LoopFrom: c.loopFrom})
			if err != nil {
				t.Fatal(err)
			}
			want := fmt.Sprintf("fixed: every move is possible and nothing fails (moves: %d)", len(c.path))
			if n := len(c.path); c.fails && n > 0 {
				want = fmt.Sprintf("still fails at move %d of %d, %s: %s", n, n, c.path[n-1].Label, forever)
			} else if c.fails {
				want = "still fails at the start: " + forever
			}
			if got := o.String(); got != want {
				t.Errorf("it %s\nnot %s", got, want)
			}
		})
	}
}

func TestReplayOfEveryKindOfProperty(t *testing.T) {
	line3 := []line{{name: "one", from: 0, to: 1}, {name: "two", from: 1, to: 2}}
	fail := func(text string) error { return errors.New(text) }
	uphill := model.EveryStep("downhill", func(before, after model.View) error {
		if b, a := model.StateOf[int](before, 1), model.StateOf[int](after, 1); b > 0 && a > b {
			return fmt.Errorf("%d after %d", a, b)
		}
		return nil
	})
	early := model.AtEnd("late", func(v model.View) error { return fail("it ends") })
	inTwo := model.Always("not two", func(v model.View) error {
		if at(2)(v) {
			return fail("it is at 2")
		}
		return nil
	})
	careless := model.LeadsTo("run", at(9), func(v model.View) bool { return v.State(7) != nil })
	cases := []struct {
		name       string
		properties []model.Property
		path       []trace.Step
		want       string
	}{
		{"over a move", []model.Property{uphill}, labels("one 1", "two 1"), "still fails at move 2 of 2, two 1: downhill: 2 after 1"},
		{"at the end", []model.Property{early}, labels("one 1", "two 1"), "still fails at move 2 of 2, two 1: late: it ends"},
		{"not at the end", []model.Property{early}, labels("one 1"), "fixed: every move is possible and nothing fails (moves: 1)"},
		{"on the way", []model.Property{early}, labels("one 1", "two 1", "three 1"), "still fails at move 2 of 3, two 1: late: it ends"},
		{"over a move that leads to an end", []model.Property{early, uphill}, labels("one 1", "two 1"), "still fails at move 2 of 2, two 1: downhill: 2 after 1; late: it ends"},
		{"an inconsistent state is no end", []model.Property{early, inTwo, uphill}, labels("one 1", "two 1"), "still fails at move 2 of 2, two 1: not two: it is at 2; downhill: 2 after 1"},
		{"about runs, and it panics", []model.Property{careless}, labels("one 1"), "still fails at move 1 of 1, one 1: the property panics: it asks for agent 7: the agents are 1 alone"},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			sys := trams(line3...)
			sys.Properties = c.properties
			o, err := trace.Replay(&sys, trace.Path{Steps: c.path, Property: "run"})
			if err != nil {
				t.Fatal(err)
			}
			if got := o.String(); got != c.want {
				t.Errorf("it %s\nnot %s", got, c.want)
			}
			if o.Verdict == trace.StillFails && (len(o.Failures) > 0) == (o.Panic != nil) {
				t.Errorf("it fails with %v and %v", o.Failures, o.Panic)
			}
		})
	}
}

func TestReplayWithAnObserverThatPanics(t *testing.T) {
	sys := trams(line{name: "go", from: 0, to: 1})
	sys.Observer = model.Observe(0, func(seen int, e model.Event) int {
		if e.Move.Action == "go" {
			panic("cannot see")
		}
		return seen + 1
	})
	o, err := trace.Replay(&sys, trace.Path{Steps: labels("go 1")})
	if err != nil {
		t.Fatal(err)
	}
	if got, want := o.String(), "still fails at move 1 of 1, go 1: the observer in state 1 given go of agent 1 panics: cannot see"; got != want {
		t.Errorf("it %s\nnot %s", got, want)
	}
}
