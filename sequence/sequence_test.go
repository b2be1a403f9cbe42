package sequence_test

import (
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"

	"github.com/caulk-go/caulk/algos"
	"github.com/caulk-go/caulk/internal/walk"
	"github.com/caulk-go/caulk/model"
	"github.com/caulk-go/caulk/sequence"
	"github.com/caulk-go/caulk/trace"
)

// chart follows labels through an algorithm.
func chart(t *testing.T, algo string, change func(*model.System), labels ...string) *sequence.Chart {
	t.Helper()
	a, err := model.FindAlgorithm(algos.All(), algo)
	if err != nil {
		t.Fatal(err)
	}
	sys, err := a.System(model.Config{})
	if err != nil {
		t.Fatal(err)
	}
	change(&sys)
	var path trace.Path
	for _, label := range labels {
		path.Steps = append(path.Steps, trace.Step{Label: label})
	}
	o, err := trace.Replay(&sys, path)
	if err != nil || len(o.Made) != len(labels) {
		t.Fatalf("%v, %v", o, err)
	}
	return sequence.New(&sys, o.Steps(), walk.Of(&sys, o.Stepper, o.Start, o.Made))
}

func wiped(t *testing.T) *sequence.Chart {
	c := chart(t, "mark2", func(s *model.System) { s.Wipe = []model.ID{3} },
		"{Prepare;1->3;n=1}", "{Promise;3->1;n=1}", "{Accept;1->2;n=1}", "Wipe 3")
	c.End = `different <stores> & "values"`
	return c
}

// A message that is lost, doubled, or sent again is an arrow each time.
func lossy(t *testing.T) *sequence.Chart {
	return chart(t, "alternatingbit", func(s *model.System) { s.Budgets = map[model.Budget]int{model.Drops: 1} },
		"resend 1", "Drop {Datum;1->2;1 b=1}", "{Datum;1->2;1 b=1}", "{Ack;2->1;b=1}")
}

func TestText(t *testing.T) {
	for _, tt := range []struct {
		c    *sequence.Chart
		want string
	}{
		{wiped(t), `
                    1 Agent  2 Agent  3 Agent
                    |        |        |          R1I0I0
{Prepare;1->3;n=1}  |---------------->o          R1I0P1
{Promise;3->1;n=1}  o<----------------|          L1I0P1
{Accept;1->2;n=1}   |------->o        |          L1I0P1
Wipe 3              |        |        x          L1I0I0
still on its way: {Prepare;1->2;n=1}
still on its way: {Accept;1->3;n=1}
still on its way: {Accepted;2->1;n=1}
different <stores> & "values"
`},
		{lossy(t), `
                         1 Sender    2 Receiver
                         |           |             1.1 []
resend 1                 o           |             1.1 []
Drop {Datum;1->2;1 b=1}  |           x             1.1 []
{Datum;1->2;1 b=1}       |---------->o             1.1 [1]
{Ack;2->1;b=1}           o<----------|             2.0 [1]
lost: {Datum;1->2;1 b=1}
still on its way: {Datum;1->2;2 b=0}
`},
	} {
		if got := "\n" + tt.c.Text(); got != tt.want {
			t.Errorf("%s\nnot%s", got, tt.want)
		}
	}
}

// On a set a message arrives again and again.
func TestSet(t *testing.T) {
	c := chart(t, "alternatingbit-bag", func(s *model.System) { s.Network = model.Set },
		"{Datum;1->2;1 b=1}", "{Ack;2->1;b=1}", "{Datum;1->2;2 b=0}", "{Datum;1->2;1 b=1}")
	arrived := 0
	for _, a := range c.Sends {
		if a.Label == "{Datum;1->2;1 b=1}" && a.Sent == -1 && a.Arrives >= 0 {
			arrived++
		}
	}
	if arrived != 2 {
		t.Errorf("the first datum arrives %d times, not twice: %+v", arrived, c.Sends)
	}
}

// What repeats for ever is marked in every drawing.
func TestLoop(t *testing.T) {
	c := lossy(t)
	c.Loops, c.LoopFrom = true, 2
	for name, want := range map[string]string{c.Text(): "and then for ever:", c.Mermaid(): "loop for ever\n", c.SVG(): "for ever:"} {
		if !strings.Contains(name, want) {
			t.Errorf("%q is not in\n%s", want, name)
		}
	}
}

func ExampleChart_Mermaid() {
	c := &sequence.Chart{
		Agents: []string{"Client", "Server"},
		Rows:   []sequence.Row{{Agent: 2, Label: "{Put;1->2;k=1}", State: "w1", Deliver: true}, {Agent: 2, Label: "Crash 2", Fault: true}},
		Sends:  []sequence.Arrow{{From: 1, To: 2, Label: "{Put;1->2;k=1}", Sent: -1, Arrives: 0, Lost: -1}},
	}
	fmt.Print(c.Mermaid())
	// Output:
	// sequenceDiagram
	//   participant a1 as 1 Client
	//   participant a2 as 2 Server
	//   a1->>a2: {Put#59;1-#gt;2#59;k=1} → w1
	//   Note over a2: Crash 2
}

// What users' code calls things can neither break a line nor a file.
func TestLabelsThatCannotBePrinted(t *testing.T) {
	sys := model.System{Agents: []model.Node{model.Of(mark{})}}
	steps := []trace.Step{{Move: "deliver", Label: "a\x1b[2J\nb", From: 1, To: 1, Body: "b", State: "S\x00"}}
	c := sequence.New(&sys, steps, walk.Walk{Start: "x\ty", Sends: []walk.Sent{{Label: "a\nb", Body: "b", From: 1, To: 1}}})
	for _, drawn := range []string{c.Text(), c.Mermaid(), c.SVG()} {
		if strings.ContainsAny(drawn, "\x1b\x00\t") || strings.Contains(drawn, "a\n") {
			t.Errorf("%q holds what cannot be printed", drawn)
		}
	}
}

type mark struct{}

func (mark) Fresh(model.ID, []model.ID, int) (int, []model.Message[int])     { return 0, nil }
func (mark) Receive(s int, _ model.Message[int]) (int, []model.Message[int]) { return s, nil }

// The SVG is well-formed whatever labels hold, and shows every move.
func TestSVG(t *testing.T) {
	svg := wiped(t).SVG()
	d := xml.NewDecoder(strings.NewReader(svg))
	var texts []string
	for {
		token, err := d.Token()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			t.Fatalf("%v in\n%s", err, svg)
		}
		if text, ok := token.(xml.CharData); ok {
			texts = append(texts, string(text))
		}
	}
	all := strings.Join(texts, "\n")
	for _, want := range []string{"1 Agent", "{Promise;3->1;n=1}", "Wipe 3", "L1I0I0", `different <stores> & "values"`} {
		if !strings.Contains(all, want) {
			t.Errorf("%q is not in\n%s", want, all)
		}
	}
}
