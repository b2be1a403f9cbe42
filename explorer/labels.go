package explorer

import (
	"fmt"
	"reflect"
	"strings"

	"github.com/caulk-go/caulk/internal/canonical"
	"github.com/caulk-go/caulk/model"
	"github.com/caulk-go/caulk/stepper"
	"github.com/caulk-go/caulk/trace"
)

// labels names states, messages and moves as diagrams do.
type labels struct {
	t       *tables
	agents  [][]string // by agent and state
	moves   map[moveKey]string
	between string // what stands between the agents' labels
}

type moveKey struct {
	agent  int
	msg    int
	kind   model.MoveKind
	action string
}

// newLabels names everything met so far. A state of an agent without names of
// its own is called by its type and a number in order of discovery; such
// labels are set apart by spaces.
func newLabels(t *tables) *labels {
	l := &labels{t: t, moves: map[moveKey]string{}}
	numbers := map[string]int{}     // by type: those given
	numbered := map[string]string{} // by type and state
	for a := range t.agents {
		name := typeName(t.sys.Agents[a].StateType())
		var names []string
		for _, s := range t.agents[a].states {
			if s.traits.Named {
				names = append(names, s.traits.Label)
				continue
			}
			l.between = " "
			key := name + "\x00" + s.bytes
			if _, ok := numbered[key]; !ok {
				numbered[key] = fmt.Sprintf("%s%d", name, numbers[name])
				numbers[name]++
			}
			names = append(names, numbered[key])
		}
		l.agents = append(l.agents, names)
	}
	return l
}

func typeName(t reflect.Type) string {
	for t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	if t.Name() == "" {
		return t.String()
	}
	return t.Name()
}

func (l *labels) state(f flat) string {
	var b strings.Builder
	for a, state := range f.states {
		if a > 0 {
			b.WriteString(l.between)
		}
		b.WriteString(l.agents[a][state])
	}
	return b.String()
}

// move is the label of a move's arrow.
func (l *labels) move(c choice) string {
	key := moveKey{c.agent, c.msg, c.kind, c.action}
	label, ok := l.moves[key]
	if !ok {
		label = l.t.move(c).Label()
		l.moves[key] = label
	}
	return label
}

// move is a choice as the rest of caulk knows it.
func (t *tables) move(c choice) model.Move {
	self := model.ID(c.agent + 1)
	m := model.Move{Kind: c.kind, Action: c.action, From: self, To: self}
	if c.msg >= 0 {
		e := t.messages[c.msg]
		m.From, m.To, m.Body = e.From, e.To, t.caller.Body(e.Body)
	}
	return m
}

// step is a move of a path, without the label of the state after it.
func (l *labels) step(c choice) trace.Step {
	m := l.t.move(c)
	step := trace.Step{Move: m.Name(), Label: l.move(c), From: m.From, To: m.To}
	if c.msg >= 0 {
		step.Body = canonical.Format(m.Body)
	}
	return step
}

// stateOf is the label of a state of the stepper.
func (l *labels) stateOf(at stepper.State) string {
	f := flat{states: make([]uint32, len(l.agents))}
	for a := range f.states {
		f.states[a] = l.t.agents[a].ids[at.Local(model.ID(a+1))]
	}
	return l.state(f)
}
