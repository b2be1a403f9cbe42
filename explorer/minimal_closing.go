package explorer

import (
	"errors"
	"fmt"
	"math"

	"github.com/caulk-go/caulk/internal/call"
	"github.com/caulk-go/caulk/internal/mealy"
	"github.com/caulk-go/caulk/model"
)

// closing is the agents as tables, which grow from round to round. They are
// kept apart from those of the search, which hold only what it has met: here
// every pair of a state and a message is asked about, so that much is made up.
type closing struct {
	sys     *model.System
	caller  *call.Caller
	agents  []closingAgent
	stopped func() bool // nothing more is to be asked
	asked   int         // questions put to handlers, and to the observer
	wrong   int         // how many of them went wrong

	shown     map[string]int32 // by what can be seen; 0: nothing
	messages  map[call.Envelope]int32
	labels    map[string]int32 // of own moves
	observers []string         // the observer's states that the search has met
	memories  map[string]int32 // the observer's states
}

// closingAgent is one agent's table.
type closingAgent struct {
	why    string // it was given up; empty if it was not
	sees   bool   // an observer sees it
	ids    map[string]int32
	bytes  []string // by number: of all states that anything leads to
	places []int32  // by number: its place in the table, or -1
	rows   []closingRow
	inputs []call.Envelope // addressed to it, as the search met them
}

// closingRow is one state.
type closingRow struct {
	id     int32 // its number
	traits call.Traits
	asked  bool // what it does by itself
	own    []ownPair
	pairs  []inputPair // by message, in the order of those addressed to the agent
}

// inputPair is what comes of a message in a state.
type inputPair struct {
	next, out int32 // next is the number of a state; -1 if it was not asked
	met       bool
	watched   []watched
}

// ownPair is something that an agent does by itself.
type ownPair struct {
	label, next, out int32
	watched          []watched
}

// watched is a move that an observer sees, and what it makes of it.
type watched struct {
	outcome call.Outcome
	after   []int32 // by state of the observer that is known: its state then
}

func newClosing(sys *model.System, caller *call.Caller) *closing {
	c := &closing{
		sys: sys, caller: caller, agents: make([]closingAgent, len(sys.Agents)),
		shown: map[string]int32{"": 0}, messages: map[call.Envelope]int32{}, labels: map[string]int32{}, memories: map[string]int32{},
	}
	for a := range c.agents {
		c.agents[a].ids = map[string]int32{}
		c.agents[a].sees = sys.Observer != nil && sys.Observer.Sees(model.ID(a+1))
	}
	return c
}

// maxAsked is how many questions the tables may take, less than a minute's. A
// table may also have many more states than the search has met of its agent:
// while states are merged that are not equivalent, and for ever where it counts
// what has a budget only in the whole system.
const maxAsked = 4 << 20

// errUnreduced ends the closing of one agent's table.
var errUnreduced = errors.New("the agent is not reduced")

// close takes in what the search has learned, and closes each table under what
// an agent does by itself and what has been met.
func (c *closing) close(s *search) error {
	news := false
	if o := s.tables.observer; o != nil {
		news = len(o.states) > len(c.observers)
		c.observers = o.states
	}
	for a := range c.agents {
		g := &c.agents[a]
		if g.why != "" {
			continue
		}
		for _, m := range s.tables.agents[a].messages[len(g.inputs):] {
			g.inputs = append(g.inputs, s.tables.messages[m].Envelope)
		}
		c.take(s.tables, a)
		if news && g.sees {
			c.watchAgain(a)
		}
		err := c.closeAgent(s, a)
		if err == errUnreduced {
			*g = closingAgent{why: g.why}
		} else if err != nil {
			return err
		}
	}
	return nil
}

// take adds the states of the search, and what they have met: so has every
// state of the class that one of them stands for.
func (c *closing) take(t *tables, a int) {
	g := &c.agents[a]
	var old *shrunk
	if t.shrink.agents != nil {
		t.shrink.know(t, a)
		old = &t.shrink.agents[a]
	}
	for state := range t.agents[a].states {
		local := &t.agents[a].states[state]
		places := []int32{g.add(local.bytes)}
		if old != nil && old.place[state] >= 0 {
			places = old.members[old.reduced.Class[old.place[state]]]
		}
		for m := range local.met { //tidy:unordered marks are set
			for _, p := range places {
				g.rows[p].meet(t.messages[m].rank)
			}
		}
		local.met = nil // so that the next round looks whether its classes have met the same
	}
}

func (r *closingRow) meet(rank int) {
	for len(r.pairs) <= rank {
		r.pairs = append(r.pairs, inputPair{next: -1})
	}
	r.pairs[rank].met = true
}

// number is that of a state, whether or not it is in the table.
func (g *closingAgent) number(bytes string) int32 {
	id := number(g.ids, bytes)
	if int(id) == len(g.bytes) {
		g.bytes, g.places = append(g.bytes, bytes), append(g.places, -1)
	}
	return id
}

// add puts a state into the table, and gives its place.
func (g *closingAgent) add(bytes string) int32 {
	id := g.number(bytes)
	if g.places[id] < 0 {
		g.places[id] = int32(len(g.rows))
		g.rows = append(g.rows, closingRow{id: id})
	}
	return g.places[id]
}

// place is where a state stands in the table, if it does.
func (g *closingAgent) place(bytes string) (int, bool) {
	id, known := g.ids[bytes]
	if !known || g.places[id] < 0 {
		return 0, false
	}
	return int(g.places[id]), true
}

// closeAgent asks what was never asked, until nothing is added.
func (c *closing) closeAgent(s *search, a int) error {
	g := &c.agents[a]
	for i := 0; i < len(g.rows); i++ {
		if s.interrupted() {
			return errCut
		}
		if err := s.enough(func() int64 { return 0 }); err != nil {
			return err
		}
		if err := c.closeRow(a, i); err != nil {
			return err
		}
		if c.asked > maxAsked {
			g.why = fmt.Sprintf("the tables would take more than %d questions", maxAsked)
			return errUnreduced
		}
		if met := len(s.tables.agents[a].states); len(g.rows) > 1<<8+32*met {
			g.why = fmt.Sprintf("closing its table leads to more than %d states, and the search has met %d", len(g.rows)-1, met)
			return errUnreduced
		}
	}
	return nil
}

func (c *closing) closeRow(a, i int) error {
	g := &c.agents[a]
	if !g.rows[i].asked {
		if err := c.askOwn(a, i); err != nil {
			return err
		}
	}
	for rank := len(g.rows[i].pairs); rank < len(g.inputs); rank++ {
		g.rows[i].pairs = append(g.rows[i].pairs, inputPair{next: -1})
	}
	for rank := range g.inputs {
		if g.rows[i].pairs[rank].met {
			g.add(g.bytes[c.pair(a, i, rank).next])
		}
	}
	return nil
}

// unasked32 is what a pair shows that nobody has asked about: it may be noticed, so
// that its message is not dead where it may come to that.
const unasked32 = math.MaxInt32

// machine is an agent's table as package mealy takes it. Kept says that no two
// states may be merged.
func (c *closing) machine(a int, kept bool) *mealy.Machine {
	g := &c.agents[a]
	size := len(g.rows) * len(g.inputs)
	m := &mealy.Machine{
		States: len(g.rows), Inputs: len(g.inputs),
		Next: make([]int32, 0, size), Out: make([]int32, 0, size), Met: make([]bool, 0, size),
	}
	for i := range g.rows {
		r := &g.rows[i]
		for _, p := range r.pairs {
			next, out := int32(-1), int32(unasked32)
			if p.next >= 0 {
				next, out = g.places[p.next], p.out
			}
			m.Next, m.Out, m.Met = append(m.Next, next), append(m.Out, out), append(m.Met, p.met)
		}
		var own []mealy.Own
		for _, o := range r.own {
			own = append(own, mealy.Own{Label: o.label, Next: g.places[o.next], Out: o.out})
		}
		m.Own = append(m.Own, own)
		class := int32(0)
		switch {
		case kept:
			class = int32(i)
		case r.traits.Halted && r.traits.Crashed:
			class = 3
		case r.traits.Crashed:
			class = 2
		case r.traits.Halted:
			class = 1
		}
		m.Class = append(m.Class, class)
	}
	return m
}
