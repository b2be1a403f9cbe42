// Package validate judges what nodes did by the model: it executes every step
// of their traces again, with the algorithm's own functions, and says whether
// they are a behaviour of the model, or which step is the first that is not.
//
// What is checked of a step: that it is the next of its agent, in the state in
// which the one before left it; that the agent's functions give the state and the
// messages that it says; that a delivered message was sent by a step that is
// durable, to that agent, with that body, and was not delivered more often, or
// in another order, than the network allows; that a wipe or restart is one that
// the setting allows, and begins with what the disk must have had.
//
// Steps that were rolled back are executed again like all others, but nothing
// that they sent may have been delivered, and for everybody else they did not
// happen.
//
// Where a trace is missing or cut, what depends on the missing part is assumed
// and counted. Package tracelog specifies the format.
//
// Properties are judged after every durable step, in one order: each agent's
// steps in their order, a delivery after its sending, and apart from that by
// the nodes' clocks. What an agent alone does is the same in every such order; a
// property of several agents might fail in another.
package validate

import (
	"errors"
	"fmt"
	"maps"
	"slices"

	"github.com/caulk-go/caulk/internal/machine"
	"github.com/caulk-go/caulk/model"
	"github.com/caulk-go/caulk/trace"
	"github.com/caulk-go/caulk/trace/tracelog"
)

// Check judges traces of a system: the files that Setting lists. Progress, if it is
// not nil, is told now and then how many steps are executed again, of how many. The
// error is one line: a file cannot be read, is no trace, or is of another build.
func Check(sys *model.System, files []string, progress func(done, of int)) (*Report, error) {
	m, err := machine.New(sys)
	if err != nil {
		return nil, err
	}
	j, err := newJudge(sys, m, files)
	if err != nil {
		return nil, err
	}
	if progress != nil {
		j.progress = progress
	}
	j.run()
	return j.report(), nil
}

// judge walks through the steps of all agents in one order.
type judge struct {
	sys     *model.System
	machine *machine.Machine
	ids     []model.ID // of the agents that have traces, in order
	cursors map[model.ID]*cursor
	network *network
	global  *global
	spent   map[model.Budget]int // wipes and restarts so far
	until   *record              // the walk ends after it; nil for none
	total   int                  // of steps

	progress func(done, of int)
	result   Report
}

// cursor is where the walk is in one agent's lives.
type cursor struct {
	lives []*life
	life  int
	taken int    // steps of that life
	state []byte // after them, as bytes; nil before the first
	done  []byte // the state after the last of them that is done
}

// newJudge reads the files.
func newJudge(sys *model.System, m *machine.Machine, files []string) (*judge, error) {
	agents, err := load(files)
	if err != nil {
		return nil, err
	}
	j := &judge{sys: sys, machine: m, cursors: map[model.ID]*cursor{}, spent: map[model.Budget]int{}, progress: func(int, int) {}}
	j.result.Schema, j.result.Setting = Schema, trace.SettingOf(sys)
	j.network = newNetwork(sys, j)
	j.global = newGlobal(sys, m)
	for _, id := range slices.Sorted(maps.Keys(agents)) {
		for _, l := range agents[id] {
			if err := understands(m, &l.head); err != nil {
				return nil, fmt.Errorf("%s: %w", l.place.File, err)
			}
			j.total += len(l.steps)
		}
	}
	for _, id := range sys.Population() {
		lives := agents[id]
		if len(lives) == 0 {
			j.result.Missing = append(j.result.Missing, id)
			j.global.stop(fmt.Sprintf("there is no trace of agent %d", id))
			continue
		}
		j.ids = append(j.ids, id)
		j.cursors[id] = &cursor{lives: lives}
	}
	for _, id := range j.ids {
		if !j.cursors[id].lives[0].begins() {
			j.global.stop("not every trace begins at its agent's beginning")
		}
	}
	return j, nil
}

// begins says whether the life is an agent's first, from its first step on.
func (l *life) begins() bool {
	return l.head.Seq == 0 && len(l.steps) > 0 && l.steps[0].Move == tracelog.Begin
}

// run takes steps until there are no more, or one is none of the model's.
func (j *judge) run() {
	const often = 1 << 10
	for j.result.FirstInvalid == nil {
		if j.result.Steps%often == 0 {
			j.progress(j.result.Steps, j.total)
		}
		id, waiting := j.next()
		if id == 0 {
			if waiting != nil {
				j.invalid(waiting, "it receives what is sent only after it", "")
			}
			return
		}
		last := j.cursors[id].peek()
		j.take(id)
		if last == j.until {
			return
		}
	}
}

// next is the agent whose next step comes first among those that may come now;
// 0 if there is none, and then the first that waits for its message's sending,
// if one does.
func (j *judge) next() (id model.ID, waiting *record) {
	var first *record
	for _, agent := range j.ids {
		r := j.cursors[agent].peek()
		switch {
		case r == nil:
		case !j.network.ready(r):
			if waiting == nil || r.At < waiting.At {
				waiting = r
			}
		case first == nil || earlier(r, first):
			first, id = r, agent
		}
	}
	return id, waiting
}

// earlier orders steps that do not depend on each other: all agents begin
// before anything else happens.
func earlier(r, than *record) bool {
	begins, other := r.Move == tracelog.Begin, than.Move == tracelog.Begin
	if begins != other {
		return begins
	}
	return r.At < than.At
}

// peek is the agent's next step; nil at the end.
func (c *cursor) peek() *record {
	for c.life < len(c.lives) && c.taken == len(c.lives[c.life].steps) {
		if c.life == len(c.lives)-1 {
			return nil
		}
		c.life, c.taken, c.state = c.life+1, 0, nil
	}
	return &c.lives[c.life].steps[c.taken]
}

// understands says why a trace with that head cannot be judged by this build,
// or nil.
func understands(m *machine.Machine, h *tracelog.Head) error {
	if err := m.Sys.Has(h.Agent); err != nil {
		return fmt.Errorf("it is of agent %d: %w", h.Agent, err)
	}
	if h.States != m.Codecs.StateTypes[h.Agent-1] || h.Messages != m.Codecs.Messages {
		return errors.New("its states or messages are of other types than this build's: use the build that wrote it")
	}
	return nil
}
