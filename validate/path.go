package validate

import (
	"fmt"
	"slices"

	"github.com/caulk-go/caulk/internal/canonical"
	"github.com/caulk-go/caulk/model"
	"github.com/caulk-go/caulk/trace"
	"github.com/caulk-go/caulk/trace/tracelog"
)

// mostMoves bounds a path: to find a move by its label, all moves of each state
// on the way are listed.
const mostMoves = 20_000

// path puts the moves of the walk, up to the violation, into the report, as a
// path of the model: made again by the stepper before it is shown.
func (g *global) path(r *Report) {
	starts := g.starts()
	r.Setting.Starts, r.Setting.OtherStarts = starts, nil
	v := r.Violation
	if v == nil {
		return
	}
	defer func() {
		if v.Path == nil {
			v.Moves = g.recent[max(0, len(g.recent)-MostMoves):]
		}
	}()
	switch {
	case g.noPath != "":
		v.NoPath = g.noPath
		return
	case len(g.moves) > mostMoves:
		v.NoPath = fmt.Sprintf("it has %d moves, and no more than %d are made again", len(g.moves), mostMoves)
		return
	}
	sys := *g.sys
	sys.Starts, sys.OtherStarts = starts, nil
	o, err := trace.Replay(&sys, trace.Path{Steps: g.steps(), Property: v.Property})
	switch {
	case err != nil:
		v.NoPath = firstLine(err)
	case o.Verdict != trace.StillFails:
		v.NoPath = "in the model its moves do not fail: " + o.String()
	default:
		v.Path = o.Steps()
	}
}

// starts are the values that agents were handed when they began.
func (g *global) starts() map[model.ID]string {
	starts := map[model.ID]string{}
	for _, r := range g.begins {
		if r.Value != nil {
			starts[r.Agent] = *r.Value
		}
	}
	return starts
}

// steps are the moves as a path has them. A message that is delivered again on
// a bag was doubled before.
func (g *global) steps() []trace.Step {
	var steps []trace.Step
	delivered := map[tracelog.Ref]bool{}
	for _, r := range g.moves {
		m := g.moved(r)
		step := trace.Step{Move: m.Name(), Label: m.Label(), From: m.From, To: m.To}
		if r.Message != nil {
			step.Body = canonical.Format(m.Body)
			if delivered[*r.Message.Ref] && g.sys.Network == model.Bag {
				steps = slices.Insert(steps, g.firstOf(steps, step), doubled(m, step))
			}
			delivered[*r.Message.Ref] = true
		}
		steps = append(steps, step)
	}
	return steps
}

// firstOf is where a message was delivered first.
func (g *global) firstOf(steps []trace.Step, s trace.Step) int {
	return slices.IndexFunc(steps, func(t trace.Step) bool { return t.Label == s.Label && t.Body == s.Body })
}

func doubled(m model.Move, s trace.Step) trace.Step {
	m.Kind = model.Duplicate
	s.Move, s.Label = m.Name(), m.Label()
	return s
}
