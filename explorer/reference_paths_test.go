package explorer_test

import (
	"fmt"
	"maps"
	"slices"
	"testing"

	"github.com/caulk-go/caulk/explorer"
	"github.com/caulk-go/caulk/model"
	"github.com/caulk-go/caulk/trace"
)

// walk makes the moves of a path among robots anew: each must be exactly one of
// those that there are, and lead to a state of the label told. The states are
// the start and those after each move.
func walk(s *model.System, starts map[model.ID]string, path []trace.Step) (states []world, moves []moved, err error) {
	w := start(s, starts)
	states = append(states, w)
	for i, step := range path {
		if scratch := newCounts(); scratch.judge(s, w) || s.Boundary != nil && !s.Boundary(view{s: s, w: w}) {
			return nil, nil, fmt.Errorf("it goes on after move %d, from %s, which is not expanded", i, w.label(s))
		}
		var ahead []moved
		for _, m := range w.allMoves(s) {
			made := trace.Step{Move: m.Move.Name(), Label: m.Move.Label(), From: m.Move.From, To: m.Move.To, State: m.next.label(s)}
			if m.about != nil {
				made.Body = spelt(m.about.Body)
			}
			if made == step {
				ahead = append(ahead, m)
			}
		}
		if len(ahead) != 1 {
			return nil, nil, fmt.Errorf("move %d, %+v, is %d of the moves from %s", i+1, step, len(ahead), w.label(s))
		}
		w = ahead[0].next
		states, moves = append(states, w), append(moves, ahead[0])
	}
	return states, moves, nil
}

// comparePaths makes every path of a report anew, and sees whether it shows
// what it is said to show.
func comparePaths(t *testing.T, s model.System, r *explorer.Report) {
	t.Helper()
	for i, p := range s.Properties {
		if shown := r.Properties[i]; shown.Witness != nil {
			if err := witnesses(&s, p, shown); err != nil {
				t.Errorf("%s: the witness of %q: %v", r.Search, p.Name, err)
			}
		}
		if v := r.Violation; v != nil && v.Property == p.Name {
			if err := violates(&s, p, v); err != nil {
				t.Errorf("%s: the violation of %q, %s: %v", r.Search, p.Name, p.Kind, err)
			}
		}
	}
	if r.Awry == nil { // a random search does not tell
		return
	}
	for _, a := range *r.Awry {
		var err error // of the last start; one will do, for the report does not say which
		if !slices.ContainsFunc(s.AllStarts(), func(starts map[model.ID]string) bool {
			err = goesAwry(&s, starts, a)
			return err == nil
		}) {
			t.Errorf("%s: %q goes awry on %q: %v", r.Search, a.AgentState, a.Message, err)
		}
	}
}

// startOf is the start that a report names where there are several.
func startOf(s *model.System, shown map[model.ID]string) (map[model.ID]string, error) {
	all := s.AllStarts()
	if len(all) == 1 && shown == nil {
		return all[0], nil
	}
	if shown == nil || !slices.ContainsFunc(all, func(one map[model.ID]string) bool { return maps.Equal(one, shown) }) {
		return nil, fmt.Errorf("it starts with %v, and there are %v", shown, all)
	}
	return shown, nil
}

func witnesses(s *model.System, p model.Property, shown explorer.PropertyReport) error {
	starts, err := startOf(s, shown.WitnessStart)
	if err != nil {
		return err
	}
	states, _, err := walk(s, starts, shown.Witness)
	if err != nil {
		return err
	}
	last := states[len(states)-1]
	if applies, missing, _ := answer(s, p, last, last); !applies || missing != nil {
		return fmt.Errorf("in %s it applies: %t, and is missing: %v", last.label(s), applies, missing)
	}
	return nil
}

func goesAwry(s *model.System, starts map[model.ID]string, a explorer.Awry) error {
	states, moves, err := walk(s, starts, a.Path)
	if err != nil {
		return err
	}
	if len(moves) != a.Moves || a.Moves == 0 {
		return fmt.Errorf("it has %d moves, and should have %d", len(moves), a.Moves)
	}
	last := moves[a.Moves-1]
	before := agentLabel(s, last.id, states[a.Moves-1].agents[last.id-1])
	if last.Move.Kind != model.Deliver || before != a.AgentState || model.MessageLabel(last.about.Body) != a.Message || !s.Node(last.id).Halted(last.Next.State) {
		return fmt.Errorf("it ends with %s in %q", last.Move.Label(), before)
	}
	return nil
}

func violates(s *model.System, p model.Property, v *explorer.Violation) error {
	starts, err := startOf(s, v.Start)
	if err != nil {
		return err
	}
	states, moves, err := walk(s, starts, v.Path)
	if err != nil {
		return err
	}
	n := len(moves)
	last, before := states[n], states[n]
	if v.Moves != n || v.State != last.label(s) {
		return fmt.Errorf("it has %d moves and ends in %q, not %d and %q", n, last.label(s), v.Moves, v.State)
	}
	if p.Kind.Liveness() {
		return isLasso(s, p, v, states, moves)
	}
	if v.LoopFrom != nil {
		return fmt.Errorf("it loops from %d", *v.LoopFrom)
	}
	if p.Kind == model.KindStep {
		before = states[n-1]
		if encode(before.agents)+encode(before.memory) == encode(last.agents)+encode(last.memory) {
			return fmt.Errorf("the last move, %s, changes nothing", moves[n-1].Move.Label())
		}
	}
	if p.Kind == model.KindAtEnd && (last.halted(s) || !last.ends(s, last.allMoves(s))) {
		return fmt.Errorf("%s is no end", last.label(s))
	}
	if applies, fault, _ := answer(s, p, before, last); !applies || fault == nil || fault.Error() != v.Reason {
		return fmt.Errorf("at its end the property applies: %t, and says %v, not %s", applies, fault, v.Reason)
	}
	return nil
}

// isLasso says what keeps a run from going on for ever, fairly, without what is
// due.
func isLasso(s *model.System, p model.Property, v *explorer.Violation, states []world, moves []moved) error {
	n := len(moves)
	owing := p.Kind == model.KindEventually // from the start on; otherwise from where it is due
	for _, w := range states {
		lacking, due := lacks(s, p, w)
		owing = lacking && (owing || due && p.Kind == model.KindLeadsTo)
	}
	if !owing {
		return fmt.Errorf("it is not due at the end")
	}
	if v.LoopFrom == nil {
		last := states[n]
		if !last.halted(s) && slices.ContainsFunc(last.allMoves(s), func(m moved) bool { return classOf(s, m) != "" }) {
			return fmt.Errorf("it stays in %s, from which a move must be made", last.label(s))
		}
		return nil
	}
	from := *v.LoopFrom
	if from < 0 || from >= n || states[from].key(s.Network) != states[n].key(s.Network) {
		return fmt.Errorf("moves %d to %d are no loop", from+1, n)
	}
	var enabled [][]classed
	for _, w := range states[from:n] {
		if lacking, _ := lacks(s, p, w); !lacking {
			return fmt.Errorf("the loop meets it in %s", w.label(s))
		}
		var here []classed
		for _, m := range w.allMoves(s) {
			here = append(here, classed{m.next.key(s.Network), classOf(s, m)})
		}
		enabled = append(enabled, here)
	}
	done := set{}
	for _, m := range moves[from:] {
		done.add(classOf(s, m))
	}
	if !served(enabled, func(m classed) bool { return done[m.class] }) {
		return fmt.Errorf("moves %d to %d are not a fair loop", from+1, n)
	}
	return nil
}
