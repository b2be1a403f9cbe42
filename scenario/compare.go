package scenario

import (
	"errors"
	"reflect"

	"github.com/google/go-cmp/cmp"

	"github.com/caulk-go/caulk/explorer"
)

// difference says in which fields a report differs from what was wanted, by
// the names that they have in the report.
func difference(w Want, r *explorer.Report) error {
	wanted, found := map[string]any{}, map[string]any{}
	for _, f := range w.fields(r) {
		if !reflect.ValueOf(f.wanted).IsZero() {
			wanted[f.name], found[f.name] = value(f.wanted), value(f.found)
		}
	}
	if diff := cmp.Diff(wanted, found); diff != "" {
		return errors.New("The report differs from what was wanted (-wanted +found):\n" + diff)
	}
	return nil
}

// field is one thing that can be wanted, and what became of it. What is absent
// from the report is found as nil.
type field struct {
	name          string
	wanted, found any
}

func (w Want) fields(r *explorer.Report) []field {
	fields := []field{
		{"verdict", w.Verdict, r.Verdict},
		{"states", w.States, int(r.States)},
		{"transitions", w.Transitions, int(r.Transitions)},
		{"depth", w.Depth, r.Depth},
		{"halted_states", w.Halted, int(r.Halted)},
		{"inconsistent_states", w.Inconsistent, int(r.Inconsistent)},
		{"terminal_states", w.Terminal, int(r.Terminal)},
		{"shortest_halt", w.ShortestHalt, r.ShortestHalt},
		{"handler_calls", w.HandlerCalls, int(r.HandlerCalls)},
		{"label_nodes", w.LabelNodes, r.LabelNodes},
		{"label_edges", w.LabelEdges, r.LabelEdges},
		{"label_wipe_edges", w.LabelWipeEdges, r.LabelWipeEdges},
		{"awry", w.Awry, awry(r)},
		{"properties", w.Properties, properties(w, r)},
	}
	v := violation(r)
	return append(fields,
		field{"violation.property", w.Property, v.property},
		field{"violation.reason", w.Reason, v.reason},
		field{"violation.moves", w.Moves, v.moves},
		field{"violation.path", w.Path, v.path},
		field{"violation.loop_from", w.LoopFrom, v.loopFrom},
		field{"violation.state", w.EndsIn, v.state},
	)
}

// value is what a pointer points to; a nil one is nil itself.
func value(v any) any {
	p := reflect.ValueOf(v)
	if p.Kind() != reflect.Pointer {
		return v
	}
	if p.IsNil() {
		return nil
	}
	return p.Elem().Interface()
}

// awry is the report's list in the form of Want.Awry.
func awry(r *explorer.Report) any {
	if r.Awry == nil {
		return nil
	}
	pairs := map[string]int{}
	for _, a := range *r.Awry {
		pairs[a.AgentState+" "+a.Message] = a.Moves
	}
	return pairs
}

// properties are the verdicts on those that are wanted.
func properties(w Want, r *explorer.Report) any {
	verdicts := map[string]explorer.Verdict{}
	for _, p := range r.Properties {
		if _, ok := w.Properties[p.Name]; ok {
			verdicts[p.Name] = p.Verdict
		}
	}
	return verdicts
}

// seen is the nearest violation; all is nil if there is none.
type seen struct{ property, reason, moves, path, loopFrom, state any }

func violation(r *explorer.Report) seen {
	v := r.Violation
	if v == nil {
		return seen{}
	}
	labels := make([]string, len(v.Path))
	for i, s := range v.Path {
		labels[i] = s.Label
	}
	return seen{v.Property, v.Reason, v.Moves, labels, v.LoopFrom, v.State}
}
