package trace_test

import (
	"fmt"
	"strings"
	"testing"
	"unicode"

	"github.com/caulk-go/caulk/model"
)

// office is an agent for these tests: it sends what it is started with, word
// by word, and keeps what it is sent. Some words do more.
type office struct {
	calls *int // what a handler must not have: it makes "impure" answer differently each time
}

type desk struct {
	Kept int
	Lost bool
	Bad  bool
}

// note is labelled without its text, so that several bear one label.
type note struct{ Text string }

func (note) Kind() string { return "Note" }

func (n note) Detail() string {
	if n.Text == "unspeakable" {
		panic("no words")
	}
	return ""
}

func (office) Fresh(model.ID, []model.ID, int) (desk, []model.Message[note]) { return desk{}, nil }

// Start sends each word of "2:a 2:b 3:c" to the agent before its colon.
func (office) Start(d desk, value string) (desk, []model.Message[note]) {
	var sent []model.Message[note]
	for _, word := range strings.Fields(value) {
		if word == "panic" {
			panic("cannot start")
		}
		sent = append(sent, model.Message[note]{To: model.ID(word[0] - '0'), Body: note{word[2:]}})
	}
	return d, sent
}

func (o office) Receive(d desk, m model.Message[note]) (desk, []model.Message[note]) {
	switch m.Body.Text {
	case "halt":
		d.Lost = true
	case "bad":
		d.Bad = true
	case "panic":
		panic("cannot\nreceive")
	case "impure":
		*o.calls++
		d.Kept = *o.calls
	case "echo":
		return d, []model.Message[note]{{To: m.From, Body: note{"echoed"}}}
	}
	d.Kept++
	return d, nil
}

func (office) Halted(d desk) bool { return d.Lost }

func (office) Label(d desk) string { return fmt.Sprintf("D%d", d.Kept) }

func offices(value string) model.System {
	agent := model.Of(office{new(int)})
	return model.System{
		Name:   "office",
		Agents: []model.Node{agent, agent, agent},
		Starts: map[model.ID]string{1: value},
		Wipe:   []model.ID{3},
		Properties: []model.Property{model.Always("good", func(v model.View) error {
			for id, d := range model.StatesOf[desk](v) {
				if d.Bad {
					return fmt.Errorf("agent %d is\nbad", id)
				}
			}
			return nil
		})},
	}
}

func mustBeOneLine(t *testing.T, text string) {
	t.Helper()
	if text == "" || strings.ContainsFunc(text, func(r rune) bool { return r != ' ' && !unicode.IsPrint(r) }) {
		t.Fatalf("this is no line of text: %q", text)
	}
}
