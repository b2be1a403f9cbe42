// Package sequence draws a path as a sequence diagram: a line for each agent, time
// going down, an arrow from where a message is sent to where it arrives. It
// draws as SVG, as Mermaid and as text.
//
// What nobody receives on the path, because it is delayed beyond its end or is
// lost, is an arrow that does not arrive. The same chart gives the same bytes.
package sequence

import (
	"strconv"

	"github.com/caulk-go/caulk/internal/printable"
	"github.com/caulk-go/caulk/internal/walk"
	"github.com/caulk-go/caulk/model"
	"github.com/caulk-go/caulk/trace"
)

// Chart is a path to be drawn.
type Chart struct {
	Agents []string // who takes part, in order of ID; what stands over each line
	Start  string   // the label of the start state; may be empty
	Rows   []Row    // the moves, in their order
	Sends  []Arrow  // all messages that are sent, in order of sending

	// LoopFrom is the row from which on all repeat for ever, if Loops.
	Loops    bool
	LoopFrom int

	End string // what is wrong at the end, in a sentence; empty for nothing
}

// Row is one move.
type Row struct {
	Agent   model.ID // who makes it, or suffers it
	Label   string   // what the arrow of a diagram says
	State   string   // the label of the system state after it
	Deliver bool     // it is the arrival of a message
	Fault   bool
}

// Arrow is one message.
type Arrow struct {
	From, To model.ID
	Label    string
	Sent     int // the row that sends it; -1: the start
	Arrives  int // the row in which it arrives; -1: none
	Lost     int // the row in which the network loses it; -1: none
}

// New makes the chart of a path: its setting's system, its steps, and the walk
// along them, which may end early.
//
// Labels are the user's: what of them cannot be printed is replaced.
func New(sys *model.System, steps []trace.Step, w walk.Walk) *Chart {
	c := &Chart{Start: printable.Line(w.Start)}
	for _, id := range sys.Population() {
		c.Agents = append(c.Agents, sys.Node(id).StateType().Name())
	}
	f := flights{c, sys.Network, map[message][]int{}}
	f.send(w.Sends, -1)
	for i, step := range steps {
		kind, known := model.ParseMoveKind(step.Move)
		if !known {
			kind = model.Act
		}
		row := Row{Agent: step.To, Label: printable.Line(step.Label), State: printable.Line(step.State), Fault: kind.Fault()}
		if kind.OfMessage() {
			row.Deliver = !row.Fault
			f.meet(message{step.From, step.To, step.Body}, kind, i)
		}
		c.Rows = append(c.Rows, row)
		if i < len(w.Effects) {
			f.send(w.Effects[i].Sends, i)
		}
	}
	return c
}

// flights are the arrows that have not ended, by message, in order of sending.
type flights struct {
	c       *Chart
	network model.Network
	open    map[message][]int
}

type message struct {
	from, to model.ID
	body     string
}

func (f *flights) send(sent []walk.Sent, row int) {
	for _, m := range sent {
		f.add(message{m.From, m.To, m.Body}, Arrow{From: m.From, To: m.To, Label: printable.Line(m.Label), Sent: row, Arrives: -1, Lost: -1})
	}
}

func (f *flights) add(m message, a Arrow) {
	f.open[m] = append(f.open[m], len(f.c.Sends))
	f.c.Sends = append(f.c.Sends, a)
}

// meet is what a move does to the arrow of its message.
func (f *flights) meet(m message, kind model.MoveKind, row int) {
	if len(f.open[m]) == 0 {
		return // the walk ended early
	}
	at := f.open[m][0]
	a := &f.c.Sends[at]
	end := &a.Arrives
	if kind.Fault() {
		end = &a.Lost
	}
	switch kind.Fate(f.network) {
	case model.Doubles:
		f.add(m, *a)
	case model.Leaves:
		*end = row
		f.open[m] = f.open[m][1:]
	case model.Stays: // it can arrive again and again: each time is an arrow
		if a.Arrives >= 0 {
			again := *a
			f.c.Sends = append(f.c.Sends, again)
			end = &f.c.Sends[len(f.c.Sends)-1].Arrives
		}
		*end = row
	}
}

// name is what stands over an agent's line: its number, and its kind where it
// has one.
func (c *Chart) name(i int) string {
	if c.Agents[i] == "" {
		return strconv.Itoa(i + 1)
	}
	return strconv.Itoa(i+1) + " " + c.Agents[i]
}
