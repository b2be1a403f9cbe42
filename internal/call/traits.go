package call

import (
	"github.com/caulk-go/caulk/internal/canonical"
	"github.com/caulk-go/caulk/model"
)

// Traits is what an agent says of one of its states.
type Traits struct {
	Label   string // the agent's own name for the state, with a "!" behind it once the agent has crashed
	Named   bool   // whether it has one
	Halted  bool
	Crashed bool
}

// Traits asks the agent about a local state.
func (c *Caller) Traits(id model.ID, local string) (Traits, error) {
	l := c.Local(id, local)
	node, state := c.sys.Node(id), l.State
	t := Traits{Crashed: l.Crashed}
	where := func() Site {
		return Site{Agent: id, State: c.formatState(id, local), What: "Label or Halted"}
	}
	err := c.guard(where, func() {
		t.Halted = node.Halted(state)
		t.Label, t.Named = node.Label(state)
	})
	if err == nil && t.Crashed {
		t.Label += "!"
	}
	return t, err
}

// Label is the agent's own name for a local state. An agent without names, or
// whose Label panics, gives none.
func (c *Caller) Label(id model.ID, local string) (label string, ok bool) {
	t, err := c.Traits(id, local)
	return t.Label, t.Named && err == nil
}

// Halted says whether an agent is halted in a local state.
func (c *Caller) Halted(id model.ID, local string) bool {
	t, err := c.Traits(id, local)
	return t.Halted && err == nil
}

// MessageLabel is a message's kind and detail.
func (c *Caller) MessageLabel(e Envelope) (label string, err error) {
	body := c.Body(e.Body)
	where := func() Site {
		return Site{Agent: e.From, Message: canonical.Format(body), What: "Kind or Detail of a message"}
	}
	err = c.guard(where, func() { label = model.MessageLabel(body) })
	return label, err
}
