package algos_test

import (
	"encoding/json"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/caulk-go/caulk/algos"
	"github.com/caulk-go/caulk/explorer"
	"github.com/caulk-go/caulk/model"
	"github.com/caulk-go/caulk/scenario"
	"github.com/caulk-go/caulk/trace"
)

// system makes a system of an algorithm that comes with caulk, with its own
// starts, and lets agents be wiped.
func system(t *testing.T, algo string, wipe ...model.ID) model.System {
	t.Helper()
	a, err := model.FindAlgorithm(algos.All(), algo)
	if err != nil {
		t.Fatal(err)
	}
	s, err := a.System(model.Config{})
	if err != nil {
		t.Fatal(err)
	}
	s.Wipe = wipe
	return s
}

// TestStory is the story that the Mark series tells, a line for each step.
func TestStory(t *testing.T) {
	scenario.Run(t, []scenario.Case{
		{
			Name:   "mark0 halts on any message",
			System: system(t, "mark0"),
			Want:   scenario.Want{Verdict: explorer.Holds, Awry: map[string]int{"I0 Prepare n=1": 1}},
		},
		{
			Name:   "mark1 lists what comes early or late",
			System: system(t, "mark1"),
			Want: scenario.Want{Verdict: explorer.Holds, Awry: map[string]int{
				"I0 Accept n=1": 3, "L1 Promise n=1": 4, "I1 Promise n=1": 6, "I1 Accepted n=1": 7,
			}},
		},
		{
			Name:   "mark2 caulks that",
			System: system(t, "mark2"),
			Want:   scenario.Want{Verdict: explorer.Holds, States: 73},
		},
		{
			Name:   "mark2 has a hole of its own",
			System: system(t, "mark2", 3),
			Want: scenario.Want{
				Verdict: explorer.Violated, Property: "consistent", Moves: new(4), EndsIn: "L1I0I0",
				Properties: map[string]explorer.Verdict{"consistent": explorer.Violated},
			},
		},
		{
			Name:   "mark2b mends it",
			System: system(t, "mark2b", 3),
			Want:   scenario.Want{Verdict: explorer.Holds, Inconsistent: new(0)},
		},
		{
			Name:   "mark3 takes a late Prepare too",
			System: system(t, "mark3", 3),
			Want:   scenario.Want{Verdict: explorer.Holds, Inconsistent: new(0), States: 105},
		},
	})
}

// mark is a case of testdata/marks.json.
type mark struct {
	Algo   string              `json:"algo"`
	Starts map[model.ID]string `json:"starts"`
	Wipe   []model.ID          `json:"wipe"`

	States             int            `json:"states"`
	Transitions        int            `json:"transitions"`
	Depth              int            `json:"depth"`
	LabelNodes         int            `json:"label_nodes"`
	LabelEdges         int            `json:"label_edges"`
	LabelWipeEdges     int            `json:"label_wipe_edges"`
	HaltedStates       int            `json:"halted_states"`
	ShortestHalt       *int           `json:"shortest_halt"`
	TerminalStates     int            `json:"terminal_states"`
	InconsistentStates int            `json:"inconsistent_states"`
	DistinctDeliveries int            `json:"distinct_deliveries"`
	Awry               map[string]int `json:"awry"`
	Edges              []string       `json:"edges"` // nil where the file lists none

	ShortestViolation *int     `json:"shortest_violation"`
	AShortestPath     []string `json:"a_shortest_path"`
	ViolatingLabel    string   `json:"violating_label"`
}

// facts is testdata/marks.json.
type facts struct {
	About     string `json:"about"`
	Published struct {
		What   string   `json:"what"`
		Path   []string `json:"path"`
		EndsIn string   `json:"ends_in"`
	} `json:"published_path"`
	Cases []mark `json:"cases"`
}

// read reads the facts, and every field of them.
func read(t *testing.T) facts {
	t.Helper()
	file, err := os.Open("../testdata/marks.json")
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	var f facts
	d := json.NewDecoder(file)
	d.DisallowUnknownFields()
	if err := d.Decode(&f); err != nil {
		t.Fatal(err)
	}
	if len(f.Cases) != 15 {
		t.Fatalf("there are %d cases, not 15", len(f.Cases))
	}
	return f
}

func (m mark) system(t *testing.T) model.System {
	s := system(t, m.Algo, m.Wipe...)
	s.Starts = m.Starts
	return s
}

// TestMarks is every published count of the Mark series.
func TestMarks(t *testing.T) {
	var cases []scenario.Case
	edges := 0
	for _, m := range read(t).Cases {
		c := scenario.Case{
			System:  m.system(t),
			Options: explorer.Options{KeepGoing: true},
			Want:    m.want(),
		}
		if m.Edges != nil {
			edges++
			c.Options.Graph = explorer.LabelGraph
			c.Want.Check = m.checkEdges
		}
		cases = append(cases, c)
	}
	if edges != 6 {
		t.Errorf("%d cases list their edges, not 6", edges)
	}
	scenario.Run(t, cases)
}

func (m mark) want() scenario.Want {
	w := scenario.Want{
		Verdict:        explorer.Holds,
		States:         m.States,
		Transitions:    &m.Transitions,
		Depth:          &m.Depth,
		Halted:         &m.HaltedStates,
		Inconsistent:   &m.InconsistentStates,
		Terminal:       &m.TerminalStates,
		ShortestHalt:   m.ShortestHalt,
		HandlerCalls:   &m.DistinctDeliveries,
		LabelNodes:     m.LabelNodes,
		LabelEdges:     &m.LabelEdges,
		LabelWipeEdges: &m.LabelWipeEdges,
		Awry:           m.Awry,
		Moves:          m.ShortestViolation,
	}
	if m.InconsistentStates > 0 {
		w.Verdict = explorer.Violated
	}
	return w
}

// checkEdges compares the diagram's edges with those listed, one by one.
func (m mark) checkEdges(r *explorer.Report) error {
	var found []string
	for _, e := range r.Diagram.Edges {
		found = append(found, fmt.Sprintf("%s -> %s %s", r.Diagram.Nodes[e.From].Name, r.Diagram.Nodes[e.To].Name, e.Label))
	}
	listed := slices.Sorted(slices.Values(m.Edges))
	slices.Sort(found)
	if diff := cmp.Diff(listed, found); diff != "" {
		return fmt.Errorf("edges (-listed +found):\n%s", diff)
	}
	return nil
}

// TestMarkPaths replays the shortest path that the facts give for each
// violation, whichever of the shortest the search reports: it fails at its
// last move.
func TestMarkPaths(t *testing.T) {
	paths := 0
	for _, m := range read(t).Cases {
		if m.AShortestPath == nil {
			continue
		}
		paths++
		t.Run(fmt.Sprint(m.Algo, m.Starts, m.Wipe), func(t *testing.T) {
			s := m.system(t)
			o := replay(t, &s, m.AShortestPath)
			if labels := o.Labels(); o.Verdict != trace.StillFails || len(o.Made) != *m.ShortestViolation || labels[len(labels)-1] != m.ViolatingLabel {
				t.Errorf("%s: through %s; want a failure after %d moves in %s", o, strings.Join(labels, " "), *m.ShortestViolation, m.ViolatingLabel)
			}
		})
	}
	if paths != 5 {
		t.Errorf("%d cases give a path, not 5", paths)
	}
}

// TestPublishedPath replays the path that the article prints for mark2: the
// marks after it have that hole mended.
func TestPublishedPath(t *testing.T) {
	path := read(t).Published
	for algo, want := range map[string]trace.Verdict{"mark2": trace.StillFails, "mark2b": trace.Fixed, "mark3": trace.Fixed} {
		s := system(t, algo, 3)
		o := replay(t, &s, path.Path)
		if o.Verdict != want || len(o.Made) != 5 {
			t.Errorf("under %s: %s; want %s", algo, o, want)
		}
		if labels := o.Labels(); algo == "mark2" && labels[5] != path.EndsIn {
			t.Errorf("under %s it ends in %s, not %s", algo, labels[5], path.EndsIn)
		}
	}
}

func replay(t *testing.T, s *model.System, labels []string) trace.Outcome {
	t.Helper()
	steps := make([]trace.Step, len(labels))
	for i, label := range labels {
		steps[i].Label = label
	}
	o, err := trace.Replay(s, trace.Path{Steps: steps})
	if err != nil {
		t.Fatal(err)
	}
	return o
}
