package stepper_test

import (
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/caulk-go/caulk/internal/call"
	"github.com/caulk-go/caulk/model"
	"github.com/caulk-go/caulk/stepper"
)

func TestMovesHaveAnOrderAndCopiesAreOne(t *testing.T) {
	sys := offices("3:z 2:b 2:urgent 2:a 2:b 3:k 3:k")
	sys.Starts[3] = "2:x 1:y"
	sys.Wipe = []model.ID{3, 1}
	s, st := start(t, sys)
	st = step(t, s, st, "{Note;1->3}", `note{Text: "k"}`)
	st = step(t, s, st, "{Note;1->3}", `note{Text: "k"}`)

	want := []string{
		`{Note;3->1} note{Text: "y"}`,
		`{Note;1->2;!} note{Text: "urgent"}`,
		`{Note;1->2} note{Text: "a"}`,
		`{Note;1->2} note{Text: "b"}`,
		`{Note;3->2} note{Text: "x"}`,
		`{Note;1->3} note{Text: "z"}`,
		"tidy 3",
		"Wipe 1",
		"Wipe 3",
	}
	if diff := cmp.Diff(want, describe(moves(t, s, st))); diff != "" {
		t.Errorf("moves (-want +got):\n%s", diff)
	}
	if got, want := s.Label(st), "D0D0D2"; got != want {
		t.Errorf("the state is %s, not %s", got, want)
	}
}

func TestNetworks(t *testing.T) {
	cases := []struct {
		name               string
		network            model.Network
		start, then, again []string
	}{
		{"each copy on a bag is delivered once", model.Bag,
			[]string{"1->2 a", "1->2 a", "1->2 b"}, []string{"1->2 a", "1->2 b"}, []string{"1->2 b"}},
		{"a message on a set is there for ever, and once", model.Set,
			[]string{"1->2 a", "1->2 b"}, []string{"1->2 a", "1->2 b"}, []string{"1->2 a", "1->2 b"}},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			sys := offices("2:a 2:b 2:a")
			sys.Network = c.network
			s, st := start(t, sys)
			then := step(t, s, st, "{Note;1->2}", `note{Text: "a"}`)
			again := step(t, s, then, "{Note;1->2}", `note{Text: "a"}`)
			got := [][]string{inFlight(s, st), inFlight(s, then), inFlight(s, again)}
			if diff := cmp.Diff([][]string{c.start, c.then, c.again}, got); diff != "" {
				t.Errorf("in flight (-want +got):\n%s", diff)
			}
		})
	}
}

func TestSendersAreStamped(t *testing.T) {
	s, st := start(t, offices("3:echo"))
	st = step(t, s, st, "{Note;1->3}", "")
	if diff := cmp.Diff([]string{"3->1 echoed"}, inFlight(s, st)); diff != "" {
		t.Errorf("in flight (-want +got):\n%s", diff)
	}
}

// TestStatesNeverChange makes both moves of a state whose agent appends to a
// slice, looks at one of them through copies that it spoils, and expects both
// as they were.
func TestStatesNeverChange(t *testing.T) {
	s, st := start(t, offices("2:a 2:b 2:c 2:d"))
	for _, text := range []string{"a", "b"} {
		st = step(t, s, st, "{Note;1->2}", `note{Text: "`+text+`"}`)
	}
	c := step(t, s, st, "{Note;1->2}", `note{Text: "c"}`)
	d := step(t, s, st, "{Note;1->2}", `note{Text: "d"}`)
	s.Local(c, 2).State.(desk).Kept[2] = "spoilt"
	s.View(c).State(2).(desk).Kept[1] = "spoilt"
	s.Network(c)[0].Body = nil
	c.Envelopes()[0].To = 3

	kept := func(st stepper.State) []string { return s.Local(st, 2).State.(desk).Kept }
	got := [][]string{kept(st), kept(c), kept(d), inFlight(s, c)}
	want := [][]string{{"a", "b"}, {"a", "b", "c"}, {"a", "b", "d"}, {"1->2 d"}}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestStatesAreEqualWhateverLedThere(t *testing.T) {
	s, st := start(t, offices("2:a 3:b"))
	ab := step(t, s, step(t, s, st, "{Note;1->2}", ""), "{Note;1->3}", "")
	ba := step(t, s, step(t, s, st, "{Note;1->3}", ""), "{Note;1->2}", "")
	if !ab.Equal(ba) {
		t.Error("two orders of independent moves lead to different states")
	}
	if ab.Equal(st) {
		t.Error("a state equals another")
	}
}

func TestWipeCountsIncarnationsForWhoAsks(t *testing.T) {
	sys := offices("2:a")
	sys.Wipe = []model.ID{2}
	s, st := start(t, sys)
	st = step(t, s, step(t, s, st, "Wipe 2", ""), "Wipe 2", "")
	want := model.Local{State: desk{Self: 2, Kept: []string{"wiped", "wiped"}}, Incarnation: 2}
	if diff := cmp.Diff(want, s.Local(st, 2)); diff != "" {
		t.Errorf("agent 2 (-want +got):\n%s", diff)
	}
}

func TestNothingIsPossibleInAHaltedState(t *testing.T) {
	sys := offices("2:halt 3:a")
	sys.Wipe = []model.ID{3}
	s, st := start(t, sys)
	st = step(t, s, st, "{Note;1->2}", "")
	if got := moves(t, s, st); got != nil {
		t.Errorf("possible are %q", describe(got))
	}
}

func TestAPanicIsAMoveThatLeadsNowhere(t *testing.T) {
	s, st := start(t, offices("2:panic 3:jam"))
	choices := moves(t, s, st)
	if len(choices) != 2 || choices[0].Label != "{Note;1->2}" || choices[0].Panic == nil || !choices[0].Next.IsZero() {
		t.Fatalf("possible are %q, and the first does not panic", describe(choices))
	}
	if got, want := choices[0].Panic.Value, "cannot\nreceive"; got != want {
		t.Errorf("it panics with %q, not with %q", got, want)
	}

	// Which own action panics is not known: they are listed as one.
	choices = moves(t, s, choices[1].Next)
	last := choices[len(choices)-1]
	if last.Label != "act 3" || last.Move.Name() != "act" || last.Panic == nil {
		t.Errorf("possible are %q, and the last is no action that panics", describe(choices))
	}
}

func TestErrorsOfTheUsersCode(t *testing.T) {
	block := make(chan struct{})
	t.Cleanup(func() { close(block) })
	cases := []struct {
		name, start string
		moves       int // those made before
		is          func(error) bool
		text        string
	}{
		{"a handler changes what it is given", "2:a 2:spoil", 1, is[*call.ImpureError], "Receive of agent 2"},
		{"a message to nobody", "2:astray", 0, is[*call.ValueError], `it sends note{Text: "nobody is there"} to 9: the agents are 1 to 3`},
		{"a handler does not return", "2:wait", 0, is[*call.TimeoutError], "did not return within 50ms"},
		{"Start panics", "2:panicAtStart", 0, is[*call.PanicError], "panics: cannot start"},
		{"a message panics when it is described", "2:unspeakable", 0, is[*call.PanicError], "Detail"},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			sys := offices(c.start)
			sys.Agents[1] = model.Of(labelled{office{block}})
			s, err := stepper.New(&sys, 50*time.Millisecond)
			if err != nil {
				t.Fatal(err)
			}
			st, err := s.Start()
			for range c.moves {
				choices := moves(t, s, st)
				st = choices[0].Next
			}
			if err == nil {
				_, err = s.Moves(st)
			}
			if !c.is(err) || !strings.Contains(err.Error(), c.text) {
				t.Errorf("the error is %v (%T), without %q", err, err, c.text)
			}
		})
	}
}

func is[E error](err error) bool {
	var e E
	return errors.As(err, &e)
}

func TestNewRefusesABadSystem(t *testing.T) {
	sys := offices("2:a")
	sys.Wipe = []model.ID{4}
	if _, err := stepper.New(&sys, 0); err == nil || err.Error() != "cannot wipe agent 4: the agents are 1 to 3" {
		t.Errorf("the error is %v", err)
	}
}

func TestMakeIsThePartOfMovesForOneAgent(t *testing.T) {
	sys := offices("2:a 2:b")
	sys.Wipe = []model.ID{3}
	s, st := start(t, sys)
	e := st.Envelopes()[1]
	got, err := s.Make(st, model.Deliver, 2, &e)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]string{`{Note;1->2} note{Text: "b"}`}, describe(got)); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if got[0].Envelope != e {
		t.Errorf("the envelope is %v, not %v", got[0].Envelope, e)
	}
	if got, err := s.Make(st, model.Wipe, 2, nil); got != nil || err != nil {
		t.Errorf("agent 2, which may not be wiped, can be: %q, %v", describe(got), err)
	}
}
