package stepper_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/caulk-go/caulk/model"
	"github.com/caulk-go/caulk/stepper"
)

func TestFailures(t *testing.T) {
	some := func(v model.View) bool {
		for _, d := range model.StatesOf[desk](v) {
			if len(d.Kept) > 0 {
				return true
			}
		}
		return false
	}
	properties := []model.Property{
		model.Always("empty", func(v model.View) error {
			if some(v) {
				return errors.New("an agent keeps something")
			}
			return nil
		}),
		model.Sometimes("never", func(model.View) bool { return false }),
		model.Always("careless", func(v model.View) error {
			if some(v) {
				v.State(4)
			}
			return nil
		}),
		model.Sometimes("broken", func(v model.View) bool { return some(v) && v.State(0) != nil }),
		model.Always("elsewhere", func(model.View) error { return errors.New("it fails where it does not apply") }).
			When(func(model.View) bool { return false }),
		model.Always("spoils", func(v model.View) error {
			d := model.StateOf[desk](v, 2)
			if len(d.Kept) > 0 {
				d.Kept[0] = "spoilt"
			}
			return nil
		}),
		model.Always("unspoilt", func(v model.View) error {
			if d := model.StateOf[desk](v, 2); len(d.Kept) > 0 && d.Kept[0] == "spoilt" {
				return errors.New("a property spoilt what another reads")
			}
			return nil
		}),
	}
	kept := []string{
		"empty: an agent keeps something",
		"careless: the property panics: it asks for agent 4: the agents are 1 to 3",
		"broken: the property panics: it asks for agent 0: the agents are 1 to 3",
	}
	cases := []struct {
		name, start string
		want        []string
	}{
		{"nothing", "", nil},
		{"properties", "2:a", kept},
		{"halted", "2:halt", append([]string{"agent 2 is halted"}, kept...)},
		{"a label that panics", "2:nameless", append([]string{`Label or Halted of agent 2 in state desk{Self: 2, Kept: ["nameless"], Lost: false} panics: no name`}, kept...)},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			sys := offices(c.start)
			sys.Properties = properties
			s, st := start(t, sys)
			if c.start != "" {
				st = step(t, s, st, "{Note;1->2}", "")
			}
			var got []string
			for _, f := range s.Failures(st) {
				got = append(got, f.String())
			}
			if diff := cmp.Diff(c.want, got); diff != "" {
				t.Errorf("failures (-want +got):\n%s", diff)
			}
		})
	}
}

func TestLabelsOfAgentsWithoutNames(t *testing.T) {
	sys := offices("2:a")
	sys.Agents[1] = model.Of(office{})
	s, st := start(t, sys)
	if got, want := s.Label(st), "D0deskD0"; got != want {
		t.Errorf("the label is %s, not %s", got, want)
	}

	numbers := map[string]int{}
	s.Labels = func(id model.ID, local string) string {
		if id != 2 {
			t.Errorf("agent %d has a name, and is asked for", id)
		}
		if _, known := numbers[local]; !known {
			numbers[local] = len(numbers)
		}
		return strings.Repeat("'", numbers[local])
	}
	next := step(t, s, st, "{Note;1->2}", "")
	got := []string{s.Label(st), s.Label(next), s.Label(st), s.AgentLabel(next, 2)}
	if diff := cmp.Diff([]string{"D0D0", "D0'D0", "D0D0", "'"}, got); diff != "" {
		t.Errorf("labels (-want +got):\n%s", diff)
	}
}

func TestView(t *testing.T) {
	s, st := start(t, offices(""))
	v := s.View(st)
	if diff := cmp.Diff([]model.ID{1, 2, 3}, v.Population()); diff != "" {
		t.Errorf("population (-want +got):\n%s", diff)
	}
	if got := v.StateType(2).Name(); got != "desk" {
		t.Errorf("the type of agent 2's states is %s", got)
	}
	if got := model.StateOf[desk](v, 2).Self; got != 2 {
		t.Errorf("the state of agent 2 is agent %d's", got)
	}
}

func TestTheZeroStateIsNone(t *testing.T) {
	_, st := start(t, offices(""))
	if st.IsZero() || !(stepper.State{}).IsZero() {
		t.Error("the start is no state, or the zero state is one")
	}
}
