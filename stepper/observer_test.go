package stepper_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/caulk-go/caulk/internal/call"
	"github.com/caulk-go/caulk/model"
	"github.com/caulk-go/caulk/stepper"
)

// chronicle remembers every move, in words.
func chronicle(past []string, e model.Event) []string {
	line := fmt.Sprintf("%s %d->%d", e.Move.Name(), e.Move.From, e.Move.To)
	if e.Agent != e.Move.To {
		line += fmt.Sprintf(" by %d", e.Agent)
	}
	if e.Move.Body != nil {
		line += " " + e.Move.Body.(note).Text
	}
	count := func(state any) int { return len(state.(desk).Kept) }
	switch {
	case e.Before == nil:
		line += fmt.Sprintf(": %d kept", count(e.After))
	case count(e.Before) != count(e.After):
		line += fmt.Sprintf(": %d to %d kept", count(e.Before), count(e.After))
	}
	for _, m := range e.Sent {
		line += fmt.Sprintf(", sends %s to %d", m.Body.(note).Text, m.To)
	}
	return append(past, line)
}

func TestTheObserverSeesEveryMove(t *testing.T) {
	sys := keepers("2:a 1:echo")
	sys.Observer = model.Observe([]string{"before all"}, chronicle)
	s, st := start(t, sys)
	last := walk(t, s, st, "{Note;1->1}", "Drop {Note;1->1}", "{Note;1->2}", "ring 2", "Duplicate {Note;2->1}", "Restart 2", "Wipe 2", "Crash 2")
	want := []string{
		"before all",
		"begin 1->1: 0 kept, sends a to 2, sends echo to 1",
		"begin 2->2: 0 kept",
		"deliver 1->1 echo, sends echoed to 1",
		"drop 1->1 echoed",
		"deliver 1->2 a: 0 to 1 kept",
		"ring 2->2, sends rings to 1",
		"duplicate 2->1 rings",
		"restart 2->2, sends back to 2",
		"wipe 2->2: 1 to 2 kept",
		"crash 2->2",
	}
	if diff := cmp.Diff(want, s.Memory(last)); diff != "" {
		t.Errorf("it remembers (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff(want[:3], model.ObserverOf[[]string](s.View(st))); diff != "" {
		t.Errorf("at the start it remembers (-want +got):\n%s", diff)
	}
}

func TestWhatTheObserverRemembersIsPartOfTheState(t *testing.T) {
	sys := offices("2:a 3:b")
	if s, st := start(t, sys); s.Memory(st) != nil {
		t.Error("something is remembered without an observer")
	}
	sys.Observer = model.Observe(nil, chronicle)
	s, st := start(t, sys)
	ab, ba := walk(t, s, st, "{Note;1->2}", "{Note;1->3}"), walk(t, s, st, "{Note;1->3}", "{Note;1->2}")
	if ab.Equal(ba) {
		t.Error("two pasts are one state")
	}
	s.Memory(ab).([]string)[0] = "spoilt"
	if s.Memory(ab).([]string)[0] != "begin 1->1: 0 kept, sends a to 2, sends b to 3" {
		t.Error("what the observer remembers is shared")
	}
}

// An observer that panics on a move is as a handler that does, and one that
// does what it must not is an error as well.
func TestObserversThatMisbehave(t *testing.T) {
	watch := func(see func(kind model.MoveKind, past []string)) model.System {
		sys := offices("2:a")
		sys.Observer = model.Observe([]string{"x"}, func(past []string, e model.Event) []string {
			see(e.Move.Kind, past)
			return past
		})
		return sys
	}
	panics := func(kind model.MoveKind) func(model.MoveKind, []string) {
		return func(k model.MoveKind, _ []string) {
			if k == kind {
				panic("cannot see")
			}
		}
	}
	s, st := start(t, watch(panics(model.Deliver)))
	choices := moves(t, s, st)
	if len(choices) != 1 || choices[0].Label != "{Note;1->2}" || choices[0].Panic == nil || choices[0].Panic.Value != "cannot see" || !choices[0].Next.IsZero() {
		t.Errorf("possible are %q, and no move panics", describe(choices))
	}

	begins := watch(panics(model.Beginning))
	s, err := stepper.New(&begins, 0)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := s.Start(); !is[*call.PanicError](err) || !strings.Contains(err.Error(), "the observer") {
		t.Errorf("the error is %v", err)
	}

	s, st = start(t, watch(func(k model.MoveKind, past []string) {
		if k == model.Deliver {
			past[0] = "spoilt"
		}
	}))
	if _, err := s.Moves(st); !is[*call.ImpureError](err) || !strings.Contains(err.Error(), "the observer") {
		t.Errorf("the error is %v", err)
	}
}

func TestAPropertyThatAsksForNoObserver(t *testing.T) {
	sys := offices("")
	sys.Properties = []model.Property{model.Always("curious", func(v model.View) error {
		return errors.New(model.ObserverOf[string](v))
	})}
	s, st := start(t, sys)
	if got, want := fmt.Sprint(s.Failures(st)), "[curious: the property panics: it asks for the observer, and the system has none]"; got != want {
		t.Errorf("failures are %s\nnot %s", got, want)
	}
}

// There is a state for each start, in order, also where two are the same.
func TestStarts(t *testing.T) {
	sys := offices("2:a")
	sys.OtherStarts = []map[model.ID]string{nil, {1: "2:a"}, {1: "2:b", 3: "2:c"}}
	sys.Observer = model.Observe(0, func(sent int, e model.Event) int { return sent + len(e.Sent) })
	s, first := start(t, sys)
	starts, err := s.Starts()
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, st := range starts {
		got = append(got, fmt.Sprint(inFlight(s, st), s.Memory(st)))
	}
	want := []string{"[1->2 a] 1", "[] 0", "[1->2 a] 1", "[1->2 b 3->2 c] 2"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Fatalf("starts (-want +got):\n%s", diff)
	}
	if !starts[0].Equal(first) || !starts[2].Equal(first) || starts[1].Equal(first) {
		t.Error("the first start is not the one that Start gives, or another is")
	}
}

func TestAStartThatPanics(t *testing.T) {
	sys := offices("2:a")
	sys.OtherStarts = []map[model.ID]string{{2: "1:panicAtStart"}}
	s, _ := start(t, sys)
	if _, err := s.Starts(); !is[*call.PanicError](err) || !strings.Contains(err.Error(), "Start of agent 2") {
		t.Errorf("the error is %v", err)
	}
}
