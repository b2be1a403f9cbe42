package explorer_test

import (
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/caulk-go/caulk/algos"
	"github.com/caulk-go/caulk/model"
)

// fact is a case of testdata/marks.json: what programs that are not ours found.
type fact struct {
	Algo   string              `json:"algo"`
	Starts map[model.ID]string `json:"starts"`
	Wipe   []model.ID          `json:"wipe"`

	States       int  `json:"states"`
	Transitions  int  `json:"transitions"`
	Depth        int  `json:"depth"`
	Halted       int  `json:"halted_states"`
	Inconsistent int  `json:"inconsistent_states"`
	Terminal     int  `json:"terminal_states"`
	Deliveries   int  `json:"distinct_deliveries"`
	ShortestHalt *int `json:"shortest_halt"`

	LabelNodes     int            `json:"label_nodes"`
	LabelEdges     int            `json:"label_edges"`
	LabelWipeEdges int            `json:"label_wipe_edges"`
	Awry           map[string]int `json:"awry"`
	Edges          []string       `json:"edges"` // missing in some cases

	ShortestViolation *int     `json:"shortest_violation"`
	ShortestPath      []string `json:"a_shortest_path"`
	ViolatingLabel    string   `json:"violating_label"`
}

type facts struct {
	Published struct {
		Path   []string `json:"path"`
		EndsIn string   `json:"ends_in"`
	} `json:"published_path"`
	Cases []fact `json:"cases"`
}

func readFacts(t *testing.T) facts {
	t.Helper()
	data, err := os.ReadFile("../testdata/marks.json")
	if err != nil {
		t.Fatal(err)
	}
	var f facts
	if err := json.Unmarshal(data, &f); err != nil {
		t.Fatal(err)
	}
	if len(f.Cases) == 0 {
		t.Fatal("testdata/marks.json has no cases")
	}
	return f
}

// name is what the test of a case is called.
func (f fact) name() string {
	name := f.Algo
	for _, id := range slices.Sorted(maps.Keys(f.Starts)) {
		name += fmt.Sprintf(" %d=%s", id, f.Starts[id])
	}
	return name + fmt.Sprintf(" wipe %v", f.Wipe)
}

func (f fact) system(t *testing.T) model.System {
	t.Helper()
	s := made(t, f.Algo, model.Config{})
	s.Starts, s.Wipe = f.Starts, f.Wipe
	return s
}

// counts are those that a search of the case must find. What the case does not
// tell is taken from what was found.
func (f fact) counts(found counts) counts {
	want := counts{
		States: f.States, Transitions: f.Transitions, Depth: f.Depth,
		Halted: f.Halted, Inconsistent: f.Inconsistent, Terminal: f.Terminal, Deliveries: f.Deliveries,
		LabelNodes: f.LabelNodes, LabelEdges: f.LabelEdges, LabelWipeEdges: f.LabelWipeEdges,
		ShortestHalt: orNever(f.ShortestHalt), ShortestViolation: orNever(f.ShortestViolation),
		ViolatingLabels: found.ViolatingLabels,
		Awry:            f.Awry,
		Sometimes:       map[string]int{},
		Edges:           found.Edges,
	}
	if f.Edges != nil {
		want.Edges = slices.Sorted(slices.Values(f.Edges))
	}
	return want
}

func orNever(moves *int) int {
	if moves == nil {
		return never
	}
	return *moves
}

func made(t testing.TB, name string, c model.Config) model.System {
	t.Helper()
	a, err := model.FindAlgorithm(algos.All(), name)
	if err != nil {
		t.Fatal(err)
	}
	s, err := a.System(c)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func TestReferenceAgreesWithTheMarks(t *testing.T) {
	for _, f := range readFacts(t).Cases {
		t.Run(f.name(), func(t *testing.T) {
			s := f.system(t)
			got := reference(s)
			want := f.counts(got)
			want.HaltDepth, want.Violations, want.Tested, want.ReadNetwork = got.HaltDepth, got.Violations, got.Tested, got.ReadNetwork // the facts do not tell
			compareCounts(t, got, want)
			if f.ShortestViolation == nil {
				return
			}
			if len(f.ShortestPath) != *f.ShortestViolation {
				t.Errorf("the path of the case has %d moves, not %d", len(f.ShortestPath), *f.ShortestViolation)
			}
			if !slices.Contains(got.ViolatingLabels, f.ViolatingLabel) {
				t.Errorf("the nearest violations are in %v, not in %s", got.ViolatingLabels, f.ViolatingLabel)
			}
			walkToViolation(t, s, f.ShortestPath, f.ViolatingLabel)
		})
	}
}

func TestReferenceWalksThePublishedPath(t *testing.T) {
	s := made(t, "mark2", model.Config{})
	s.Wipe = []model.ID{3}
	published := readFacts(t).Published
	walkToViolation(t, s, published.Path, published.EndsIn)
}

func TestReferenceAgreesWithTheFormulaOfTwoPhaseCommit(t *testing.T) {
	for n := 1; n <= 4; n++ {
		got := reference(made(t, "twophase", model.Config{Params: map[string]int{"managers": n}}))
		states := power(6, n) + power(4, n) + power(2, n)
		if got.States != states || got.Depth != 3*n+1 || got.Halted != 0 || got.Inconsistent != 0 {
			t.Errorf("managers=%d: %d states, depth %d, %d halted, %d inconsistent: want %d states, depth %d, and none",
				n, got.States, got.Depth, got.Halted, got.Inconsistent, states, 3*n+1)
		}
		// Each aborts by itself; each prepares, is counted and is told after one decision.
		want := map[string]int{"all aborted": n, "all committed": 3*n + 1}
		if !maps.Equal(got.Sometimes, want) {
			t.Errorf("managers=%d: reached %v, want %v", n, got.Sometimes, want)
		}
	}
}

// A transaction manager that is wiped presumes abort: known from textbooks.
func TestReferenceFindsTheHoleOfTwoPhaseCommit(t *testing.T) {
	s := made(t, "twophase", model.Config{Params: map[string]int{"managers": 2}})
	s.Wipe = []model.ID{3}
	if got := reference(s).ShortestViolation; got != 9 {
		t.Errorf("the shortest violation has %d moves, want 9", got)
	}
}

func power(base, n int) int {
	p := 1
	for range n {
		p *= base
	}
	return p
}

// compareCounts reports every count that differs, by its name.
func compareCounts(t *testing.T, got, want counts) {
	t.Helper()
	g, w := reflect.ValueOf(got), reflect.ValueOf(want)
	for i := range g.NumField() {
		if !reflect.DeepEqual(g.Field(i).Interface(), w.Field(i).Interface()) {
			t.Errorf("%s: %v, want %v", g.Type().Field(i).Name, g.Field(i), w.Field(i))
		}
	}
}

// walkToViolation follows a path by its labels, with states without violation
// up to the last move, and a violation in the label given after it.
func walkToViolation(t *testing.T, s model.System, path []string, endsIn string) {
	t.Helper()
	w := start(&s, s.Starts)
	for i, label := range path {
		var ahead []world
		var others []string
		for _, m := range w.allMoves(&s) {
			if m.Move.Label() == label {
				ahead = append(ahead, m.next)
			}
			others = append(others, m.Move.Label())
		}
		if len(ahead) != 1 {
			t.Fatalf("move %d, %s, is %d of the moves %s", i+1, label, len(ahead), strings.Join(others, " "))
		}
		w = ahead[0]
		c := newCounts()
		if wrong := c.judge(&s, w); wrong != (i == len(path)-1) {
			t.Fatalf("after move %d, %s: wrong is %t, in %s", i+1, label, wrong, w.label(&s))
		}
	}
	if got := w.label(&s); got != endsIn {
		t.Errorf("the path ends in %s, want %s", got, endsIn)
	}
}
