package mealy_test

import (
	"fmt"
	"maps"
	"slices"
	"testing"

	"github.com/caulk-go/caulk/internal/mealy"
)

// system is a population of machines with a bag of messages and an observer
// that counts modulo 3. A message leads to later ones only, and there is a budget
// of one own move that sends, so that there is an end to everything.
type system struct {
	agents  []*mealy.Machine
	inbox   [][]int  // by agent, by input: the message
	to      []place  // by message
	effects []effect // by number for what can be seen; 0: nothing
	sent    []int    // at the start
}

type place struct{ agent, input int }

// effect is what can be seen of a transition.
type effect struct {
	sent  string // a byte for each message
	count int    // what the observer adds
}

const spends = 1 // the label of own moves that take from the budget

func (d dice) system() *system {
	s := &system{effects: []effect{{}}, inbox: make([][]int, 2)}
	for m := range 5 {
		a := d.IntN(2)
		s.to = append(s.to, place{a, len(s.inbox[a])})
		s.inbox[a] = append(s.inbox[a], m)
	}
	for a := range s.inbox {
		s.agents = append(s.agents, s.agent(d, a))
	}
	s.sent = []int{0, 1, d.IntN(5)}
	return s
}

// agent replaces what a random machine shows.
func (s *system) agent(d dice, a int) *mealy.Machine {
	m := d.machine(1+d.IntN(4), len(s.inbox[a]))
	for i, out := range m.Out {
		if out != 0 {
			m.Out[i] = s.effect(d, s.inbox[a][i%m.Inputs])
		}
	}
	for _, own := range m.Own {
		for i, o := range own {
			if o.Out != 0 && o.Label == spends {
				own[i].Out = s.effect(d, 0)
			} else if o.Out != 0 {
				own[i].Out = s.effect(d, len(s.to))
			}
		}
	}
	return m
}

// effect is a random one that sends messages after a given one only.
func (s *system) effect(d dice, after int) int32 {
	var e effect
	for m := after + 1; m < len(s.to); m++ {
		if d.often(2) {
			e.sent += string(rune('0' + m))
		}
	}
	if d.often(2) {
		e.count = 1 + d.IntN(2)
	}
	if i := slices.Index(s.effects, e); i >= 0 {
		return int32(i)
	}
	s.effects = append(s.effects, e)
	return int32(len(s.effects) - 1)
}

// reduction is how a system is searched: each agent's states are taken for
// their classes, and what is dead to a class is taken off the bag. A move that
// changes neither classes nor what can be seen is none.
type reduction struct {
	class [][]int32
	dead  []mealy.Dead
	met   [][]bool // by agent, if it is asked for: what can happen
	grown bool     // met has
	alone bool     // wrong: only the least state of a class meets what the class does
}

// meet notes what can happen in a state from which what is dead was removed: to
// every state of a class whatever can to the class.
func (r *reduction) meet(s *system, g *global) {
	for m, to := range s.to {
		if g.bag[m] == 0 || r == nil || r.met == nil {
			continue
		}
		met, class, least := r.met[to.agent], r.class[to.agent], int(g.states[to.agent])
		for state, c := range class {
			i := state*s.agents[to.agent].Inputs + to.input
			if c == class[least] && (state == least || !r.alone) && !met[i] {
				met[i], r.grown = true, true
			}
		}
	}
}

type global struct {
	states [2]int32
	bag    [5]int8
	count  int
	budget int
}

// search gives, for each combination of the agents' Class and the observer's
// state, the least number of moves that leads there. Of the reduction nil
// nothing is reduced. It gives up, with nil, where there is too much.
func (s *system) search(r *reduction) map[string]int {
	found := map[string]int{}
	start := global{budget: 1}
	for _, m := range s.sent {
		start.bag[m]++
	}
	for a := range s.agents {
		start.enter(r, a, 0)
	}
	s.clean(r, &start)
	depth := map[global]int{start: 0}
	for todo := []global{start}; len(todo) > 0; {
		g := todo[0]
		todo = todo[1:]
		r.meet(s, &g)
		key := fmt.Sprint(s.agents[0].Class[g.states[0]], s.agents[1].Class[g.states[1]], g.count)
		if _, known := found[key]; !known {
			found[key] = depth[g]
		}
		for _, next := range s.moves(r, g) {
			s.clean(r, &next)
			if _, known := depth[next]; !known {
				depth[next] = depth[g] + 1
				todo = append(todo, next)
			}
		}
		if len(depth) > 50000 {
			return nil
		}
	}
	return found
}

// enter puts an agent into a state, or into the least state of its class.
func (g *global) enter(r *reduction, a int, state int32) {
	if r != nil {
		state = int32(slices.Index(r.class[a], r.class[a][state]))
	}
	g.states[a] = state
}

func (s *system) clean(r *reduction, g *global) {
	for m, to := range s.to {
		if r != nil && r.dead[to.agent].Has(int(r.class[to.agent][g.states[to.agent]]), to.input) {
			g.bag[m] = 0
		}
	}
}

func (s *system) moves(r *reduction, g global) []global {
	var list []global
	move := func(next global, a int, to, out int32) {
		next.enter(r, a, to)
		if r != nil && out == 0 && next.states[a] == g.states[a] {
			return
		}
		for _, m := range s.effects[out].sent {
			next.bag[m-'0']++
		}
		next.count = (next.count + s.effects[out].count) % 3
		list = append(list, next)
	}
	for m, to := range s.to {
		if g.bag[m] > 0 {
			agent := s.agents[to.agent]
			i := int(g.states[to.agent])*agent.Inputs + to.input
			next := g
			next.bag[m]--
			move(next, to.agent, agent.Next[i], agent.Out[i])
		}
	}
	for a, agent := range s.agents {
		if agent.Own == nil {
			continue
		}
		for _, o := range agent.Own[g.states[a]] {
			next := g
			if o.Label == spends {
				next.budget--
			}
			if next.budget >= 0 {
				move(next, a, o.Next, o.Out)
			}
		}
	}
	return list
}

// reduce works the reduction out of the tables as change leaves them.
func (s *system) reduce(change func(m *mealy.Machine)) *reduction {
	r := &reduction{}
	for _, m := range s.agents {
		c := *m
		change(&c)
		reduced := mealy.Reduce(&c)
		r.class, r.dead = append(r.class, reduced.Class), append(r.dead, reduced.Dead)
	}
	return r
}

// onlyDead merges nothing.
func (s *system) onlyDead() *reduction {
	r := &reduction{}
	for _, m := range s.agents {
		r.class, r.dead = append(r.class, each(m)), append(r.dead, mealy.DeadInputs(m))
	}
	return r
}

// searchByMeeting starts with tables of what cannot happen, and searches again
// as long as more turns out to.
func (s *system) searchByMeeting(merge, alone bool) map[string]int {
	met := make([][]bool, len(s.agents))
	for a, m := range s.agents {
		met[a] = make([]bool, len(m.Next))
	}
	for {
		r := &reduction{met: met, alone: alone}
		for a, m := range s.agents {
			c := *m
			c.Met = met[a]
			if merge {
				reduced := mealy.Reduce(&c)
				r.class, r.dead = append(r.class, reduced.Class), append(r.dead, reduced.Dead)
			} else {
				r.class, r.dead = append(r.class, each(m)), append(r.dead, mealy.DeadInputs(&c))
			}
		}
		if found := s.search(r); !r.grown {
			return found
		}
	}
}

// each is a class for each state.
func each(m *mealy.Machine) []int32 {
	list := make([]int32, m.States)
	for i := range list {
		list[i] = int32(i)
	}
	return list
}

func TestReducedSystemsReachTheSame(t *testing.T) {
	searched := 0
	for seed := range *machines {
		s := newDice(seed).system()
		want := s.search(nil)
		if want == nil {
			continue
		}
		searched++
		for _, tt := range []struct {
			name string
			got  map[string]int
		}{
			{"dead", s.search(s.onlyDead())},
			{"dead, minimal", s.search(s.reduce(func(*mealy.Machine) {}))},
			{"dead, by meeting", s.searchByMeeting(false, false)},
			{"dead, minimal, by meeting", s.searchByMeeting(true, false)},
		} {
			if !maps.Equal(tt.got, want) {
				t.Fatalf("seed %d, %s: %v, not %v\n%s%s%v", seed, tt.name, tt.got, want, show(s.agents[0]), show(s.agents[1]), s.effects)
			}
		}
	}
	if searched < *machines/2 {
		t.Errorf("only %d of %d systems were searched", searched, *machines)
	}
}

// TestWhatTheTablesMustHold leaves out of the tables what the proof needs, and
// shows that it is needed.
func TestWhatTheTablesMustHold(t *testing.T) {
	without := func(change func(s *system, m *mealy.Machine)) func(s *system) map[string]int {
		return func(s *system) map[string]int {
			return s.search(s.reduce(func(m *mealy.Machine) { change(s, m) }))
		}
	}
	for _, tt := range []struct {
		name   string
		search func(s *system) map[string]int
	}{
		{"own moves", without(func(_ *system, m *mealy.Machine) { m.Own = nil })},
		{"what the properties tell apart", without(func(_ *system, m *mealy.Machine) { m.Class = make([]int32, m.States) })},
		{"what the observer sees", without(func(s *system, m *mealy.Machine) {
			m.Out = slices.Clone(m.Out)
			for i, out := range m.Out {
				m.Out[i] = int32(slices.IndexFunc(s.effects, func(e effect) bool { return e.sent == s.effects[out].sent }))
			}
		})},
		{"what may happen to all states of a class", func(s *system) map[string]int { return s.searchByMeeting(true, true) }},
	} {
		wrong := 0
		for seed := range *machines {
			s := newDice(seed).system()
			want := s.search(nil)
			wrong += count(want != nil && !maps.Equal(tt.search(s), want))
		}
		if wrong == 0 {
			t.Errorf("without %s nothing goes wrong", tt.name)
		}
		t.Logf("without %s, %d of %d systems are judged wrong", tt.name, wrong, *machines)
	}
}
