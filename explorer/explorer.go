// Package explorer searches every state that a system can reach.
//
// Explore is its one entry point. Starting from the system's start state it
// makes every possible move in every state, halts at the first state in which
// a property fails, and reports the shortest path to it. Same system and
// options, same report, whatever the number of workers. A long search can be
// kept in a checkpoint and gone on with; ReadCheckpoint tells what of.
package explorer

import (
	"context"
	"errors"
	"runtime"
	"time"

	"github.com/caulk-go/caulk/internal/call"
	"github.com/caulk-go/caulk/model"
)

// Search is the order in which states are visited.
type Search int

// The searches.
const (
	BFS    Search = iota // breadth first, on all workers: shortest paths
	DFS                  // depth first, on one: finds deep violations early, with longer paths
	Random               // random walks from the start, on one: for systems too large to finish
)

func (s Search) String() string { return [...]string{"bfs", "dfs", "random"}[s] }

// Reduction is a way to explore less that gives the same verdicts. Each is
// refused where its proof does not reach.
type Reduction int

// The reductions.
const (
	Ignored  Reduction = iota // on a bag, a delivery that changes nothing but the network is no move
	Dead                      // what its receiver ignores for ever is taken off the network
	Minimal                   // local states that nothing tells apart are one
	Symmetry                  // of states that a renaming of agents makes of each other, one is explored
)

func (r Reduction) String() string { return [...]string{"ignored", "dead", "minimal", "symmetry"}[r] }

// Reductions lists them all, in order.
func Reductions() []Reduction { return []Reduction{Ignored, Dead, Minimal, Symmetry} }

// Graph says what the nodes of a diagram are.
type Graph int

// The diagrams.
const (
	NoGraph    Graph = iota
	LabelGraph       // a node for each label
	StateGraph       // a node for each system state
)

// Options says how to search. The zero value searches everything, breadth
// first, on every core, up to the first violation.
type Options struct {
	Search    Search
	Seed      uint64        // of a random search: the same walks for the same seed
	Reduce    []Reduction   // in any order; nil: none
	Workers   int           // goroutines; 0: one for each core. The report does not depend on it
	Depth     *int          // expand no state that is this many moves from the start; nil: no bound
	MaxStates int64         // stop when so many states are known; 0: no bound
	MaxTime   time.Duration // stop after so long, not counting what a checkpoint's search took before; 0: no bound

	// MaxMemory stops the search before the process's resident set comes to so
	// many bytes; 0: no bound. While Explore runs with it, the Go runtime's
	// memory limit (debug.SetMemoryLimit), which is the process's, is set below
	// it: let no two searches with it run at a time.
	MaxMemory int64

	KeepGoing bool // go on past a violation; violating states are counted, not expanded

	// Properties names those to check; nil means all of the system's.
	Properties []string

	// HandlerTime is how long one call of a handler may take; 0: 10 s.
	HandlerTime time.Duration

	// Graph asks for Report.Diagram.
	Graph Graph

	// Cover asks for Report.Coverage.
	Cover bool

	// Checkpoint is a file in which the search is kept, so that a later process
	// can go on with it: it is written every minute, and when a bound or the
	// context ends the search, always whole, in place of the one before. A
	// search that ends by itself leaves the last one where it is. Only with BFS.
	//
	// With MaxStates the last one written may be of a little before that bound.
	Checkpoint string

	// CheckpointEvery is how often it is written; 0: a minute. Where writing
	// takes long it is written less often, so as to take a tenth of the time at
	// most.
	CheckpointEvery time.Duration

	// Resume is a checkpoint to go on from. The report is that of a search that
	// was never cut. The system, Properties and KeepGoing must be those that it
	// was written for; bounds, workers and what is asked of the report may be
	// others. An algorithm that behaves otherwise than it did is noticed and
	// refused; properties are only compared by their names.
	Resume string

	// Progress is called about once a second, always from the same goroutine;
	// it must return quickly.
	Progress func(Progress)
}

// Progress is how far a search has come.
type Progress struct {
	States   int64
	Depth    int   // of the states being expanded
	Frontier int64 // states known and not yet expanded
	Memory   int64 // bytes in use
	Elapsed  time.Duration

	// Unsaved is why the last checkpoint could not be written; nil if it was.
	Unsaved error
}

// Explore searches every state that the system can reach, from its start, and
// reports what it found; up to the first violation unless o.KeepGoing.
//
// Cancelling the context ends the search early, with a report of what was seen
// so far. A handler that panics is a violation, of the property "no panic". An
// error means that the system cannot be explored: it is bad, asks for what
// does not exist, a checkpoint is refused, or a handler misbehaves
// (*HandlerError). With a *CheckpointError alone there is a report, which is
// good: only the last checkpoint could not be written. Explore may be
// called from several goroutines, if the systems' agents allow it.
func Explore(ctx context.Context, sys model.System, o Options) (*Report, error) {
	if o.HandlerTime <= 0 {
		o.HandlerTime = call.DefaultLimit
	}
	if o.Workers <= 0 {
		o.Workers = runtime.GOMAXPROCS(0)
	}
	caller, err := call.New(&sys, o.HandlerTime)
	if err != nil {
		return nil, err
	}
	s, err := newSearch(ctx, &sys, o, caller)
	if err != nil {
		return nil, err
	}
	return s.explore()
}

// explore searches and reports.
func (s *search) explore() (report *Report, err error) {
	defer s.budget.enforce()()
	if s.opts.Resume != "" {
		defer s.blameCheckpoint(&report, &err)
	}
	all, err := s.run()
	var misbehaved *misbehaved
	switch {
	case errors.As(err, &misbehaved):
		return nil, s.handlerError(all, misbehaved)
	case err != nil && err != errCut:
		return nil, err
	}
	if a, state, found := s.tables.modified(); found {
		return nil, s.modifiedError(a, state)
	}
	if report, err = s.report(all); err == nil && s.broken != nil {
		return nil, s.broken
	}
	if err != nil || s.cut == nil {
		return report, err
	}
	return report, s.keeper.failure()
}

// run searches as asked. What it found may be nil with an error.
func (s *search) run() (found, error) {
	if s.symmetry != nil {
		o, err := s.orbits()
		if o == nil {
			return nil, err
		}
		return o, err
	}
	switch s.opts.Search {
	case DFS:
		t, err := s.dfs()
		if t == nil {
			return nil, err
		}
		return t, err
	case Random:
		w, err := s.random()
		if w == nil {
			return nil, err
		}
		w.shorten()
		return w, err
	}
	space, err := s.bfs()
	if space == nil {
		return nil, err
	}
	return levels{s, space}, err
}
