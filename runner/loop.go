package runner

import (
	"errors"
	"time"

	"github.com/caulk-go/caulk/internal/machine"
	"github.com/caulk-go/caulk/trace/tracelog"
)

// mostSteps bounds how many steps share a commit: what the first has to say must
// not wait for ever.
const mostSteps = 256

// run makes steps until the node is to end. It is the only goroutine that touches
// the agent.
func (n *Node) run() (err error) {
	defer func() {
		if p := recover(); p != nil { // our own mistake: leave what helps to find it
			n.tracer.crashed(n.agent, p)
			panic(p)
		}
	}()
	clock := newTimers(n)
	for {
		worked, err := n.batch(clock)
		switch {
		case err != nil && n.killed.Err() == nil:
			return err
		case n.killed.Err() != nil:
			return nil
		case n.stopping.Err() != nil:
			n.tracer.stop(n.agent)
			return nil
		case worked:
			continue
		}
		n.wait(clock)
	}
}

// wait waits until there may be something to do.
func (n *Node) wait(clock *timers) {
	var due <-chan time.Time
	if at, armed := clock.next(); armed {
		timer := time.NewTimer(time.Until(at))
		defer timer.Stop()
		due = timer.C
	}
	select {
	case <-n.inbox.wake:
	case <-due:
	case <-n.stopping.Done():
	}
}

// batch makes the steps that wait, as many as may share a commit, commits them and
// tells whom they concern. Worked says whether there was anything to do.
func (n *Node) batch(clock *timers) (worked bool, err error) {
	most := mostSteps
	if n.c.EachCommits {
		most = 1
	}
	var tell []func()
	for i := 0; i < most && n.stopping.Err() == nil && !n.agent.halted; i++ {
		did, after, err := n.next(clock)
		if err != nil {
			return true, err
		}
		if after != nil {
			tell = append(tell, after)
		}
		if !did {
			break
		}
		worked = true
	}
	if err := n.commit(); err != nil {
		return true, err
	}
	if n.killed.Err() != nil {
		return true, nil
	}
	for _, f := range tell {
		f()
	}
	if err := n.halted(); err != nil {
		return true, err
	}
	clock.review(time.Now())
	n.tracer.rotate(n.agent)
	return worked || clock.again, nil
}

// next makes one step, of the first kind that has one: a timer that ran out, a step
// of the agent's own, what waits in the inbox. After tells a client when the step is
// durable; nil for nobody.
func (n *Node) next(clock *timers) (did bool, after func(), err error) {
	if action, ripe := clock.ripe(time.Now()); ripe {
		did, err := n.act(action)
		return did, nil, err
	}
	if did, err := n.own(clock); did || err != nil {
		return did, nil, err
	}
	message, request := n.inbox.pop()
	switch {
	case message != nil:
		clock.heard()
		clock.stepped()
		ref := message.ref
		return true, nil, n.step(tracelog.Step{Move: tracelog.Deliver, Message: &tracelog.Received{
			From: message.from, Ref: &ref, Body: message.body, Text: n.machine.Label(message.body),
		}}, n.agent.state)
	case request != nil:
		clock.stepped()
		after, err := n.serveRequest(request)
		return true, after, err
	}
	return false, nil, nil
}

// serveRequest makes the step that a client asks for.
func (n *Node) serveRequest(r *request) (after func(), err error) {
	var o outcome
	switch {
	case r.start != nil:
		err = n.step(tracelog.Step{Move: tracelog.Start, Value: r.start}, n.agent.state)
	case r.action != "":
		err = n.step(tracelog.Step{Move: tracelog.Act, Action: r.action}, n.agent.state)
		if errors.Is(err, machine.ErrDisabled) {
			o.disabled, err = true, nil
		}
	case r.ask != nil:
		err = n.step(tracelog.Step{Move: tracelog.Deliver, Message: &tracelog.Received{
			From: r.ask.from, Body: r.ask.body, Text: n.machine.Label(r.ask.body),
		}}, n.agent.state)
	}
	if err != nil {
		return nil, err
	}
	return func() {
		if r.status {
			o.status = n.status()
		}
		r.done <- o
	}, nil
}

// act makes an own action, if it is possible.
func (n *Node) act(action string) (did bool, err error) {
	err = n.step(tracelog.Step{Move: tracelog.Act, Action: action}, n.agent.state)
	if errors.Is(err, machine.ErrDisabled) {
		return false, nil
	}
	return true, err
}
