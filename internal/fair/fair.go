// Package fair says whether something good happens on every fair run of a
// finite graph: eventually, or after each state that calls for it. Where it
// does not, it shows a run on which it never happens: a prefix and a loop.
//
// # Runs
//
// A run begins in a start and makes moves, or stays where it is, for ever.
// Every move serves one fairness class or none. A class is enabled in a state
// if any move there serves it, wherever that move leads. A run is fair (weakly)
// if every class that is enabled from some point on for ever is served again
// and again.
//
// Staying is always allowed, as in TLA+: it is a loop of one state in which no
// class is served. So a run may stay for ever in a state in which no class is
// enabled: one without moves, and also one whose moves are all of no class. A
// fault need not happen, and an own action that is not declared fair need not
// be taken: a counter that may count, but need not, does not eventually reach
// one.
//
// # Why whole components suffice
//
// Let U be the states that do not meet the property. A run on which it is not
// met when it is due visits, from some point on, states of U only. Let S be
// those that it visits infinitely often, F(S) the classes enabled in every
// state of S, and T(S) those served by a move from S to S. A class outside F(S)
// is again and again not enabled, and so never due. The moves made infinitely
// often all lie within S. So the run can be fair only if F(S) ⊆ T(S).
//
// S is strongly connected within U, or a single state, and so lies in a
// strongly connected component C of the graph restricted to U. What is enabled
// throughout C is enabled throughout S, and a move from S to S is one from C
// to C:
//
//	F(C) ⊆ F(S) ⊆ T(S) ⊆ T(C)
//
// So if any fair run stays in C, then F(C) ⊆ T(C). Conversely, where F(C) ⊆ T(C), the run that
// walks round through every state and every move of C for ever is fair; if C
// is one state without a move to itself, then F(C) is empty, and the run that
// stays there is fair. Hence the property is violated if and only if F(C) ⊆ T(C)
// for some component that a run can reach while the property is due.
//
// The same line shows that one state s with F({s}) ⊆ T({s}) settles the
// component around it, which needs no further look.
//
// # What is not known
//
// A state that was not expanded has moves that nobody knows. No loop goes
// through it, and nothing holds if a run can get to it while the property is
// due. What is found elsewhere is a violation all the same.
package fair

import "context"

// None is the class of a move that need never happen: a fault, a loss, an own
// action that is not declared fair.
const None int32 = -1

// Move is an edge of the graph.
type Move struct {
	To    uint32 // may be the state that the move is made in
	Class int32  // the class that the move serves, from 0, or None
}

// Graph is what is checked. Its answers never change. It is asked by one
// goroutine.
//
// Every state is one that a start leads to, perhaps by moves of states that
// were not expanded. A state is expanded only if all its moves are known, each
// with the number of the state that it leads to.
type Graph interface {
	States() int      // how many, numbered from 0; fewer than 2^31 - 1
	Starts() []uint32 // in a fixed order
	Classes() int     // how many, numbered from 0
	Expanded(i uint32) bool

	// Moves appends the moves of an expanded state to a slice, in a fixed
	// order. Those that change nothing are moves too. A halted state has none.
	Moves(i uint32, moves []Move) []Move
}

// Verdict is what is known of a property.
type Verdict int

// The verdicts.
const (
	Holds     Verdict = iota // on every fair run
	Violated                 // by the lasso
	Undecided                // a state that was not expanded may lead to a violation, and none was found elsewhere
)

func (v Verdict) String() string { return [...]string{"holds", "violated", "undecided"}[v] }

// Result is a verdict, and the run that shows it where it is Violated.
type Result struct {
	Verdict Verdict
	Lasso   Lasso
}

// Lasso is a fair run on which the property is not met when it is due.
//
// The prefix is as short as any to a component that violates. Among the
// shortest it is the one that a breadth-first walk meets first which takes
// starts and moves in the graph's order: numbering the states otherwise does not
// change it.
//
// The loop ends in the state in which it begins, the last of the prefix. It is
// fair by itself: each class is served in it, or is not enabled in some state
// of it. An empty loop is a run that stays. The loop is short, but not always
// the shortest.
type Lasso struct {
	Start  uint32
	Prefix []Step
	Loop   []Step

	// Due is the number of steps of the prefix after which the property
	// becomes due: always 0 for Eventually.
	Due int
}

// Step is one move of a run.
type Step struct {
	Move int    // its place among the moves of the state before
	To   uint32 // the state after
}

// Eventually asks whether every fair run meets a state that is met, its start
// included. The function is asked at most once for each state that a run
// can reach before.
//
// A state's moves are asked for once while components are looked for, a
// second time where a component has more states than one, and again on the way
// to a violation; once more for each successor where memory runs short. About
// five bytes are needed for each state of the graph, thirty if nearly all of
// them lie on one path; on the way to a violation twenty, forty for LeadsTo.
//
// The error is the context's.
func Eventually(ctx context.Context, g Graph, met func(i uint32) bool) (Result, error) {
	return newCheck(ctx, g, nil, met).run()
}

// LeadsTo asks whether every fair run, wherever it is in a state that is from,
// is then or later in one that is met. From is asked at most twice for each
// state, met once. Otherwise it is as Eventually.
//
// If any state was not expanded it does not hold: whatever lies behind may be
// from.
func LeadsTo(ctx context.Context, g Graph, from, met func(i uint32) bool) (Result, error) {
	return newCheck(ctx, g, from, met).run()
}
