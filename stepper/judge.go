package stepper

import (
	"cmp"
	"fmt"
	"reflect"
	"slices"
	"strings"

	"github.com/caulk-go/caulk/internal/call"
	"github.com/caulk-go/caulk/model"
)

// Failure is something that is wrong with a state.
type Failure struct {
	Property string // the property that fails; empty for what is wrong with one agent
	Agent    model.ID
	Reason   string // the property's sentence, or one about the agent
}

func (f Failure) String() string {
	if f.Property == "" {
		return f.Reason
	}
	return f.Property + ": " + f.Reason
}

// Failures lists what is wrong with a state: agents that are halted, or whose
// Label or Halted panics, in order of ID; then, in the system's order, the
// properties that must always hold and do not, and those of any kind that panic
// or do not return. It is nil where nothing is wrong.
func (s *Stepper) Failures(st State) []Failure {
	var failures []Failure
	for _, id := range s.sys.Population() {
		t, err := s.call.Traits(id, st.Local(id))
		switch {
		case err != nil:
			failures = append(failures, Failure{Agent: id, Reason: firstLine(err.Error())})
		case t.Halted:
			failures = append(failures, Failure{Agent: id, Reason: fmt.Sprintf("agent %d is halted", id)})
		}
	}
	for _, p := range s.sys.Properties {
		if p.Kind == model.KindStep || p.Kind == model.KindAtEnd {
			continue
		}
		sentence, broken := s.check(p, s.View(st))
		if broken != nil || p.Kind == model.KindAlways {
			failures = appendFailure(failures, p, sentence, broken)
		}
	}
	return failures
}

// StepFailures lists, in the system's order, the properties over moves that
// fail, panic or do not return for a move from one state to another. It is nil
// where no agent's state and not the observer's changes.
func (s *Stepper) StepFailures(before, after State) []Failure {
	if slices.Equal(before.locals, after.locals) && before.memory == after.memory {
		return nil
	}
	var failures []Failure
	for _, p := range s.sys.Properties {
		if p.Kind != model.KindStep {
			continue
		}
		u, v := s.View(before), s.View(after)
		sentence, broken := s.guarded(func() error {
			if p.Applies == nil || p.Applies(u) {
				return p.CheckStep(u, v)
			}
			return nil
		})
		failures = appendFailure(failures, p, sentence, broken)
	}
	return failures
}

// EndFailures lists, in the system's order, the properties that must hold at
// the end and fail, panic or do not return in a state, if it is an end: no agent
// is halted, it is within the boundary, and no move but a fault leads to
// another. An error is the user's code's, as of Moves and Within.
func (s *Stepper) EndFailures(st State) ([]Failure, error) {
	var ends []model.Property
	for _, p := range s.sys.Properties {
		if p.Kind == model.KindAtEnd {
			ends = append(ends, p)
		}
	}
	if len(ends) == 0 || s.halted(st) {
		return nil, nil
	}
	if within, err := s.Within(st); err != nil || !within {
		return nil, err
	}
	moves, err := s.Moves(st)
	if err != nil {
		return nil, err
	}
	if slices.ContainsFunc(moves, func(c Choice) bool { return !c.Move.Kind.Fault() && !c.Next.Equal(st) }) {
		return nil, nil
	}
	var failures []Failure
	for _, p := range ends {
		sentence, broken := s.check(p, s.View(st))
		failures = appendFailure(failures, p, sentence, broken)
	}
	return failures, nil
}

// Satisfies says of one property of the system whether it applies in a state,
// and whether it holds there, wherever it applies. An error says that there is no
// such property, or that it is about moves, panics or does not return.
func (s *Stepper) Satisfies(st State, property string) (applies, holds bool, err error) {
	for _, p := range s.sys.Properties {
		if p.Name != property {
			continue
		}
		if p.Kind == model.KindStep {
			return false, false, fmt.Errorf("the property %q is about moves, not states", property)
		}
		v := s.View(st)
		answer, broken := s.guarded(func() error {
			applies = p.Applies == nil || p.Applies(v)
			return p.Check(v)
		})
		if broken != nil {
			return false, false, broken
		}
		return applies, answer == nil, nil
	}
	return false, false, fmt.Errorf("there is no property %q", property)
}

// Within says whether a state is within the system's boundary. A boundary that
// panics or does not return is an error.
func (s *Stepper) Within(st State) (within bool, err error) {
	if s.sys.Boundary == nil {
		return true, nil
	}
	err = call.Guard(call.Site{What: "the boundary"}, s.limit, func() { within = s.sys.Boundary(s.View(st)) })
	return err == nil && within, err
}

func appendFailure(failures []Failure, p model.Property, sentence, broken error) []Failure {
	switch {
	case broken != nil:
		return append(failures, Failure{Property: p.Name, Reason: firstLine(broken.Error())})
	case sentence != nil:
		return append(failures, Failure{Property: p.Name, Reason: sentence.Error()})
	}
	return failures
}

// check puts a property to the test where it applies; broken says that it
// panics or does not return.
func (s *Stepper) check(p model.Property, v model.View) (sentence, broken error) {
	return s.guarded(func() error {
		if p.Applies == nil || p.Applies(v) {
			return p.Check(v)
		}
		return nil
	})
}

// guarded calls what a property consists of.
func (s *Stepper) guarded(f func() error) (sentence, broken error) {
	var answer error
	if broken = call.Guard(call.Site{What: "the property"}, s.limit, func() { answer = f() }); broken != nil {
		return nil, broken // the answer is left alone: the property may still be running
	}
	return answer, nil
}

// View is a state as a property sees it. What is read from it is private to
// this View.
func (s *Stepper) View(st State) model.View {
	return &view{stepper: s, state: st, read: make([]any, len(st.locals))}
}

type view struct {
	stepper *Stepper
	state   State
	read    []any // the states that were read, so that each is decoded once
}

func (v *view) Population() []model.ID { return v.stepper.sys.Population() }

func (v *view) StateType(id model.ID) reflect.Type {
	v.mustHave(id)
	return v.stepper.sys.Node(id).StateType()
}

func (v *view) State(id model.ID) any {
	v.mustHave(id)
	if v.read[id-1] == nil {
		v.read[id-1] = v.stepper.Local(v.state, id).State
	}
	return v.read[id-1]
}

func (v *view) Crashed(id model.ID) bool {
	v.mustHave(id)
	return v.stepper.Local(v.state, id).Crashed
}

func (v *view) Observer() any {
	if v.stepper.sys.Observer == nil {
		panic("it asks for the observer, and the system has none")
	}
	return v.stepper.Memory(v.state)
}

func (v *view) InFlight() []model.Message[any] {
	network := v.state.Envelopes()
	slices.SortStableFunc(network, func(a, b call.Envelope) int {
		return cmp.Or(cmp.Compare(a.From, b.From), cmp.Compare(a.To, b.To))
	})
	messages := make([]model.Message[any], len(network))
	for i, e := range network {
		messages[i] = model.Message[any]{From: e.From, To: e.To, Body: v.stepper.call.Body(e.Body)}
	}
	return messages
}

// mustHave panics in the property that asks for an agent that is not there:
// Failures then says so.
func (v *view) mustHave(id model.ID) {
	if err := v.stepper.sys.Has(id); err != nil {
		panic(fmt.Sprintf("it asks for agent %d: %s", id, err))
	}
}

func firstLine(s string) string {
	line, _, _ := strings.Cut(s, "\n")
	return line
}
