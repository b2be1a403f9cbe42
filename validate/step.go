package validate

import (
	"bytes"
	"cmp"
	"fmt"
	"slices"

	"github.com/caulk-go/caulk/internal/machine"
	"github.com/caulk-go/caulk/model"
	"github.com/caulk-go/caulk/trace/tracelog"
)

// take executes an agent's next step again, and holds it against what its line
// says.
func (j *judge) take(id model.ID) {
	c := j.cursors[id]
	l, r := c.lives[c.life], c.peek()
	if r.bad != "" {
		j.invalid(r, r.bad, "")
		return
	}
	before, reason, expected := j.before(c, l, r)
	if reason != "" {
		j.invalid(r, reason, expected)
		return
	}
	o, err := j.machine.Execute(&r.Step, before)
	if err != nil {
		j.invalid(r, firstLine(err), "") // a panic has a stack
		return
	}
	if reason, expected := j.differs(r, o); reason != "" {
		j.invalid(r, reason, expected)
		return
	}
	if reason := j.timer(r); reason != "" {
		j.invalid(r, reason, "")
		return
	}
	done := r.Seq <= l.done
	if done {
		j.network.clock++
	}
	if r.Move == tracelog.Deliver {
		assumed, reason := j.network.receive(r, done)
		if reason != "" {
			j.invalid(r, reason, "")
			return
		}
		j.count(done, assumed)
	}
	c.state = o.After
	c.taken++
	j.result.Steps++
	if !done {
		j.result.Undone++
		return
	}
	c.done = o.After
	j.result.Done++
	j.network.send(r)
	j.global.step(r, o.After, j.network)
}

func (j *judge) count(done, assumed bool) {
	if !done {
		return
	}
	j.result.Received++
	if assumed {
		j.result.Assumed++
		j.global.stop("a message was received of whose sending no trace tells")
	}
}

// timer counts a timer that ran out, where there is a budget of them.
func (j *judge) timer(r *record) (reason string) {
	limit, limited := j.sys.Budgets[model.Timeouts]
	if !limited || r.Move != tracelog.Act {
		return ""
	}
	for _, a := range j.sys.Node(r.Agent).Actions() {
		if a.Name == r.Action && a.Kind == model.Timer {
			j.spent[model.Timeouts]++
		}
	}
	if j.spent[model.Timeouts] > limit {
		return fmt.Sprintf("it is one more of the %s than the %d that the setting allows", model.Timeouts, limit)
	}
	return ""
}

// before is the state in which a step was made, or why it cannot have been.
func (j *judge) before(c *cursor, l *life, r *record) (state []byte, reason, expected string) {
	if first := r.Seq == 1; first != tracelog.First(r.Move) {
		if first {
			return nil, "an incarnation begins with begin, wipe or restart, and this one does not", ""
		}
		return nil, "it is the first move of an incarnation, and steps were made before", ""
	}
	if r.Seq == 1 {
		return j.anew(c, l, r)
	}
	state = c.state
	if c.taken == 0 {
		state = l.head.State
	}
	for _, h := range l.later {
		if h.Seq == r.Seq-1 && !bytes.Equal(h.State, state) {
			return nil, "the file begins with another state than the step before it left", j.machine.FormatState(r.Agent, state)
		}
	}
	if j.machine.Digest(r.Agent, state) != r.Before {
		return nil, "the state before it is not the one that the step before it left", j.machine.FormatState(r.Agent, state)
	}
	return state, "", ""
}

// anew is what an agent begins an incarnation with: nothing or, for a restart,
// what it kept.
func (j *judge) anew(c *cursor, l *life, r *record) (kept []byte, reason, expected string) {
	switch {
	case r.Move == tracelog.Begin:
		if c.done != nil {
			return nil, "the agent had begun before: it can only be wiped or restarted", ""
		}
		return nil, "", ""
	case c.life == 0 && c.done == nil && l.incarnation == 0:
		return nil, "an agent begins before it is wiped or restarted", ""
	}
	kind, allowed, budget := model.Wipe, j.sys.Wipe, model.Wipes
	if r.Move == tracelog.Restart {
		kind, allowed, budget = model.Restart, j.sys.Restart, model.Restarts
	}
	if !slices.Contains(allowed, r.Agent) {
		return nil, fmt.Sprintf("a %s of agent %d is none of the faults that the setting allows", kind, r.Agent), ""
	}
	j.spent[budget]++
	if limit, limited := j.sys.Budgets[budget]; limited && j.spent[budget] > limit {
		return nil, fmt.Sprintf("it is one more of the %s than the %d that the setting allows", budget, limit), ""
	}
	if r.Move == tracelog.Wipe {
		return nil, "", ""
	}
	return j.disk(c, l, r)
}

// disk is what a restarted agent found on its disk, if that is what it must have
// been: what its last durable step left.
func (j *judge) disk(c *cursor, l *life, r *record) (kept []byte, reason, expected string) {
	kept = l.head.Kept
	if kept == nil || j.machine.Digest(r.Agent, kept) != r.Kept {
		return nil, "what it found on its disk is not what the head of the file says", ""
	}
	if c.life == 0 {
		return kept, "", "" // the life before is in no trace
	}
	previous := c.lives[c.life-1]
	if previous.done > previous.last() {
		if !previous.cut {
			return nil, fmt.Sprintf("its disk knows of step %d, which the agent never made", previous.done), ""
		}
		return kept, "", ""
	}
	if c.done == nil {
		return nil, "nothing that the agent did was durable, but its disk kept something", ""
	}
	want, err := j.machine.Kept(r.Agent, c.done)
	if err != nil {
		return nil, err.Error(), ""
	}
	if !bytes.Equal(kept, want) {
		return nil, fmt.Sprintf("its disk kept something else than its last durable step, %d, left", previous.done), j.machine.FormatState(r.Agent, want)
	}
	return kept, "", ""
}

// differs says how a step differs from what the agent's functions make of it.
func (j *judge) differs(r *record, o machine.Outcome) (reason, expected string) {
	if j.machine.Digest(r.Agent, o.After) != r.After {
		return "the state after it is another", j.machine.FormatState(r.Agent, o.After)
	}
	if !machine.EqualSent(r.Sent, o.Sent) {
		return "it sends " + j.machine.ListSent(r.Sent), "it sends " + j.machine.ListSent(o.Sent)
	}
	return "", ""
}

func (j *judge) invalid(r *record, reason, expected string) {
	point := r.Point
	j.result.FirstInvalid = &Problem{Place: r.place, Point: point, Move: moveText(&r.Step), Reason: reason, Expected: expected}
}

// moveText names what a step did.
func moveText(s *tracelog.Step) string {
	switch {
	case s.Message != nil:
		return fmt.Sprintf("%s %s from %d", s.Move, s.Message.Text, s.Message.From)
	case s.Action != "":
		return s.Action
	}
	return s.Move
}

// report says what became of it all.
func (j *judge) report() *Report {
	r := &j.result
	for _, id := range j.ids {
		c := j.cursors[id]
		t := Trace{Agent: id, Incarnations: len(c.lives), Begins: c.lives[0].begins(), Ends: "open"}
		for _, l := range c.lives {
			t.Steps += len(l.steps)
		}
		switch last := c.lives[len(c.lives)-1]; {
		case last.stopped:
			t.Ends = "stopped"
		case last.cut:
			t.Ends = "cut"
		}
		r.Traces = append(r.Traces, t)
	}
	j.global.report(r)
	r.Missing = append([]model.ID{}, r.Missing...)
	switch {
	case r.FirstInvalid != nil:
		r.Verdict = Invalid
	case r.Violation != nil:
		r.Verdict = Violated
	default:
		r.Verdict = cmp.Or(r.Verdict, Valid)
	}
	return r
}
