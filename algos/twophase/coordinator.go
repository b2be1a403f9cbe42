package twophase

import (
	"fmt"

	"github.com/caulk-go/caulk/model"
)

// Coordinator is the state of the transaction manager.
type Coordinator struct {
	Decision Decision
	Prepared model.IDSet // the managers whose Prepared it has counted
}

// Decision is what the transaction manager has decided.
type Decision int

// The decisions.
const (
	Undecided Decision = iota
	ToCommit
	ToAbort
)

// coordinator is the transaction manager of so many managers: it counts who is
// prepared, and decides once.
type coordinator struct{ managers int }

func (coordinator) Fresh(model.ID, []model.ID, int) (Coordinator, []Message) {
	return Coordinator{}, nil
}

// Receive counts a manager, until the decision.
func (c coordinator) Receive(s Coordinator, m Message) (Coordinator, []Message) {
	if _, ok := m.Body.(Prepared); ok && s.Decision == Undecided && 1 <= m.From && int(m.From) <= c.managers {
		s.Prepared = s.Prepared.With(m.From)
	}
	return s, nil
}

func (c coordinator) Actions() []model.Action[Coordinator, Body] {
	return []model.Action[Coordinator, Body]{
		{Name: "commit", Kind: model.Step, Do: c.commit},
		{Name: "abort", Kind: model.Timer, Do: c.abort},
	}
}

// commit decides when every manager is counted.
func (c coordinator) commit(s Coordinator) (Coordinator, []Message, bool) {
	enabled := s.Decision == Undecided && len(s.Prepared) == c.managers
	s.Decision = ToCommit
	return s, c.tellAll(Commit{}), enabled
}

// abort decides when patience ends, whoever is counted.
func (c coordinator) abort(s Coordinator) (Coordinator, []Message, bool) {
	enabled := s.Decision == Undecided
	s.Decision = ToAbort
	return s, c.tellAll(Abort{}), enabled
}

func (c coordinator) tellAll(body Body) []Message {
	sent := make([]Message, c.managers)
	for i := range sent {
		sent[i] = Message{To: model.ID(i + 1), Body: body}
	}
	return sent
}

// Label is C or A once it has decided; until then I and how many managers it
// has counted: I2.
func (coordinator) Label(s Coordinator) string {
	switch s.Decision {
	case ToCommit:
		return "C"
	case ToAbort:
		return "A"
	}
	return fmt.Sprintf("I%d", len(s.Prepared))
}
