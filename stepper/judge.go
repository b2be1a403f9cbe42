package stepper

import (
	"fmt"
	"reflect"
	"strings"

	"github.com/caulk-go/caulk/internal/call"
	"github.com/caulk-go/caulk/model"
)

// Label is the short name of a system state: its agents' labels in order of
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
		sentence, broken := s.check(p, s.View(st))
		switch {
		case broken != nil:
			failures = append(failures, Failure{Property: p.Name, Reason: firstLine(broken.Error())})
		case sentence != nil && p.Kind == model.KindAlways:
			failures = append(failures, Failure{Property: p.Name, Reason: sentence.Error()})
		}
	}
	return failures
}

// check puts a property to the test where it applies; broken says that it
// panics or does not return.
func (s *Stepper) check(p model.Property, v model.View) (sentence, broken error) {
	var answer error
	broken = call.Guard(call.Site{What: "the property"}, s.limit, func() {
		if p.Applies == nil || p.Applies(v) {
			answer = p.Check(v)
		}
	})
	if broken != nil {
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
