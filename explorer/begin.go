package explorer

import (
	"errors"
	"slices"

	"github.com/caulk-go/caulk/internal/call"
	"github.com/caulk-go/caulk/model"
)

// start gives the states in which the system begins, each once, in the order
// of the system's AllStarts.
func (s *search) start() ([]flat, error) {
	starts, err := s.tables.start()
	if p := new(call.PanicError); errors.As(err, &p) {
		s.panicked = &panicked{err: p}
		return nil, errCut
	}
	if err != nil {
		return nil, err
	}
	for _, f := range starts {
		s.demandNetwork(f)
	}
	s.starts, s.wholeStarts = starts, starts
	return distinct(starts), nil
}

func distinct(states []flat) []flat {
	var list []flat
	for _, f := range states {
		if !slices.ContainsFunc(list, f.equal) {
			list = append(list, f)
		}
	}
	return list
}

// startOf is the number, among the system's AllStarts, of the first start state
// that is this one.
func (s *search) startOf(f flat) int { return slices.IndexFunc(s.starts, f.equal) }

// start begins every agent in order of ID, as each of the system's AllStarts
// says.
func (t *tables) start() ([]flat, error) {
	var starts []flat
	for i := range t.sys.AllStarts() {
		f := flat{extra: t.startBudgets()}
		var begun []call.Outcome
		var sent []uint32
		for a := range t.agents {
			o, err := t.caller.Begin(i, model.ID(a+1))
			if err != nil {
				return nil, err
			}
			next, err := t.internState(a, o.Next)
			if err != nil {
				return nil, err
			}
			tr := transition{next: next}
			if tr.sent, err = t.internSent(o.Sent); err != nil {
				return nil, err
			}
			t.history.take(t, a, []transition{tr})
			begun, f.states, sent = append(begun, o), append(f.states, next), append(sent, tr.sent...)
		}
		if t.observer != nil {
			memory, err := t.observeStart(begun)
			if err != nil {
				return nil, err
			}
			t.history.takeText(t.observer.states[memory])
			f.extra = append(f.extra, memory)
		}
		for _, m := range sent {
			t.send(&f, m)
		}
		starts = append(starts, f)
	}
	t.history.begun()
	t.answered = 0
	return starts, nil
}

func (t *tables) startBudgets() []uint32 {
	var left []uint32
	for _, b := range t.budgets {
		left = append(left, uint32(t.sys.Budgets[b]))
	}
	return left
}
