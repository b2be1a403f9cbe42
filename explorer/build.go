package explorer

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/caulk-go/caulk/model"
	"github.com/caulk-go/caulk/trace"
)

// report puts together what was found; all is nil if there is not even a
// start state.
func (s *search) report(all found) (*Report, error) {
	r := &Report{
		Schema:  Schema,
		Setting: trace.SettingOf(s.sys),
		Search:  s.opts.Search.String(),
		Reduce:  s.reduceNames(),
		Notes:   append([]string{}, s.notes...),
		Bounds:  []Bound{},
	}
	if all != nil {
		left := s.leftovers(all)
		r.Complete = left == 0 && s.beyond == 0 && s.panicked == nil
		if s.beyond > 0 {
			r.Bounds = append(r.Bounds, Bound{Name: "boundary", Cut: s.beyond})
		}
		if s.cut != nil && left > 0 {
			s.cut.Cut = left
			r.Bounds = append(r.Bounds, *s.cut)
		}
		r.Depth = all.depth()
		s.reportWalks(r, all)
	}
	all = s.wholePaths(all)
	r.Notes = append(r.Notes, s.tables.shrink.notes()...)
	r.States, r.Transitions = s.states, s.transitions
	r.Halted, r.Inconsistent, r.Terminal = s.halted, s.inconsistent, s.terminal
	r.HandlerCalls = s.tables.handlerCalls
	if s.shortestHalt >= 0 {
		r.ShortestHalt = &s.shortestHalt
	}
	for i := range s.properties {
		if p := &s.properties[i]; s.reducedNetwork(p) && !p.violated() && p.nearest == nil {
			r.Notes = append(r.Notes, fmt.Sprintf("the property %q reads the network, which the reduction %q changes: that there is nothing to find is not proved", p.Name, strings.Join(r.Reduce, ",")))
		}
	}
	names := newLabels(s.tables)
	if err := s.reportProperties(r, all, names); err != nil {
		return nil, err
	}
	if err := s.reportPanic(r, all, names); err != nil {
		return nil, err
	}
	r.Verdict = s.verdict(r)
	if all != nil && s.opts.Search != Random && !s.tables.mergesStates() && s.symmetry == nil && (s.transitions <= observedTransitions || s.opts.Graph != NoGraph) {
		if err := s.reportLabels(r, all, names); err != nil {
			return nil, err
		}
	}
	if s.opts.Cover {
		s.reportCoverage(r, names)
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
		switch {
		case bad || s.tables.halted(*f):
			return
		case s.outside(f):
			s.beyond++
			return
		}
		if ask && s.surelyEnds(f) {
			s.terminal++
			s.end(f)
			return
		}
		left++
	})
	if ask {
		s.closeLevel(all.depth() + 1)
	}
	return left
}

// surelyEnds says whether a state has no move; false too where a handler fails.
func (s *search) surelyEnds(f *flat) bool {
	if s.surelyMoves(f) {
		return false
	}
	choices, err := s.tables.choices(*f)
	return err == nil && len(choices) == 0
}

// surelyMoves says whether a state has a move, without asking a handler.
func (s *search) surelyMoves(f *flat) bool {
	if s.tables.leavesSomeOut() {
		return false
	}
	return slices.ContainsFunc(s.tables.deliverable(*f), func(m uint32) bool {
		a := int(s.tables.messages[m].To) - 1
		return !s.tables.agents[a].states[f.states[a]].traits.Crashed
	})
}

// end asks what must hold at the end about a state without moves that was not
// expanded.
func (s *search) end(f *flat) {
	t := newTally(len(s.properties))
	for i := range s.properties {
		if p := &s.properties[i]; p.byEnd() {
			a := ask(&p.Property, &flatView{t: s.tables, f: f})
			if a != elsewhere {
				t.tested[i]++
			}
			if a == fails {
				t.find(s.tables, i, &hit{at: f.clone()})
			}
		}
	}
	s.count(&t, 0)
}

func (s *search) reportProperties(r *Report, all found, names *labels) error {
	r.Properties = []PropertyReport{}
	worst := s.worst(all)
	for i := range s.properties {
		p := &s.properties[i]
		report := PropertyReport{Name: p.Name, Kind: p.Kind.String(), Tested: p.tested, Verdict: s.verdictOf(p, r.Complete)}
		if p.Kind == model.KindSometimes && p.nearest != nil {
			way := all.pathOf(i)
			steps, _, err := s.retrace(way, names)
			if err != nil {
				return err
			}
			report.Witness, report.WitnessStart = steps, s.startShown(way)
		}
		if i == worst {
			v, err := s.violationOf(p, all.pathOf(i), names)
			if err != nil {
				return err
			}
			r.Violation = v
		}
		r.Properties = append(r.Properties, report)
	}
	return nil
}

// violationOf shows where a property fails.
func (s *search) violationOf(p *property, way route, names *labels) (*Violation, error) {
	steps, walked, err := s.retrace(way, names)
	if err != nil {
		return nil, err
	}
	v := &Violation{Property: p.Name, Moves: len(steps), Path: steps, Start: s.startShown(way), State: names.state(s.tables.end(way))}
	if p.lasso != nil {
		v.Reason, v.LoopFrom = p.lasso.reason(), p.lasso.from
		return v, nil
	}
	v.Reason, err = walked.reason(p)
	return v, err
}

// startShown is the start state that a path leads from, where there are
// several.
func (s *search) startShown(way route) map[model.ID]string {
	if len(s.starts) < 2 {
		return nil
	}
	start := map[model.ID]string{}
	maps.Copy(start, s.sys.AllStarts()[s.startOf(way.start)])
	return start
}

// worst is the property that is violated after the fewest moves, the first of
// them; -1 if none is.
func (s *search) worst(all found) int {
	worst, moves := -1, 0
	for i := range s.properties {
		if s.properties[i].violated() {
			if n := len(all.pathOf(i).moves); worst < 0 || n < moves {
				worst, moves = i, n
			}
		}
	}
	return worst
}

func (s *search) verdictOf(p *property, complete bool) Verdict {
	switch {
	case p.violated():
		return Violated
	case p.Kind == model.KindSometimes && p.nearest != nil:
		return Holds
	case !complete || p.unsure || s.reducedNetwork(p):
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
		switch p.Verdict {
		case NotReached:
			return Violated
		case Incomplete:
			verdict = Incomplete
		}
	}
	if !r.Complete {
		verdict = Incomplete
	}
	return verdict
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
		way := all.path(p.at, p.depth)
		steps, _, err := s.retrace(way, names)
		if err != nil {
			return err
		}
		v.Start = s.startShown(way)
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
