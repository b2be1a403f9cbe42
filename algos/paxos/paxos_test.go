package paxos

import (
	"fmt"
	"reflect"
	"testing"

	"github.com/caulk-go/caulk/model"
)

// Agent 1 of three proposes "x"; agent 3 promises, and that is a majority.
func Example() {
	everybody := []model.ID{1, 2, 3}
	one, _ := Mark1.Fresh(1, everybody, 0)
	three, _ := Mark1.Fresh(3, everybody, 0)

	one, sent := Mark1.Start(one, "x")
	fmt.Println(Mark1.Label(one), "sends", len(sent))

	three, sent = Mark1.Receive(three, Message{From: 1, To: 3, Body: Prepare{N: 1}})
	fmt.Println(Mark1.Label(three), "sends", len(sent))

	one, sent = Mark1.Receive(one, Message{From: 3, To: 1, Body: sent[0].Body})
	fmt.Println(Mark1.Label(one), "sends", len(sent), "with", one.Store)

	// What agent 2 makes of an Accept that overtakes its Prepare.
	two, _ := Mark1.Fresh(2, everybody, 0)
	two, _ = Mark1.Receive(two, Message{From: 1, To: 2, Body: sent[0].Body})
	fmt.Println(Mark1.Label(two))
	// Output:
	// R1 sends 2
	// P1 sends 1
	// L1 sends 2 with [{1 x}]
	// H0
}

// in is agent 1 of so many, in a state and a round.
func in(agents, n int, s State, store ...Entry) Agent {
	a := Agent{Self: 1, N: n, Store: store, State: s}
	for id := 1; id <= agents; id++ {
		a.Population = append(a.Population, model.ID(id))
	}
	return a
}

func TestReceive(t *testing.T) {
	proposal := Request{Value: "x", Ballot: ballotOf(3)}
	among5 := Request{Value: "x", Ballot: ballotOf(5)}
	alone := Request{Value: "x", Ballot: ballotOf(2)}
	x1, y2 := Entry{1, "x"}, Entry{2, "y"}
	answer := func(b Body) []Message { return []Message{{To: 2, Body: b}} }

	for _, tt := range []struct {
		name     string
		variants []Variant
		given    Agent
		body     Body // from agent 2
		want     Agent
		sent     []Message
	}{
		{"mark0 halts", []Variant{Mark0}, in(3, 0, Idle{}), Prepare{1}, in(3, 0, Halted{}), nil},

		{"a later round", []Variant{Mark1, Mark2, Mark2b}, in(3, 0, Idle{}), Prepare{5}, in(3, 5, Promised{}), answer(Promise{N: 5})},
		{"a round too far ahead", []Variant{Mark3}, in(3, 0, Idle{}), Prepare{2}, in(3, 0, Halted{}), nil},
		{"the next round", []Variant{Mark3}, in(3, 1, Idle{}, x1), Prepare{2}, in(3, 2, Promised{}, x1), answer(Promise{N: 2})},
		{"a round that is over", []Variant{Mark1, Mark2, Mark2b}, in(3, 1, Idle{}), Prepare{1}, in(3, 1, Halted{}), nil},
		{"a round that is over", []Variant{Mark3}, in(3, 1, Idle{}), Prepare{1}, in(3, 1, Idle{}), nil},
		{"a round long over", []Variant{Mark3}, in(3, 2, Idle{}), Prepare{1}, in(3, 2, Idle{}), nil},
		{"Prepare when promised", []Variant{Mark1, Mark3}, in(3, 1, Promised{}), Prepare{2}, in(3, 1, Halted{}), nil},

		{"a majority", []Variant{Mark1, Mark3}, in(3, 1, proposal), Promise{N: 1},
			in(3, 1, Lead{"x", 1}, x1), []Message{{To: 2, Body: Accept{1, "x"}}, {To: 3, Body: Accept{1, "x"}}}},
		{"of two, any promise is a majority", []Variant{Mark1, Mark3}, in(2, 1, alone), Promise{N: 1},
			in(2, 1, Lead{"x", 0}, x1), answer(Accept{1, "x"})},
		{"of five, the vote is forgotten", []Variant{Mark1, Mark3}, in(5, 1, among5), Promise{N: 1}, in(5, 1, among5), nil},
		{"another value is no majority", []Variant{Mark1, Mark3}, in(3, 1, proposal), Promise{N: 1, Value: value("y")}, in(3, 1, proposal), nil},
		{"a promise for another round", []Variant{Mark1, Mark2, Mark3}, in(3, 1, proposal), Promise{N: 2}, in(3, 1, Halted{}), nil},
		{"a promise for an older round", []Variant{Mark1, Mark2, Mark3}, in(3, 2, proposal), Promise{N: 1}, in(3, 2, Halted{}), nil},
		{"a late promise", []Variant{Mark1}, in(3, 1, Lead{"x", 1}), Promise{N: 1}, in(3, 1, Halted{}), nil},
		{"a late promise", []Variant{Mark2, Mark3}, in(3, 1, Lead{"x", 1}), Promise{N: 1}, in(3, 1, Lead{"x", 1}), nil},
		{"a later promise", []Variant{Mark2, Mark3}, in(3, 1, Idle{}, x1), Promise{N: 1}, in(3, 1, Idle{}, x1), nil},
		{"a late promise for another round", []Variant{Mark2, Mark3}, in(3, 0, Idle{}), Promise{N: 1}, in(3, 0, Halted{}), nil},
		{"a promise when promised", []Variant{Mark2, Mark3}, in(3, 1, Promised{}), Promise{N: 1}, in(3, 1, Halted{}), nil},

		{"what was promised", []Variant{Mark1, Mark3}, in(3, 2, Promised{}, x1), Accept{2, "y"}, in(3, 2, Idle{}, y2, x1), answer(Accepted{2})},
		{"another round than promised", []Variant{Mark1, Mark3}, in(3, 2, Promised{}), Accept{1, "x"}, in(3, 2, Halted{}), nil},
		{"Accept before Prepare", []Variant{Mark1}, in(3, 1, Idle{}), Accept{2, "y"}, in(3, 1, Halted{}), nil},
		{"Accept before Prepare", []Variant{Mark2}, in(3, 1, Idle{}, x1), Accept{2, "y"}, in(3, 1, Idle{}, y2, x1), answer(Accepted{2})},
		{"Accept before Prepare", []Variant{Mark2b, Mark3}, in(3, 1, Idle{}, x1), Accept{2, "y"}, in(3, 2, Idle{}, y2, x1), answer(Accepted{2})},
		{"Accept long before", []Variant{Mark2, Mark3}, in(3, 0, Idle{}), Accept{2, "y"}, in(3, 0, Halted{}), nil},
		{"Accept again", []Variant{Mark2b, Mark3}, in(3, 1, Idle{}, x1), Accept{1, "x"}, in(3, 1, Halted{}, x1), nil},

		{"the last acknowledgement", []Variant{Mark1, Mark3}, in(3, 1, Lead{"x", 1}, x1), Accepted{1}, in(3, 1, Idle{}, x1), nil},
		{"one of two", []Variant{Mark1, Mark3}, in(5, 1, Lead{"x", 2}), Accepted{1}, in(5, 1, Lead{"x", 1}), nil},
		{"when none is outstanding", []Variant{Mark1, Mark3}, in(2, 1, Lead{"x", 0}), Accepted{1}, in(2, 1, Idle{}), nil},
		{"of another round", []Variant{Mark1, Mark3}, in(3, 2, Lead{"x", 1}), Accepted{1}, in(3, 2, Halted{}), nil},
		{"a late acknowledgement", []Variant{Mark1}, in(3, 1, Idle{}), Accepted{1}, in(3, 1, Halted{}), nil},
		{"a late acknowledgement", []Variant{Mark2, Mark3}, in(3, 1, Idle{}), Accepted{1}, in(3, 1, Idle{}), nil},
		{"a later acknowledgement", []Variant{Mark2, Mark3}, in(3, 2, Idle{}), Accepted{1}, in(3, 2, Halted{}), nil},

		{"no body", []Variant{Mark1, Mark3}, in(3, 1, Idle{}), nil, in(3, 1, Halted{}), nil},
		{"halted", []Variant{Mark1, Mark3}, in(3, 1, Halted{}), Prepare{2}, in(3, 1, Halted{}), nil},
	} {
		for _, v := range tt.variants {
			got, sent := v.Receive(tt.given, Message{From: 2, To: 1, Body: tt.body})
			if !reflect.DeepEqual(got, tt.want) || !reflect.DeepEqual(sent, tt.sent) {
				t.Errorf("%s: %s: %#v sending %v, want %#v sending %v", v.Name, tt.name, got, sent, tt.want, tt.sent)
			}
		}
	}
}

func TestStart(t *testing.T) {
	for _, agents := range []int{1, 2, 3, 5} {
		a, sent := Mark3.Start(in(agents, 4, Idle{}), "x")
		if r, ok := a.State.(Request); !ok || a.N != 5 || r.Value != "x" || len(r.Ballot.Voters) != agents-1 || len(sent) != agents-1 {
			t.Errorf("started among %d: %#v sending %v", agents, a, sent)
		}
	}
	for _, s := range []State{Halted{}, Request{Value: "y"}, Promised{}, Lead{}} {
		before := in(3, 1, s)
		if a, sent := Mark3.Start(before, "x"); !reflect.DeepEqual(a, before) || sent != nil {
			t.Errorf("started when it is not idle: %#v sending %v, from %#v", a, sent, before)
		}
	}
}

// A store with spare room shows an append into it.
func TestAcceptChangesNoOtherStore(t *testing.T) {
	shared := append(make([]Entry, 0, 8), Entry{1, "x"})
	x, _ := Mark3.Receive(in(3, 1, Idle{}, shared...), Message{From: 2, To: 1, Body: Accept{2, "x"}})
	y, _ := Mark3.Receive(in(3, 1, Idle{}, shared...), Message{From: 2, To: 1, Body: Accept{2, "y"}})
	if x.Store[0].Value != "x" || y.Store[0].Value != "y" || shared[0] != (Entry{1, "x"}) || shared[:2][1] != (Entry{}) {
		t.Errorf("two stores share memory: %v, %v and %v", x.Store, y.Store, shared[:2])
	}
}

// agents is a view of agents in order of ID.
type agents []Agent

func (v agents) Population() []model.ID          { return v[0].Population }
func (v agents) StateType(model.ID) reflect.Type { return reflect.TypeFor[Agent]() }
func (v agents) State(id model.ID) any           { return v[id-1] }
func (v agents) Crashed(model.ID) bool           { return false }
func (v agents) Observer() any                   { return nil }
func (v agents) InFlight() []model.Message[any]  { return nil }

func TestConsistent(t *testing.T) {
	as := func(id model.ID, a Agent) Agent { a.Self = id; return a }
	x, y := Entry{1, "x"}, Entry{2, "y"}
	for _, tt := range []struct {
		agents agents
		want   string // "" if consistent
	}{
		{agents{in(3, 0, Idle{}), as(2, in(3, 0, Idle{}))}, ""},
		{agents{in(3, 1, Idle{}, x), as(2, in(3, 0, Idle{})), as(3, in(3, 1, Idle{}, x))}, ""},
		{agents{in(3, 1, Lead{}, x), as(2, in(3, 1, Idle{})), as(3, in(3, 1, Promised{}, y))}, ""},
		{agents{in(3, 0, Idle{}, x), as(2, in(3, 1, Lead{})), as(3, in(3, 0, Idle{}))},
			`agents 1 and 3 are idle at n=0 with different stores: "x" of n=1 and nothing`},
		{agents{in(3, 2, Idle{}, y), as(2, in(3, 2, Idle{}, y, x)), as(3, in(3, 2, Idle{}))},
			`agents 1 and 2 are idle at n=2 with different stores: "y" of n=2 and "y" of n=2, "x" of n=1`},
	} {
		for i := range tt.agents {
			tt.agents[i].Population = []model.ID{1, 2, 3}[:len(tt.agents)]
		}
		got := ""
		if err := consistent().Check(tt.agents); err != nil {
			got = err.Error()
		}
		if got != tt.want {
			t.Errorf("%v: %q, want %q", tt.agents, got, tt.want)
		}
	}
}

func TestAnyNumberOfAgents(t *testing.T) {
	for _, v := range []Variant{Mark0, Mark1, Mark2, Mark2b, Mark3} {
		a := v.Algorithm()
		for _, n := range []int{1, 2, 4, 5} {
			s, err := a.System(model.Config{Agents: n})
			if err != nil {
				t.Errorf("%s among %d: %v", v.Name, n, err)
				continue
			}
			if o := model.Begin(&s, 1); len(o.Sent) != n-1 {
				t.Errorf("%s among %d: the proposer sends %d messages at the start", v.Name, n, len(o.Sent))
			}
		}
		if _, err := a.System(model.Config{Agents: -1}); err == nil {
			t.Errorf("%s: -1 agents are accepted", v.Name)
		}
	}
}
