package explorer_test

import (
	"fmt"
	"slices"
	"testing"

	"github.com/caulk-go/caulk/explorer"
	"github.com/caulk-go/caulk/model"
)

// The engine must find what the plain explorer finds, whatever the search and
// the number of workers.
func TestEngineAgreesWithTheReference(t *testing.T) {
	for _, s := range settings(t) {
		t.Run(settingName(s), func(t *testing.T) {
			want := reference(s)
			for _, workers := range []int{1, 3} {
				compareCounts(t, engine(t, s, workers, want), want)
			}
		})
	}
}

// settings are small ones of every algorithm: on a bag and on a set, with and
// without wipes, with one starter and with two.
func settings(t *testing.T) []model.System {
	var all []model.System
	add := func(s model.System, wipes ...[]model.ID) {
		for _, s.Wipe = range wipes {
			for _, s.Network = range []model.Network{model.Bag, model.Set} {
				// On a set mark2 stores a value without end.
				if s.Name != "mark2" || s.Network == model.Bag {
					all = append(all, s)
				}
			}
		}
	}
	for _, name := range []string{"mark0", "mark1", "mark2", "mark2b", "mark3"} {
		add(made(t, name, model.Config{Agents: 1}), nil, []model.ID{1})
		add(made(t, name, model.Config{Agents: 2}), nil, []model.ID{1, 2})
		add(made(t, name, model.Config{Agents: 3}), nil, []model.ID{1}, []model.ID{2, 3})
		s := made(t, name, model.Config{Agents: 3})
		s.Starts = map[model.ID]string{1: "x", 3: "y"}
		add(s, nil, []model.ID{2}, []model.ID{3})
	}
	for managers := 1; managers <= 3; managers++ {
		s := made(t, "twophase", model.Config{Params: map[string]int{"managers": managers}})
		add(s, nil)
		// On a bag a wiped agent sends more and more copies.
		for _, id := range []model.ID{1, model.ID(managers + 1)} {
			s.Network, s.Wipe = model.Set, []model.ID{id}
			all = append(all, s)
		}
	}
	add(made(t, "paxossynod", model.Config{Params: map[string]int{"ballots": 1}}), nil, []model.ID{1})
	add(made(t, "raft", model.Config{Params: map[string]int{"terms": 1, "entries": 1}}), nil)
	add(made(t, "raftmembership", model.Config{Agents: 3, Params: map[string]int{"terms": 1}}), nil)
	return all
}

func settingName(s model.System) string {
	return fmt.Sprintf("%s/%d agents/%s/%v/wipe %v", s.Name, len(s.Agents), s.Network, s.Starts, s.Wipe)
}

// engine is what the engine finds in a search of everything.
func engine(t *testing.T, s model.System, workers int, want counts) counts {
	t.Helper()
	r, err := explorer.Explore(t.Context(), s, explorer.Options{Workers: workers, KeepGoing: true, Graph: explorer.LabelGraph})
	if err != nil {
		t.Fatal(err)
	}
	if !r.Complete {
		t.Fatalf("the search was cut: %v", r.Bounds)
	}
	if v := r.Violation; v != nil {
		labels := make([]string, len(v.Path))
		for i, step := range v.Path {
			labels[i] = step.Label
		}
		walkToViolation(t, s, labels, v.State)
	}
	return countsOf(r, want)
}

// countsOf is what a report with a diagram of labels tells. Where there are
// several nearest violations it tells one: it must be among those of the
// reference.
func countsOf(r *explorer.Report, want counts) counts {
	got := counts{
		States: int(r.States), Transitions: int(r.Transitions), Depth: r.Depth,
		Halted: int(r.Halted), Inconsistent: int(r.Inconsistent), Terminal: int(r.Terminal), Deliveries: int(r.HandlerCalls),
		LabelNodes: *r.LabelNodes, LabelEdges: *r.LabelEdges, LabelWipeEdges: *r.LabelWipeEdges,
		ShortestHalt: orNever(r.ShortestHalt), ShortestViolation: never, HaltDepth: want.HaltDepth,
		Awry: map[string]int{}, Sometimes: map[string]int{}, Violations: want.Violations, Tested: map[string]int{}, ReadNetwork: want.ReadNetwork,
	}
	for _, b := range r.Bounds {
		got.Cut += int(b.Cut)
	}
	for _, a := range *r.Awry {
		got.Awry[a.AgentState+" "+a.Message] = a.Moves
	}
	for _, p := range r.Properties {
		if p.Witness != nil {
			got.Sometimes[p.Name] = len(p.Witness)
		}
		if isLiveness(p.Kind) {
			continue
		}
		if p.Tested > 0 {
			got.Tested[p.Name] = int(p.Tested)
		}
		_, violated := want.Violations[p.Name]
		if violated != (p.Verdict == explorer.Violated) {
			got.Violations = map[string]int{p.Name + " is " + string(p.Verdict): 0}
		}
	}
	for _, e := range r.Diagram.Edges {
		got.Edges = append(got.Edges, fmt.Sprintf("%s -> %s %s", r.Diagram.Nodes[e.From].Name, r.Diagram.Nodes[e.To].Name, e.Label))
	}
	slices.Sort(got.Edges)
	if v := r.Violation; v != nil {
		got.ShortestViolation = v.Moves
		if slices.Contains(want.ViolatingLabels, v.State) {
			got.ViolatingLabels = want.ViolatingLabels
		}
		for _, p := range r.Properties {
			if p.Name == v.Property && isLiveness(p.Kind) && (want.ShortestViolation == never || v.Moves <= want.ShortestViolation) {
				got.ShortestViolation, got.ViolatingLabels = want.ShortestViolation, want.ViolatingLabels
			}
		}
	}
	return got
}

func isLiveness(kind string) bool {
	return kind == model.KindEventually.String() || kind == model.KindLeadsTo.String()
}
