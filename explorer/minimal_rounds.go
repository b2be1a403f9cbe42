package explorer

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/caulk-go/caulk/internal/call"
	"github.com/caulk-go/caulk/internal/mealy"
)

// errAgain says that the search must begin another round.
var errAgain = errors.New("the agents' tables have grown")

// newShrink is what the reductions asked for begin with; nil if neither is.
func (s *search) newShrink() *shrink {
	k := &shrink{dead: slices.Contains(s.opts.Reduce, Dead), minimal: slices.Contains(s.opts.Reduce, Minimal)}
	if !k.dead && !k.minimal {
		return nil
	}
	k.warming = k.minimal
	k.closing = newClosing(s.sys, s.tables.caller)
	k.closing.stopped = s.interrupted
	return k
}

// warmUp is up to how many states nothing is merged. While little is known most
// states look alike, and what those that are not meet in each other's place is
// made up and stays in the tables; so what is real is learned first. With three
// clients the register of Paxos asks a fifth of the questions that way.
const warmUp = 1 << 16

// due says whether the round should end after a level. Where nothing is merged
// all that was found is real, so that it may go on for a while; where states are
// merged some may be made up.
func (s *search) due() bool {
	k := s.tables.shrink
	if k == nil {
		return false
	}
	warm := k.warming && s.states >= warmUp
	return warm || s.outgrown() && (k.merges || s.states >= k.least)
}

// outgrown says whether anything turned up that the tables do not hold.
func (s *search) outgrown() bool {
	k, t := s.tables.shrink, s.tables
	for a := range k.agents {
		g := &k.agents[a]
		c := &k.closing.agents[a]
		k.grown = k.grown || !g.given && (len(t.agents[a].messages) > g.inputs ||
			t.agents[a].read && !g.kept && k.minimal ||
			c.sees && len(t.observer.states) > len(k.closing.observers))
	}
	return k.grown
}

// again says whether a round that ended so must be followed by another.
func (s *search) again(err error) bool {
	switch {
	case s.tables.shrink == nil:
		return false
	case isMisbehaved(err):
		return true
	case err == errAgain, s.tables.shrink.warming && s.cut != nil && s.cut.Name == "states":
		s.tables.shrink.warming = s.tables.shrink.warming && s.cut == nil && s.states < warmUp
		return true // where only the warming up was cut, what is merged may have fewer states
	case err != nil && err != errCut || s.cut != nil && s.cut.Name != "depth":
		return false
	}
	k := s.tables.shrink
	k.warming = k.warming && s.mayMerge()
	k.closed = !s.outgrown() && !k.warming
	k.warming = k.warming && k.grown
	return !k.closed
}

// mayMerge says whether states of any agent may be merged.
func (s *search) mayMerge() bool {
	for a, agent := range s.tables.agents {
		if !agent.read && !s.tables.shrink.agents[a].given {
			return true
		}
	}
	return false
}

// isMisbehaved says whether a handler went wrong. In a reduced search it may be
// one that is never called: so the search begins anew, without the reductions.
func isMisbehaved(err error) bool {
	var m *misbehaved
	return errors.As(err, &m)
}

// nextRound begins a round: it closes the tables under what was met, reduces
// each, and gives a space with the start states.
func (s *search) nextRound(last error) (packed, error) {
	s.cut = nil // it was the bound on depth, or on states while nothing was merged
	if isMisbehaved(last) {
		s.giveUp("a handler misbehaves")
	} else if err := s.shrinkTables(); err != nil {
		return nil, err
	}
	s.forget()
	s.starts = nil
	var reduced []flat
	for _, f := range s.wholeStarts {
		f = s.tables.reduceStart(f)
		s.demandNetwork(f)
		s.starts, reduced = append(s.starts, f), append(reduced, f)
	}
	m := s.nextMaking()
	l, err := s.layoutOf(m)
	if err != nil {
		return nil, err
	}
	space := newPacked(s, m, l)
	return space, space.begin(distinct(reduced))
}

// shrinkTables closes and reduces the tables for a round.
func (s *search) shrinkTables() error {
	k := s.tables.shrink
	k.grown = true // for the last round, if this one cannot begin
	err := s.tables.caller.Watched(func() error {
		if err := k.closing.close(s); err != nil {
			return err
		}
		k.grown, k.merges = false, false
		k.rounds++
		k.least = 2 * max(s.states, 1<<10)
		k.agents = make([]shrunk, len(s.tables.agents))
		for a := range k.agents {
			k.reduce(s.tables, a)
		}
		return nil
	})
	if e := new(call.TimeoutError); errors.As(err, &e) {
		s.giveUp("a handler does not return")
		return nil
	}
	return err
}

// reduce works one agent's part out of its table.
func (k *shrink) reduce(t *tables, a int) {
	g := &k.agents[a]
	c := &k.closing.agents[a]
	g.given, g.kept, g.inputs, g.first = c.why != "", t.agents[a].read || !k.minimal || k.warming, len(c.inputs), map[int32]uint32{}
	if g.given {
		return
	}
	m := k.closing.machine(a, g.kept)
	g.reduced.Class = mealy.Merge(m)
	for place, class := range g.reduced.Class {
		if int(class) == len(g.members) {
			g.members = append(g.members, nil)
		}
		g.members[class] = append(g.members[class], int32(place))
	}
	g.want, g.next = make([][]want, g.inputs), make([][]int32, len(g.members))
	if k.dead {
		k.settle(a)
		m = k.closing.machine(a, g.kept) // of which more is known by now, but nothing that tells states apart
	}
	g.reduced = mealy.Reduce(m)
	k.merges = k.merges || len(g.members) < m.States
}

// forget makes the search what it was before it began, but for what it learned
// of the user's code.
func (s *search) forget() {
	s.states, s.transitions, s.beyond = 0, 0, 0
	s.terminal, s.halted, s.inconsistent, s.shortestHalt = 0, 0, 0, -1
	s.inFlight, s.effort, s.making = 0, effort{}, making{}
	s.cut, s.panicked = nil, nil
	for i := range s.properties {
		p := &s.properties[i]
		p.tested, p.settled, p.nearest, p.level, p.depth = 0, false, nil, nil, 0
	}
}

// giveUp goes on without the reductions.
func (s *search) giveUp(why string) {
	s.notes = append(s.notes, fmt.Sprintf("the search goes on without the reduction %s: %s", s.tables.shrink, why))
	s.tables.shrink = nil
}

// notes says what the reductions came to.
func (k *shrink) notes() (notes []string) {
	if k == nil || k.agents == nil {
		return nil
	}
	states, classes, difference := 0, 0, false
	for a := range k.agents {
		g := &k.agents[a]
		if g.given {
			notes = append(notes, fmt.Sprintf("the reduction %s leaves agent %d as it is: %s", k, a+1, k.closing.agents[a].why))
			continue
		}
		states += len(g.reduced.Class)
		classes += len(g.members)
		difference = difference || len(g.members) < len(g.reduced.Class) || k.dead && g.killsAny()
	}
	if !k.closed {
		return append(notes, fmt.Sprintf("the reduction %s was cut short in round %d, before its tables were complete: what it found is left out unless it is so in the whole system", k, k.rounds))
	}
	if !difference {
		what := "no message is ignored for ever, so that it makes no difference"
		if k.minimal {
			what = "no states are alike and no message is ignored for ever, so that it leaves out moves that change nothing, and no more"
		}
		return append(notes, fmt.Sprintf("the reduction %s: %s", k, what))
	}
	text := fmt.Sprintf("the reduction %s took %d rounds, and asked %d questions for tables of %d states", k, k.rounds, k.closing.asked, states)
	if classes < states {
		text += fmt.Sprintf(", of which %d differ", classes)
	}
	return append(notes, text)
}

// killsAny says whether any message is dead in any state.
func (g *shrunk) killsAny() bool {
	for class := range g.members {
		for input := range g.inputs {
			if g.reduced.Dead.Has(class, input) {
				return true
			}
		}
	}
	return false
}

func (k *shrink) String() string {
	var names []string
	if k.dead {
		names = append(names, Dead.String())
	}
	if k.minimal {
		names = append(names, Minimal.String())
	}
	return `"` + strings.Join(names, ",") + `"`
}
