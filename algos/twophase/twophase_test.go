package twophase

import (
	"fmt"
	"reflect"
	"testing"

	"github.com/caulk-go/caulk/model"
)

// One manager prepares, is counted, and is told to commit.
func Example() {
	m, tm := manager{tm: 2}, coordinator{managers: 1}
	working, _ := m.Fresh(1, []model.ID{1, 2}, 0)
	undecided, _ := tm.Fresh(2, []model.ID{1, 2}, 0)

	_, _, early := tm.commit(undecided)
	fmt.Println("may commit:", early)

	prepared, sent, _ := m.prepare(working)
	counted, _ := tm.Receive(undecided, Message{From: 1, To: 2, Body: sent[0].Body})
	fmt.Println(m.Label(prepared) + tm.Label(counted))

	decided, sent, enabled := tm.commit(counted)
	fmt.Println("may commit:", enabled)

	committed, _ := m.Receive(prepared, Message{From: 2, To: 1, Body: sent[0].Body})
	fmt.Println(m.Label(committed) + tm.Label(decided))
	// Output:
	// may commit: false
	// PI1
	// may commit: true
	// CC
}

func TestManagerActsOnlyWhileWorking(t *testing.T) {
	m := manager{tm: 4}
	for _, s := range []Manager{Working, ReadyToCommit, Committed, Aborted} {
		for _, a := range m.Actions() {
			if _, _, enabled := a.Do(s); enabled != (s == Working) {
				t.Errorf("%s in %s: enabled is %t", a.Name, m.Label(s), enabled)
			}
		}
	}
}

func TestManagerObeysInEveryState(t *testing.T) {
	m := manager{tm: 4}
	for _, s := range []Manager{Working, ReadyToCommit, Committed, Aborted} {
		for body, want := range map[Body]Manager{Commit{}: Committed, Abort{}: Aborted, Prepared{}: s} {
			if got, sent := m.Receive(s, Message{From: 4, To: 1, Body: body}); got != want || sent != nil {
				t.Errorf("%T in %s: %s sending %v, want %s", body, m.Label(s), m.Label(got), sent, m.Label(want))
			}
		}
	}
}

func TestCoordinatorCounts(t *testing.T) {
	c := coordinator{managers: 3}
	for _, tt := range []struct {
		given Coordinator
		from  model.ID
		body  Body
		want  Coordinator
	}{
		{Coordinator{}, 1, Prepared{}, Coordinator{Prepared: set(1)}},
		{Coordinator{Prepared: set(1)}, 3, Prepared{}, Coordinator{Prepared: set(1, 3)}},
		{Coordinator{Prepared: set(1, 3)}, 3, Prepared{}, Coordinator{Prepared: set(1, 3)}},
		{Coordinator{ToAbort, set(1)}, 3, Prepared{}, Coordinator{ToAbort, set(1)}},
		{Coordinator{}, 4, Prepared{}, Coordinator{}},
		{Coordinator{}, 0, Prepared{}, Coordinator{}},
		{Coordinator{}, 1, Commit{}, Coordinator{}},
	} {
		if got, sent := c.Receive(tt.given, Message{From: tt.from, To: 4, Body: tt.body}); !reflect.DeepEqual(got, tt.want) || sent != nil {
			t.Errorf("%v, %T from %d: %v sending %v, want %v", tt.given, tt.body, tt.from, got, sent, tt.want)
		}
	}
}

func TestCoordinatorDecidesOnce(t *testing.T) {
	c := coordinator{managers: 2}
	for _, tt := range []struct {
		given         Coordinator
		commit, abort bool
	}{
		{Coordinator{}, false, true},
		{Coordinator{Prepared: set(2)}, false, true},
		{Coordinator{Prepared: set(1, 2)}, true, true},
		{Coordinator{ToCommit, set(1, 2)}, false, false},
		{Coordinator{ToAbort, set(1, 2)}, false, false},
	} {
		_, told, commit := c.commit(tt.given)
		_, _, abort := c.abort(tt.given)
		if commit != tt.commit || abort != tt.abort {
			t.Errorf("%v: may commit is %t, may abort is %t", tt.given, commit, abort)
		}
		if want := []Message{{To: 1, Body: Commit{}}, {To: 2, Body: Commit{}}}; !reflect.DeepEqual(told, want) {
			t.Errorf("%v: tells %v, want %v", tt.given, told, want)
		}
	}
}

// managers is a view of managers 1 to N, and the transaction manager.
type managers []Manager

func (v managers) Population() []model.ID {
	s := system(len(v))
	return s.Population()
}

func (v managers) StateType(id model.ID) reflect.Type {
	s := system(len(v))
	return s.Node(id).StateType()
}

func (v managers) State(id model.ID) any          { return v[id-1] }
func (v managers) Crashed(model.ID) bool          { return false }
func (v managers) Observer() any                  { return nil }
func (v managers) InFlight() []model.Message[any] { return nil }

func TestProperties(t *testing.T) {
	for _, tt := range []struct {
		managers  managers
		violation string // of consistent
		reached   string // a sometimes, or ""
	}{
		{managers{Working, ReadyToCommit, Working}, "", ""},
		{managers{Aborted, ReadyToCommit, Aborted}, "", ""},
		{managers{Aborted, Aborted, Aborted}, "", "all aborted"},
		{managers{Committed, Committed}, "", "all committed"},
		{managers{Working, Committed, Aborted, Committed, Aborted}, "manager 3 has aborted while manager 2 has committed", ""},
	} {
		for _, p := range system(len(tt.managers)).Properties {
			err := p.Check(tt.managers)
			switch {
			case p.Kind == model.KindSometimes:
				if (err == nil) != (p.Name == tt.reached) {
					t.Errorf("%v: %s is %v", tt.managers, p.Name, err)
				}
			case tt.violation == "" && err != nil, tt.violation != "" && (err == nil || err.Error() != tt.violation):
				t.Errorf("%v: %v, want %q", tt.managers, err, tt.violation)
			}
		}
	}
}

func TestEveryNumberOfManagers(t *testing.T) {
	a := Algorithm()
	for _, n := range []int{1, 3, 16} {
		s, err := a.System(model.Config{Params: map[string]int{"managers": n}})
		if err != nil || len(s.Agents) != n+1 || s.Network != model.Set {
			t.Errorf("managers=%d: %d agents on a %s, %v", n, len(s.Agents), s.Network, err)
		}
	}
	for _, n := range []int{0, 17} {
		if _, err := a.System(model.Config{Params: map[string]int{"managers": n}}); err == nil {
			t.Errorf("managers=%d is accepted", n)
		}
	}
}

// set is a set of managers.
func set(ids ...model.ID) (s model.IDSet) {
	for _, id := range ids {
		s = s.With(id)
	}
	return s
}
