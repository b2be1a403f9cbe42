package validate

import (
	"fmt"

	"github.com/caulk-go/caulk/model"
	"github.com/caulk-go/caulk/trace"
	"github.com/caulk-go/caulk/trace/tracelog"
)

// Schema is the name of the report's format.
const Schema = "caulk/validate/v1"

// Verdict is what is said of traces.
type Verdict string

// The verdicts.
const (
	Valid    Verdict = "valid"    // a behaviour of the model, as far as the traces tell
	Invalid  Verdict = "invalid"  // some step is none of the model's
	Violated Verdict = "violated" // a behaviour of the model, on which a property fails
)

// Report is what became of traces. Its JSON names are a contract: add, never
// rename. No list is nil.
type Report struct {
	Schema string `json:"schema"`
	trace.Setting
	Verdict Verdict `json:"verdict"`

	Traces   []Trace    `json:"traces"`   // of each agent that has one, by ID
	Missing  []model.ID `json:"missing"`  // agents that have none
	Steps    int        `json:"steps"`    // that were executed again
	Done     int        `json:"done"`     // of these, durable
	Undone   int        `json:"undone"`   // of these, rolled back, or not yet durable where the trace ends
	Received int        `json:"received"` // messages delivered by done steps, those of clients included
	Assumed  int        `json:"assumed"`  // of these, sent where no trace tells: beyond its end, or in a missing one

	FirstInvalid *Problem `json:"first_invalid"` // nil if there is none

	// Judged is how many done steps the properties were judged after, in one
	// order; where that is not all, NotJudged says why.
	Judged     int        `json:"judged"`
	NotJudged  string     `json:"not_judged,omitempty"`
	Properties []Property `json:"properties"` // in the system's order
	Violation  *Violation `json:"violation"`  // the first; nil if there is none
}

// Trace is what there is of one agent.
type Trace struct {
	Agent        model.ID `json:"agent"`
	Incarnations int      `json:"incarnations"`
	Steps        int      `json:"steps"`
	Begins       bool     `json:"begins"` // at the agent's beginning
	Ends         string   `json:"ends"`   // "stopped", "cut" in the middle of a line, or "open"
}

// Place is a line of a file, counted from 1.
type Place struct {
	File string `json:"file"`
	Line int    `json:"line"`
}

func (p Place) String() string { return fmt.Sprintf("%s:%d", p.File, p.Line) }

// Problem is a step that is none of the model's.
type Problem struct {
	Place
	tracelog.Point
	Move     string `json:"move"`     // what the line says; empty if it says nothing
	Reason   string `json:"reason"`   // a sentence
	Expected string `json:"expected"` // what the model does there; empty if that says nothing
}

// Property is what the traces say of one property.
type Property struct {
	Name   string `json:"name"`
	Kind   string `json:"kind"`
	Tested int    `json:"tested"` // after how many steps it was put to the test

	// Verdict is "holds" as far as the traces go, "violated", "reached" or "not
	// reached" for a sometimes, and "not judged" for what is about ends or
	// whole runs: a trace may always go on.
	Verdict string `json:"verdict"`
}

// Violation is the first property that failed.
type Violation struct {
	Property string `json:"property"`
	Reason   string `json:"reason"`
	Place
	tracelog.Point        // the step after which it failed
	State          string `json:"state"` // the labels of the agents

	// Path is the moves of the model that lead there, for replay; nil where the
	// model has no such path, and NoPath says why.
	Path   []trace.Step `json:"path"`
	NoPath string       `json:"no_path,omitempty"`

	// Moves are the last steps up to there, MostMoves of them at most, where there is
	// no path: in the one order in which they were judged.
	Moves []trace.Step `json:"moves,omitempty"`
}

// MostMoves is how many moves a violation without a path tells of.
const MostMoves = 40
