// Package trace holds paths as files: it writes, reads and replays them.
//
// A path file names a system, by its Setting, and the moves of a path through
// it, as Steps; the moves from one on may repeat for ever. Replay makes the
// moves again and says what became of the path.
package trace

import (
	"github.com/caulk-go/caulk/model"
	"github.com/caulk-go/caulk/stepper"
)

// Schema is the name of the path file's format.
const Schema = "caulk/path/v1"

// Step is one move of a path, as reports and path files hold it.
type Step struct {
	Move  string   `json:"move"`  // deliver, wipe, ... or the name of an own action
	Label string   `json:"label"` // what the arrow of a diagram says
	From  model.ID `json:"from"`
	To    model.ID `json:"to"`             // equal to From for what one agent does or suffers
	Body  string   `json:"body,omitempty"` // the message in full; it tells moves of the same label apart
	State string   `json:"state"`          // the label of the system state after the move; empty where the handler panics
}

// StepOf is a choice of a stepper as a path holds it.
func StepOf(s *stepper.Stepper, c stepper.Choice) Step {
	step := Step{Move: c.Move.Name(), Label: c.Label, From: c.Move.From, To: c.Move.To, Body: c.Body}
	if !c.Next.IsZero() {
		step.State = s.Label(c.Next)
	}
	return step
}

// Path is what a file tells of a path.
type Path struct {
	Setting *Setting // nil for a bare list of labels
	Steps   []Step   // of a bare list, their labels alone

	Property string // the one that the path violates; empty if the file does not say

	// LoopFrom is for a property about whole runs: the moves from this one on,
	// counted from 0, repeat for ever. It is nil where the run stays in the state
	// in which the path ends.
	LoopFrom *int
}
