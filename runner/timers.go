package runner

import (
	"errors"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"time"

	"github.com/caulk-go/caulk/internal/machine"
	"github.com/caulk-go/caulk/model"
	"github.com/caulk-go/caulk/trace/tracelog"
)

// timers are the own actions that nobody asks for: timers, which run out by the
// clock, and steps, which the agent makes at once.
//
// The model says when a timer may run out, not when it does. Here it does when it
// has been possible for its duration, and no other agent was heard of for as long.
type timers struct {
	n     *Node
	names []string // of the actions that are timers
	steps []string // of the actions that are steps
	due   map[string]time.Time
	draw  *rand.Rand

	quiet bool // no other agent was heard of since the last review
	again bool // a step of the agent's own may be possible
	turn  int  // which of the steps is tried first
	yield bool // an own step was made: what waits is next
}

func newTimers(n *Node) *timers {
	t := &timers{n: n, due: map[string]time.Time{}, quiet: true, again: true}
	t.draw = rand.New(rand.NewPCG(n.c.Faults.Seed, uint64(n.c.Self)))
	for _, a := range n.node.Actions() {
		switch a.Kind {
		case model.Timer:
			t.names = append(t.names, a.Name)
		case model.Step:
			t.steps = append(t.steps, a.Name)
		}
	}
	t.review(time.Now())
	return t
}

// checkTimers refuses durations of what is no timer.
func checkTimers(c *Config) error {
	var names []string
	for _, node := range c.System.Agents {
		for _, a := range node.Actions() {
			if a.Kind == model.Timer && !slices.Contains(names, a.Name) {
				names = append(names, a.Name)
			}
		}
	}
	for _, name := range slices.Sorted(maps.Keys(c.Timers)) {
		switch {
		case c.Timers[name] <= 0:
			return fmt.Errorf("timer %q: a duration of %s is none", name, c.Timers[name])
		case len(names) == 0:
			return fmt.Errorf("there is no timer %q: no agent of %s has one", name, c.System.Name)
		case !slices.Contains(names, name):
			return fmt.Errorf("there is no timer %q: the timers of %s are %s", name, c.System.Name, strings.Join(names, ", "))
		}
	}
	if c.Timer < 0 {
		return fmt.Errorf("timers of %s: a duration is above zero", c.Timer)
	}
	return nil
}

// duration is how long a timer waits this time.
func (t *timers) duration(name string) time.Duration {
	d := t.n.c.Timers[name]
	if d == 0 {
		d = t.n.c.Timer
	}
	return d + time.Duration(t.draw.Int64N(int64(d)))
}

// heard notes that another agent was heard of, and stepped that the state changed.
func (t *timers) heard()   { t.quiet = false }
func (t *timers) stepped() { t.again, t.yield = true, false }

// review arms the timers that may run out and disarms the others.
func (t *timers) review(now time.Time) {
	for _, name := range t.names {
		_, armed := t.due[name]
		switch {
		case !t.possible(name):
			delete(t.due, name)
		case !armed || !t.quiet:
			t.due[name] = now.Add(t.duration(name))
		}
	}
	t.quiet = true
}

// possible asks the agent. Code that misbehaves here will also when the action is
// made, and is reported then.
func (t *timers) possible(name string) bool {
	a := t.n.agent
	_, err := t.n.machine.Execute(&tracelog.Step{Point: a.Point, Move: tracelog.Act, Action: name}, a.state)
	return !errors.Is(err, machine.ErrDisabled)
}

// ripe is a timer that has run out; it is not armed any more.
func (t *timers) ripe(now time.Time) (name string, ok bool) {
	for _, name := range t.names {
		if at, armed := t.due[name]; armed && !now.Before(at) {
			delete(t.due, name)
			t.stepped()
			return name, true
		}
	}
	return "", false
}

// next is when the first timer runs out.
func (t *timers) next() (at time.Time, armed bool) {
	for _, due := range t.due { //tidy:unordered the least of them
		if !armed || due.Before(at) {
			at, armed = due, true
		}
	}
	return at, armed
}

// own makes a step of the agent's own, if one is possible: each in turn, and in
// turn with what waits.
func (n *Node) own(t *timers) (did bool, err error) {
	if !t.again || t.yield {
		t.yield = false
		return false, nil
	}
	for i := range t.steps {
		at := (t.turn + i) % len(t.steps)
		if did, err = n.act(t.steps[at]); did || err != nil {
			t.turn, t.yield = at+1, true
			return did, err
		}
	}
	t.again = false
	return false, nil
}
