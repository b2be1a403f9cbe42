package validate

import (
	"bytes"
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/caulk-go/caulk/internal/call"
	"github.com/caulk-go/caulk/internal/machine"
	"github.com/caulk-go/caulk/model"
	"github.com/caulk-go/caulk/trace"
	"github.com/caulk-go/caulk/trace/tracelog"
)

// global is the system state in the one order in which properties are judged,
// and what they said so far.
type global struct {
	sys     *model.System
	machine *machine.Machine
	stopped string // why nothing more is judged; empty while it is

	states []any // by agent; nil before it begins
	bytes  [][]byte
	memory any // of the observer
	begun  bool
	begins []*record // the first steps of all agents, with what they were handed at once

	judged    int
	tested    []int // by property
	reached   []bool
	violation *Violation
	moves     []*record    // since all had begun
	noPath    string       // why the moves are no path of the model; empty if they are
	recent    []trace.Step // the last moves, with the labels after them
}

func newGlobal(sys *model.System, m *machine.Machine) *global {
	n, p := len(sys.Agents), len(sys.Properties)
	g := &global{sys: sys, machine: m, states: make([]any, n), bytes: make([][]byte, n), tested: make([]int, p), reached: make([]bool, p)}
	if sys.Observer != nil {
		g.memory = sys.Observer.Start()
	}
	return g
}

// stop ends the judging, if it has not ended yet.
func (g *global) stop(why string) { g.stopped = cmp.Or(g.stopped, why) }

// beginning says whether a step is a part of how the system begins: the model's
// agents are handed their values when they begin.
func beginning(s *tracelog.Step) bool {
	return s.Move == tracelog.Begin || s.Move == tracelog.Start && s.Seq == 2 && s.Incarnation == 0
}

// step takes in what a durable step left, and judges the state after it.
func (g *global) step(r *record, after []byte, n *network) {
	if g.stopped != "" {
		return
	}
	before := g.view(n, n.clock-1)
	changed := !bytes.Equal(g.bytes[r.Agent-1], after)
	if beginning(&r.Step) && !g.begun {
		g.begins = append(g.begins, r)
		g.set(r.Agent, after)
		return
	}
	err := call.Guard(call.Site{What: "the observer or a property"}, machine.Limit, func() {
		if !g.begun {
			g.begin(n)
		}
		g.move(r)
		old := g.states[r.Agent-1]
		g.set(r.Agent, after)
		g.remember(r)
		remembered := g.observe(r, old)
		if g.stopped == "" && g.violation == nil {
			g.judge(before, g.view(n, n.clock), changed || remembered, r)
		}
	})
	if err != nil {
		g.stop(firstLine(err))
	}
}

func firstLine(err error) string {
	first, _, _ := strings.Cut(err.Error(), "\n")
	return first
}

func (g *global) set(id model.ID, state []byte) {
	v, err := g.machine.State(id, state)
	if err != nil {
		panic("validate: bytes of a state that was just encoded: " + err.Error())
	}
	g.states[id-1], g.bytes[id-1] = v, state
}

// begin is when the first agent does something: by then all have begun.
func (g *global) begin(n *network) {
	g.begun = true
	for i, s := range g.states {
		if s == nil {
			g.stop(fmt.Sprintf("agent %d never began", i+1))
			return
		}
	}
	if o := g.sys.Observer; o != nil {
		for _, id := range g.sys.Population() {
			if !o.Sees(id) {
				continue
			}
			var sent []tracelog.Sent
			for _, r := range g.begins {
				if r.Agent == id {
					sent = append(sent, r.Sent...)
				}
			}
			g.memory = o.See(g.memory, model.Event{
				Move: model.Move{Kind: model.Beginning, From: id, To: id}, Agent: id, After: g.states[id-1], Sent: g.messages(id, sent),
			})
		}
	}
	start := g.view(n, n.clock-1)
	g.judge(start, start, false, g.begins[len(g.begins)-1])
}

func (g *global) messages(from model.ID, sent []tracelog.Sent) []model.Message[any] {
	var list []model.Message[any]
	for _, s := range sent {
		list = append(list, model.Message[any]{From: from, To: s.To, Body: g.decode(s.Body)})
	}
	return list
}

func (g *global) decode(body []byte) any {
	v, err := g.machine.Codecs.Body.Decode(body)
	if err != nil {
		panic("validate: bytes of a message that was just encoded: " + err.Error())
	}
	return v
}

// moved is the move of the model that a step was.
func (g *global) moved(r *record) model.Move {
	m := model.Move{From: r.Agent, To: r.Agent, Action: r.Action}
	switch r.Move {
	case tracelog.Start:
		m.Kind = model.Beginning
	case tracelog.Deliver:
		m.Kind, m.From, m.Body = model.Deliver, r.Message.From, g.decode(r.Message.Body)
	case tracelog.Act:
		m.Kind = model.Act
	case tracelog.Wipe:
		m.Kind = model.Wipe
	case tracelog.Restart:
		m.Kind = model.Restart
	}
	return m
}

// move takes note of a move for the path.
func (g *global) move(r *record) {
	switch {
	case r.Move == tracelog.Start:
		g.noPath = cmp.Or(g.noPath, fmt.Sprintf("agent %d was handed a value while it ran, and the model's are when they begin", r.Agent))
	case r.Message != nil && g.sys.Has(r.Message.From) != nil:
		g.noPath = cmp.Or(g.noPath, fmt.Sprintf("agent %d received what a client from outside sent, and the model has none", r.Agent))
	}
	if g.noPath == "" && g.violation == nil {
		g.moves = append(g.moves, r)
	} else if g.noPath != "" {
		g.moves = nil
	}
}

// remember takes note of a move for who reads how it came to a violation.
func (g *global) remember(r *record) {
	if g.violation != nil {
		return
	}
	m := g.moved(r)
	label := m.Label()
	if r.Move == tracelog.Start {
		label = fmt.Sprintf("Start %d %s", r.Agent, *r.Value)
	}
	if len(g.recent) == 2*MostMoves {
		g.recent = slices.Clone(g.recent[MostMoves:])
	}
	g.recent = append(g.recent, trace.Step{Move: r.Move, Label: label, From: m.From, To: m.To, State: g.label()})
}

// observe has the observer see a step; it says whether that changed what it
// remembers.
func (g *global) observe(r *record, before any) bool {
	o := g.sys.Observer
	if o == nil || !o.Sees(r.Agent) {
		return false
	}
	old := g.memory
	g.memory = o.See(old, model.Event{Move: g.moved(r), Agent: r.Agent, Before: before, After: g.states[r.Agent-1], Sent: g.messages(r.Agent, r.Sent)})
	return true
}

// judge asks the properties that can be judged of a part of a run.
func (g *global) judge(before, after *view, noticed bool, r *record) {
	g.judged++
	for i, p := range g.sys.Properties {
		if p.Kind == model.KindAtEnd || p.Kind.Liveness() || p.Kind == model.KindStep && !noticed {
			continue
		}
		at := after
		if p.Kind == model.KindStep {
			at = before
		}
		if p.Applies != nil && !p.Applies(at) {
			continue
		}
		g.tested[i]++
		var sentence error
		if p.Kind == model.KindStep {
			sentence = p.CheckStep(before, after)
		} else {
			sentence = p.Check(after)
		}
		if p.Kind == model.KindSometimes {
			g.reached[i] = g.reached[i] || sentence == nil
		} else if sentence != nil && g.violation == nil {
			g.violation = &Violation{Property: p.Name, Reason: sentence.Error(), Place: r.place, Point: r.Point, State: g.label()}
		}
	}
}

// label is the agents' own labels; nothing for those without.
func (g *global) label() string {
	var b strings.Builder
	for i, s := range g.states {
		l, _ := g.sys.Node(model.ID(i + 1)).Label(s)
		b.WriteString(l)
	}
	return b.String()
}

// report says what the properties said.
func (g *global) report(r *Report) {
	r.Judged, r.NotJudged, r.Violation = g.judged, g.stopped, g.violation
	r.Properties = []Property{}
	for i, p := range g.sys.Properties {
		q := Property{Name: p.Name, Kind: p.Kind.String(), Tested: g.tested[i], Verdict: "holds"}
		switch {
		case p.Kind == model.KindAtEnd || p.Kind.Liveness() || g.judged == 0:
			q.Verdict = "not judged"
		case p.Kind == model.KindSometimes && g.reached[i]:
			q.Verdict = "reached"
		case p.Kind == model.KindSometimes:
			q.Verdict = "not reached"
		case g.violation != nil && g.violation.Property == p.Name:
			q.Verdict = "violated"
		}
		r.Properties = append(r.Properties, q)
	}
	g.path(r)
}
