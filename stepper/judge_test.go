package stepper_test

import (
	"errors"
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
	sys := offices("1:a 2:a")
	sys.Agents[0], sys.Agents[1] = model.Of(office{}), model.Of(office{})
	s, st := start(t, sys)
	next := step(t, s, st, "{Note;1->2}", "")
	last := step(t, s, next, "{Note;1->1}", "")
	got := []string{s.Label(last), s.Label(next), s.Label(st), s.AgentLabel(next, 2), s.AgentLabel(st, 3)}
	// The start's come first; after it, those of the state that is asked for first.
	if diff := cmp.Diff([]string{"desk2 desk3 D0", "desk0 desk3 D0", "desk0 desk1 D0", "desk3", "D0"}, got); diff != "" {
		t.Errorf("labels (-want +got):\n%s", diff)
	}
}

// Agents that are in the same state bear the same name.
func TestTheSameStateHasOneNumber(t *testing.T) {
	same := model.Of(counter{})
	s, st := start(t, model.System{Agents: []model.Node{same, same}})
	next := step(t, s, st, "count 2", "")
	got := []string{s.Label(st), s.Label(next), s.Label(step(t, s, next, "count 1", ""))}
	if diff := cmp.Diff([]string{"int0 int0", "int0 int1", "int1 int1"}, got); diff != "" {
		t.Errorf("labels (-want +got):\n%s", diff)
	}
}

// counter is an agent that counts.
type counter struct{}

func (counter) Fresh(model.ID, []model.ID, int) (int, []model.Message[int]) { return 0, nil }

func (counter) Receive(n int, _ model.Message[int]) (int, []model.Message[int]) { return n, nil }

func (counter) Actions() []model.Action[int, int] {
	return []model.Action[int, int]{{Name: "count", Do: func(n int) (int, []model.Message[int], bool) { return n + 1, nil, true }}}
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
