package stepper_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/caulk-go/caulk/internal/call"
	"github.com/caulk-go/caulk/model"
	"github.com/caulk-go/caulk/stepper"
)

// kept is how many notes agents keep.
func kept(v model.View) (n int) {
	for _, d := range model.StatesOf[desk](v) {
		n += len(d.Kept)
	}
	return n
}

func firstLine(text string) string {
	line, _, _ := strings.Cut(text, "\n")
	return line
}

func keeps(n int) func(v model.View) bool { return func(v model.View) bool { return kept(v) == n } }

// sentences are failures as they are shown.
func sentences(failures []stepper.Failure) []string {
	var all []string
	for _, f := range failures {
		all = append(all, f.String())
	}
	return all
}

func TestStepFailures(t *testing.T) {
	sys := keepers("2:a 2:b 1:c")
	sys.Properties = []model.Property{
		model.EveryStep("never more", func(before, after model.View) error {
			if b, a := kept(before), kept(after); a > b {
				return fmt.Errorf("%d notes become %d", b, a)
			}
			return nil
		}),
		model.EveryStep("at most one", func(_, after model.View) error {
			if kept(after) > 1 {
				after.State(9)
			}
			return nil
		}),
		model.EveryStep("later", func(model.View, model.View) error { return errors.New("it is later") }).When(keeps(1)),
		model.Always("always", func(model.View) error { return errors.New("it is a state") }),
		model.AtEnd("at the end", func(model.View) error { return errors.New("it is an end") }),
	}
	s, st := start(t, sys)
	one := step(t, s, st, "{Note;1->2}", `note{Text: "a"}`)
	two := step(t, s, one, "{Note;1->2}", `note{Text: "b"}`)
	cases := []struct {
		name          string
		before, after stepper.State
		want          []string
	}{
		{"a delivery", st, one, []string{"never more: 0 notes become 1"}},
		{"another", one, two, []string{"never more: 1 notes become 2", "at most one: the property panics: it asks for agent 9: the agents are 1 to 2", "later: it is later"}},
		{"a move back", one, walk(t, s, one, "file 2"), []string{"later: it is later"}},
		{"a crash", one, walk(t, s, one, "Crash 2"), []string{"later: it is later"}},
		{"a message is lost", one, walk(t, s, one, "Drop {Note;1->2}"), nil},
		{"a message is doubled", one, walk(t, s, one, "Duplicate {Note;1->2}"), nil},
		{"an agent sends, and stays as it is", one, walk(t, s, one, "ring 2"), nil},
	}
	for _, c := range cases {
		if diff := cmp.Diff(c.want, sentences(s.StepFailures(c.before, c.after))); diff != "" {
			t.Errorf("%s (-want +got):\n%s", c.name, diff)
		}
	}

	// An observer that remembers makes every move one that they are asked about.
	sys.Observer = model.Observe(0, func(n int, _ model.Event) int { return n + 1 })
	s, st = start(t, sys)
	one = step(t, s, st, "{Note;1->2}", `note{Text: "a"}`)
	lost := walk(t, s, one, "Drop {Note;1->2}")
	if diff := cmp.Diff([]string{"later: it is later"}, sentences(s.StepFailures(one, lost))); diff != "" {
		t.Errorf("an observer sees a message lost (-want +got):\n%s", diff)
	}
}

func TestEndFailures(t *testing.T) {
	empty := func(v model.View) error {
		if n := kept(v); n > 0 {
			return fmt.Errorf("%d notes are kept", n)
		}
		return nil
	}
	ends := []model.Property{
		model.AtEnd("empty", empty),
		model.AtEnd("careful", func(v model.View) error { v.State(9); return nil }).When(keeps(1)),
		model.AtEnd("elsewhere", func(model.View) error { return errors.New("it does not apply") }).When(keeps(7)),
		model.Always("always", func(model.View) error { return errors.New("it is no end") }),
		model.EveryStep("step", func(_, _ model.View) error { return errors.New("it is no end") }),
	}
	one := []string{"empty: 1 notes are kept", "careful: the property panics: it asks for agent 9: the agents are 1 to 3"}
	cases := []struct {
		name   string
		start  string
		change func(*model.System)
		walk   []string
		want   []string
	}{
		{"nothing is possible", "2:a", nil, []string{"{Note;1->2}"}, one},
		{"nothing fails", "", nil, nil, nil},
		{"a message is in flight", "2:a 3:b", nil, []string{"{Note;1->2}"}, nil},
		{"an own action is possible", "2:a 2:a", nil, []string{"{Note;1->2}", "{Note;1->2}"}, nil},
		{"only faults are", "2:a", func(sys *model.System) {
			sys.Wipe, sys.Lossy, sys.Budgets = []model.ID{1, 2}, true, map[model.Budget]int{model.Duplicates: 2}
		}, []string{"{Note;1->2}"}, one},
		{"what is possible changes nothing", "1:a", func(sys *model.System) {
			sys.Agents[0], sys.Agents[1] = model.Of(deaf{}), model.Of(deaf{})
			sys.Network = model.Set
		}, nil, []string{"empty: 1 notes are kept", one[1]}},
		{"but an observer remembers it", "1:a", func(sys *model.System) {
			sys.Agents[0], sys.Agents[1] = model.Of(deaf{}), model.Of(deaf{})
			sys.Network, sys.Observer = model.Set, model.Observe(0, func(n int, _ model.Event) int { return n + 1 })
		}, nil, nil},
		{"a receiver has crashed", "2:a 3:b", func(sys *model.System) { sys.Crash = []model.ID{3} }, []string{"{Note;1->2}", "Crash 3"}, one},
		{"an agent is halted", "2:halt", nil, []string{"{Note;1->2}"}, nil},
		{"a handler panics", "2:a 3:panic", nil, []string{"{Note;1->2}"}, nil},
		{"beyond the boundary", "2:a", func(sys *model.System) { sys.Boundary = keeps(0) }, []string{"{Note;1->2}"}, nil},
		{"within it", "2:a", func(sys *model.System) { sys.Boundary = keeps(1) }, []string{"{Note;1->2}"}, one},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			sys := offices(c.start)
			sys.Properties = ends
			if c.change != nil {
				c.change(&sys)
			}
			s, st := start(t, sys)
			failures, err := s.EndFailures(walk(t, s, st, c.walk...))
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(c.want, sentences(failures)); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

// deaf is an office that begins with a note and ignores all others.
type deaf struct{ labelled }

func (deaf) Fresh(self model.ID, _ []model.ID, _ int) (desk, []model.Message[note]) {
	if self == 2 {
		return desk{}, nil
	}
	return desk{Kept: []string{"its own"}}, nil
}

func (deaf) Receive(d desk, _ model.Message[note]) (desk, []model.Message[note]) { return d, nil }

func TestEndFailuresWhoseMovesCannotBeMade(t *testing.T) {
	sys := offices("2:astray")
	s, st := start(t, sys)
	if f, err := s.EndFailures(st); f != nil || err != nil {
		t.Errorf("without properties of that kind there are %v, %v", f, err)
	}
	sys.Properties = []model.Property{model.AtEnd("end", func(model.View) error { return nil })}
	s, st = start(t, sys)
	if _, err := s.EndFailures(st); !is[*call.ValueError](err) {
		t.Errorf("the error is %v", err)
	}
}

func TestSatisfies(t *testing.T) {
	sys := offices("2:a 2:b")
	sys.Properties = []model.Property{
		model.Eventually("all kept", keeps(2)),
		model.LeadsTo("one, then two", keeps(1), keeps(2)),
		model.LeadsTo("careless", keeps(0), func(v model.View) bool { return v.State(4) == nil }),
		model.EveryStep("step", func(_, _ model.View) error { return nil }),
	}
	s, st := start(t, sys)
	one := step(t, s, st, "{Note;1->2}", `note{Text: "a"}`)
	two := step(t, s, one, "{Note;1->2}", "")
	cases := []struct {
		name, property string
		at             stepper.State
		want           string
	}{
		{"not yet", "all kept", st, "true false <nil>"},
		{"at last", "all kept", two, "true true <nil>"},
		{"not due", "one, then two", st, "false false <nil>"},
		{"due", "one, then two", one, "true false <nil>"},
		{"met", "one, then two", two, "false true <nil>"},
		{"unknown", "none", st, `false false there is no property "none"`},
		{"over moves", "step", st, `false false the property "step" is about moves, not states`},
		{"it panics", "careless", st, "false false the property panics: it asks for agent 4: the agents are 1 to 3"},
	}
	for _, c := range cases {
		applies, holds, err := s.Satisfies(c.at, c.property)
		got := fmt.Sprint(applies, holds, err)
		if err != nil {
			got = fmt.Sprintf("%t %t %s", applies, holds, firstLine(err.Error()))
		}
		if got != c.want {
			t.Errorf("%s: %s\nwant %s", c.name, got, c.want)
		}
	}
}

func TestWithin(t *testing.T) {
	cases := []struct {
		name     string
		boundary func(model.View) bool
		want     string
	}{
		{"no boundary", nil, "true"},
		{"within", keeps(0), "true"},
		{"beyond", keeps(1), "false"},
		{"it panics", func(v model.View) bool { return v.Crashed(4) }, "false the boundary panics: it asks for agent 4: the agents are 1 to 3"},
	}
	for _, c := range cases {
		sys := offices("")
		sys.Boundary = c.boundary
		s, st := start(t, sys)
		within, err := s.Within(st)
		got := fmt.Sprint(within)
		if err != nil {
			got += " " + firstLine(err.Error())
		}
		if got != c.want {
			t.Errorf("%s: %s, want %s", c.name, got, c.want)
		}
	}
}
