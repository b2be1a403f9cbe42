// Package call runs the handlers of a system's agents and lets nothing that
// they may do spoil a search: each works on private copies, is called twice
// and must answer the same, and is reported when it panics or does not end.
//
// What comes out is canonical bytes: two values are the same if and only if
// their bytes are.
package call

import (
	"encoding/binary"
	"fmt"
	"time"

	"github.com/caulk-go/caulk/internal/canonical"
	"github.com/caulk-go/caulk/internal/diff"
	"github.com/caulk-go/caulk/model"
)

// DefaultLimit is how long a handler may take if nothing else is said.
const DefaultLimit = 10 * time.Second

// Caller runs the handlers of one system. It is not for concurrent use.
//
// Its errors are *PanicError, *ImpureError, *TimeoutError and *ValueError.
// After a TimeoutError the handler may still be running.
type Caller struct {
	sys    *model.System
	limit  time.Duration
	states []*canonical.Codec // by agent
	body   *canonical.Codec
	memory *canonical.Codec // of the observer; nil if there is none
	watch  *watch           // nil outside of Watched
}

// Envelope is a message with its body as canonical bytes. Equal envelopes are
// equal messages.
type Envelope struct {
	From, To model.ID
	Body     string
}

// Outcome is one move that an agent can make, and what comes of it.
type Outcome struct {
	Move   model.Move
	Next   string     // the agent's next model.Local, as canonical bytes
	Sent   []Envelope // in the order of sending
	Spends model.Budget
	Fair   bool
}

// New prepares the calls of a system. It refuses a system that fails its
// Check, and types that show that their values are not plain. A limit of 0 is
// DefaultLimit.
func New(sys *model.System, limit time.Duration) (*Caller, error) {
	if err := sys.Check(); err != nil {
		return nil, err
	}
	if limit <= 0 {
		limit = DefaultLimit
	}
	c := &Caller{sys: sys, limit: limit}
	types := canonical.NewTypes()
	for i, n := range sys.Agents {
		codec, err := types.Codec(n.StateType())
		if err != nil {
			return nil, fmt.Errorf("the state of agent %d: %w", i+1, err)
		}
		c.states = append(c.states, codec)
	}
	body, err := types.Codec(sys.Agents[0].BodyType())
	if err != nil {
		return nil, fmt.Errorf("the messages: %w", err)
	}
	c.body = body
	if sys.Observer != nil {
		if c.memory, err = types.Codec(sys.Observer.StateType()); err != nil {
			return nil, fmt.Errorf("the state of the observer: %w", err)
		}
	}
	return c, nil
}

// Begin makes an agent as the system starts it in one of its AllStarts, or as
// its Snapshot has it.
func (c *Caller) Begin(start int, id model.ID) (Outcome, error) {
	sys := c.sys.At(start)
	at := Site{Agent: id, What: "Fresh"}
	if sys.Snapshot != nil {
		at.What = "the state to begin in"
		return c.encode(at, model.Resumed(&sys, id))
	}
	fresh, err := c.twice(at, at.itself, func() ([]model.Outcome, func() error) {
		return []model.Outcome{model.Fresh(&sys, id)}, nil
	})
	if err != nil {
		return Outcome{}, err
	}
	o := fresh[0]
	if _, starts := sys.Starts[id]; !starts {
		return o, nil
	}
	site := Site{Agent: id, State: c.formatState(id, o.Next), What: "Start"}
	started, err := c.twice(site, site.itself, func() ([]model.Outcome, func() error) {
		l := c.Local(id, o.Next)
		unchanged := func() error { return c.unchanged(site, o.Next, l, nil, model.Message[any]{}) }
		started, _ := model.Start(&sys, id, l)
		return []model.Outcome{started}, unchanged
	})
	if err != nil {
		return Outcome{}, err
	}
	return Outcome{Next: started[0].Next, Sent: append(o.Sent, started[0].Sent...)}, nil
}

// Outcomes lists what moves of a kind an agent has in a local state, in a
// fixed order; m is the message for a kind that is OfMessage and nil for the
// others. It calls handlers.
func (c *Caller) Outcomes(k model.MoveKind, id model.ID, local string, m *Envelope) ([]Outcome, error) {
	site := Site{Agent: id, What: k.Handler()}
	where := func() Site {
		site.State = c.formatState(id, local)
		if m != nil {
			site.Message = fmt.Sprintf("%s from %d", canonical.Format(c.Body(m.Body)), m.From)
		}
		return site
	}
	return c.twice(site, where, func() ([]model.Outcome, func() error) {
		l := c.Local(id, local)
		var message model.Message[any]
		if m != nil {
			message = model.Message[any]{From: m.From, To: m.To, Body: c.Body(m.Body)}
		}
		at := model.Site{Node: c.sys.Node(id), Self: id, Population: c.sys.Population()}
		unchanged := func() error { return c.unchanged(site, local, l, m, message) }
		return k.Outcomes(at, l, message), unchanged
	})
}

// twice calls the user's code two times and gives its answer, if it is the
// same both times and the check that comes with it passes.
//
// Where says where it happened, if something does: rendering states takes longer
// than most handlers do.
func (c *Caller) twice(site Site, where func() Site, f func() ([]model.Outcome, func() error)) ([]Outcome, error) {
	var answers [2]answer
	var failure error
	err := c.guard(where, func() {
		for i := range answers { // each is encoded at once, so that the next call cannot change it
			if answers[i], failure = c.once(site, f); failure != nil {
				return
			}
		}
	})
	if err == nil { // else the call may still be running
		err = failure
	}
	if err != nil {
		return nil, located(err, where)
	}
	first, second := answers[0], answers[1]
	if len(first.outcomes) != len(second.outcomes) {
		return nil, &ImpureError{where(), fmt.Sprintf("the number of moves that it allows is %d when it is first asked and %d when it is asked again", len(first.outcomes), len(second.outcomes)), nil}
	}
	for i := range first.outcomes {
		if !first.outcomes[i].equal(second.outcomes[i]) {
			return nil, &ImpureError{where(), "it answers differently when it is called again", changes(first.values[i], second.values[i])}
		}
	}
	return first.outcomes, nil
}

// answer is what the user's code gave, as bytes and as it gave it.
type answer struct {
	outcomes []Outcome
	values   []model.Outcome
}

func (c *Caller) once(site Site, f func() ([]model.Outcome, func() error)) (answer, error) {
	values, check := f()
	a := answer{make([]Outcome, len(values)), values}
	for i, v := range values {
		o, err := c.encode(site, v)
		if err != nil {
			return answer{}, err
		}
		a.outcomes[i] = o
	}
	if check != nil {
		if err := check(); err != nil {
			return answer{}, err
		}
	}
	return a, nil
}

// encode turns an outcome into bytes at once, so that nothing done later to
// the values can change it.
func (c *Caller) encode(site Site, v model.Outcome) (Outcome, error) {
	next, err := c.appendLocal(nil, site.Agent, v.Next)
	if err != nil {
		return Outcome{}, &ValueError{site, fmt.Errorf("the next state: %w", err)}
	}
	o := Outcome{Move: v.Move, Next: string(next), Spends: v.Spends, Fair: v.Fair}
	for _, m := range v.Sent {
		if m.To < 1 {
			return Outcome{}, &ValueError{site, fmt.Errorf("it sends %s to %d: set To to the receiver's ID", canonical.Format(m.Body), m.To)}
		}
		if err := c.sys.Has(m.To); err != nil {
			return Outcome{}, &ValueError{site, fmt.Errorf("it sends %s to %d: %w", canonical.Format(m.Body), m.To, err)}
		}
		body, err := c.body.Append(nil, m.Body)
		if err != nil {
			return Outcome{}, &ValueError{site, fmt.Errorf("a message to %d: %w", m.To, err)}
		}
		o.Sent = append(o.Sent, Envelope{m.From, m.To, string(body)})
	}
	return o, nil
}

// unchanged checks that a handler left its arguments as they were.
func (c *Caller) unchanged(site Site, local string, l model.Local, m *Envelope, message model.Message[any]) error {
	state, err := c.appendLocal(nil, site.Agent, l)
	if err != nil || string(state) != local {
		return &ImpureError{site, "it changes the state that it is given", diff.Fields(c.Local(site.Agent, local).State, l.State)}
	}
	if m == nil {
		return nil
	}
	body, err := c.body.Append(nil, message.Body)
	if err != nil || string(body) != m.Body {
		return &ImpureError{site, "it changes the message that it is given", diff.Fields(c.Body(m.Body), message.Body)}
	}
	return nil
}

// appendLocal encodes the incarnation and whether the agent crashed, then the
// state.
func (c *Caller) appendLocal(dst []byte, id model.ID, l model.Local) ([]byte, error) {
	lives := uint64(l.Incarnation) << 1
	if l.Crashed {
		lives |= 1
	}
	dst = binary.AppendUvarint(dst, lives)
	return c.states[id-1].Append(dst, l.State)
}

// Local decodes a local state: a private copy. The bytes must come from this
// Caller.
func (c *Caller) Local(id model.ID, local string) model.Local {
	lives, n := binary.Uvarint([]byte(local))
	state, err := c.states[id-1].Decode([]byte(local[n:]))
	if err != nil {
		panic("call: bytes of a state that no agent gave: " + err.Error())
	}
	return model.Local{State: state, Incarnation: int(lives >> 1), Crashed: lives&1 != 0}
}

// Same says whether a decoded state still is what the bytes say.
func (c *Caller) Same(id model.ID, local string, state any) bool {
	l := c.Local(id, local)
	l.State = state
	now, err := c.appendLocal(nil, id, l)
	return err == nil && string(now) == local
}

// Body decodes the body of an envelope of this Caller: a private copy.
func (c *Caller) Body(body string) any {
	v, err := c.body.Decode([]byte(body))
	if err != nil {
		panic("call: bytes of a message that no agent sent: " + err.Error())
	}
	return v
}

func (o Outcome) equal(p Outcome) bool {
	if o.Next != p.Next || o.Move.Kind != p.Move.Kind || o.Spends != p.Spends || o.Fair != p.Fair || o.Move.Action != p.Move.Action || len(o.Sent) != len(p.Sent) {
		return false
	}
	for i := range o.Sent {
		if o.Sent[i] != p.Sent[i] {
			return false
		}
	}
	return true
}

// changes says how a second answer differs from the first.
func changes(first, second model.Outcome) []diff.Change {
	if c := diff.Fields(first.Next.State, second.Next.State); len(c) > 0 {
		return c
	}
	return diff.Fields(first.Sent, second.Sent)
}

func (c *Caller) formatState(id model.ID, local string) string {
	return canonical.Format(c.Local(id, local).State)
}
