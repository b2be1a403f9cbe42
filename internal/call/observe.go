package call

import (
	"fmt"

	"github.com/caulk-go/caulk/internal/canonical"
	"github.com/caulk-go/caulk/internal/diff"
	"github.com/caulk-go/caulk/model"
)

// Event is a move as the observer is told of it.
type Event struct {
	Kind          model.MoveKind
	Action        string
	Agent         model.ID
	Message       *Envelope // that the move is about; nil for none
	Before, After string    // the agent's model.Local, as canonical bytes; Before is empty where it begins
	Sent          []Envelope
}

// ObserverStart is the observer's state before anything has happened, as
// canonical bytes, or what the system's Snapshot says that it remembers. The
// system must have an observer.
func (c *Caller) ObserverStart() (string, error) {
	start := c.sys.Observer.Start()
	if c.sys.Snapshot != nil {
		start = c.sys.Snapshot.Memory
	}
	b, err := c.memory.Append(nil, start)
	if err != nil {
		return "", &ValueError{Site{What: "the observer"}, fmt.Errorf("its first state: %w", err)}
	}
	return string(b), nil
}

// Observe is the observer's state after a move: the same if it does not see
// the agent's moves, or if agents begin in the middle, as a Snapshot has them.
func (c *Caller) Observe(memory string, e Event) (string, error) {
	if !c.sys.Observer.Sees(e.Agent) || e.Kind == model.Beginning && c.sys.Snapshot != nil {
		return memory, nil
	}
	where := func() Site {
		return Site{State: canonical.Format(c.Memory(memory)), What: "the observer", Message: c.describe(e)}
	}
	next, err := c.observe(memory, e, where)
	return next, located(err, where)
}

func (c *Caller) observe(memory string, e Event, where func() Site) (string, error) {
	var given, values [2]any
	var answers [2]string
	var wrong error
	site := Site{What: "the observer"}
	err := c.guard(where, func() {
		for i := range answers {
			given[i] = c.Memory(memory)
			values[i] = c.sys.Observer.See(given[i], c.event(e))
			var b []byte
			if b, wrong = c.memory.Append(nil, values[i]); wrong != nil {
				return
			}
			answers[i] = string(b) // at once, so that the next call cannot change it
		}
	})
	switch {
	case err != nil:
		return "", err
	case wrong != nil:
		return "", &ValueError{site, fmt.Errorf("the next state: %w", wrong)}
	}
	for i := range given {
		if !c.SameMemory(memory, given[i]) {
			return "", &ImpureError{site, "it changes the state that it is given", diff.Fields(c.Memory(memory), given[i])}
		}
	}
	if answers[0] != answers[1] {
		return "", &ImpureError{site, "it answers differently when it is called again", diff.Fields(values[0], values[1])}
	}
	return answers[0], nil
}

// Memory decodes an observer's state: a private copy.
func (c *Caller) Memory(memory string) any {
	v, err := c.memory.Decode([]byte(memory))
	if err != nil {
		panic("call: bytes of a state that the observer did not give: " + err.Error())
	}
	return v
}

// SameMemory says whether a decoded observer's state still is what the bytes
// say.
func (c *Caller) SameMemory(memory string, state any) bool {
	now, err := c.memory.Append(nil, state)
	return err == nil && string(now) == memory
}

// event decodes an event: private copies of everything.
func (c *Caller) event(e Event) model.Event {
	m := model.Event{
		Move:  model.Move{Kind: e.Kind, Action: e.Action, From: e.Agent, To: e.Agent},
		Agent: e.Agent,
		After: c.Local(e.Agent, e.After).State,
	}
	if e.Message != nil {
		m.Move.From, m.Move.To, m.Move.Body = e.Message.From, e.Message.To, c.Body(e.Message.Body)
	}
	if e.Before != "" {
		m.Before = c.Local(e.Agent, e.Before).State
	}
	for _, s := range e.Sent {
		m.Sent = append(m.Sent, model.Message[any]{From: s.From, To: s.To, Body: c.Body(s.Body)})
	}
	return m
}

// describe names an event for an error message.
func (c *Caller) describe(e Event) string {
	if e.Message != nil {
		return fmt.Sprintf("%s of %s from %d to %d", e.Kind, canonical.Format(c.Body(e.Message.Body)), e.Message.From, e.Message.To)
	}
	if e.Action != "" {
		return fmt.Sprintf("%s of agent %d", e.Action, e.Agent)
	}
	return fmt.Sprintf("%s of agent %d", e.Kind, e.Agent)
}
