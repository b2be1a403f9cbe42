package validate

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

// machine executes steps again, by the agents' own functions.
type machine struct {
	sys    *model.System
	codecs *codec.Codecs
}

const limit = 10 * time.Second // for a handler

// understands says why a trace with that head cannot be judged by this build,
// or nil.
func (m *machine) understands(h *tracelog.Head) error {
	if err := m.sys.Has(h.Agent); err != nil {
		return fmt.Errorf("it is of agent %d: %w", h.Agent, err)
	}
	if h.States != m.codecs.StateTypes[h.Agent-1] || h.Messages != m.codecs.Messages {
		return errors.New("its states or messages are of other types than this build's: use the build that wrote it")
	}
	return nil
}

func (m *machine) digest(id model.ID, state []byte) string {
	return tracelog.Digest(m.codecs.StateTypes[id-1], state)
}

func (m *machine) state(id model.ID, b []byte) (any, error) { return m.codecs.States[id-1].Decode(b) }

func (m *machine) formatState(id model.ID, b []byte) string {
	v, err := m.state(id, b)
	if err != nil {
		return "no state"
	}
	return canonical.Format(v)
}

func (m *machine) formatBody(b []byte) string {
	v, err := m.codecs.Body.Decode(b)
	if err != nil {
		return "no message"
	}
	return canonical.Format(v)
}

// outcome is what comes of a step.
type outcome struct {
	after []byte
	sent  []tracelog.Sent // without texts
}

// execute makes a step again. Before is the agent's state, or for a restart
// what it kept; nil for an agent that is new. The error is a sentence that says
// why the model has no such step.
func (m *machine) execute(r *record, before []byte) (outcome, error) {
	node := m.sys.Node(r.Agent)
	state, err := any(nil), error(nil)
	if before != nil {
		if state, err = m.state(r.Agent, before); err != nil {
			return outcome{}, fmt.Errorf("the bytes before it are no state of agent %d: %w", r.Agent, err)
		}
	}
	handle, err := m.handler(node, &r.Step, state)
	if err != nil {
		return outcome{}, err
	}
	var result model.Result
	site := call.Site{Agent: r.Agent, What: r.Move}
	if err := call.Guard(site, limit, func() { result, err = handle() }); err != nil {
		first, _, _ := strings.Cut(err.Error(), "\n")
		return outcome{}, errors.New(first)
	}
	if err != nil {
		return outcome{}, err
	}
	return m.encode(r.Agent, result)
}

// handler is the call that a step was.
func (m *machine) handler(node model.Node, s *tracelog.Step, state any) (func() (model.Result, error), error) {
	population := m.sys.Population()
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
			return m.started(node, r, *s.Value)
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
		body, err := m.codecs.Body.Decode(s.Message.Body)
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
				return r, fmt.Errorf("the action %q is not possible in that state", s.Action)
			}
			return r, nil
		}, nil
	}
	return nil, fmt.Errorf("there is no move %q", s.Move)
}

// started is a new agent that was at once handed a value. What Start is given
// is a copy, as everything is.
func (m *machine) started(node model.Node, fresh model.Result, value string) (model.Result, error) {
	r := node.Start(fresh.State, value)
	r.Sent = slices.Concat(fresh.Sent, r.Sent)
	return r, nil
}

func (m *machine) encode(id model.ID, r model.Result) (outcome, error) {
	var o outcome
	var err error
	if o.after, err = m.codecs.States[id-1].Append(nil, r.State); err != nil {
		return outcome{}, err
	}
	for _, message := range r.Sent {
		body, err := m.codecs.Body.Append(nil, message.Body)
		if err != nil {
			return outcome{}, err
		}
		o.sent = append(o.sent, tracelog.Sent{To: message.To, Body: body})
	}
	return o, nil
}

// kept is what of a state persists, as bytes.
func (m *machine) kept(id model.ID, state []byte) ([]byte, error) {
	v, err := m.state(id, state)
	if err != nil {
		return nil, err
	}
	var kept []byte
	site := call.Site{Agent: id, What: "Persist"}
	guarded := call.Guard(site, limit, func() { kept, err = m.codecs.States[id-1].Append(nil, m.sys.Node(id).Persist(v)) })
	if guarded != nil {
		return nil, guarded
	}
	return kept, err
}

// sentences for messages.

func (m *machine) listSent(sent []tracelog.Sent) string {
	if len(sent) == 0 {
		return "nothing"
	}
	texts := make([]string, len(sent))
	for i, s := range sent {
		texts[i] = fmt.Sprintf("%s to %d", m.formatBody(s.Body), s.To)
	}
	return strings.Join(texts, ", ")
}

func equalSent(a, b []tracelog.Sent) bool {
	return slices.EqualFunc(a, b, func(x, y tracelog.Sent) bool { return x.To == y.To && bytes.Equal(x.Body, y.Body) })
}
