package trace

import (
	"slices"

	"github.com/caulk-go/caulk/internal/call"
	"github.com/caulk-go/caulk/model"
	"github.com/caulk-go/caulk/stepper"
)

// judgeRun finds out, where all moves of a path are made, whether the property
// about whole runs that it names, if any, fails on the run that it ends in.
func (o *Outcome) judgeRun(p Path) error {
	properties := o.Stepper.System().Properties
	i := slices.IndexFunc(properties, func(q model.Property) bool { return q.Name == p.Property })
	if i < 0 || !properties[i].Kind.Liveness() {
		return nil
	}
	last := len(o.Made) // the states from here on come again and again
	forever := o.mayStay
	if p.LoopFrom != nil {
		last = *p.LoopFrom
		forever = func() (bool, error) { return o.mayRepeat(last) }
	}
	due, err := o.isDue(properties[i], last)
	if err != nil || !due {
		return err
	}
	if may, err := forever(); err != nil || !may {
		return err
	}
	o.Failures = []stepper.Failure{{Property: p.Property, Reason: "it does not come, and the system may go on so for ever"}}
	return nil
}

// isDue says whether a property about whole runs is due at the path's end, and
// does not come in the states from one on, which come again and again.
func (o *Outcome) isDue(p model.Property, last int) (bool, error) {
	due := p.Kind == model.KindEventually // from the start on
	for n := 0; n <= len(o.Made); n++ {
		applies, holds, err := o.Stepper.Satisfies(o.state(n), p.Name)
		if err != nil {
			return false, err
		}
		met := holds
		if p.Kind == model.KindEventually {
			met = holds || !applies // where it does not apply, it holds
		}
		if met && (n >= last || p.Kind == model.KindEventually) {
			return false, nil
		}
		due = (due || applies) && !met
	}
	return due, nil
}

// mayStay says whether nothing must happen where the path ends.
func (o *Outcome) mayStay() (bool, error) {
	choices, err := o.Stepper.Moves(o.state(len(o.Made)))
	return !slices.ContainsFunc(choices, func(c stepper.Choice) bool { return c.Fair }), err
}

// mayRepeat says whether the moves from one on may repeat for ever: they lead
// back to where they began, and what is possible in each of their states, and
// must then happen, is among them.
func (o *Outcome) mayRepeat(from int) (bool, error) {
	if from >= len(o.Made) || !o.state(from).Equal(o.state(len(o.Made))) {
		return false, nil
	}
	var owed []class // possible in every state so far
	for n := from; n < len(o.Made); n++ {
		choices, err := o.Stepper.Moves(o.state(n))
		if err != nil {
			return false, err
		}
		var possible []class
		for _, c := range choices {
			if c.Fair {
				possible = append(possible, o.classOf(c))
			}
		}
		if n == from {
			owed = possible
		}
		owed = slices.DeleteFunc(owed, func(c class) bool { return !slices.Contains(possible, c) })
	}
	for _, c := range o.Made[from:] {
		owed = slices.DeleteFunc(owed, func(d class) bool { return d == o.classOf(c) })
	}
	return len(owed) == 0, nil
}

// class is what fairness is about: if it stays possible for ever, it must
// happen again.
type class struct {
	queue   [2]model.ID   // on fifo
	message call.Envelope // on the other networks
	agent   model.ID      // of an own action
	action  string
}

// classOf is the class of a move. One that is not Fair has none that matters.
func (o *Outcome) classOf(c stepper.Choice) class {
	switch {
	case !c.Fair:
		return class{}
	case !c.Move.Kind.OfMessage():
		return class{agent: c.Move.To, action: c.Move.Action}
	case o.Stepper.System().Network == model.Fifo:
		return class{queue: [2]model.ID{c.Move.From, c.Move.To}}
	}
	return class{message: c.Envelope}
}
