package stepper_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/caulk-go/caulk/model"
	"github.com/caulk-go/caulk/stepper"
)

// office is an agent for these tests: what it is started with it sends, word
// by word, and what it is sent it keeps. Some words do more.
type office struct {
	block chan struct{} // what "wait" waits for
}

type desk struct {
	Self model.ID
	Kept []string
	Lost bool
}

// note is labelled without its text, so that several bear one label; but what
// is urgent says so.
type note struct{ Text string }

func (note) Kind() string { return "Note" }

func (n note) Detail() string {
	switch n.Text {
	case "unspeakable":
		panic("no words")
	case "urgent":
		return "!"
	}
	return ""
}

func (office) Fresh(self model.ID, _ []model.ID, incarnation int) (desk, []model.Message[note]) {
	return desk{Self: self, Kept: slices.Repeat([]string{"wiped"}, incarnation)}, nil
}

func (office) AsksIncarnation() {}

// Start sends each word of "2:a 2:b 3:c" to the agent before its colon.
func (office) Start(d desk, value string) (desk, []model.Message[note]) {
	var sent []model.Message[note]
	for _, word := range strings.Fields(value) {
		var to model.ID
		to, word = model.ID(word[0]-'0'), word[2:]
		if word == "panicAtStart" {
			panic("cannot start")
		}
		sent = append(sent, model.Message[note]{To: to, Body: note{word}})
	}
	return d, sent
}

func (o office) Receive(d desk, m model.Message[note]) (desk, []model.Message[note]) {
	switch m.Body.Text {
	case "halt":
		d.Lost = true
	case "panic":
		panic("cannot\nreceive")
	case "spoil":
		d.Kept[0] = "spoilt"
	case "wait":
		<-o.block
	case "astray":
		return d, []model.Message[note]{{To: 9, Body: note{"nobody is there"}}}
	case "echo":
		return d, []model.Message[note]{{To: m.From, Body: note{"echoed"}}}
	}
	d.Kept = append(d.Kept, m.Body.Text)
	return d, nil
}

func (office) Actions() []model.Action[desk, note] {
	tidy := func(d desk) (desk, []model.Message[note], bool) {
		if slices.Contains(d.Kept, "jam") {
			panic("jammed")
		}
		return desk{Self: d.Self}, nil, len(d.Kept) > 1
	}
	return []model.Action[desk, note]{{Name: "tidy", Do: tidy}}
}

func (office) Halted(d desk) bool { return d.Lost }

// labelled is an office that names its states.
type labelled struct{ office }

func (labelled) Label(d desk) string {
	if slices.Contains(d.Kept, "nameless") {
		panic("no name")
	}
	return fmt.Sprintf("D%d", len(d.Kept))
}

func offices(value string) model.System {
	agent := model.Of(labelled{})
	return model.System{Name: "office", Agents: []model.Node{agent, agent, agent}, Starts: map[model.ID]string{1: value}}
}

func start(t *testing.T, sys model.System) (*stepper.Stepper, stepper.State) {
	t.Helper()
	s, err := stepper.New(&sys, 0)
	if err != nil {
		t.Fatal(err)
	}
	st, err := s.Start()
	if err != nil {
		t.Fatal(err)
	}
	return s, st
}

func moves(t *testing.T, s *stepper.Stepper, st stepper.State) []stepper.Choice {
	t.Helper()
	choices, err := s.Moves(st)
	if err != nil {
		t.Fatal(err)
	}
	return choices
}

// step makes the move with the label and body, of which there must be one.
func step(t *testing.T, s *stepper.Stepper, st stepper.State, label, body string) stepper.State {
	t.Helper()
	c, err := stepper.Find(moves(t, s, st), label, body)
	if err != nil {
		t.Fatalf("%s %s: %v", label, body, err)
	}
	return c.Next
}

func describe(choices []stepper.Choice) []string {
	var lines []string
	for _, c := range choices {
		lines = append(lines, strings.TrimSpace(c.Label+" "+c.Body))
	}
	return lines
}

func inFlight(s *stepper.Stepper, st stepper.State) []string {
	var lines []string
	for _, m := range s.Network(st) {
		lines = append(lines, fmt.Sprintf("%d->%d %s", m.From, m.To, m.Body.(note).Text))
	}
	return lines
}
