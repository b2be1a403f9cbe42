package explorer

import (
	"errors"
	"fmt"

	"github.com/caulk-go/caulk/internal/call"
	"github.com/caulk-go/caulk/model"
	"github.com/caulk-go/caulk/stepper"
	"github.com/caulk-go/caulk/trace"
)

// walked is a path that was made again: its states, the start's first.
type walked struct {
	stepper *stepper.Stepper
	states  []stepper.State
}

// retrace makes the moves of a path again, with the stepper, which shares
// nothing with the search: no path is shown that the user's code does not
// take.
func (s *search) retrace(way route, names *labels) ([]trace.Step, *walked, error) {
	st, err := stepper.New(s.sys, s.handlerTime)
	if err != nil {
		return nil, nil, err
	}
	starts, err := st.Starts()
	if err != nil {
		return nil, nil, err
	}
	w := &walked{st, []stepper.State{starts[s.startOf(way.start)]}}
	steps := []trace.Step{}
	for i, c := range way.moves {
		next, err := s.retraceMove(st, w.states[i], c)
		if err != nil {
			return nil, nil, fmt.Errorf("caulk cannot make move %d of a path again, which is a bug of its own: %w", i+1, err)
		}
		w.states = append(w.states, next)
		step := names.step(c)
		step.State = names.stateOf(next)
		steps = append(steps, step)
	}
	return steps, w, nil
}

func (s *search) retraceMove(st *stepper.Stepper, at stepper.State, c choice) (stepper.State, error) {
	id := model.ID(c.agent + 1)
	var m *call.Envelope
	if c.msg >= 0 {
		m = &s.tables.messages[c.msg].Envelope
	}
	choices, err := st.Make(at, c.kind, id, m)
	if err != nil {
		return stepper.State{}, err
	}
	want := s.tables.agents[c.agent].states[c.next].bytes
	for _, made := range choices {
		if made.Panic == nil && made.Move.Action == c.action && made.Next.Local(id) == want {
			return made.Next, nil
		}
	}
	return stepper.State{}, errors.New("it leads elsewhere")
}

// reason is a property's sentence about the end of a path on which the search
// found it to fail.
func (w *walked) reason(p *property) (string, error) {
	last := w.states[len(w.states)-1]
	var failures []stepper.Failure
	switch p.Kind {
	case model.KindStep:
		failures = w.stepper.StepFailures(w.states[len(w.states)-2], last)
	case model.KindAtEnd:
		var err error
		if failures, err = w.stepper.EndFailures(last); err != nil {
			return "", err
		}
	default:
		failures = w.stepper.Failures(last)
	}
	for _, f := range failures {
		if f.Property == p.Name {
			return f.Reason, nil
		}
	}
	return "", &call.ImpureError{
		Site: call.Site{What: fmt.Sprintf("the property %q", p.Name), State: w.stepper.Label(last)},
		Why:  "it failed when it was first asked, and holds when it is asked again",
	}
}
