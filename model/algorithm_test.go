package model_test

import (
	"fmt"
	"maps"
	"strings"
	"testing"

	"github.com/caulk-go/caulk/model"
)

// parrot sends back whatever it hears.
type parrot struct{}

func (parrot) Fresh(model.ID, []model.ID, int) (string, []model.Message[string]) { return "", nil }

func (parrot) Start(_, value string) (string, []model.Message[string]) { return value, nil }

func (parrot) Receive(s string, m model.Message[string]) (string, []model.Message[string]) {
	return s, []model.Message[string]{{To: m.From, Body: m.Body}}
}

func parrots(n int) model.System {
	s := model.System{Network: model.Set}
	for range n {
		s.Agents = append(s.Agents, model.Of(parrot{}))
	}
	return s
}

// flock has as many parrots as it is asked for, aviary as its cages hold.
func flock() model.Algorithm {
	return model.Algorithm{
		Name: "flock", Agents: 3, MinAgents: 2,
		Starts: map[model.ID]string{1: "x"},
		Make:   func(c model.Config) model.System { return parrots(c.Agents) },
	}
}

func aviary() model.Algorithm {
	return model.Algorithm{
		Name: "aviary",
		Params: []model.Param{
			{Name: "cages", Default: 2, Min: 1, Max: 9},
			{Name: "each", Default: 3, Min: 0, Max: 4},
		},
		Make: func(c model.Config) model.System { return parrots(c.Params["cages"] * c.Params["each"]) },
	}
}

func TestSystemFillsInWhatIsNotSaid(t *testing.T) {
	for _, tt := range []struct {
		algorithm model.Algorithm
		config    model.Config
		agents    int
		params    map[string]int
		starts    map[model.ID]string
	}{
		{flock(), model.Config{}, 3, nil, map[model.ID]string{1: "x"}},
		{flock(), model.Config{Agents: 2}, 2, nil, map[model.ID]string{1: "x"}},
		{aviary(), model.Config{}, 6, map[string]int{"cages": 2, "each": 3}, nil},
		{aviary(), model.Config{Params: map[string]int{"each": 4}}, 8, map[string]int{"cages": 2, "each": 4}, nil},
		{aviary(), model.Config{Agents: 6}, 6, map[string]int{"cages": 2, "each": 3}, nil},
	} {
		asked := maps.Clone(tt.config.Params)
		s, err := tt.algorithm.System(tt.config)
		if err != nil {
			t.Errorf("%s with %v: %v", tt.algorithm.Name, tt.config, err)
			continue
		}
		if s.Name != tt.algorithm.Name || s.Network != model.Set || len(s.Agents) != tt.agents ||
			!maps.Equal(s.Params, tt.params) || !maps.Equal(s.Starts, tt.starts) {
			t.Errorf("%s with %v: a system %q of %d agents, params %v, starts %v", tt.algorithm.Name, tt.config, s.Name, len(s.Agents), s.Params, s.Starts)
		}
		if !maps.Equal(asked, tt.config.Params) {
			t.Errorf("%s: the config was changed from %v to %v", tt.algorithm.Name, asked, tt.config.Params)
		}
	}
}

func TestSystemSharesNothingWithTheAlgorithm(t *testing.T) {
	a := flock()
	first, err := a.System(model.Config{})
	if err != nil {
		t.Fatal(err)
	}
	first.Starts[2] = "y"
	second, err := a.System(model.Config{})
	if err != nil {
		t.Fatal(err)
	}
	if len(second.Starts) != 1 {
		t.Errorf("starting another agent of one system changed the next: %v", second.Starts)
	}
}

func TestSystemRefuses(t *testing.T) {
	for _, tt := range []struct {
		algorithm model.Algorithm
		config    model.Config
		want      string
	}{
		{flock(), model.Config{Agents: 1}, "flock takes 2 to 1000 agents, not 1"},
		{flock(), model.Config{Agents: -1}, "flock takes 2 to 1000 agents, not -1"},
		{flock(), model.Config{Agents: 1_000_000_000}, "flock takes 2 to 1000 agents, not 1000000000"},
		{flock(), model.Config{Params: map[string]int{"wings": 2, "beaks": 1}}, `flock has no parameter "beaks": it has none`},
		{aviary(), model.Config{Agents: 5}, "aviary has 6 agents with cages=2 each=3, not 5"},
		{aviary(), model.Config{Agents: 5, Params: map[string]int{"cages": 1, "each": 1}}, "aviary has 1 agent with cages=1 each=1, not 5"},
		{aviary(), model.Config{Agents: -5}, "aviary has 6 agents with cages=2 each=3, not -5"},
		{aviary(), model.Config{Params: map[string]int{"cages": 10}}, "parameter cages of aviary is 1 to 9, not 10"},
		{aviary(), model.Config{Params: map[string]int{"cages": 0}}, "parameter cages of aviary is 1 to 9, not 0"},
		{aviary(), model.Config{Params: map[string]int{"cage": 3}}, `aviary has no parameter "cage": it has cages, each`},
		{aviary(), model.Config{Params: map[string]int{"each": 0}}, "aviary: a system needs at least one agent"},
	} {
		_, err := tt.algorithm.System(tt.config)
		if err == nil || err.Error() != tt.want {
			t.Errorf("%s with %v: %v, want %s", tt.algorithm.Name, tt.config, err, tt.want)
		}
	}
}

func TestFindAlgorithm(t *testing.T) {
	list := []model.Algorithm{flock(), aviary()}
	if a, err := model.FindAlgorithm(list, "aviary"); err != nil || a != &list[1] {
		t.Errorf("aviary: %v, %v", a, err)
	}
	_, err := model.FindAlgorithm(list, "avairy")
	if err == nil || !strings.Contains(err.Error(), `"avairy"`) || !strings.Contains(err.Error(), "flock, aviary") {
		t.Errorf("the error %v does not say what was asked for and what there is", err)
	}
}

func ExampleAlgorithm_System() {
	a := aviary()
	s, err := a.System(model.Config{Params: map[string]int{"cages": 4}})
	fmt.Println(len(s.Agents), s.Params, err)
	_, err = a.System(model.Config{Params: map[string]int{"cages": 99}})
	fmt.Println(err)
	// Output:
	// 12 map[cages:4 each:3] <nil>
	// parameter cages of aviary is 1 to 9, not 99
}
