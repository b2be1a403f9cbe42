// Package machine makes steps, as traces tell of them, by the agents' own
// functions: the runner makes them for the first time, and validation again. It
// takes and gives bytes, so that what a handler is given is always a private copy
// in its normal form, as it is when the explorer calls it.
package machine

import (
	"bytes"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/caulk-go/caulk/internal/call"
	"github.com/caulk-go/caulk/internal/canonical"
	"github.com/caulk-go/caulk/internal/codec"
	"github.com/caulk-go/caulk/model"
	"github.com/caulk-go/caulk/trace/tracelog"
)

// Machine makes the steps of one system's agents. It may be used by several
// goroutines at once.
type Machine struct {
	Sys    *model.System
	Codecs *codec.Codecs
}

// Limit is how long a handler may take.
const Limit = 10 * time.Second

// ErrDisabled says that an own action is not possible in a state.
var ErrDisabled = errors.New("is not possible in that state")

// New makes the machine of a system that passes its Check; see codec.New.
func New(sys *model.System) (*Machine, error) {
	codecs, err := codec.New(sys)
	if err != nil {
		return nil, err
	}
	return &Machine{sys, codecs}, nil
}

// Digest tells a state of an agent apart, as traces do.
func (m *Machine) Digest(id model.ID, state []byte) string {
	return tracelog.Digest(m.Codecs.StateTypes[id-1], state)
}

// State is a private copy of a state of an agent; an error says that the bytes are
// none.
func (m *Machine) State(id model.ID, b []byte) (any, error) { return m.Codecs.States[id-1].Decode(b) }

// FormatState is a state as one line for people.
func (m *Machine) FormatState(id model.ID, b []byte) string {
	v, err := m.State(id, b)
	if err != nil {
		return "no state"
	}
	return canonical.Format(v)
}

// Label is the label of a message with such a body; empty if that cannot be told.
func (m *Machine) Label(body []byte) string {
	v, err := m.Codecs.Body.Decode(body)
	if err != nil {
		return ""
	}
	return label(v)
}

// label calls the user's code, whose failing is of no consequence here.
func label(body any) (text string) {
	defer func() {
		if recover() != nil {
			text = ""
		}
	}()
	return model.MessageLabel(body)
}

// FormatBody is a message's body as one line for people.
func (m *Machine) FormatBody(b []byte) string {
	v, err := m.Codecs.Body.Decode(b)
	if err != nil {
		return "no message"
	}
	return canonical.Format(v)
}

// Outcome is what comes of a step.
type Outcome struct {
	After  []byte          // the state
	Sent   []tracelog.Sent // with their labels as texts
	Halted bool            // whether the agent declares itself lost in that state
}

// Execute makes a step: of it, only who makes it and what of are read. Before is
// the agent's state, or for a restart what it kept; nil for an agent that is new.
//
// The error is ErrDisabled for an own action that is not possible, a *PanicError
// or *TimeoutError of package call, or a sentence that says why the model has no
// such step.
func (m *Machine) Execute(r *tracelog.Step, before []byte) (Outcome, error) {
	node := m.Sys.Node(r.Agent)
	state, err := any(nil), error(nil)
	if before != nil {
		if state, err = m.State(r.Agent, before); err != nil {
			return Outcome{}, fmt.Errorf("the bytes before it are no state of agent %d: %w", r.Agent, err)
		}
	}
	handle, err := m.handler(node, r, state)
	if err != nil {
		return Outcome{}, err
	}
	var result model.Result
	site := call.Site{Agent: r.Agent, What: r.Move}
	if err := call.Guard(site, Limit, func() { result, err = handle() }); err != nil {
		return Outcome{}, err
	}
	if err != nil {
		return Outcome{}, err
	}
	o, err := m.encode(r.Agent, result)
	if err != nil {
		return Outcome{}, err
	}
	site.What = "Halted"
	return o, call.Guard(site, Limit, func() { o.Halted = node.Halted(result.State) })
}

// handler is the call that a step was.
func (m *Machine) handler(node model.Node, s *tracelog.Step, state any) (func() (model.Result, error), error) {
	population := m.Sys.Population()
	incarnation := 0
	if node.Incarnated() {
		incarnation = s.Incarnation
	}
	switch s.Move {
	case tracelog.Begin, tracelog.Wipe:
		return func() (model.Result, error) {
			r := node.Fresh(s.Agent, population, incarnation)
			if s.Value == nil || s.Move == tracelog.Wipe {
				return r, nil
			}
			if !node.CanStart() {
				return r, errors.New("it hands the agent a value, and the agent takes none")
			}
			return m.started(s.Agent, r, *s.Value)
		}, nil
	case tracelog.Restart:
		if !node.Persists() {
			return nil, errors.New("nothing of the agent persists, so it cannot restart")
		}
		return func() (model.Result, error) { return node.Resume(s.Agent, population, incarnation, state), nil }, nil
	case tracelog.Start:
		if !node.CanStart() || s.Value == nil {
			return nil, errors.New("the agent takes no value, or there is none")
		}
		return func() (model.Result, error) { return node.Start(state, *s.Value), nil }, nil
	case tracelog.Deliver:
		if s.Message == nil {
			return nil, errors.New("it delivers no message")
		}
		body, err := m.Codecs.Body.Decode(s.Message.Body)
		if err != nil {
			return nil, fmt.Errorf("its message is none of the algorithm's: %w", err)
		}
		message := model.Message[any]{From: s.Message.From, To: s.Agent, Body: body}
		return func() (model.Result, error) { return node.Receive(state, message), nil }, nil
	case tracelog.Act:
		actions := node.Actions()
		i := slices.IndexFunc(actions, func(a model.NodeAction) bool { return a.Name == s.Action })
		if i < 0 {
			return nil, fmt.Errorf("the agent has no action %q", s.Action)
		}
		return func() (model.Result, error) {
			r, enabled := actions[i].Do(state)
			if !enabled {
				return r, fmt.Errorf("the action %q %w", s.Action, ErrDisabled)
			}
			return r, nil
		}, nil
	}
	return nil, fmt.Errorf("there is no move %q", s.Move)
}

// started is a new agent that was at once handed a value. What Start is given
// is a copy, as everything is.
func (m *Machine) started(id model.ID, fresh model.Result, value string) (model.Result, error) {
	encoded, err := m.encode(id, fresh)
	if err != nil {
		return model.Result{}, err
	}
	state, err := m.State(id, encoded.After)
	if err != nil {
		return model.Result{}, err
	}
	r := m.Sys.Node(id).Start(state, value)
	r.Sent = slices.Concat(fresh.Sent, r.Sent)
	return r, nil
}

func (m *Machine) encode(id model.ID, r model.Result) (Outcome, error) {
	var o Outcome
	var err error
	if o.After, err = m.Codecs.States[id-1].Append(nil, r.State); err != nil {
		return Outcome{}, err
	}
	for _, message := range r.Sent {
		if message.To < 1 {
			return Outcome{}, fmt.Errorf("it sends %s to %d: set To to the receiver's ID", canonical.Format(message.Body), message.To)
		}
		body, err := m.Codecs.Body.Append(nil, message.Body)
		if err != nil {
			return Outcome{}, err
		}
		o.Sent = append(o.Sent, tracelog.Sent{To: message.To, Body: body, Text: label(message.Body)})
	}
	return o, nil
}

// Kept is what of a state persists, as bytes.
func (m *Machine) Kept(id model.ID, state []byte) ([]byte, error) {
	v, err := m.State(id, state)
	if err != nil {
		return nil, err
	}
	var kept []byte
	site := call.Site{Agent: id, What: "Persist"}
	guarded := call.Guard(site, Limit, func() { kept, err = m.Codecs.States[id-1].Append(nil, m.Sys.Node(id).Persist(v)) })
	if guarded != nil {
		return nil, guarded
	}
	return kept, err
}

// ListSent is messages as a part of a sentence.
func (m *Machine) ListSent(sent []tracelog.Sent) string {
	if len(sent) == 0 {
		return "nothing"
	}
	texts := make([]string, len(sent))
	for i, s := range sent {
		texts[i] = fmt.Sprintf("%s to %d", m.FormatBody(s.Body), s.To)
	}
	return strings.Join(texts, ", ")
}

// EqualSent compares receivers and bodies, in order.
func EqualSent(a, b []tracelog.Sent) bool {
	return slices.EqualFunc(a, b, func(x, y tracelog.Sent) bool { return x.To == y.To && bytes.Equal(x.Body, y.Body) })
}
