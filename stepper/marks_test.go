package stepper_test

import (
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/caulk-go/caulk/algos"
	"github.com/caulk-go/caulk/model"
	"github.com/caulk-go/caulk/stepper"
)

// facts is what testdata/marks.json says of one setting, and what a survey
// found of it.
type facts struct {
	Algo   string              `json:"algo"`
	Starts map[model.ID]string `json:"starts"`
	Wipe   []model.ID          `json:"wipe"`

	States            int            `json:"states"`
	Transitions       int            `json:"transitions"`
	Depth             int            `json:"depth"`
	LabelNodes        int            `json:"label_nodes"`
	LabelEdges        int            `json:"label_edges"`
	LabelWipeEdges    int            `json:"label_wipe_edges"`
	Halted            int            `json:"halted_states"`
	ShortestHalt      *int           `json:"shortest_halt"`
	Terminal          int            `json:"terminal_states"`
	Inconsistent      int            `json:"inconsistent_states"`
	Deliveries        int            `json:"distinct_deliveries"`
	ShortestViolation int            `json:"shortest_violation"`
	ViolatingLabel    string         `json:"violating_label"`
	Awry              map[string]int `json:"awry"`
	Edges             []string       `json:"edges"` // of some settings only
}

// TestMarks walks through everything that the Mark series can do and compares
// it with what is known of it.
func TestMarks(t *testing.T) {
	data, err := os.ReadFile("../testdata/marks.json")
	if err != nil {
		t.Fatal(err)
	}
	var file struct{ Cases []facts }
	if err := json.Unmarshal(data, &file); err != nil {
		t.Fatal(err)
	}
	if len(file.Cases) != 15 {
		t.Fatalf("there are %d cases, not 15", len(file.Cases))
	}
	for _, want := range file.Cases {
		t.Run(fmt.Sprintf("%s starts %v wipe %v", want.Algo, want.Starts, want.Wipe), func(t *testing.T) {
			if testing.Short() && want.States > 200 {
				t.Skip("large")
			}
			a, err := model.FindAlgorithm(algos.All(), want.Algo)
			if err != nil {
				t.Fatal(err)
			}
			sys, err := a.System(model.Config{})
			if err != nil {
				t.Fatal(err)
			}
			sys.Starts, sys.Wipe = want.Starts, want.Wipe
			got := newSurvey(t, sys).run()
			slices.Sort(want.Edges)
			if want.Edges == nil {
				got.Edges = nil
			}
			got.Algo, got.Starts, got.Wipe = want.Algo, want.Starts, want.Wipe
			if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("(-known +walked):\n%s", diff)
			}
		})
	}
}

// survey walks through every state of a system, breadth first.
type survey struct {
	*testing.T
	*stepper.Stepper
	level, next []stepper.State
	seen        map[string]bool
	labels      map[string]bool
	edges       map[string]bool
	wipes       map[string]bool
	deliveries  map[string]bool
	found       facts
}

func newSurvey(t *testing.T, sys model.System) *survey {
	s := &survey{T: t, seen: map[string]bool{}, labels: map[string]bool{}, edges: map[string]bool{}, wipes: map[string]bool{}, deliveries: map[string]bool{}}
	s.found.Awry = map[string]int{}
	var st stepper.State
	s.Stepper, st = start(t, sys)
	s.meet(st)
	return s
}

func (s *survey) run() facts {
	for depth := 0; len(s.next) > 0; depth++ {
		s.found.Depth = depth
		s.level, s.next = s.next, nil
		for _, st := range s.level {
			s.visit(st, depth)
		}
	}
	s.found.LabelNodes, s.found.LabelEdges, s.found.LabelWipeEdges = len(s.labels), len(s.edges), len(s.wipes)
	s.found.Deliveries = len(s.deliveries)
	s.found.Edges = slices.Sorted(maps.Keys(s.edges))
	return s.found
}

func (s *survey) meet(st stepper.State) {
	key := ""
	for id := range model.ID(3) {
		key += fmt.Sprintf("%q ", st.Local(id+1))
	}
	for _, e := range st.Envelopes() {
		key += fmt.Sprintf("%d->%d %q ", e.From, e.To, e.Body)
	}
	if !s.seen[key] {
		s.seen[key] = true
		s.found.States++
		s.labels[s.Label(st)] = true
		s.next = append(s.next, st)
	}
}

func (s *survey) visit(st stepper.State, depth int) {
	failures := s.Failures(st)
	halted := slices.ContainsFunc(failures, func(f stepper.Failure) bool { return f.Property == "" })
	switch {
	case halted:
		s.found.Halted++
		if s.found.ShortestHalt == nil {
			s.found.ShortestHalt = &depth
		}
		return
	case len(failures) > 0:
		s.found.Inconsistent++
		if s.found.ShortestViolation == 0 {
			s.found.ShortestViolation, s.found.ViolatingLabel = depth, s.Label(st)
		}
		return
	}
	choices := moves(s.T, s.Stepper, st)
	if len(choices) == 0 {
		s.found.Terminal++
	}
	for _, c := range choices {
		s.found.Transitions++
		s.record(st, c, depth)
		s.meet(c.Next)
	}
}

func (s *survey) record(st stepper.State, c stepper.Choice, depth int) {
	if from, to := s.Label(st), s.Label(c.Next); from != to {
		edge := fmt.Sprintf("%s -> %s %s", from, to, c.Label)
		s.edges[edge] = true
		if c.Move.Kind.Fault() {
			s.wipes[edge] = true
		}
	}
	if !c.Move.Kind.OfMessage() {
		return
	}
	receiver := c.Move.To
	s.deliveries[fmt.Sprintf("%d %q %d %q", receiver, st.Local(receiver), c.Envelope.From, c.Envelope.Body)] = true
	for _, f := range s.Failures(c.Next) {
		pair := s.AgentLabel(st, receiver) + " " + model.MessageLabel(c.Move.Body)
		if _, known := s.found.Awry[pair]; f.Agent == receiver && !known {
			s.found.Awry[pair] = depth + 1
		}
	}
}
