package explorer

import (
	"errors"
	"fmt"

	"github.com/caulk-go/caulk/internal/call"
	"github.com/caulk-go/caulk/model"
	"github.com/caulk-go/caulk/stepper"
	"github.com/caulk-go/caulk/trace"
)

// report puts together what was found; all is nil if there is not even a
// start state.
func (s *search) report(all found) (*Report, error) {
	r := &Report{
		Schema:  Schema,
		Setting: trace.SettingOf(s.sys),
		Search:  s.opts.Search.String(),
		Bounds:  []Bound{},
	}
	if all != nil {
		left := s.leftovers(all)
		r.Complete = left == 0 && s.panicked == nil
		if s.cut != nil && left > 0 {
			s.cut.Cut = left
			r.Bounds = append(r.Bounds, *s.cut)
		}
		r.Depth = all.depth()
	}
	r.States, r.Transitions = s.states, s.transitions
	r.Halted, r.Inconsistent, r.Terminal = s.halted, s.inconsistent, s.terminal
	r.HandlerCalls = s.tables.handlerCalls
	if s.shortestHalt >= 0 {
		r.ShortestHalt = &s.shortestHalt
	}
	names := newLabels(s.tables)
	if err := s.reportProperties(r, all, names); err != nil {
		return nil, err
	}
	if err := s.reportPanic(r, all, names); err != nil {
		return nil, err
	}
	r.Verdict = s.verdict(r)
	if all != nil && (s.transitions <= observedTransitions || s.opts.Graph != NoGraph) {
		if err := s.reportLabels(r, all, names); err != nil {
			return nil, err
		}
	}
	s.reportCosts(r)
	return r, nil
}

// leftovers counts the states that were not expanded although they may have
// moves. Those beyond a depth are asked for their moves: without any they are
// terminal, and nothing was cut.
func (s *search) leftovers(all found) (left int64) {
	left = all.halfway()
	ask := s.cut != nil && s.cut.Name == "depth"
	all.unexpanded(func(f *flat, _ int, bad bool) {
		if bad || s.tables.halted(*f) {
			return
		}
		if ask && len(f.net) == 0 { // a message in flight is a move
			if choices, err := s.tables.choices(*f); err == nil && len(choices) == 0 {
				s.terminal++
				return
			}
		}
		left++
	})
	return left
}

func (s *search) reportProperties(r *Report, all found, names *labels) error {
	r.Properties = []PropertyReport{}
	worst := s.worst(all)
	for i := range s.properties {
		p := &s.properties[i]
		report := PropertyReport{Name: p.Name, Kind: p.Kind.String(), Tested: p.tested, Verdict: s.verdictOf(p, r.Complete)}
		if p.nearest != nil {
			path := all.pathOf(i)
			steps, end, err := s.retrace(path, names)
			if err != nil {
				return err
			}
			if p.Kind == model.KindSometimes {
				report.Witness = steps
			}
			if i == worst {
				sentence, err := reason(end.stepper, end.state, p.Name)
				if err != nil {
					return err
				}
				r.Violation = &Violation{Property: p.Name, Reason: sentence, Moves: len(steps), Path: steps, State: names.state(*p.nearest)}
			}
		}
		r.Properties = append(r.Properties, report)
	}
	return nil
}

// worst is the property that is violated after the fewest moves, the first of
// them; -1 if none is.
func (s *search) worst(all found) int {
	worst, moves := -1, 0
	for i := range s.properties {
		if p := &s.properties[i]; p.Kind == model.KindAlways && p.nearest != nil {
			if n := len(all.pathOf(i)); worst < 0 || n < moves {
				worst, moves = i, n
			}
		}
	}
	return worst
}

func (s *search) verdictOf(p *property, complete bool) Verdict {
	switch {
	case p.Kind == model.KindAlways && p.nearest != nil:
		return Violated
	case p.Kind == model.KindSometimes && p.nearest != nil:
		return Holds
	case !complete:
		return Incomplete
	case p.Kind == model.KindSometimes:
		return NotReached
	}
	return Holds
}

func (s *search) verdict(r *Report) Verdict {
	if r.Violation != nil {
		return Violated
	}
	verdict := Holds
	for _, p := range r.Properties {
		if p.Verdict == NotReached {
			return Violated
		}
	}
	if !r.Complete {
		verdict = Incomplete
	}
	return verdict
}

// reason is a property's sentence about a state in which the search found it
// to fail.
func reason(st *stepper.Stepper, at stepper.State, property string) (string, error) {
	for _, f := range st.Failures(at) {
		if f.Property == property {
			return f.Reason, nil
		}
	}
	return "", &call.ImpureError{
		Site: call.Site{What: fmt.Sprintf("the property %q", property), State: st.Label(at)},
		Why:  "it failed when it was first asked, and holds when it is asked again",
	}
}

// noPanic is the property that every handler must have.
const noPanic = "no panic"

// reportPanic makes a handler's panic the violation.
func (s *search) reportPanic(r *Report, all found, names *labels) error {
	if s.panicked == nil {
		return nil
	}
	p := s.panicked
	v := &Violation{Property: noPanic, Reason: p.err.Error(), Path: []trace.Step{}}
	if all != nil {
		steps, _, err := s.retrace(all.path(p.at, p.depth), names)
		if err != nil {
			return err
		}
		v.Path = append(steps, names.step(p.move))
		v.State = names.state(p.at)
		v.Moves = len(v.Path)
	}
	if r.Violation == nil {
		r.Violation = v
	}
	return nil
}

func (s *search) reportCosts(r *Report) {
	r.Seconds = s.elapsed().Seconds()
	r.StatesPerSecond = float64(r.States) / r.Seconds
	r.Workers = s.workers
	r.PeakMemoryBytes = peakMemory()
	if r.States > 0 {
		r.BytesPerState = float64(r.PeakMemoryBytes) / float64(r.States)
	}
}

// walked is where a path ended when it was made again.
type walked struct {
	stepper *stepper.Stepper
	state   stepper.State
}

// retrace makes the moves of a path again, with the stepper, which shares
// nothing with the search: no path is shown that the user's code does not
// take.
func (s *search) retrace(path []choice, names *labels) ([]trace.Step, walked, error) {
	st, err := stepper.New(s.sys, s.handlerTime)
	if err != nil {
		return nil, walked{}, err
	}
	at, err := st.Start()
	if err != nil {
		return nil, walked{}, err
	}
	steps := []trace.Step{}
	for _, c := range path {
		next, err := s.retraceMove(st, at, c)
		if err != nil {
			return nil, walked{}, fmt.Errorf("caulk cannot make move %d of a path again, which is a bug of its own: %w", len(steps)+1, err)
		}
		at = next
		step := names.step(c)
		step.State = names.stateOf(at)
		steps = append(steps, step)
	}
	return steps, walked{st, at}, nil
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
