package runner

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"time"

	"github.com/caulk-go/caulk/internal/call"
	"github.com/caulk-go/caulk/internal/machine"
	"github.com/caulk-go/caulk/model"
	"github.com/caulk-go/caulk/trace/tracelog"
)

// agent is the agent as it is now. Only the loop touches it.
type agent struct {
	tracelog.Point        // the last step
	state          []byte // after it
	digest         string // of state
	halted         bool   // it is lost in that state

	committed int    // the seq of the last step whose messages may leave
	kept      []byte // what the disk holds of the agent
	out       []letter
}

// letter is a message that waits for a commit.
type letter struct {
	seq, index int // of its sending
	to         model.ID
	body       []byte
}

// begin has the agent come into the world: as a new one, anew from what the disk
// kept, or as one that lost everything.
//
// An incarnation is on the disk before anything tells of it, so that none is used
// twice. A new agent's first step is on the disk with it.
func (n *Node) begin() error {
	found, known := n.disk.load()
	a := &agent{Point: tracelog.Point{Agent: n.c.Self}}
	head := n.tracer.head(a)
	step := tracelog.Step{Move: tracelog.Begin}
	switch {
	case known:
		a.Incarnation, step.Move = max(found.incarnation+1, n.c.Incarnation), tracelog.Wipe
		if n.node.Persists() {
			step.Move, head.Kept, a.kept = tracelog.Restart, found.kept, found.kept
			step.Kept, step.Durable = n.machine.Digest(a.Agent, found.kept), &found.durable
		}
		if err := n.disk.save(record{a.Incarnation, found.durable, found.kept}); err != nil {
			return err
		}
	case n.c.Incarnation > 0:
		a.Incarnation, step.Move = n.c.Incarnation, tracelog.Wipe
	default:
		if value, starts := n.c.System.Starts[n.c.Self]; starts {
			step.Value = &value
		}
	}
	head.Point, n.incarnation = a.Point, a.Incarnation
	if !known {
		if err := n.firstSave(a, step); err != nil {
			return err
		}
	}
	n.agent = a
	n.tracer.begin(head)
	return n.step(step, head.Kept) // its messages leave with the loop's first commit
}

// firstSave makes the disk know of an agent that it did not know, as it is after
// its first step.
func (n *Node) firstSave(a *agent, step tracelog.Step) error {
	step.Point = a.Point
	o, err := n.machine.Execute(&step, nil)
	if err != nil {
		return n.wrong(step, nil, err)
	}
	durable := a.Point
	durable.Seq = 1
	r := record{incarnation: a.Incarnation, durable: durable}
	if n.node.Persists() {
		if r.kept, err = n.machine.Kept(a.Agent, o.After); err != nil {
			return err
		}
		a.kept = r.kept
	}
	return n.disk.save(r)
}

// step makes one step from a state, or from what was kept. The state is not given
// out before a commit. The error is machine.ErrDisabled for an own action that is
// not possible; then nothing has happened. All others end the node.
func (n *Node) step(s tracelog.Step, before []byte) error {
	a := n.agent
	s.Point, s.At = a.Point, time.Now().UnixMicro()
	s.Seq++
	o, err := n.machine.Execute(&s, before)
	switch {
	case errors.Is(err, machine.ErrDisabled):
		return err
	case err != nil:
		return n.wrong(s, before, err)
	}
	if s.Seq > 1 {
		s.Before = a.digest
	}
	s.After, s.Sent = n.machine.Digest(a.Agent, o.After), o.Sent
	n.tracer.step(s)
	a.Point, a.state, a.digest, a.halted = s.Point, o.After, s.After, o.Halted
	for i, m := range o.Sent {
		a.out = append(a.out, letter{s.Seq, i, m.To, m.Body})
	}
	return nil
}

// AgentError says that a node has ended for what its agent did.
type AgentError struct {
	tracelog.Point        // the step
	Halted         bool   // the agent has declared itself lost; else its code misbehaves
	Reason         string // one line, with the state and the message, and where the crash log is
	Stack          string // of code that panics; else empty
}

func (e *AgentError) Error() string {
	return fmt.Sprintf("agent %d, incarnation %d, step %d: %s", e.Agent, e.Incarnation, e.Seq, e.Reason)
}

// wrong reports code of the agent's that misbehaves: with its state, its message,
// and the steps up to there.
func (n *Node) wrong(s tracelog.Step, before []byte, err error) error {
	log := n.tracer.crash(s, err)
	text := cmp.Or(s.Action, s.Move)
	if s.Message != nil {
		text += fmt.Sprintf(" of %s from %d", n.machine.FormatBody(s.Message.Body), s.Message.From)
	}
	if before != nil {
		text += " in state " + n.machine.FormatState(s.Agent, before)
	}
	wrong := &AgentError{Point: s.Point}
	var panicked *call.PanicError
	if errors.As(err, &panicked) {
		text += " panics: " + panicked.Value
		wrong.Stack = panicked.Stack
	} else {
		text += ": " + err.Error()
	}
	wrong.Reason = text + log
	return wrong
}

// halted is the end of a node whose agent has declared itself lost, or nil.
func (n *Node) halted() error {
	a := n.agent
	if !a.halted {
		return nil
	}
	return &AgentError{Point: a.Point, Halted: true, Reason: "the agent has halted: it is in a state that nobody thought of, " + n.machine.FormatState(a.Agent, a.state)}
}

// commit makes all steps durable and then lets out what they sent. If nothing that
// persists has changed, the disk has nothing to do.
func (n *Node) commit() error {
	a := n.agent
	if a.Seq == a.committed {
		return nil
	}
	n.tracer.flush() // the disk must not know of steps of which the trace does not
	if n.node.Persists() {
		kept, err := n.machine.Kept(a.Agent, a.state)
		if err != nil {
			return err
		}
		if !bytes.Equal(kept, a.kept) {
			if err := n.disk.save(record{a.Incarnation, a.Point, kept}); err != nil {
				return err
			}
			a.kept = kept
			n.commits++
		}
	}
	n.tracer.commit(a)
	if n.killed.Err() != nil {
		return nil
	}
	a.committed = a.Seq
	for _, l := range a.out {
		n.deliver(l)
	}
	a.out = nil
	return nil
}

// deliver lets a message out.
func (n *Node) deliver(l letter) {
	switch {
	case l.to == n.c.Self:
		n.inbox.push(received{from: l.to, ref: tracelog.Ref{Point: tracelog.Point{Agent: l.to, Incarnation: n.agent.Incarnation, Seq: l.seq}, Index: l.index}, body: l.body})
	case n.c.System.Has(l.to) == nil:
		if peer := n.peers[l.to]; peer != nil {
			peer.send(frame{l.seq, l.index, l.body})
		} else {
			n.log.once("there is no address of agent %d: what is sent to it is lost", l.to)
		}
	case n.http != nil:
		n.http.answer(l.to, l.body)
	}
}
