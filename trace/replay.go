package trace

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"unicode"

	"github.com/caulk-go/caulk/internal/call"
	"github.com/caulk-go/caulk/model"
	"github.com/caulk-go/caulk/stepper"
)

// Verdict says what became of a path.
type Verdict int

// What can become of a path.
const (
	Fixed      Verdict = iota // every move is possible, and nothing fails on the way
	StillFails                // it leads to a halted agent, a violation or a panic, at its end or before
	Diverged                  // one of its moves is no longer possible
)

func (v Verdict) String() string { return [...]string{"fixed", "still fails", "diverged"}[v] }

// Outcome is what became of a path, and how far it went.
type Outcome struct {
	Verdict Verdict
	Length  int // of the path, in moves

	// What was walked: the start, which is no state if an agent's Fresh or
	// Start panics, and the moves made. The last one has no state if its
	// handler panics.
	Stepper *stepper.Stepper
	Start   stepper.State
	Made    []stepper.Choice

	// Where it StillFails, after all that was Made: what is wrong there, or
	// the panic.
	Failures []stepper.Failure
	Panic    *call.PanicError

	// Where it Diverged, instead of move len(Made)+1: the step that was
	// wanted, and the labels of what was possible, in the stepper's order and
	// each once. Bodies is set if the label was possible but stood for several
	// messages, none of them, or not only one, with the step's body.
	Want     Step
	Possible []string
	Bodies   []string
}

// Replay makes the moves of a path again, from the system's first start. It
// stops where something fails, also before the path's end. A property about
// whole runs can fail at the path's end only, and only the one that the path
// names: if it is due and does not come, and the system may go on so for ever,
// because the path's loop closes and leaves out nothing that must happen or,
// without a loop, because nothing must happen there.
//
// A step is found by its label, and by its body where the label stands for
// several moves; nothing else of it, and not the path's setting, is looked at. An
// error means that the system cannot be walked through: it is bad, or a handler
// is not pure or does not return.
func Replay(sys *model.System, p Path) (Outcome, error) {
	s, err := stepper.New(sys, 0)
	if err != nil {
		return Outcome{}, err
	}
	steps := p.Steps
	o := Outcome{Stepper: s, Length: len(steps)}
	at, err := s.Start()
	if err != nil {
		return o, o.panicked(err)
	}
	o.Start = at
	for {
		if err := o.judge(at); err != nil {
			return o, o.panicked(err)
		}
		if len(o.Made) == len(steps) && len(o.Failures) == 0 {
			if err := o.judgeRun(p); err != nil {
				return o, o.panicked(err)
			}
		}
		if len(o.Failures) > 0 {
			o.Verdict = StillFails
		}
		if len(o.Failures) > 0 || len(o.Made) == len(steps) {
			return o, nil
		}
		choices, err := s.Moves(at)
		if err != nil {
			return o, o.panicked(err)
		}
		step := steps[len(o.Made)]
		choice, err := stepper.Find(choices, step.Label, step.Body)
		if err != nil {
			o.diverged(step, choices, err)
			return o, nil
		}
		o.Made = append(o.Made, choice)
		if choice.Panic != nil {
			return o, o.panicked(choice.Panic)
		}
		at = choice.Next
	}
}

// judge finds what fails in a state, and over the move that led there.
func (o *Outcome) judge(at stepper.State) error {
	o.Failures = o.Stepper.Failures(at)
	consistent := len(o.Failures) == 0
	if n := len(o.Made); n > 0 {
		o.Failures = append(o.Failures, o.Stepper.StepFailures(o.state(n-1), at)...)
	}
	if !consistent {
		return nil // it is no end, whatever is possible
	}
	ends, err := o.Stepper.EndFailures(at)
	o.Failures = append(o.Failures, ends...)
	return err
}

// state is the state after so many moves.
func (o *Outcome) state(moves int) stepper.State {
	if moves == 0 {
		return o.Start
	}
	return o.Made[moves-1].Next
}

// panicked makes a panic of the user's code the outcome, and leaves any other
// error an error.
func (o *Outcome) panicked(err error) error {
	if !errors.As(err, &o.Panic) {
		return err
	}
	o.Verdict = StillFails
	return nil
}

func (o *Outcome) diverged(step Step, choices []stepper.Choice, err error) {
	o.Verdict, o.Want = Diverged, step
	for _, c := range choices {
		if !slices.Contains(o.Possible, c.Label) {
			o.Possible = append(o.Possible, c.Label)
		}
	}
	var ambiguous *stepper.AmbiguousError
	if errors.As(err, &ambiguous) {
		o.Bodies = ambiguous.Bodies
	}
}

// Steps are the moves made, as a path of the system that was walked through.
func (o Outcome) Steps() []Step {
	steps := make([]Step, len(o.Made))
	for i, c := range o.Made {
		steps[i] = StepOf(o.Stepper, c)
	}
	return steps
}

// Labels are the labels of the states that were passed, from the start on.
func (o Outcome) Labels() []string {
	var labels []string
	if !o.Start.IsZero() {
		labels = append(labels, o.Stepper.Label(o.Start))
	}
	for _, c := range o.Made {
		if !c.Next.IsZero() {
			labels = append(labels, o.Stepper.Label(c.Next))
		}
	}
	return labels
}

// String says it in one line.
func (o Outcome) String() string {
	var text string
	switch o.Verdict {
	case StillFails:
		text = fmt.Sprintf("still fails %s: %s", o.where(), o.reason())
	case Diverged:
		text = fmt.Sprintf("diverged at move %d of %d: %s", len(o.Made)+1, o.Length, o.divergence())
	default:
		text = fmt.Sprintf("fixed: every move is possible and nothing fails (moves: %d)", o.Length)
	}
	return oneLine(text)
}

// oneLine leaves out what would break the line or play tricks with a terminal:
// labels may come from a file, and reasons from anywhere.
func oneLine(s string) string {
	return strings.Join(strings.FieldsFunc(s, func(r rune) bool { return r == ' ' || !unicode.IsPrint(r) }), " ")
}

func (o Outcome) where() string {
	if len(o.Made) == 0 {
		return "at the start"
	}
	return fmt.Sprintf("at move %d of %d, %s", len(o.Made), o.Length, o.Made[len(o.Made)-1].Label)
}

func (o Outcome) reason() string {
	if o.Panic != nil {
		return fmt.Sprintf("%s panics: %s", o.Panic.Site, o.Panic.Value)
	}
	reasons := make([]string, len(o.Failures))
	for i, f := range o.Failures {
		reasons[i] = f.String()
	}
	return strings.Join(reasons, "; ")
}

func (o Outcome) divergence() string {
	switch {
	case len(o.Bodies) > 0:
		return fmt.Sprintf("%s stands for %d messages there, and the path does not say which: %s", o.Want.Label, len(o.Bodies), strings.Join(o.Bodies, ", "))
	case len(o.Possible) == 0:
		return o.Want.Label + " is not possible there; nothing is"
	}
	return fmt.Sprintf("%s is not possible there; possible are %s", o.Want.Label, strings.Join(o.Possible, ", "))
}
