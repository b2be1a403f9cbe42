package explorer

import (
	"github.com/caulk-go/caulk/model"
	"github.com/caulk-go/caulk/trace"
)

// Schema is the name of the report's format.
const Schema = "caulk/report/v1"

// Verdict is what a search says of a system or of a property.
type Verdict string

// The verdicts.
const (
	Holds      Verdict = "holds"
	Violated   Verdict = "violated"
	Incomplete Verdict = "incomplete"  // something was cut, and no violation was found
	NotReached Verdict = "not reached" // of a sometimes: nowhere in a complete search
)

// Report is what a search found. Its JSON names are a contract: add, never
// rename. Two runs of the same search differ in Seconds, StatesPerSecond,
// Workers, PeakMemoryBytes and BytesPerState only. No list or map is nil,
// except where a field says so.
type Report struct {
	Schema string `json:"schema"`
	trace.Setting
	Search string   `json:"search"`
	Seed   *uint64  `json:"seed,omitempty"` // of a random search
	Reduce []string `json:"reduce"`         // in order of Reductions

	// Notes are sentences about the search that a reader should know: what a
	// reduction came to, or why it was left out.
	Notes []string `json:"notes"`

	// Walks is how many walks a random search made; States are those met on
	// them.
	Walks *int64 `json:"walks,omitempty"`

	Verdict  Verdict `json:"verdict"`
	Complete bool    `json:"complete"` // nothing was cut
	Bounds   []Bound `json:"bounds"`

	States       int64 `json:"states"`      // distinct system states
	Transitions  int64 `json:"transitions"` // moves executed, those that change nothing included
	Depth        int   `json:"depth"`       // the greatest shortest distance from the start, in moves
	Halted       int64 `json:"halted_states"`
	Inconsistent int64 `json:"inconsistent_states"`
	Terminal     int64 `json:"terminal_states"` // without any move, neither halted nor inconsistent
	ShortestHalt *int  `json:"shortest_halt"`   // moves to the nearest halted state; nil if there is none

	// Of the diagram; nil where too much was explored to gather it unasked, or
	// the limit on memory leaves too little.
	LabelNodes     *int    `json:"label_nodes,omitempty"`
	LabelEdges     *int    `json:"label_edges,omitempty"`
	LabelWipeEdges *int    `json:"label_wipe_edges,omitempty"`
	Awry           *[]Awry `json:"awry,omitempty"` // by agent state, then message

	HandlerCalls int64            `json:"handler_calls"` // distinct (agent state, message) pairs delivered
	Properties   []PropertyReport `json:"properties"`    // in the system's order
	Violation    *Violation       `json:"violation"`

	Coverage *Coverage `json:"coverage,omitempty"` // nil unless asked for

	Seconds         float64 `json:"seconds"`
	StatesPerSecond float64 `json:"states_per_second"`
	Workers         int     `json:"workers"`
	PeakMemoryBytes int64   `json:"peak_memory_bytes"` // the process's maximum resident set
	BytesPerState   float64 `json:"bytes_per_state"`   // that divided by states

	// Diagram is what was observed, for package graphviz; nil unless asked for,
	// and where there is no state, or the limit on memory leaves too little.
	Diagram *Diagram `json:"-"`
}

// Bound is something that cut the search short.
type Bound struct {
	Name  string `json:"name"`  // depth, boundary, states, time, memory, walks or interrupted
	Limit any    `json:"limit"` // as it was set, in moves, states, seconds or bytes; nil for an interruption
	Cut   int64  `json:"cut"`   // states that it left unexpanded although they may have moves
}

// Awry is a pair of an agent's state and a message on which the agent halts.
type Awry struct {
	AgentState string `json:"agent_state"` // its label
	Message    string `json:"message"`     // kind and detail: "Accept n=1"
	Moves      int    `json:"moves"`       // of the shortest path to such a halt

	// Path is that path, the fatal delivery included.
	Path []trace.Step `json:"-"`
}

// PropertyReport is what a search says of one property.
type PropertyReport struct {
	Name    string       `json:"name"`
	Kind    string       `json:"kind"`
	Verdict Verdict      `json:"verdict"`
	Tested  int64        `json:"tested_states"` // states in which it applied
	Witness []trace.Step `json:"witness"`       // the shortest path to a sometimes; nil if it was not reached

	// WitnessStart is the start state that the witness leads from, where there
	// are several.
	WitnessStart map[model.ID]string `json:"witness_start,omitzero"`
}

// Violation is the nearest violation of a property.
type Violation struct {
	Property string       `json:"property"`
	Reason   string       `json:"reason"` // the property's sentence
	Moves    int          `json:"moves"`
	Path     []trace.Step `json:"path"`
	LoopFrom *int         `json:"loop_from"` // of a lasso: the moves from this one on, counted from 0, repeat for ever; nil for a path that ends

	// Start is the start state that the path leads from, where there are
	// several.
	Start map[model.ID]string `json:"start,omitzero"`
	State string              `json:"state"` // the label it ends in
}

// Diagram is the observed part of a transition diagram.
type Diagram struct {
	Starts []int // indices into Nodes, in the order of the system's start states
	Nodes  []Node
	Edges  []Edge
}

// Node is a node of a diagram: a label or, in a diagram of states, a system
// state. Nodes are sorted by Name, except that states are in order of
// discovery.
type Node struct {
	Name         string   // unique; the label, or s0, s1 ... for a diagram of states
	Label        string   // of the system state
	InFlight     []string // the labels of the messages, for a diagram of states
	Halted       bool     // an agent is halted
	Inconsistent bool     // some always fails in a state of this label
	Terminal     bool     // a state of this label ends well: no moves, neither halted nor inconsistent
	OnPath       bool     // the violating path passes here
}

// Edge is an observed arrow whose ends differ. Edges are sorted by From, To,
// Label.
type Edge struct {
	From, To int // indices into Nodes
	Label    string
	Kind     model.MoveKind
	OnPath   bool // the violating path takes it
}
