package trace_test

import (
	"encoding/json"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/caulk-go/caulk/algos"
	"github.com/caulk-go/caulk/model"
	"github.com/caulk-go/caulk/stepper"
	"github.com/caulk-go/caulk/trace"
)

func labels(labels ...string) []trace.Step {
	steps := make([]trace.Step, len(labels))
	for i, label := range labels {
		steps[i].Label = label
	}
	return steps
}

func marked(t *testing.T, algo string) model.System {
	t.Helper()
	a, err := model.FindAlgorithm(algos.All(), algo)
	if err != nil {
		t.Fatal(err)
	}
	sys, err := mark2().System(a)
	if err != nil {
		t.Fatal(err)
	}
	return sys
}

func TestReplayOfThePublishedPath(t *testing.T) {
	data, err := os.ReadFile("../testdata/marks.json")
	if err != nil {
		t.Fatal(err)
	}
	var facts struct {
		Published struct {
			Path   []string `json:"path"`
			EndsIn string   `json:"ends_in"`
		} `json:"published_path"`
	}
	if err := json.Unmarshal(data, &facts); err != nil {
		t.Fatal(err)
	}
	cases := []struct{ algo, want, endsIn string }{
		{"mark0", "still fails at move 1 of 5, {Prepare;1->3;n=1}: agent 3 is halted", "R1I0H0"},
		{"mark1", "still fails at move 3 of 5, {Accept;1->2;n=1}: agent 2 is halted", "L1H0P1"},
		{"mark2", `still fails at move 5 of 5, Wipe 3: consistent: agents 2 and 3 are idle at n=0 with different stores: "x" of n=1 and nothing`, facts.Published.EndsIn},
		{"mark2b", "fixed: every move is possible and nothing fails (moves: 5)", "L1I1I0"},
		{"mark3", "fixed: every move is possible and nothing fails (moves: 5)", "L1I1I0"},
	}
	for _, c := range cases {
		t.Run(c.algo, func(t *testing.T) {
			sys := marked(t, c.algo)
			o, err := trace.Replay(&sys, trace.Path{Steps: labels(facts.Published.Path...)})
			if err != nil {
				t.Fatal(err)
			}
			if got := o.String(); got != c.want {
				t.Errorf("it %s\nnot %s", got, c.want)
			}
			if passed := o.Labels(); passed[len(passed)-1] != c.endsIn {
				t.Errorf("it passes %v, and should end in %s", passed, c.endsIn)
			}
		})
	}
}

func TestReplay(t *testing.T) {
	body := func(text string) trace.Step {
		return trace.Step{Label: "{Note;1->2}", Body: `note{Text: "` + text + `"}`}
	}
	cases := []struct {
		name, start string
		path        []trace.Step
		want        string
		labels      []string
		possible    []string
		bodies      []string
	}{
		{name: "no moves", start: "2:a", want: "fixed: every move is possible and nothing fails (moves: 0)", labels: []string{"D0D0D0"}},
		{name: "Start panics", start: "panic", path: labels("Wipe 3"), want: "still fails at the start: Start of agent 1 in state desk{Kept: 0, Lost: false, Bad: false} panics: cannot start"},
		{name: "a handler panics", start: "2:panic", path: labels("Wipe 3", "{Note;1->2}", "Wipe 3"), labels: []string{"D0D0D0", "D0D0D0"},
			want: `still fails at move 2 of 3, {Note;1->2}: Receive of agent 2 in state desk{Kept: 0, Lost: false, Bad: false} given note{Text: "panic"} from 1 panics: cannot receive`},
		{name: "another handler would panic", start: "2:panic 3:a", path: labels("{Note;1->3}"), labels: []string{"D0D0D0", "D0D0D1"},
			want: "fixed: every move is possible and nothing fails (moves: 1)"},
		{name: "a message cannot be described", start: "2:unspeakable", path: labels("Wipe 3"), labels: []string{"D0D0D0"},
			want: `still fails at the start: Kind or Detail of a message of agent 1 given note{Text: "unspeakable"} panics: no words`},
		{name: "the failure comes before the end", start: "2:bad", path: labels("{Note;1->2}", "Wipe 3", "nonsense"), labels: []string{"D0D0D0", "D0D1D0"},
			want: "still fails at move 1 of 3, {Note;1->2}: good: agent 2 is bad"},
		{name: "two failures", start: "2:bad 3:halt", path: labels("{Note;1->3}"), labels: []string{"D0D0D0", "D0D0D1"},
			want: "still fails at move 1 of 1, {Note;1->3}: agent 3 is halted"},
		{name: "by label", start: "2:a", path: []trace.Step{body("what it once was")}, labels: []string{"D0D0D0", "D0D1D0"},
			want: "fixed: every move is possible and nothing fails (moves: 1)"},
		{name: "by body", start: "2:a 2:bad", path: []trace.Step{body("bad")}, labels: []string{"D0D0D0", "D0D1D0"},
			want: "still fails at move 1 of 1, {Note;1->2}: good: agent 2 is bad"},
		{name: "diverged", start: "2:a 2:b 3:c", path: labels("{Note;1->3}", "{Note;1->3}"), labels: []string{"D0D0D0", "D0D0D1"},
			possible: []string{"{Note;1->2}", "Wipe 3"},
			want:     "diverged at move 2 of 2: {Note;1->3} is not possible there; possible are {Note;1->2}, Wipe 3"},
		{name: "ambiguous", start: "2:a 2:b", path: append(labels("Wipe 3"), body("c")), labels: []string{"D0D0D0", "D0D0D0"},
			possible: []string{"{Note;1->2}", "Wipe 3"}, bodies: []string{`note{Text: "a"}`, `note{Text: "b"}`},
			want: `diverged at move 2 of 2: {Note;1->2} stands for 2 messages there, and the path does not say which: note{Text: "a"}, note{Text: "b"}`},
		{name: "a label that plays tricks", path: labels("\x1b[2J\n"), labels: []string{"D0D0D0"}, possible: []string{"Wipe 3"},
			want: "diverged at move 1 of 1: [2J is not possible there; possible are Wipe 3"},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			sys := offices(c.start)
			o, err := trace.Replay(&sys, trace.Path{Steps: c.path})
			if err != nil {
				t.Fatal(err)
			}
			if got := o.String(); got != c.want {
				t.Errorf("it\n%s\nnot\n%s", got, c.want)
			}
			for _, d := range []string{cmp.Diff(c.labels, o.Labels()), cmp.Diff(c.possible, o.Possible), cmp.Diff(c.bodies, o.Bodies)} {
				if d != "" {
					t.Errorf("labels, possible or bodies (-want +got):\n%s", d)
				}
			}
		})
	}
}

func TestReplayWhereNothingIsPossible(t *testing.T) {
	sys := offices("")
	sys.Wipe = nil
	o, err := trace.Replay(&sys, trace.Path{Steps: labels("Wipe 3")})
	if err != nil {
		t.Fatal(err)
	}
	if got, want := o.String(), "diverged at move 1 of 1: Wipe 3 is not possible there; nothing is"; got != want {
		t.Errorf("it %s\nnot %s", got, want)
	}
}

func TestReplayRefusesWhatCannotBeWalkedThrough(t *testing.T) {
	sys := offices("2:impure")
	if _, err := trace.Replay(&sys, trace.Path{Steps: labels("{Note;1->2}")}); err == nil || !strings.Contains(err.Error(), "is not pure") {
		t.Errorf("the error is %v", err)
	}
	sys = offices("")
	sys.Wipe = []model.ID{4}
	if _, err := trace.Replay(&sys, trace.Path{Steps: nil}); err == nil || err.Error() != "cannot wipe agent 4: the agents are 1 to 3" {
		t.Errorf("the error is %v", err)
	}
}

func TestStepOfAMoveThatPanicsHasNoState(t *testing.T) {
	sys := offices("2:panic")
	o, err := trace.Replay(&sys, trace.Path{Steps: labels("{Note;1->2}")})
	if err != nil {
		t.Fatal(err)
	}
	want := []trace.Step{{Move: "deliver", Label: "{Note;1->2}", From: 1, To: 2, Body: `note{Text: "panic"}`}}
	if diff := cmp.Diff(want, o.Steps()); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// FuzzReplay takes a path at random, some of its steps impossible, and expects
// of the outcome what its fields promise, and that the moves made are a path
// to the same place.
func FuzzReplay(f *testing.F) {
	f.Add("2:a 2:b 3:echo", []byte{0, 1, 2, 255, 3})
	f.Add("2:a 2:a 2:bad", []byte{0, 0, 0})
	f.Add("3:halt 2:panic", []byte{1, 0, 2})
	f.Add("2:echo 3:echo 1:a", []byte{2, 2, 2, 2, 2, 2})
	f.Fuzz(func(t *testing.T, start string, picks []byte) {
		if !isScript(start) || len(picks) > 50 {
			t.Skip()
		}
		sys := offices(start)
		steps := randomPath(t, sys, picks)
		o, err := trace.Replay(&sys, trace.Path{Steps: steps})
		if err != nil {
			t.Fatal(err)
		}
		mustBeOneLine(t, o.String())
		checkOutcome(t, o, steps)

		again, err := trace.Replay(&sys, trace.Path{Steps: o.Steps()})
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(o.Steps(), again.Steps()); diff != "" {
			t.Fatalf("the moves made lead elsewhere (-first +again):\n%s", diff)
		}
		if fails := o.Verdict == trace.StillFails; fails != (again.Verdict == trace.StillFails) || again.Verdict == trace.Diverged {
			t.Fatalf("the path %s, but the moves that were made of it: %s", o, again)
		}
	})
}

// isScript says whether an office can be started with it, on a few words.
func isScript(start string) bool {
	words := strings.Fields(start)
	for _, word := range words {
		known := []string{"a", "b", "echo", "bad", "halt", "panic", "unspeakable"}
		if len(word) < 3 || word[0] < '1' || word[0] > '3' || word[1] != ':' || !slices.Contains(known, word[2:]) {
			return false
		}
	}
	return len(words) <= 6
}

// randomPath picks from the moves that are possible in turn, as long as there
// are any; a large pick is a step that is not possible, or not as it says.
func randomPath(t *testing.T, sys model.System, picks []byte) []trace.Step {
	s, err := stepper.New(&sys, 0)
	if err != nil {
		t.Fatal(err)
	}
	at, err := s.Start()
	if err != nil {
		t.Fatal(err)
	}
	var steps []trace.Step
	for _, pick := range picks {
		choices, err := s.Moves(at)
		if err != nil || len(choices) == 0 {
			break
		}
		c := choices[int(pick)%len(choices)]
		step := trace.StepOf(s, c)
		switch pick >> 5 {
		case 7:
			step.Label = "nonsense"
		case 6:
			step.Body = "nonsense"
		}
		steps = append(steps, step)
		if c.Next.IsZero() {
			break
		}
		at = c.Next
	}
	return steps
}

func checkOutcome(t *testing.T, o trace.Outcome, steps []trace.Step) {
	made := o.Steps()
	for i, step := range made {
		if step.Label != steps[i].Label {
			t.Fatalf("move %d is %s, and should be %s", i+1, step.Label, steps[i].Label)
		}
	}
	switch o.Verdict {
	case trace.Fixed:
		if len(made) != len(steps) || len(o.Labels()) != len(steps)+1 {
			t.Fatalf("%s: %d moves are made of %d", o, len(made), len(steps))
		}
	case trace.StillFails:
		if (len(o.Failures) > 0) == (o.Panic != nil) {
			t.Fatalf("%s: it fails with %v and %v", o, o.Failures, o.Panic)
		}
	case trace.Diverged:
		if o.Want != steps[len(made)] || slices.Contains(o.Possible, o.Want.Label) != (len(o.Bodies) > 1) {
			t.Fatalf("%s: step %d is wanted, and possible are %v", o, len(made)+1, o.Possible)
		}
	}
}
