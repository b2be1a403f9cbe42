package stepper_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/caulk-go/caulk/model"
	"github.com/caulk-go/caulk/stepper"
)

// keeper is an office that can do and suffer everything: what it was sent first
// survives a restart, and its clock can ring.
type keeper struct{ labelled }

func (keeper) Persist(d desk) desk {
	d.Kept = d.Kept[:min(len(d.Kept), 1)]
	return d
}

func (keeper) Restart(self model.ID, _ []model.ID, _ int, d desk) (desk, []model.Message[note]) {
	d.Self = self
	return d, []model.Message[note]{{To: self, Body: note{"back"}}}
}

func (keeper) Actions() []model.Action[desk, note] {
	ring := func(d desk) (desk, []model.Message[note], bool) {
		return d, []model.Message[note]{{To: 1, Body: note{"rings"}}}, len(d.Kept) == 1
	}
	file := func(d desk) (desk, []model.Message[note], bool) {
		return desk{Self: d.Self}, nil, len(d.Kept) > 0
	}
	return []model.Action[desk, note]{{Name: "ring", Kind: model.Timer, Do: ring}, {Name: "file", Fair: true, Do: file}}
}

// keepers is a system in which everything may go wrong with agent 2, each once.
func keepers(value string) model.System {
	agent := model.Of(keeper{})
	two := []model.ID{2}
	sys := model.System{
		Agents: []model.Node{agent, agent}, Starts: map[model.ID]string{1: value},
		Lossy: true, Wipe: two, Restart: two, Crash: two,
		Budgets: map[model.Budget]int{},
	}
	for _, b := range model.AllBudgets() {
		sys.Budgets[b] = 1
	}
	return sys
}

// walk makes moves by their labels, which must be possible one after the other.
func walk(t *testing.T, s *stepper.Stepper, st stepper.State, labels ...string) stepper.State {
	t.Helper()
	for _, label := range labels {
		st = step(t, s, st, label, "")
	}
	return st
}

// left lists what is left of the budgets that are limited.
func left(s *stepper.Stepper, st stepper.State) string {
	var all []string
	for _, b := range model.AllBudgets() {
		if n, limited := s.Left(st, b); limited {
			all = append(all, fmt.Sprintf("%d %s", n, b))
		}
	}
	return strings.Join(all, ", ")
}

const untouched = "1 wipes, 1 restarts, 1 crashes, 1 drops, 1 duplicates, 1 timeouts"

func TestEveryKindOfMove(t *testing.T) {
	cases := []struct {
		kind   model.MoveKind
		before []string
		label  string
		fair   bool
		state  string
		flight []string
		spent  string
	}{
		{model.Deliver, nil, "{Note;1->2}", true, "D0D1", nil, ""},
		{model.Act, []string{"{Note;1->2}"}, "ring 2", false, "D0D1", []string{"2->1 rings"}, "timeouts"},
		{model.Act, []string{"{Note;1->2}"}, "file 2", true, "D0D0", nil, ""},
		{model.Wipe, []string{"{Note;1->2}"}, "Wipe 2", false, "D0D1", nil, "wipes"}, // what it keeps is that it was wiped
		{model.Restart, []string{"{Note;1->2}"}, "Restart 2", false, "D0D1", []string{"2->2 back"}, "restarts"},
		{model.Crash, nil, "Crash 2", false, "D0D0!", []string{"1->2 a"}, "crashes"},
		{model.Drop, nil, "Drop {Note;1->2}", false, "D0D0", nil, "drops"},
		{model.Duplicate, nil, "Duplicate {Note;1->2}", false, "D0D0", []string{"1->2 a", "1->2 a"}, "duplicates"},
	}
	met := map[model.MoveKind]bool{}
	for _, c := range cases {
		met[c.kind] = true
		t.Run(c.label, func(t *testing.T) {
			s, st := start(t, keepers("2:a"))
			st = walk(t, s, st, c.before...)
			got, err := stepper.Find(moves(t, s, st), c.label, "")
			if err != nil {
				t.Fatal(err)
			}
			if got.Move.Kind != c.kind || got.Fair != c.fair {
				t.Errorf("it is a move of kind %s, fair is %t", got.Move.Kind, got.Fair)
			}
			if label := s.Label(got.Next); label != c.state {
				t.Errorf("it leads to %s, not %s", label, c.state)
			}
			if diff := cmp.Diff(c.flight, inFlight(s, got.Next)); diff != "" {
				t.Errorf("in flight (-want +got):\n%s", diff)
			}
			if got, want := left(s, got.Next), strings.Replace(untouched, "1 "+c.spent, "0 "+c.spent, 1); c.spent == "" && got != untouched || c.spent != "" && got != want {
				t.Errorf("left are %s", got)
			}
			if left(s, st) != untouched {
				t.Errorf("of the state before are left %s", left(s, st))
			}
		})
	}
	for _, k := range model.MoveKinds() {
		if !met[k] {
			t.Errorf("no move is of kind %s", k)
		}
	}
}

// The moves of a state are listed kind by kind; what no agent may suffer, and
// what no budget is left for, is not among them.
func TestMovesThatBudgetsAllow(t *testing.T) {
	all := []string{"{Note;1->1}", "ring 2", "file 2", "Wipe 2", "Restart 2", "Crash 2", "Drop {Note;1->1}", "Duplicate {Note;1->1}"}
	without := func(name string) []string {
		var rest []string
		for _, label := range all {
			if !strings.HasPrefix(label, name) {
				rest = append(rest, label)
			}
		}
		return rest
	}
	limit := func(b model.Budget) func(*model.System) {
		return func(sys *model.System) { sys.Budgets[b] = 0 }
	}
	cases := []struct {
		name   string
		change func(*model.System)
		want   []string
	}{
		{"everything", func(*model.System) {}, all},
		{"no wipes", limit(model.Wipes), without("Wipe")},
		{"no restarts", limit(model.Restarts), without("Restart")},
		{"no crashes", limit(model.Crashes), without("Crash")},
		{"no drops", limit(model.Drops), without("Drop")},
		{"no duplicates", limit(model.Duplicates), without("Duplicate")},
		{"no timeouts", limit(model.Timeouts), without("ring")},
		{"no limits", func(sys *model.System) { sys.Budgets = nil }, without("Duplicate")}, // which would never end
		{"a network that loses nothing", func(sys *model.System) { sys.Lossy = false; delete(sys.Budgets, model.Drops) }, without("Drop")},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			sys := keepers("2:a 1:b")
			c.change(&sys)
			s, st := start(t, sys)
			st = walk(t, s, st, "{Note;1->2}")
			var got []string
			for _, c := range moves(t, s, st) {
				got = append(got, c.Label)
			}
			if diff := cmp.Diff(c.want, got); diff != "" {
				t.Errorf("moves (-want +got):\n%s", diff)
			}
		})
	}
}

// What is left of a budget is shared by all agents, and part of the state.
func TestABudgetIsSpentOnce(t *testing.T) {
	sys := keepers("")
	sys.Wipe = []model.ID{1, 2}
	sys.Agents[0], sys.Agents[1] = model.Of(untold{}), model.Of(untold{})
	sys.Restart = nil
	sys.Budgets = map[model.Budget]int{model.Wipes: 2}
	s, st := start(t, sys)
	once := walk(t, s, st, "Wipe 1")
	twice := walk(t, s, once, "Wipe 2")
	if once.Local(1) != st.Local(1) || once.Equal(st) || twice.Equal(once) {
		t.Error("a state with less left is the same as one with more")
	}
	if !twice.Equal(walk(t, s, st, "Wipe 2", "Wipe 1")) {
		t.Error("two orders of two wipes lead to different states")
	}
	if _, err := stepper.Find(moves(t, s, twice), "Wipe 1", ""); err == nil {
		t.Error("a third wipe is possible")
	}
}

// untold is an agent that does not ask how often it was wiped, and is not
// started.
type untold struct{}

func (untold) Fresh(model.ID, []model.ID, int) (int, []model.Message[note])      { return 0, nil }
func (untold) Receive(n int, _ model.Message[note]) (int, []model.Message[note]) { return n + 1, nil }
func (untold) Start(n int, _ string) (int, []model.Message[note])                { return n, nil }

func TestACrashedAgentDoesNothing(t *testing.T) {
	s, st := start(t, keepers("2:a 2:b"))
	st = walk(t, s, st, "Crash 2")
	want := []string{
		`Drop {Note;1->2} note{Text: "a"}`,
		`Drop {Note;1->2} note{Text: "b"}`,
		`Duplicate {Note;1->2} note{Text: "a"}`,
		`Duplicate {Note;1->2} note{Text: "b"}`,
	}
	if diff := cmp.Diff(want, describe(moves(t, s, st))); diff != "" {
		t.Errorf("moves (-want +got):\n%s", diff)
	}
	v := s.View(st)
	if v.Crashed(1) || !v.Crashed(2) || model.StateOf[desk](v, 2).Self != 2 {
		t.Errorf("crashed are %t and %t, and the last state of agent 2 is %v", v.Crashed(1), v.Crashed(2), v.State(2))
	}
	if f := s.Failures(st); f != nil {
		t.Errorf("a crash is a failure: %v", f)
	}
}

func TestFifo(t *testing.T) {
	fifo := func(value string) (*stepper.Stepper, stepper.State) {
		sys := keepers(value)
		sys.Network = model.Fifo
		delete(sys.Budgets, model.Duplicates)
		return start(t, sys)
	}
	s, st := fifo("2:z 1:x 2:a 2:z 2:z")
	if diff := cmp.Diff([]string{"1->1 x", "1->2 z", "1->2 a", "1->2 z", "1->2 z"}, inFlight(s, st)); diff != "" {
		t.Errorf("in flight (-want +got):\n%s", diff)
	}
	heads := []string{`{Note;1->1} note{Text: "x"}`, `{Note;1->2} note{Text: "z"}`}
	drops := []string{"Drop " + heads[0], "Drop " + heads[1]}
	if diff := cmp.Diff(append(append(heads, "Wipe 2", "Restart 2", "Crash 2"), drops...), describe(moves(t, s, st))); diff != "" {
		t.Errorf("moves (-want +got):\n%s", diff)
	}

	// A head that is taken away, or lost, uncovers the next.
	for _, label := range []string{"{Note;1->2}", "Drop {Note;1->2}"} {
		next := walk(t, s, st, label)
		if diff := cmp.Diff([]string{"1->1 x", "1->2 a", "1->2 z", "1->2 z"}, inFlight(s, next)); diff != "" {
			t.Errorf("in flight after %s (-want +got):\n%s", label, diff)
		}
	}

	// Queues are independent of each other, but each keeps its order.
	if !walk(t, s, st, "{Note;1->1}", "{Note;1->2}").Equal(walk(t, s, st, "{Note;1->2}", "{Note;1->1}")) {
		t.Error("two orders of deliveries from two queues lead to different states")
	}
	s, st = fifo("1:back 2:a")
	one := walk(t, s, st, "{Note;1->2}", "Restart 2", "ring 2")
	other := walk(t, s, st, "{Note;1->2}", "ring 2", "Restart 2")
	if !one.Equal(other) {
		t.Error("messages to different receivers have an order among them")
	}
}

// A queue's order is part of the state: the same messages sent in another order
// are another state.
func TestFifoRemembersTheOrder(t *testing.T) {
	for network, same := range map[model.Network]bool{model.Bag: true, model.Set: true, model.Fifo: false} {
		sys := offices("2:a 2:b")
		sys.Network = network
		sys.OtherStarts = []map[model.ID]string{{1: "2:b 2:a"}}
		s, err := stepper.New(&sys, 0)
		if err != nil {
			t.Fatal(err)
		}
		starts, err := s.Starts()
		if err != nil {
			t.Fatal(err)
		}
		if got := starts[0].Equal(starts[1]); got != same {
			t.Errorf("on a %s it is %t that a and b are the same as b and a", network, got)
		}
	}
}

// Properties see the network by sender, receiver and, except on fifo, body.
func TestInFlight(t *testing.T) {
	want := map[model.Network][]string{
		model.Bag:  {"1->2 a", "1->2 b", "1->2 b", "1->3 c", "3->1 d"},
		model.Set:  {"1->2 a", "1->2 b", "1->3 c", "3->1 d"},
		model.Fifo: {"1->2 b", "1->2 a", "1->2 b", "1->3 c", "3->1 d"},
	}
	for network, want := range want {
		sys := offices("3:c 2:b 2:a 2:b")
		sys.Starts[3] = "1:d"
		sys.Network = network
		s, st := start(t, sys)
		var got []string
		for _, m := range model.InFlightOf[note](s.View(st)) {
			got = append(got, fmt.Sprintf("%d->%d %s", m.From, m.To, m.Body.Text))
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("on a %s (-want +got):\n%s", network, diff)
		}
	}
}
