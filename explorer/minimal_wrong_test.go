package explorer_test

import (
	"errors"
	"testing"

	"github.com/caulk-go/caulk/explorer"
	"github.com/caulk-go/caulk/model"
)

// door opens on a key, once, and tells agent 2, which has sent two keys and counts.
func door() model.System {
	opens := scripted[int, ticket]{
		receive: func(s int, m model.Message[ticket]) (int, []model.Message[ticket]) {
			if s > 0 {
				return s, nil
			}
			return 1, send(2, ticket{})
		},
	}
	counts := scripted[int, ticket]{
		fresh: func(model.ID, int) (int, []model.Message[ticket]) {
			return 0, append(send(1, ticket{1}), send(1, ticket{2})...)
		},
		receive: func(s int, _ model.Message[ticket]) (int, []model.Message[ticket]) { return min(s+1, 2), nil },
	}
	sys := systemOf(model.Of(opens), model.Of(counts))
	sys.Wipe = []model.ID{1}
	sys.Properties = []model.Property{model.Always("opened once", func(v model.View) error {
		if model.StateOf[int](v, 2) > 1 {
			return errors.New("it was opened twice")
		}
		return nil
	})}
	return sys
}

// lamp goes to the state that a message says, and stays. Nobody asks which it
// is, but perhaps a property or an observer.
func lamp(p model.Property) model.System {
	goes := scripted[int, ticket]{
		fresh: func(model.ID, int) (int, []model.Message[ticket]) {
			return 0, append(send(1, ticket{1}), send(1, ticket{2})...)
		},
		receive: func(s int, m model.Message[ticket]) (int, []model.Message[ticket]) {
			if s > 0 {
				return s, nil
			}
			return m.Body.N, nil
		},
	}
	sys := systemOf(model.Of(goes))
	sys.Properties = []model.Property{p}
	return sys
}

func notTwo(read func(v model.View) int) model.Property {
	return model.Always("not two", func(v model.View) error {
		if read(v) == 2 {
			return errors.New("it is 2")
		}
		return nil
	})
}

// Each part of what the tables must hold is left out once, and the verdict is
// wrong: so nothing of it can be spared.
func TestTablesThatLackSomethingAreWrong(t *testing.T) {
	observed := lamp(notTwo(model.ObserverOf[int]))
	observed.Observer = model.Observe(0, func(n int, e model.Event) int {
		if e.Before != nil {
			n = max(n, e.Before.(int))
		}
		return n
	})
	for _, tt := range []struct {
		name    string
		sys     model.System
		lacks   func(s *model.System) // in the tables
		forgets bool
		reduce  explorer.Reduction
		moves   int
	}{
		{"dead, with a wipe outside the tables", door(), func(s *model.System) { s.Wipe = nil }, false, explorer.Dead, 5},
		{"minimal that forgets the property", lamp(notTwo(func(v model.View) int { return model.StateOf[int](v, 1) })), nil, true, explorer.Minimal, 1},
		{"minimal that forgets the observer", observed, func(s *model.System) { s.Observer = nil }, false, explorer.Minimal, 2},
		{"dead that forgets the observer", deafened(), func(s *model.System) { s.Observer = nil }, false, explorer.Dead, 1},
	} {
		t.Run(tt.name, func(t *testing.T) {
			o := explorer.Options{Reduce: []explorer.Reduction{tt.reduce}}
			r := explore(t, tt.sys, o)
			if r.Violation == nil || r.Violation.Moves != tt.moves {
				t.Fatalf("done right it is %q, %+v; want a violation after %d moves", r.Verdict, r.Violation, tt.moves)
			}
			tables := tt.sys
			if tt.lacks != nil {
				tt.lacks(&tables)
			}
			wrong, err := explorer.ExploreWrongly(t.Context(), tt.sys, tables, tt.forgets, o)
			if err != nil {
				t.Fatal(err)
			}
			if wrong.Verdict != explorer.Holds {
				t.Errorf("done wrong it is %q: the test shows nothing", wrong.Verdict)
			}
		})
	}
}

// deafened is an agent that ignores all, and an observer that does not.
func deafened() model.System {
	sys := systemOf(model.Of(scripted[int, ticket]{
		fresh: func(model.ID, int) (int, []model.Message[ticket]) { return 0, send(1, ticket{2}) },
	}))
	sys.Observer = model.Observe(0, func(n int, e model.Event) int {
		if e.Before == nil {
			return n
		}
		return e.Move.Body.(ticket).N
	})
	sys.Properties = []model.Property{notTwo(model.ObserverOf[int])}
	return sys
}
